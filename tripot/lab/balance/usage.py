"""Usage of decisions and news in a game, counted while the interpreted rules replay it.

The counting works for any game: decisions and news have a key and numbers, and the game's `text.py` says which of
the numbers are names (a card, a role, an improvement). An item is a kind of decision or of news, either as a whole or
with one of its names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from tripot.core.game import WHOLE_WIN, Game, signed
from tripot.core.speech import Sentence
from tripot.lab.arena.contest import Played
from tripot.lab.arena.workers import WorkUnit, match_of
from tripot.lab.balance.hooks import clock_field, standing

DECISION, NEWS = "decision", "news"


class Item(NamedTuple):
    """A decision or news; `place` and `value` say which name fills which hole of its sentence, if any."""

    sort: str
    key: str
    place: str = ""
    value: int = 0


class Use(NamedTuple):
    """How often one item was used in one game; wins are in fair shares."""

    used: int  # times in all
    offered: int  # times that a seat could choose it among others
    taken: int  # times that the seat chose it
    won_taken: float  # sum of the win shares of the seats that chose it
    won_passed: float  # sum of the win shares of the seats that did not


@dataclass(frozen=True)
class GameUsage:
    """What was measured of one game."""

    played: Played
    length: int  # decisions
    clock: int | None  # rounds or turns
    lead_changes: int | None  # how often the sole leader changed
    settled: float | None  # the part of the game that was over at the last of these changes
    uses: dict[Item, Use]


def measure_unit(unit: WorkUnit) -> list[GameUsage]:
    """Plays the games of a unit and measures each of them."""
    match = match_of(unit.contest)
    found = []
    for deal, lineup in unit.games:
        played = replace(match.play(deal, lineup), decisions=tuple(match.decisions))
        found.append(measure_game(match.game, match.options, played))
    return found


def measure_game(game: Game, options: Any, played: Played) -> GameUsage:
    """Replays a game by the interpreted rules and counts its decisions, news and changes of lead."""
    seats, decisions = len(played.lineup), played.decisions
    s = game.layout.state.plain()
    s.news = []
    game.deal(s, options, seats, signed(played.deal))
    counter, lead = UsageCounter(game, seats), LeadTracker(game)
    for seat, action in decisions:
        counter.count_decision(game.layout.observe_plain(s, seat), game.legal_actions(s, seat), action)
        game.apply(s, seat, action)
        lead.update(s)
    counter.count_news(s.news)
    clock = clock_field(game)
    return GameUsage(
        played,
        len(decisions),
        getattr(s, clock) if clock else None,
        lead.changes if lead.standing else None,
        lead.last / max(len(decisions), 1) if lead.standing else None,
        counter.uses([share * seats / WHOLE_WIN for share in played.result]),
    )


@dataclass
class LeadTracker:
    """The sole leader, and how often that changes."""

    game: Game
    leader: int = -1
    changes: int = 0
    updates: int = 0
    last: int = 0  # the update at which the leader took the lead

    def __post_init__(self) -> None:
        self.standing = standing(self.game)

    def update(self, s: Any) -> None:
        self.updates += 1
        if self.standing is None:
            return
        values = list(self.standing(s))
        ahead = [seat for seat, value in enumerate(values) if value == max(values)]
        if len(ahead) == 1 and ahead[0] != self.leader:
            self.changes += self.leader >= 0
            self.leader, self.last = ahead[0], self.updates


@dataclass
class UsageCounter:
    """By item and seat, how often it was used, offered and taken."""

    game: Game
    seats: int
    counts: dict[Item, list[list[int]]] = field(default_factory=dict)
    seatless: dict[Item, int] = field(default_factory=dict)  # news that concern no seat

    def count_decision(self, view: Any, legal: Sequence[int], action: int) -> None:
        """Counts what a seat chose and what else it could have chosen."""
        chosen = set(items_of_decision(self.game, view, action))
        for item in chosen:
            self._row(item, view.seat)[0] += 1
        if len(legal) > 1:
            offered = {item for other in legal for item in items_of_decision(self.game, view, other)}
            for item in offered:
                row = self._row(item, view.seat)
                row[1] += 1
                row[2] += item in chosen

    def count_news(self, news: Sequence[Any]) -> None:
        """Counts all news, public and private."""
        for story in news:
            sentence, numbers = self.game.text.NEWS[story.what], story[2:]
            seat = next((n for (_, table), n in zip(sentence.holes, numbers, strict=False) if table == "seat"), None)
            for item in _items(self.game, NEWS, str(int(story.what)), sentence, numbers):
                if seat is None:
                    self.seatless[item] = self.seatless.get(item, 0) + 1
                else:
                    row = self._row(item, seat)
                    for column in range(3):
                        row[column] += 1

    def uses(self, won: Sequence[float]) -> dict[Item, Use]:
        """By item, the sums over all seats; `won` is the win share of each seat."""
        found = {item: Use(count, 0, 0, 0.0, 0.0) for item, count in self.seatless.items()}
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
    """Yields the item itself, then one for each of its numbers that is a name."""
    yield Item(sort, key)
    for (place, table), number in zip(_holes(sentence), numbers, strict=False):
        if table in game.text.NAMES:
            yield Item(sort, key, place, int(number))


@cache
def _holes(sentence: Sentence) -> list[tuple[str, str]]:
    return sentence.holes
