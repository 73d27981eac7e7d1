"""The authority at a table: it keeps the state, accepts or refuses decisions, and tells each seat its part.

Nobody else holds the state. A seat gets its own view, its legal decisions and the news it may hear; spectators get the
public part. There are no sockets and no files here: the layers above carry messages.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Game, signed, waiting_seats
from tripot.core.layout import SPECTATOR
from tripot.core.news import EVERYONE, Item
from tripot.core.options import check_seats
from tripot.core.speech import Phrase
from tripot.table.choice import Choice, goes_on
from tripot.table.refusal import Reason, Refusal

SEEDS = 1 << 64
MOMENTS = 32  # pieces of news whose moments are kept: a page shows no more of them one after another


@dataclass(frozen=True)
class Offer:
    """What a seat may decide now. The decision must come back with `sequence`, so that a stale one is noticed."""

    seat: int
    sequence: int
    legal: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A piece of news and the number of the decision that caused it; 0 is the deal."""

    sequence: int
    item: Item


class Telling(list[Item]):
    """News as the rules tell it, and the state of the table at the moment of each piece."""

    def __init__(self, state: Any) -> None:
        super().__init__()
        self.moments: list[bytes] = []
        self._state = state

    def append(self, item: Item) -> None:
        super().append(item)
        self.moments.append(self._state.snapshot())


class BadTable(ValueError):
    """A table that cannot be opened: the message says why."""


