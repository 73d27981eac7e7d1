"""Trieste before Pickpocket could name any opponent: the rules of today with that house rule off. [T-7.5]"""

from dataclasses import dataclass, replace

from tripot.core.options import option
from tripot.games.trieste import GAME as NEWEST
from tripot.games.trieste.state import Options as Newest


@dataclass(frozen=True)
class Options(Newest):
    """The house rules of Trieste, version 2."""

    any_victim: int = option(0, "T-7.5")


GAME = replace(NEWEST, rules_version=2, options=Options)
