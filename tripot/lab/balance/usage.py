"""A witness to a game: sees it played again by the interpreted rules and notes what a designer asks about.

What is noted knows no game: decisions and news come with a key and numbers, and the game's `text.py` says
which of the numbers are names (a card, a role, an improvement). An item is a kind of decision or of news as
a whole, or the same with one of its names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from tripot.core.game import WHOLE_WIN, Game, signed
from tripot.core.speech import Sentence
from tripot.lab.arena.contest import Played
from tripot.lab.arena.workers import WorkUnit, match_of
from tripot.lab.balance.hooks import clock_field, standing

DECISION, NEWS = "decision", "news"


class Item(NamedTuple):
    """Something that can be used or happen: `place` and `value` say which name stands where, if any."""

    sort: str
    key: str
    place: str = ""
    value: int = 0


class Use(NamedTuple):
    """What became of an item in one game; victories are counted in fair shares."""

    used: int  # times in all
    offered: int  # times that a seat could choose it or something else
    taken: int  # times that it did
    won_taken: float  # what the seats that did won in the end, summed
    won_passed: float  # what the seats that did not won in the end, summed


@dataclass(frozen=True)
class GameUsage:
    """One game as the witness tells it."""

    played: Played
    length: int  # decisions
    clock: int | None  # rounds or turns
    lead_changes: int | None  # how often somebody else came to be alone ahead
    settled: float | None  # how much of the game was over when the last of them did
    uses: dict[Item, Use]


def measure_unit(unit: WorkUnit) -> list[GameUsage]:
    """Play some games and measure each of them."""
    match = match_of(unit.contest)
    found = []
    for deal, lineup in unit.games:
        played = match.play(deal, lineup)
        found.append(measure_game(match.game, match.house_rules, played, match.decisions))
    return found


def measure_game(game: Game, house_rules: Any, played: Played, decisions: Sequence[tuple[int, int]]) -> GameUsage:
    """Play a game again by the interpreted rules, with eyes and ears open."""
    seats = len(played.lineup)
    s = game.layout.state.plain()
    s.news = []
    game.deal(s, house_rules, seats, signed(played.deal))
    notes, race = UsageCounter(game, seats), LeadTracker(game)
    for seat, action in decisions:
        notes.see(game.layout.observe_plain(s, seat), game.legal_actions(s, seat), action)
        game.apply(s, seat, action)
        race.look(s)
    notes.hear(s.news)
    clock = clock_field(game)
    return GameUsage(
        played,
        len(decisions),
        getattr(s, clock) if clock else None,
        race.changes if race.standing else None,
        race.last / max(len(decisions), 1) if race.standing else None,
        notes.uses([share * seats / WHOLE_WIN for share in played.result]),
    )


@dataclass
class LeadTracker:
    """Who is alone ahead, and how often that changes."""

    game: Game
    leader: int = -1
    changes: int = 0
    looks: int = 0
    last: int = 0  # the look at which the leader came to lead

    def __post_init__(self) -> None:
        self.standing = standing(self.game)

    def look(self, s: Any) -> None:
        self.looks += 1
        if self.standing is None:
            return
        values = list(self.standing(s))
        ahead = [seat for seat, value in enumerate(values) if value == max(values)]
        if len(ahead) == 1 and ahead[0] != self.leader:
            self.changes += self.leader >= 0
            self.leader, self.last = ahead[0], self.looks


@dataclass
class UsageCounter:
    """What the witness writes down: by item and seat, how often it was used, offered and taken."""

    game: Game
    seats: int
    counts: dict[Item, list[list[int]]] = field(default_factory=dict)
    alone: dict[Item, int] = field(default_factory=dict)  # news that concern no seat

    def see(self, view: Any, legal: Sequence[int], action: int) -> None:
        """A seat decides."""
        chosen = set(items_of_decision(self.game, view, action))
        for item in chosen:
            self._row(item, view.seat)[0] += 1
        if len(legal) > 1:
            offered = {item for other in legal for item in items_of_decision(self.game, view, other)}
            for item in offered:
                row = self._row(item, view.seat)
                row[1] += 1
                row[2] += item in chosen

    def hear(self, news: Sequence[Any]) -> None:
        """What was told, to whomever."""
        for told in news:
            sentence = self.game.text.NEWS[told.what]
            seat = next((n for (_, table), n in zip(sentence.holes, told[2:], strict=False) if table == "seat"), None)
            for item in _items(self.game, NEWS, str(int(told.what)), sentence, told[2:]):
                if seat is None:
                    self.alone[item] = self.alone.get(item, 0) + 1
                else:
                    row = self._row(item, seat)
                    for column in range(3):
                        row[column] += 1

    def uses(self, won: Sequence[float]) -> dict[Item, Use]:
        """By item, all seats together, with what they won."""
        found = {item: Use(count, 0, 0, 0.0, 0.0) for item, count in self.alone.items()}
        for item, rows in self.counts.items():
            used, offered, taken = (sum(row[column] for row in rows) for column in range(3))
            won_taken = sum(row[2] * share for row, share in zip(rows, won, strict=True))
            won_passed = sum((row[1] - row[2]) * share for row, share in zip(rows, won, strict=True))
            found[item] = Use(used, offered, taken, won_taken, won_passed)
        return found

    def _row(self, item: Item, seat: int) -> list[int]:
        if item not in self.counts:
            self.counts[item] = [[0, 0, 0] for _ in range(self.seats)]
        return self.counts[item][seat]


def items_of_decision(game: Game, view: Any, action: int) -> Iterator[Item]:
    key, numbers = game.text.decision(view, action)
    return _items(game, DECISION, key, game.text.DECISIONS[key], numbers)


def _items(game: Game, sort: str, key: str, sentence: Sentence, numbers: Sequence[int]) -> Iterator[Item]:
    """The item itself, then one for each of its numbers that is a name."""
    yield Item(sort, key)
    for (place, table), number in zip(_holes(sentence), numbers, strict=False):
        if table in game.text.NAMES:
            yield Item(sort, key, place, int(number))


@cache
def _holes(sentence: Sentence) -> list[tuple[str, str]]:
    return sentence.holes
