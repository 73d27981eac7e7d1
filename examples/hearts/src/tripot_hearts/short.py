"""Hearts of one deal, or of a few: for tests and experiments, where a game to 100 tries nothing more."""

from dataclasses import dataclass, replace

from tripot.core.options import option
from tripot_hearts import GAME
from tripot_hearts.state import Options


@dataclass(frozen=True)
class ShortOptions(Options):
    """The same house rules with other defaults."""

    target: int = option(30, "H-5.1", highest=60)
    deals: int = option(1, "H-5.1", highest=2)


SHORT = replace(GAME, options=ShortOptions)
