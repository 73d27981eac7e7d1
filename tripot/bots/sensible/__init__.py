"""The sensible player: a page of common sense for each game."""

from collections.abc import Callable
from typing import Any

from tripot.bots.sensible import trieste, trok, verrater

COMMON_SENSE: dict[str, Callable[[Any, Any, Any], int]] = {
    "verrater": verrater.choose,
    "trok": trok.choose,
    "trieste": trieste.choose,
}

EVERYWHERE = -1  # phases as bits: where search follows common sense as it plays games out
