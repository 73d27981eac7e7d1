"""The balance of a game as bots play it: who wins, how long games last, what is used and what goes with winning.

Each set of house rules is a column, and all columns are played on the same deals. The first column has the printed
rules; the others are compared with it deal by deal.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import WHOLE_WIN, Game
from tripot.core.options import parse_pairs
from tripot.core.speech import Phrase, Sentence, outline
from tripot.lab.arena.contest import Contest, new_contest
from tripot.lab.arena.games_file import BadGamesFile, GamesFile
from tripot.lab.arena.schedule import schedule
from tripot.lab.arena.win_shares import LEVEL, RESAMPLE_SEED, RESAMPLES
from tripot.lab.arena.workers import Runner, work_units
from tripot.lab.balance.hooks import side_names
from tripot.lab.balance.usage import DECISION, NEWS, GameUsage, Item, measure_game, measure_unit

CLUSTERS = 1000  # groups of deals for the bootstrap
Progress = Callable[[int], None]
Floats = NDArray[np.float64]


@dataclass
class Column:
    """The measurements of one set of house rules.

    Every quantity is a ratio of two sums, kept by group of deals; some quantities also have a histogram.
    """

    contest: Contest
    games: int = 0
    sums: dict[str, Floats] = field(default_factory=dict)  # by quantity: [group, (numerator, denominator)]
    spread: dict[str, Counter[int]] = field(default_factory=dict)
    items: set[Item] = field(default_factory=set)

    def add(self, usage: GameUsage) -> None:
        """Adds one game."""
        group = usage.played.deal % CLUSTERS
        self.games += 1
        for seat, share in enumerate(usage.played.result):
            won = share * self.contest.seats / WHOLE_WIN
            self._sum(group, f"seat {seat}", won, 1)
            if usage.played.sides:
                self._sum(group, f"side {usage.played.sides[seat]}", won, 1)
        for name, value in (("length", usage.length), ("clock", usage.clock), ("lead_changes", usage.lead_changes)):
            if value is not None:
                self._sum(group, name, value, 1)
                self.spread.setdefault(name, Counter())[value] += 1
        if usage.settled is not None:
            self._sum(group, "settled", usage.settled, 1)
        for item, use in usage.uses.items():
            self.items.add(item)
            self._sum(group, f"used {item}", use.used, 0)  # `close` puts in the denominator, the number of games
            self._sum(group, f"rate {item}", use.taken, use.offered)
            self._sum(group, f"taken {item}", use.won_taken, use.taken)
            self._sum(group, f"passed {item}", use.won_passed, use.offered - use.taken)
        self._sum(group, "games", 1, 1)

    def close(self) -> None:
        """Completes the sums after the last game: uses are per game."""
        for item in self.items:
            self.sums[f"used {item}"][:, 1] = self.sums["games"][:, 0]

    def _sum(self, group: int, name: str, above: float, below: float) -> None:
        if name not in self.sums:
            self.sums[name] = np.zeros((CLUSTERS, 2))
        self.sums[name][group] += (above, below)


@dataclass(frozen=True)
class Quantity:
    """A value with its 95% interval and, for other house rules, that of its difference from the printed rules."""

    value: float
    low: float
    high: float
    change: tuple[float, float] | None = None
    count: int = 0  # how many games or occasions it was measured on

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"value": round(self.value, 4), "interval": [round(self.low, 4), round(self.high, 4)]}
        if self.change is not None:
            found["difference"] = [round(self.change[0], 4), round(self.change[1], 4)]
        return found


Quantities = dict[str, Quantity]


def measure(
    game: Game,
    seats: int,
    bot: str,
    games: int,
    seed: int,
    rules: Sequence[Any],
    run: Runner,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Lets a bot play itself by each set of house rules. Returns the whole report as JSON values.

    With a folder, games are saved there, a file a column, and those that it has already are not played again.
    """
    columns = []
    for options in rules:
        column = Column(new_contest(game, seats, options, [bot]))
        for usages in _measured(game, column.contest, options, games, seed, run, folder):
            for usage in usages:
                column.add(usage)
            if progress is not None:
                progress(len(usages))
        column.close()
        columns.append(column)
    quantities = estimate(columns)
    return {
        "game": game.name,
        "title": _both(game.text.TITLE),
        "rules": game.rules_version,
        "seats": seats,
        "bot": bot,
        "games": games,
        "seed": seed,
        "columns": [column_json(game, column, found) for column, found in zip(columns, quantities, strict=True)],
    }


def _measured(
    game: Game, contest: Contest, options: Any, games: int, seed: int, run: Runner, folder: Path | None
) -> Iterator[list[GameUsage]]:
    """The games of a column: first those that are saved, then the others as they are played."""
    saved = GamesFile(contest, folder / file_name(contest) if folder else None)
    wanted = list(schedule(contest.numbers, contest.seats, seed, games))
    for name in wanted:
        if name in saved.games:
            if not saved.games[name].decisions:
                raise BadGamesFile(f"{saved.path}: deal {name[0]} was saved without its decisions")
            yield [measure_game(game, options, saved.games[name])]
    missing = [name for name in wanted if name not in saved.games]
    for usages in run(measure_unit, work_units(contest, missing)):
        if folder is not None:
            for usage in usages:
                saved.add(usage.played)
        yield usages


