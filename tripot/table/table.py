"""The authority at a table: it keeps the state, accepts or refuses decisions, and tells each seat its part.

Nobody else holds the state. A seat gets its own view, its legal decisions and the news it may hear; spectators get the
public part. There are no sockets and no files here: the layers above carry messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Game, waiting_seats
from tripot.core.layout import SPECTATOR, Changes
from tripot.core.news import EVERYONE, Item
from tripot.core.options import check_seats
from tripot.core.shared_seed import BadSeed, Draw, Seed
from tripot.core.speech import Phrase
from tripot.table.choice import Choice, goes_on
from tripot.table.imagined import Imagined
from tripot.table.outcome import Mark, Outcome, history
from tripot.table.refusal import Reason, Refusal
from tripot.table.sights import Sights

SEEDS = 1 << 64
MOMENTS = 128  # pieces of news whose moments are kept: a page that was away for a turn or two can still show them


class Offer(NamedTuple):
    """What a seat may decide now. The decision must come back with `sequence`, so that a stale one is noticed."""

    seat: int
    sequence: int
    legal: tuple[int, ...]


class Story(NamedTuple):
    """A piece of news and the number of the decision that caused it; 0 is the deal."""

    sequence: int
    item: Item


class Update(NamedTuple):
    """What a seat that knew an earlier state has not been told yet. Only to be read."""

    view: dict[str, Any]  # the fields of its view that have changed
    news: list[list[int]]  # what it was told, ready for JSON
    moments: list[dict[str, Any] | None]  # for each piece of news as in `Table.moments`, without the guide


class Recent:
    """The news since a decision, worked out once for all who heard the same. What it returns is only to be read."""

    __slots__ = ("_heard", "_news", "_written", "apart", "compared", "moments", "owners", "since")

    def __init__(self, news: Sequence[Story], since: int) -> None:
        self.since = since
        self._news = news
        first = len(news)
        while first and news[first - 1].sequence >= since:  # they are mostly those of the last decision
            first -= 1
        numbers = list(range(first, len(news)))
        self.apart = {news[number].item.to for number in numbers} - {EVERYONE}  # those who heard what others did not
        self._heard: dict[int | None, list[int]] = {None: numbers}
        self._written: dict[int, list[list[int]]] = {}
        # For all others, once they are asked for: what was different at each moment, what of it everyone sees, and who
        # sees more.
        self.compared: list[Changes | None] = []
        self.moments: list[dict[str, Any] | None] | None = None
        self.owners: set[int] = set()

    def heard(self, who: int | None) -> list[int]:
        """The numbers of the news that `who` was told; None: of all that were told."""
        who = who if who is None or who in self.apart else EVERYONE
        found = self._heard.get(who)
        if found is None:
            found = [number for number in self._heard[None] if self._news[number].item.to in (EVERYONE, who)]
            self._heard[who] = found
        return found

    def written(self, who: int) -> list[list[int]]:
        """The news that `who` was told, as JSON takes them."""
        who = who if who in self.apart else EVERYONE
        found = self._written.get(who)
        if found is None:
            stories = [self._news[number] for number in self.heard(who)]
            found = self._written[who] = [[sequence, *item[1:]] for sequence, item in stories]
        return found


class Telling(list[Item]):
    """News as the rules tell it, and the state of the table at the moment of each piece."""

    def __init__(self, state: Any) -> None:
        super().__init__()
        self.moments: list[bytes] = []
        self._state = state

    def append(self, item: Item) -> None:
        super().append(item)
        self.moments.append(self._state.snapshot())


@cache
def viewers(seats: int) -> frozenset[int]:
    """Those who see a table, each what is theirs."""
    return frozenset((*range(seats), SPECTATOR))


class BadTable(ValueError):
    """A table that cannot be opened: the message says why."""


def check_seed(seed: Seed, seats: int) -> None:
    """Raises BadTable unless a table with this many seats can be dealt from this seed."""
    if isinstance(seed, int):
        if not 0 <= seed < SEEDS:
            raise BadTable(f"the seed {seed} is not a number from 0 to 2^64 - 1")
        return
    try:
        seed.check()
    except BadSeed as error:
        raise BadTable(str(error)) from None
    if len(seed.contributions) not in (0, seats):
        raise BadTable(f"{len(seed.contributions)} contributions to the shuffle for {seats} seats")


class Table:
    """One game being played."""

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: Seed,
        options: Any = None,
        draws: list[Draw] | None = None,
        imagined: Sequence[Imagined] = (),
    ) -> None:
        """Deals. `draws` hears every roll of a shared seed, now and later."""
        if seats not in game.seats:
            raise BadTable(f"{game.name} is for {' or '.join(map(str, game.seats))} players, not {seats}")
        check_seed(seed, seats)
        self.game = game
        self.seats = seats
        self.seed = seed
        self.options = options if options is not None else game.options()
        check_seats(self.options, seats)
        self.imagined = tuple(imagined)
        for one in imagined:
            if not (0 <= one.seat < seats and 0 <= one.seed < SEEDS):
                raise BadTable(f"hidden cards cannot be imagined by seat {one.seat + 1} from seed {one.seed}")
        self.decisions: list[tuple[int, int]] = []  # (seat, action), from the first
        self.keeps_moments = False  # whether `moments` is asked for: it makes a decision up to half as slow again
        self._viewers = viewers(seats)
        self._news: list[Story] = []
        self._moments: deque[bytes] = deque(maxlen=MOMENTS)  # the state at each of the last pieces of news
        self._packed: bytes | None = None  # these four are worked out when they are asked for
        self._offers: dict[int, Offer] = {}
        self._recent: Recent | None = None
        self._sights = Sights(game)
        self._history: list[Mark] | None = None  # of a finished game, once it is asked for
        self._state: Any = game.new_state(self.options, seats, seed, [], draws)
        self._asked = dict.fromkeys(waiting_seats(self._state), 0)
        self._collect(0)
        self._imagine_anew()

    def anew(self, draws: list[Draw] | None = None) -> Table:
        """The same table as it was dealt, to play its decisions again."""
        return Table(self.game, self.seats, self.seed, self.options, draws, self.imagined)

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
    def waiting_bits(self) -> int:
        """The same, as a bit for each seat."""
        return int(self._state.waiting)

    @property
    def result(self) -> list[int]:
        """By seat, its share of the victory in sixtieths; all zero while the game goes on."""
        return [int(share) for share in self._state.result[: self.seats]]

    def view(self, who: int) -> NDArray[np.void]:
        """What `who` (a seat, or SPECTATOR) sees, as an array of one record."""
        self._check_who(who)
        return self.game.layout.observe(np.frombuffer(self.state_bytes(), self.game.layout.state.dtype), who)

    def seen(self, who: int) -> Any:
        """The same view as a plain object, for reading only and until the next decision."""
        self._check_who(who)
        return self._sights.view(self.state_bytes(), who)

    def offer(self, seat: int) -> Offer:
        """What a seat may decide now; nothing if it owes no decision, or for SPECTATOR."""
        self._check_who(seat)
        found = self._offers.get(seat)
        if found is None:
            legal = tuple(self.game.legal_actions(self._state, seat)) if seat in self._asked else ()
            found = self._offers[seat] = Offer(seat, self._asked.get(seat, self.sequence), legal)
        return found

    def news(self, who: int, since: int = 0) -> list[Story]:
        """What `who` was told about decision `since` and all later ones."""
        self._check_who(who)
        return [self._news[number] for number in self._since(since).heard(who)]

    def _since(self, decision: int) -> Recent:
        if self._recent is None or self._recent.since != decision:
            self._recent = Recent(self._news, decision)
        return self._recent

    def moments(self, who: int, since: int = 0, guided: bool = True) -> list[dict[str, Any] | None]:
        """For each piece of `news`: what in the present view of `who` was different at its moment, and how it was.

        None where the moment was not kept. What the guide said is among it if it is asked for. Only to be read.
        """
        self._check_who(who)
        present, differences = self.state_bytes(), self._sights.differences
        states = self._states_at(self._since(since).heard(who))
        return [None if state is None else differences(state, present, who, guided) for state in states]

    def _unguided_moments(self, who: int, recent: Recent) -> list[dict[str, Any] | None]:
        """The same without what the guide says, worked out once for those who heard and saw the same."""
        if who in recent.apart or self._sights.conceals:
            return self.moments(who, recent.since, guided=False)
        if recent.moments is None:
            present, compared = self.state_bytes(), self._sights.compared
            states = self._states_at(recent.heard(EVERYONE))
            recent.compared = [None if state is None else compared(state, present) for state in states]
            recent.moments = [None if changes is None else changes.public for changes in recent.compared]
            recent.owners = {seat for changes in recent.compared if changes is not None for seat in changes.own}
        if who not in recent.owners:
            return recent.moments
        return [
            None if changes is None else {**changes.public, **changes.own.get(who, {})} for changes in recent.compared
        ]

    def _states_at(self, news: list[int]) -> list[bytes | None]:
        """The whole state at each of these pieces of news; None where it was not kept."""
        moments, oldest = self._moments, len(self._news) - len(self._moments)
        return [moments[number - oldest] if number >= oldest else None for number in news]

    def outcome(self, who: int) -> Outcome | None:
        """How the game went, said to `who`; None while it goes on, or for a game without a guide."""
        self._check_who(who)
        guide = self.game.guide
        if guide is None or not self.over:
            return None
        if self._history is None:
            self._history = history(self.game, self._dealt(), self.decisions, self.imagined)
        said = None if who == SPECTATOR else guide.outcome(self._state, who)
        return Outcome(said, [guide.reached(self._state, seat) for seat in range(self.seats)], self._history)

    def states_told(self, who: int | None, since: int) -> list[bytes | None]:
        """The whole state at each piece of `news`, of `all_news` for None: for replays, never for a seat."""
        return self._states_at(self._since(since).heard(who))

    def all_news(self) -> list[Story]:
        """Everything told and whispered, in order: for replays, never for a seat."""
        return list(self._news)

    def letter(self, who: int, since: int = 0) -> dict[str, Any]:
        """All that goes to `who`, ready for JSON: view, legal decisions and news."""
        offer = self.offer(who)
        return {
            "sequence": offer.sequence,
            "view": self._sights.fields(self.state_bytes(), who),
            "legal": list(offer.legal),
            "news": self.news_json(who, since),
        }

    def news_json(self, who: int, since: int = 0) -> list[list[int]]:
        """The same as `news`, ready for JSON. Only to be read."""
        self._check_who(who)
        return self._since(since).written(who)

    def update(self, who: int, since: int, before: bytes) -> Update:
        """What `who` was told about decision `since` and all later ones, and sees changed since the state `before`."""
        self._check_who(who)
        present, recent = self.state_bytes(), self._since(since)
        return Update(
            self._sights.differences(present, before, who),
            recent.written(who),
            self._unguided_moments(who, recent),
        )

    def rest(self) -> None:
        """Gives back memory that only the letters after a decision needed."""
        self._sights.rest()
        self._recent = None

    # --- Decisions ---

    def decide(self, seat: int, actions: int | Sequence[int], sequence: int) -> None:
        """Applies the decision of a seat, or several that make one choice: all of them or none. Raises Refusal.

        Several must not go beyond the choice: a seat could try its luck, be refused, and try something else.
        """
        several = [actions] if isinstance(actions, int) else list(actions)
        self._check_turn(seat, sequence)
        if not several:
            raise self._refusal(Reason.NOTHING, seat)
        # One decision alone is refused before it changes anything.
        before = self._state.copy() if len(several) > 1 else self._state
        kept, asked = len(self._news), dict(self._asked)
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
            self._changed()
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
            self._sights.begin(self._packed, self._state)
        return self._packed

    def _changed(self) -> None:
        """Forgets what was worked out from the state."""
        self._packed = None
        self._offers, self._recent = {}, None

    def _apply(self, seat: int, action: int) -> None:
        """Applies one decision of a seat that is waited for."""
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < self.game.num_actions:
            raise self._refusal(Reason.UNKNOWN, seat)
        if action not in self.offer(seat).legal:
            raise self._refusal(Reason.ILLEGAL, seat)
        before = {other: self.offer(other).legal for other in self._asked if other != seat}
        phase = self._state.phase
        self._state.news = Telling(self._state) if self.keeps_moments else []
        self.game.apply(self._state, seat, action)
        self._changed()
        self.decisions.append((seat, action))
        self._collect(self.sequence)
        self._ask_anew(before, phase)
        self._imagine_anew()

    def _imagine_anew(self) -> None:
        """Changes what one seat cannot see, if this is the moment; what others were told in secret is forgotten."""
        for one in self.imagined:
            if one.after == self.sequence and not self.over:
                self._state = one.anew(self.game, self._state)
                self._state.news = []
                self._news = [story for story in self._news if story.item.to in (EVERYONE, one.seat)]
                self._moments.clear()
                self._changed()

    def _dealt(self) -> Any:
        """The state after the deal."""
        return self.game.new_state(self.options, self.seats, self.seed)

    def _ask_anew(self, before: dict[int, tuple[int, ...]], phase: int) -> None:
        """A seat that chooses in secret beside others keeps its offer while nothing changes for it."""
        asked = {}
        for other in waiting_seats(self._state):
            same = other in before and phase == self._state.phase
            same = same and list(before[other]) == self.game.legal_actions(self._state, other)
            asked[other] = self._asked[other] if same else self.sequence
        self._asked = asked

    def _collect(self, sequence: int) -> None:
        self._news += [Story(sequence, item) for item in self._state.news]
        self._recent = None
        self._moments += self._state.news.moments if self.keeps_moments else []
        self._state.news = []

    # --- Refusals ---

    def _check_who(self, who: int) -> None:
        if type(who) is not int or who not in self._viewers:
            raise self._refusal(Reason.NO_SEAT, who)

    def _check_turn(self, seat: int, sequence: int) -> None:
        if seat == SPECTATOR:
            raise self._refusal(Reason.NO_SEAT, seat)
        self._check_who(seat)
        if self._state.over:
            raise self._refusal(Reason.OVER, seat)
        if seat not in self._asked:
            raise self._refusal(Reason.NOT_WAITED_FOR, seat)
        if sequence != self._asked[seat]:
            raise self._refusal(Reason.STALE, seat)

    def _refusal(self, reason: Reason, seat: int) -> Refusal:
        question = self.game.text.QUESTIONS[self._state.phase]
        return Refusal(reason, seat, Phrase(question.en, question.fr), question.clause)
