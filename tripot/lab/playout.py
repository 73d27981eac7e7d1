"""Whole games at full speed: the loops that simulation, benchmarks and tests share. A rule module.

`deal`, `legal`, `apply` and `choose` are open names: `core.jit` fills in a game's rules and a player,
interpreted or native. Every game's sum stands for its whole course: equal sums, equal games.
"""

from tripot.core.game import PLAYERS
from tripot.core.rng import roll, seed_luck

deal = legal = apply = choose = observe = None  # bound by `core.jit`

HASH_START = 2166136261
HASH_FACTOR = 16777619
WORD = 0xFFFFFFFF


def choose_uniform(mask, memory):
    """Any legal decision, all equally likely."""
    count = 0
    for allowed in mask:
        count += allowed
    skip = roll(memory, count)
    action = 0
    while True:
        if mask[action]:
            if skip == 0:
                return action
            skip -= 1
        action += 1


def next_to_move(s):
    """The lowest seat that owes a decision."""
    seat = 0
    while not s.waiting >> seat & 1:
        seat += 1
    return seat


def play_uniform(s, options, seats, seed, mask, memory, tally):
    """One game of uniform players from the deal to the end; adds its decisions, its sum and its wins to `tally`."""
    deal(s, options, seats, seed)
    seed_luck(memory, seed, PLAYERS)
    decisions = 0
    course = HASH_START
    while not s.over:
        seat = next_to_move(s)
        for action in range(len(mask)):
            mask[action] = 0
        legal(s, seat, mask)
        action = choose_uniform(mask, memory)
        course = ((course ^ action) * HASH_FACTOR) & WORD
        apply(s, seat, action)
        decisions += 1
    count_game(s, decisions, course, tally)


def count_game(s, decisions, course, tally):
    tally[0] += 1
    tally[1] += decisions
    for seat in range(s.seats):
        course = ((course ^ s.result[seat]) * HASH_FACTOR) & WORD
        tally[3 + seat] += s.result[seat]
    tally[2] = (tally[2] + course) & WORD
