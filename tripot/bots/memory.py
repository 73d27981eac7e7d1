"""What a bot carries from one decision to the next: the state of its own random generator."""

from __future__ import annotations

from typing import Any

from tripot.core import rng
from tripot.core.game import PLAYERS, signed
from tripot.core.layout import RecordLayout

BOT_MEMORY = RecordLayout(rng.FIELDS)


def new_memory(seed: int, seat: int) -> Any:
    """A fresh memory for a bot; the same seed and seat give the same decisions."""
    memory = BOT_MEMORY.plain()
    rng.seed_luck(memory, signed(seed), PLAYERS + seat)
    return memory
