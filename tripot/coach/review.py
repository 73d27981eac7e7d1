"""The review of a finished game: every seat's chance to win over time, and what made it change.

A chance is counted: from a moment the game is played on many times, all cards as they lie and the cards to come drawn
anew, with `sensible` players in every seat. The change from one moment to the next has three causes:

- **a decision**, judged from what its seat could see: the same tables imagined from its view are played on after each
  choice. What the choice brought beyond a sensible player's is its part of the sum; what the best choice would have
  brought more, as the network judges where there is one (`coach.playouts`), is *missed*;
- **the cards**: those drawn, and how those out of sight turned out to lie;
- **the others**: what their decisions did, as the cards really lay.

All of it is counted in whole numbers (sixtieths of a victory in `playouts` games), so result less starting chance is
the sum of the three to the last digit. The same seed gives the same review.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from threading import Event
from typing import Any

import numpy as np

from tripot.bots.playouts import AS_THE_HEURISTIC
from tripot.coach.playouts import Counts, Played, player_of
from tripot.coach.reasons import Reason, changes, reasons
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.rng import FIELDS as LUCK
from tripot.table.record import Record
from tripot.table.table import Table

PLAYOUTS = 480  # from each moment; choices divide it, so that all counts have one denominator
FEWEST = 120  # from each choice where there are many
MOST_WORLDS = 3840  # playouts that the choices of one decision share
CERTAIN = 2  # standard errors by which the best choice must lead, or the choices count as equal
LEAST_TOLD = 200  # of a victory: what is smaller is not worth a word
REVIEW_SEED = 18


class NotFinished(ValueError):
    """A game that is not over has no review."""


class Cancelled(RuntimeError):
    """The review was given up."""


@dataclass(frozen=True)
class Choice:
    """One legal decision and what it was worth to its seat, as far as the seat could see."""

    action: int
    value: int


@dataclass(frozen=True)
class Decision:
    """One decision of the game."""

    number: int  # from 1
    seat: int
    action: int
    clock: int
    choices: list[Choice] = field(default_factory=list)  # the best first; empty where there was only one
    missed: int = 0  # what the best choice would have brought more
    net: int = 0  # what the choice brought beyond a sensible player's
    risked: int = 0  # what a choice at random would have missed on average
    reasons: list[Reason] = field(
        default_factory=list
    )  # what the best choice brings against the one taken, or the next

    @property
    def best(self) -> int:
        return self.choices[0].action if self.choices else self.action


@dataclass(frozen=True)
class Change:
    """What one step of the game did to a seat's chance: the parts add up to the whole change."""

    decision: int
    cards: int
    others: int


@dataclass(frozen=True)
class Causes:
    """Why a step changed a seat's chance: what its decision and its cards did to the seat's quantities."""

    decision: list[Reason]
    cards: list[Reason]


@dataclass(frozen=True)
class Looked:
    """One step: the games played on before it and after its decision, before luck; and the decision, judged."""

    before: Played
    after: Played
    decision: Decision


@dataclass(frozen=True)
class Account:
    """A seat's game in one sum: `start + decisions + cards + others == result`, exactly."""

    seat: int
    start: int
    result: int
    missed: int  # by decisions, a part of `decisions`
    decisions: int  # found less missed
    cards: int
    others: int
    counted: int  # decisions with more than one choice
    accuracy: int | None  # 100: always the best choice; 0: no better than a choice at random


