"""The sensible player: a page of common sense for each game, and where search follows it as it plays games out."""

from collections.abc import Callable
from typing import Any

from tripot.bots.sensible import trieste, trok, verrater

COMMON_SENSE: dict[str, Callable[[Any, Any, Any], int]] = {
    "verrater": verrater.choose,
    "trok": trok.choose,
    "trieste": trieste.choose,
}

EVERYWHERE = -1
GUIDED: dict[str, int] = {}  # phases, as bits
