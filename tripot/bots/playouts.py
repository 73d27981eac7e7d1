"""Games played on from a moment, in native code: compiled by `core.jit`, never run as it stands.

The n-th playout uses the same luck for every decision and at every moment, so that decisions are compared under common
random numbers, and a moment after which no card was drawn is worth exactly what the decision before it was worth.

Beside results, the quantities of the game (`core.quantities`) are read twice: where the round of the moment ends,
and at the end of the game.
"""

from tripot.bots.ismcts import ask, imagined, rollout
from tripot.core.game import PLAYERS
from tripot.core.rng import seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
features = side_of = None  # … together with the functions of the game's evaluation …
turn_of = measure = None  # … and of its quantities: `turn_of` is their clock

FUTURE = PLAYERS + 34  # the random stream of cards still to come
REPLIES = PLAYERS + 35  # and of the players
AS_THE_HEURISTIC = -1  # in place of a decision: the heuristic takes it
TO_THE_END = 1 << 30  # the turn until which a rollout lasts


def play_state(work, start, seat, action, seed, count, heuristic_phases, totals, marks, scratch):
    """Plays on `count` times from a whole state after a decision; adds each seat's results to `totals`.

    `marks[player][when][quantity]` gets the sum of a quantity and the sum of its squares.
    """
    s = work.states[0]
    for n in range(count):
        for byte in range(len(start)):
            work.raw[byte] = start[byte]
        seed_luck(s, seed + n, FUTURE)
        seed_luck(work.memory[0], seed + n, REPLIES)
        until = end_of_round(s)
        if action != AS_THE_HEURISTIC:
            apply(s, seat, action)
        rollout(work, s, heuristic_phases, until)
        add_marks(s, marks, 0, scratch)
        rollout(work, s, heuristic_phases, TO_THE_END)
        add_marks(s, marks, 1, scratch)
        for player in range(s.seats):
            totals[player] += s.result[player]


def play_view(work, seat, actions, seed, count, heuristic_phases, results, marks):
    """Plays on from `count` states that the seat cannot tell from the real one; writes its result in each.

    `actions` are the parts of one choice, in order; `marks[n][when]` gets the quantities of the seat.
    """
    for n in range(count):
        s = imagined(work, seat, seed + n)
        seed_luck(work.memory[0], seed + n, REPLIES)
        until = end_of_round(s)
        for part in range(len(actions)):
            if actions[part] == AS_THE_HEURISTIC or (part > 0 and not may_go_on(work, s, seat, actions[part])):
                break
            apply(s, seat, actions[part])
        rollout(work, s, heuristic_phases, until)
        measure(s, seat, marks[n][0])
        rollout(work, s, heuristic_phases, TO_THE_END)
        measure(s, seat, marks[n][1])
        results[n] = s.result[seat]


def end_of_round(s):
    """The turn at which the present one is over; a set-up belongs to the first."""
    return max(turn_of(s), 1) + 1


def may_go_on(work, s, seat, action):
    """Whether the next part of a choice can follow: what lay hidden may have put an end to it."""
    if s.over:
        return False
    mover, _ = ask(s, work)
    return mover == seat and work.mask[action] > 0


def add_marks(s, marks, when, scratch):
    """Adds the quantities of all seats, and their squares."""
    for player in range(s.seats):
        measure(s, player, scratch)
        for quantity in range(len(scratch)):
            marks[player][when][quantity][0] += scratch[quantity]
            marks[player][when][quantity][1] += scratch[quantity] * scratch[quantity]
