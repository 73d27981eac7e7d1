"""A contest: a game, its house rules and the bots that meet; and a game of it as it was played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tripot import GAMES
from tripot.core import options as house_rules
from tripot.core.game import Game
from tripot.core.jit import PACKAGE
from tripot.lab.arena.schedule import Lineup, fill_seats


@dataclass(frozen=True)
class Contest:
    """What must be alike for games to be counted together. Small and made of text: it travels to other machines."""

    game: str
    rules: int
    seats: int
    options: str  # what differs from the printed rules, as JSON
    circle: tuple[str, ...]  # the bots, at least one for each seat; some may stand there several times
    program: str  # which rules and bots, as code

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """Each bot once."""
        return tuple(dict.fromkeys(self.circle))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The circle, with each bot as its number."""
        return tuple(self.bots.index(bot) for bot in self.circle)

    @property
    def by_the_clock(self) -> bool:
        """Whether a bot thinks for some time, so that the same game can end differently."""
        return any(bot.endswith("ms") for bot in self.bots)

    def options_of(self, game: Game) -> Any:
        """The house rules as the game takes them."""
        return house_rules.parse(game.options, json.loads(self.options))


def new_contest(game: Game, seats: int, options: Any, bots: Sequence[str]) -> Contest:
    """A contest of these bots; the last one named fills the seats that are left over."""
    rules = json.dumps(house_rules.as_json(options), sort_keys=True)
    return Contest(game.name, game.rules_version, seats, rules, fill_seats(bots, seats), program_of(game.name))


@cache
def program_of(game: str) -> str:
    """One name for the code that decides how a game goes: its rules and the bots, but no texts and no other game's."""
    digest, others = hashlib.sha256(), set(GAMES) - {game}
    for folder in ("core", "bots", f"games/{game}"):
        for path in sorted((PACKAGE / folder).rglob("*")):
            if path.suffix in (".py", ".npz") and path.stem not in {"text", *others}:
                digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Played:
    """One game of a contest. Deal and line-up name it: a contest has it once."""

    deal: int
    lineup: Lineup
    result: tuple[int, ...]  # by seat, its share of the victory in sixtieths
    sides: tuple[int, ...]  # by seat, the side it played; empty where the game has none
    choices: tuple[int, ...]  # by seat, decisions in which there was something to choose
    seconds: tuple[float, ...]  # by seat, the time they took

    @property
    def name(self) -> tuple[int, Lineup]:
        return self.deal, self.lineup

    @property
    def outcome(self) -> tuple[tuple[int, ...], ...]:
        """All that must come out alike when the game is played again."""
        return self.result, self.sides, self.choices