@dataclass(frozen=True)
class Review:
    """The review of a game. Every number but `accuracy` is in units: `whole` of them are a victory."""

    game: Game
    seats: int
    playouts: int
    seed: int
    chances: list[list[int]]  # by moment and seat, from the deal to the end
    decisions: list[Decision]
    changes: list[list[Change]]  # by decision and seat
    causes: list[list[Causes]]  # by decision and seat

    @property
    def whole(self) -> int:
        return WHOLE_WIN * self.playouts

    def told_miss(self, decision: Decision) -> int:
        """What a decision missed, if that is worth a word."""
        return decision.missed if decision.missed * LEAST_TOLD >= self.whole else 0

    def account(self, seat: int) -> Account:
        parts = [change[seat] for change in self.changes]
        own = [decision for decision in self.decisions if decision.seat == seat and decision.choices]
        missed, risked = (sum(getattr(decision, name) for decision in own) for name in ("missed", "risked"))
        return Account(
            seat,
            self.chances[0][seat],
            self.chances[-1][seat],
            missed,
            sum(part.decision for part in parts),
            sum(part.cards for part in parts),
            sum(part.others for part in parts),
            len(own),
            max(0, round(100 * (risked - missed) / risked)) if risked else None,
        )

    def turning_points(self, seat: int, count: int = 3) -> list[int]:
        """The steps that changed a seat's chance most, missed chances counted, in the order of the game."""

        def weight(step: int) -> int:
            change, decision = self.changes[step][seat], self.decisions[step]
            missed = decision.missed if decision.seat == seat else 0
            return max(abs(change.cards), abs(change.others), missed)

        ranked = sorted(range(len(self.changes)), key=lambda step: (-weight(step), step))
        return sorted(step for step in ranked[:count] if weight(step))


@dataclass(frozen=True)
class Moment:
    """What the review reads off one step: the state before it, the mover's view and its choices."""

    state: bytes
    view: Any
    legal: tuple[int, ...]
    seat: int
    action: int
    clock: int
    drew: bool  # whether the step used luck


def moments_of(table: Table) -> list[Moment]:
    """Every step of a finished game."""
    again = table.anew()
    found = []
    for seat, action in table.decisions:
        state, legal = again.state_bytes(), again.offer(seat).legal
        view, clock = again.view(seat), getattr(again.seen(seat), getattr(table.game.text, "CLOCK", "over"))
        luck = luck_of(table.game, state)
        again.decide(seat, action, again.offer(seat).sequence)
        drew = luck_of(table.game, again.state_bytes()) != luck
        found.append(Moment(state, view, legal, seat, action, int(clock), drew))
    return found


def luck_of(game: Game, state: bytes) -> tuple[int, ...]:
    record = np.frombuffer(state, game.layout.state.dtype)
    return tuple(int(record[word.name][0]) for word in LUCK)


def review(
    record: Record,
    table: Table,
    reviewed: Sequence[int] | None = None,
    playouts: int = PLAYOUTS,
    seed: int = REVIEW_SEED,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
    cancelled: Event | None = None,
) -> Review:
    """Reviews a finished game; decisions of the `reviewed` seats are judged, of all by default."""
    if record.result is None:
        raise NotFinished("this game is not finished: there is nothing to review yet")
    judged = range(table.seats) if reviewed is None else reviewed
    moments = moments_of(table)
    done = 0

    def work(step: int) -> Looked:
        if cancelled is not None and cancelled.is_set():
            raise Cancelled
        return look_at(table.game, moments[step], step, playouts, seed, moments[step].seat in judged)

    with ThreadPoolExecutor(threads) as pool:
        running: list[Future[Looked]] = [pool.submit(work, n) for n in range(len(moments))]
        found = []
        try:
            for future in running:
                found.append(future.result())
                done += 1
                progress(done, len(moments))
        finally:
            for future in running:
                future.cancel()
    return summed(table, found, playouts, seed)


def look_at(game: Game, moment: Moment, step: int, playouts: int, seed: int, judged: bool) -> Looked:
    """Looks at one step; a decision is judged from its seat's view."""
    player = player_of(game)
    before = player.from_state(moment.state, moment.seat, AS_THE_HEURISTIC, seed, playouts)
    after = before
    if len(moment.legal) > 1:
        after = player.from_state(moment.state, moment.seat, moment.action, seed, playouts)
    plain = Decision(step + 1, moment.seat, moment.action, moment.clock)
    decision = judge(game, moment, plain, playouts, seed) if judged and len(moment.legal) > 1 else plain
    return Looked(before, after, decision)


@dataclass(frozen=True)
class Weighed:
    """The choices of a moment, by their place in `legal`."""

    order: list[int]  # the best first
    values: list[int]
    losses: list[int]  # what the best brings more, where that is certain
    nets: list[int]  # what each brings beyond a sensible player's, among such players
    marks: Counts


