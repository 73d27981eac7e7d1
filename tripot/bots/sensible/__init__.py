"""The sensible player: a page of common sense for each game, and where search follows it as it plays games out."""

from collections.abc import Callable
from typing import Any

from tripot.bots.sensible import trieste, trok, verrater
from tripot.games.trok.state import Phase as Trok

COMMON_SENSE: dict[str, Callable[[Any, Any, Any], int]] = {
    "verrater": verrater.choose,
    "trok": trok.choose,
    "trieste": trieste.choose,
}

EVERYWHERE = -1
# Where search follows common sense as it plays games out, phases as bits; everywhere unless said here. In Trök common
# sense about the exchange takes longer than the rules do: without it twice as many games are played out in a second,
# and 300 of them find nearly as good a decision (2.6 times the fair share instead of 3.0, 1.9 with no sense at all).
GUIDED: dict[str, int] = {
    "trok": sum(1 << phase for phase in (Trok.NAME, Trok.GIVE, Trok.COMBINE, Trok.IMPROVE, Trok.SECOND, Trok.STORE)),
}