class Table:
    """One game being played."""

    def __init__(self, game: Game, seats: int, seed: int, options: Any = None) -> None:
        if seats not in game.seats:
            raise BadTable(f"{game.name} is for {' or '.join(map(str, game.seats))} players, not {seats}")
        if not 0 <= seed < SEEDS:
            raise BadTable(f"the seed {seed} is not a number from 0 to 2^64 - 1")
        self.game = game
        self.seats = seats
        self.seed = seed
        self.options = options if options is not None else game.options()
        check_seats(self.options, seats)
        self.decisions: list[tuple[int, int]] = []  # (seat, action), from the first
        self.keeps_moments = False  # whether `moments` is asked for: it makes a decision up to half as slow again
        self._news: list[Story] = []
        self._moments: deque[bytes] = deque(maxlen=MOMENTS)  # the state at each of the last pieces of news
        self._packed: bytes | None = None
        self._state: Any = game.layout.state.plain()
        self._state.news = []
        game.deal(self._state, self.options, seats, signed(seed))
        self._asked = dict.fromkeys(waiting_seats(self._state), 0)
        self._collect(0)

    # --- What anyone may ask ---

    @property
    def over(self) -> bool:
        return bool(self._state.over)

    @property
    def sequence(self) -> int:
        """How many decisions have been taken."""
        return len(self.decisions)

    @property
    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return waiting_seats(self._state)

    @property
    def result(self) -> list[int]:
        """By seat, its share of the victory in sixtieths; all zero while the game goes on."""
        return [int(share) for share in self._state.result[: self.seats]]

    def view(self, who: int) -> NDArray[np.void]:
        """What `who` (a seat, or SPECTATOR) sees, as an array of one record."""
        self._check_who(who)
        return self.game.layout.observe(np.frombuffer(self.state_bytes(), self.game.layout.state.dtype), who)

    def seen(self, who: int) -> Any:
        """The same view as a plain object."""
        return self.game.layout.view_of(self.view(who).tobytes())

    def offer(self, seat: int) -> Offer:
        """What a seat may decide now; nothing if it owes no decision, or for SPECTATOR."""
        self._check_who(seat)
        if seat not in self._asked:
            return Offer(seat, self.sequence, ())
        return Offer(seat, self._asked[seat], tuple(self.game.legal_actions(self._state, seat)))

    def news(self, who: int, since: int = 0) -> list[Story]:
        """What `who` was told about decision `since` and all later ones."""
        self._check_who(who)
        first = bisect_left(self._news, since, key=attrgetter("sequence"))
        return [story for story in self._news[first:] if story.item.to in (EVERYONE, who)]

    def moments(self, who: int, since: int = 0) -> list[dict[str, Any] | None]:
        """For each piece of `news`: what in the present view of `who` was different at its moment, and how it was.

        None where the moment was not kept.
        """
        layout, present = self.game.layout, self.view(who).tobytes()
        oldest = len(self._news) - len(self._moments)
        first = bisect_left(self._news, since, key=attrgetter("sequence"))
        heard = [i for i, story in enumerate(self._news[first:], first) if story.item.to in (EVERYONE, who)]
        states = b"".join(self._moments[i - oldest] for i in heard if i >= oldest)
        views = layout.observe(np.frombuffer(states, layout.state.dtype), who)
        found: list[dict[str, Any] | None] = [None] * (len(heard) - len(views))
        return found + [layout.view.differences(view.tobytes(), present) for view in views]

    def all_news(self) -> list[Story]:
        """Everything told and whispered, in order: for replays, never for a seat."""
        return list(self._news)

    def letter(self, who: int, since: int = 0) -> dict[str, Any]:
        """All that goes to `who`, ready for JSON: view, legal decisions and news."""
        view = self.seen(who)
        fields = {f.name: getattr(view, f.name) for f in self.game.layout.view.fields}
        offer = self.offer(who)
        return {
            "sequence": offer.sequence,
            "view": fields,
            "legal": list(offer.legal),
            "news": [[story.sequence, *story.item[1:]] for story in self.news(who, since)],
        }

    # --- Decisions ---

    def decide(self, seat: int, actions: int | Sequence[int], sequence: int) -> None:
        """Applies the decision of a seat, or several that make one choice: all of them or none. Raises Refusal.

        Several must not go beyond the choice: a seat could try its luck, be refused, and try something else.
        """
        several = [actions] if isinstance(actions, int) else list(actions)
        self._check_turn(seat, sequence)
        if not several:
            raise self._refusal(Reason.NOTHING, seat)
        before, kept, asked = self._state.copy(), len(self._news), dict(self._asked)
        count = len(self.decisions)
        try:
            for action in several:
                if self.sequence > count and not goes_on(before, self._state):
                    self._state = before  # the refusal repeats the question of the choice, not a later one
                    raise self._refusal(Reason.STALE, seat)
                self._apply(seat, action)
        except Refusal:
            self._state, self._asked = before, asked
            del self._news[kept:], self.decisions[count:]
            self._moments.clear()
            self._packed = None
            raise

    def choice(self, seat: int, actions: Sequence[int], sequence: int) -> Choice:
        """A choice in progress: decisions tried out from the seat's own view. Raises Refusal."""
        self._check_turn(seat, sequence)
        choice = Choice(self.game, self.view(seat), self.offer(seat).legal)
        for action in actions:
            if action not in choice.legal:
                raise self._refusal(Reason.ILLEGAL, seat)
            choice.add(action)
        return choice

    def state_bytes(self) -> bytes:
        """The whole state, secrets and all: for records, replays and tests, never for a seat."""
        if self._packed is None:
            self._packed = self._state.pack()
        return self._packed

    def _apply(self, seat: int, action: int) -> None:
        """Applies one decision of a seat that is waited for."""
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < self.game.num_actions:
            raise self._refusal(Reason.UNKNOWN, seat)
        if action not in self.game.legal_actions(self._state, seat):
            raise self._refusal(Reason.ILLEGAL, seat)
        before = {other: self.game.legal_actions(self._state, other) for other in self._asked if other != seat}
        phase = self._state.phase
        self._state.news = Telling(self._state) if self.keeps_moments else []
        self.game.apply(self._state, seat, action)
        self._packed = None
        self.decisions.append((seat, action))
        self._collect(self.sequence)
        self._ask_anew(seat, before, phase)

    def _ask_anew(self, seat: int, before: dict[int, list[int]], phase: int) -> None:
        """A seat that chooses in secret beside others keeps its offer while nothing changes for it."""
        asked = {}
        for other in waiting_seats(self._state):
            same = other in before and phase == self._state.phase
            same = same and before[other] == self.game.legal_actions(self._state, other)
            asked[other] = self._asked[other] if same else self.sequence
        self._asked = asked

    def _collect(self, sequence: int) -> None:
        self._news += [Story(sequence, item) for item in self._state.news]
        self._moments += self._state.news.moments if self.keeps_moments else []
        self._state.news = []

    # --- Refusals ---

    def _check_who(self, who: int) -> None:
        if who != SPECTATOR and not self._is_seat(who):
            raise self._refusal(Reason.NO_SEAT, who)

    def _is_seat(self, who: object) -> bool:
        return isinstance(who, int) and not isinstance(who, bool) and 0 <= who < self.seats

    def _check_turn(self, seat: int, sequence: int) -> None:
        if not self._is_seat(seat):
            raise self._refusal(Reason.NO_SEAT, seat)
        if self._state.over:
            raise self._refusal(Reason.OVER, seat)
        if seat not in self._asked:
            raise self._refusal(Reason.NOT_WAITED_FOR, seat)
        if sequence != self._asked[seat]:
            raise self._refusal(Reason.STALE, seat)

    def _refusal(self, reason: Reason, seat: int) -> Refusal:
        question = self.game.text.QUESTIONS[self._state.phase]
        return Refusal(reason, seat, Phrase(question.en, question.fr), question.clause)