def worlds_for(choices: int, playouts: int) -> int:
    """How many imagined tables each choice is played on from: a divisor of `playouts`."""
    wanted = max(min(FEWEST, playouts), min(playouts, MOST_WORLDS // choices))
    return next(count for count in range(wanted, 0, -1) if playouts % count == 0)


def weigh(game: Game, moment: Moment, playouts: int, seed: int) -> Weighed:
    """Weighs the choices of a moment by games played on from tables that its seat could not tell apart."""
    count = worlds_for(len(moment.legal), playouts)
    choices = [(action,) for action in (*moment.legal, AS_THE_HEURISTIC)]
    results, whole, played, marks = player_of(game).from_view(moment.view, choices, seed + 1, count)
    scale = WHOLE_WIN * playouts / whole
    values = [round(int(total) * scale) for total in results.sum(axis=1)]
    chosen = moment.legal.index(moment.action)
    order = sorted(range(len(moment.legal)), key=lambda row: (-values[row], row != chosen, row))
    losses = [round(certain_loss(results[order[0]], results[row]) * scale) for row in range(len(moment.legal))]
    sums = played.sum(axis=1) * (playouts // count)
    return Weighed(order, values[:-1], losses, [int(total - sums[-1]) for total in sums[:-1]], marks)


def judge(game: Game, moment: Moment, plain: Decision, playouts: int, seed: int) -> Decision:
    """Judges a decision among the choices of its moment."""
    found = weigh(game, moment, playouts, seed)
    chosen, best = moment.legal.index(moment.action), found.order[0]
    other = chosen if best != chosen else found.order[1]
    return Decision(
        plain.number,
        plain.seat,
        plain.action,
        plain.clock,
        [Choice(moment.legal[row], found.values[row]) for row in found.order],
        missed=found.losses[chosen],
        net=found.nets[chosen],
        risked=sum(found.losses) // len(found.losses),
        reasons=reasons(game, found.marks[best], found.marks[other]),
    )


def certain_loss(best: Counts, other: Counts) -> int:
    """How much one choice brings less than another on the same tables; 0 where the difference may be chance."""
    differences = best - other
    total = int(differences.sum())
    error = math.sqrt(len(differences)) * float(differences.std())
    return total if total > CERTAIN * error else 0


def summed(table: Table, found: Sequence[Looked], playouts: int, seed: int) -> Review:
    """Puts the steps together. After a step without luck the chance is what the decision was worth: no card came."""
    seats = range(table.seats)
    chances = [[int(looked.before.totals[seat]) for seat in seats] for looked in found]
    chances.append([share * playouts for share in table.result])
    parts = []
    for step, looked in enumerate(found):
        row = []
        for seat in seats:
            decided = int(looked.after.totals[seat]) - chances[step][seat]
            drawn = chances[step + 1][seat] - int(looked.after.totals[seat])
            if seat != looked.decision.seat:
                row.append(Change(0, drawn, decided))
            else:
                net = looked.decision.net
                row.append(Change(net, drawn + decided - net, 0))
        parts.append(row)
    causes = [[causes_of(table.game, found, step, seat, playouts) for seat in seats] for step in range(len(found))]
    return Review(table.game, table.seats, playouts, seed, chances, [one.decision for one in found], parts, causes)


def causes_of(game: Game, found: Sequence[Looked], step: int, seat: int, playouts: int) -> Causes:
    """What a step did to a seat's quantities. At the last step of a game no card is left to come."""
    before, after = found[step].before.marks[seat], found[step].after.marks[seat]
    following = found[step + 1].before.marks[seat] if step + 1 < len(found) else after
    return Causes(changes(game, before, after, playouts), changes(game, after, following, playouts))


def as_json(found: Review, seats: Sequence[int]) -> dict[str, Any]:
    """The review as JSON. Every number but `accuracy` is in units, of which `whole` are a victory."""
    return {
        "game": found.game.name,
        "rules": found.game.rules_version,
        "playouts": found.playouts,
        "seed": found.seed,
        "whole": found.whole,
        "chances": found.chances,
        "accounts": [asdict(found.account(seat)) for seat in seats],
        "turning_points": {seat: found.turning_points(seat) for seat in seats},
        "decisions": [asdict(decision) for decision in found.decisions],
        "changes": [[list(asdict(change).values()) for change in row] for row in found.changes],
    }
