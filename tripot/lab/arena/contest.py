"""A contest: a game, its house rules and its bots; and the result of one game of a contest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tripot import GAMES
from tripot.bots.own import own_code
from tripot.core.game import Game
from tripot.core.native_cache import PACKAGE
from tripot.core.options import as_json, parse
from tripot.lab.arena.schedule import Lineup, fill_seats


@dataclass(frozen=True)
class Contest:
    """What games must have in common to be counted together. Small and made of text, to be sent to other machines."""

    game: str
    rules: int
    seats: int
    options: str  # the house rules that differ from the printed rules, as JSON
    circle: tuple[str, ...]  # the bots, at least one for each seat; a bot can appear several times
    program: str  # a hash of the code of rules and bots, and of the modules and weights of one's own

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """Each bot once."""
        return tuple(dict.fromkeys(self.circle))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The circle, with each bot as its index in `bots`."""
        return tuple(self.bots.index(bot) for bot in self.circle)

    @property
    def is_timed(self) -> bool:
        """Whether a bot searches for a fixed time, so that the same game can end differently."""
        return any(bot.endswith("ms") for bot in self.bots)

    def options_of(self, game: Game) -> Any:
        """The house rules as the game's options object."""
        return parse(game.options, json.loads(self.options))


def new_contest(game: Game, seats: int, options: Any, bots: Sequence[str]) -> Contest:
    """A contest of these bots; the last one named fills the remaining seats."""
    rules = json.dumps(as_json(options), sort_keys=True)
    circle, program = fill_seats(bots, seats), program_of(game.name)
    if any(own := [own_code(bot) for bot in dict.fromkeys(circle)]):
        program = hashlib.sha256("".join([program, *own]).encode()).hexdigest()[:12]
    return Contest(game.name, game.rules_version, seats, rules, circle, program)


@cache
def program_of(game: str) -> str:
    """A hash of the code that determines a game: its rules and the bots, without texts, lessons and other games."""
    digest, others = hashlib.sha256(), set(GAMES) - {game}
    for folder in ("core", "bots", f"games/{game}"):
        for path in sorted((PACKAGE / folder).rglob("*")):
            if path.suffix in (".py", ".npz") and path.stem not in {"text", "lessons", "teaching", *others}:
                digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Played:
    """One game of a contest. Deal and line-up identify it: a contest has it once."""

    deal: int
    lineup: Lineup
    result: tuple[int, ...]  # by seat, the win share in sixtieths
    sides: tuple[int, ...]  # by seat, the side it played; empty if the game has no sides
    choices: tuple[int, ...]  # by seat, decisions with more than one legal action
    seconds: tuple[float, ...]  # by seat, the time they took
    decisions: tuple[tuple[int, int], ...] = ()  # (seat, action) of each, where the contest needs them again

    @property
    def name(self) -> tuple[int, Lineup]:
        return self.deal, self.lineup

    @property
    def outcome(self) -> tuple[tuple[int, ...], ...]:
        """What must be equal when the game is played again."""
        return self.result, self.sides, self.choices