def file_name(contest: Contest) -> str:
    """A name for the saved games of a column: another bot, program or set of house rules has another file."""
    about = json.dumps([contest.options, contest.circle, contest.seats])
    return f"{contest.game}-{contest.program}-{hashlib.sha256(about.encode()).hexdigest()[:8]}.jsonl"


# --- Estimates ---


def estimate(columns: Sequence[Column]) -> list[Quantities]:
    """Every quantity of every column, with bootstrap intervals; all columns use the same resampled deals."""
    used = np.flatnonzero(np.any([column.sums["games"][:, 0] > 0 for column in columns], axis=0))
    generator = np.random.default_rng(RESAMPLE_SEED)
    drawn = generator.multinomial(max(len(used) - 1, 1), np.full(len(used), 1 / len(used)), RESAMPLES).astype(
        np.float64
    )
    found: list[Quantities] = []
    printed: dict[str, Floats] = {}
    for column in columns:
        names = sorted(column.sums)
        above, below = (np.stack([column.sums[name][used, side] for name in names], axis=1) for side in (0, 1))
        total = below.sum(0)
        divisor = drawn @ below
        ratios = np.divide(drawn @ above, divisor, out=np.full(divisor.shape, np.nan), where=divisor > 0)
        if column is columns[0]:
            printed = dict(zip(names, ratios.T, strict=True))
        changes = ratios - np.stack([printed.get(name, np.full(RESAMPLES, np.nan)) for name in names], axis=1)
        found.append({})
        for i, name in enumerate(names):
            if total[i] > 0:
                change = _percentiles(changes[:, i]) if column is not columns[0] and name in printed else None
                value, (low, high) = float(above[:, i].sum() / total[i]), _percentiles(ratios[:, i])
                found[-1][name] = Quantity(value, low, high, change, int(total[i]))
    return found


def _percentiles(values: Floats) -> tuple[float, float]:
    tail = (100 - LEVEL) / 2
    values = values[np.isfinite(values)]
    low, high = np.percentile(values, [tail, 100 - tail]) if len(values) else (0.0, 0.0)
    return float(low), float(high)


# --- JSON ---


def column_json(game: Game, column: Column, found: Quantities) -> dict[str, Any]:
    """One column of the report."""
    seats = [
        {"seat": seat + 1, "name": _both(game.text.SEATS[seat]), "share_ratio": found[f"seat {seat}"].as_json()}
        for seat in range(column.contest.seats)
    ]
    sides = [
        {"side": number, "name": _both(name), "share_ratio": found[f"side {number}"].as_json()}
        for number, name in enumerate(side_names(game))
        if f"side {number}" in found
    ]
    facts: dict[str, Any] = {"options": json.loads(column.contest.options), "games": column.games}
    facts |= {"seats": seats, "sides": sides}
    for name in ("length", "clock", "lead_changes"):
        if name in found:
            spread = {str(value): count for value, count in sorted(column.spread[name].items())}
            facts[name] = {"mean": found[name].as_json(), "spread": spread}
    if "settled" in found:
        facts["settled"] = found["settled"].as_json()
    ordered = sorted(column.items, key=lambda item: _place_of(game, item))
    facts["decisions"] = [item_json(game, item, found) for item in ordered if item.sort == DECISION]
    facts["news"] = [item_json(game, item, found) for item in ordered if item.sort == NEWS]
    return facts


def item_json(game: Game, item: Item, found: Quantities) -> dict[str, Any]:
    """How often an item is used, how often it is taken when offered, and the win share of its users."""
    sentence = sentence_of(game, item)
    facts: dict[str, Any] = {"key": item.key, "place": item.place, "value": item.value}
    facts["text"] = {lang: describe(game, sentence, item, lang) for lang in ("en", "fr")}
    facts["offered"] = found[f"rate {item}"].count if item.sort == DECISION and f"rate {item}" in found else 0
    names = {"per_game": "used", "taken": "rate", "win_ratio": "taken", "win_ratio_passed": "passed"}
    for name, quantity in names.items():
        if f"{quantity} {item}" in found and not (item.sort == NEWS and quantity in ("rate", "passed")):
            facts[name] = found[f"{quantity} {item}"].as_json()
    return facts


def sentence_of(game: Game, item: Item) -> Sentence:
    return game.text.DECISIONS[str(item.key)] if item.sort == DECISION else game.text.NEWS[int(item.key)]


def describe(game: Game, sentence: Sentence, item: Item, lang: str) -> str:
    """The item in words: its sentence, with its one name filled in."""
    tables = dict(sentence.holes)
    known = {item.place: game.text.NAMES[tables[item.place]][item.value](lang)} if item.place else {}
    return outline(sentence, known, lang)


def _place_of(game: Game, item: Item) -> tuple[int, int, int]:
    """The sort key of an item: its place in the game's texts."""
    first = list(game.text.DECISIONS).index(item.key) if item.sort == DECISION else int(item.key)
    places = [place for place, _ in sentence_of(game, item).holes]
    return first, places.index(item.place) + 1 if item.place else 0, item.value


def _both(phrase: Phrase) -> dict[str, str]:
    return {"en": phrase.en, "fr": phrase.fr}


def read_columns(game: Game, given: Sequence[str]) -> list[Any]:
    """The sets of house rules to compare: the printed rules, then one for each text such as `a=1; b=2`."""
    typed = [[pair.strip() for pair in text.split(";") if pair.strip()] for text in given]
    return [game.options(), *(parse_pairs(game.options, pairs) for pairs in typed)]
