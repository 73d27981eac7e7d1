"""Trieste before Pickpocket could name any opponent: the rules of version 3 with that house rule off. [T-7.5]"""

from dataclasses import dataclass, replace

from tripot.core.options import option
from tripot.games.older.trieste_3 import GAME as THIRD
from tripot.games.older.trieste_3 import Options as Third


@dataclass(frozen=True)
class Options(Third):
    """The house rules of Trieste, version 2."""

    any_victim: int = option(0, "T-7.5")


GAME = replace(THIRD, rules_version=2, options=Options)
