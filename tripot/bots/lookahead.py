"""Look-ahead with a network, in native code: compiled by `core.jit`, never run as it stands.

Every candidate decision is tried in the same states, imagined from the searching seat's view, and under the same luck.
After it all seats decide as the network would from what each of them can see there, for some decisions; then the critic
weighs the state that was reached. The critic sees all of that state, which is imagined: nothing in it is known.

An imagined state counts by how likely the others were to decide as they did, if it is the real one: decisions that can
still be read from the state are undone, and the network says how likely each of them was.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from tripot.bots.forward import add_layer, hidden_layers
from tripot.bots.ismcts import ask, imagined, pick
from tripot.core.encode import encode_rows, find_frame
from tripot.core.game import PLAYERS, WHOLE_WIN
from tripot.core.rng import roll, seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
features = side_of = turn_of = None  # … together with the functions of the game's evaluation …
turn_back = None  # … and of its hidden things

REPLIES = PLAYERS + 37  # the random stream of the decisions after a candidate
FINE = 1 << 24  # steps of a random number between 0 and 1


class Scratch(NamedTuple):
    """What one look-ahead writes to: rows of one table each."""

    raw: np.ndarray  # the bytes of the imagined state, as a row
    seats: np.ndarray  # who sees it
    encoded: np.ndarray  # the mover's view of it
    full: np.ndarray  # the whole of it
    row: np.ndarray  # an encoded view and its turned mask
    hidden: np.ndarray
    middle: np.ndarray
    more: np.ndarray
    logits: np.ndarray  # by turned action; then what each weighs
    outcomes: np.ndarray  # by slot, and nobody


class Policy(NamedTuple):
    """The network that plays: how views are encoded straight out of states, its layers, and actions by frame."""

    tables: tuple[Any, ...]
    inputs: tuple[Any, ...]
    blocks: tuple[Any, ...]
    head: tuple[Any, ...]
    actions: np.ndarray


class Values(NamedTuple):
    """The critic: how states are encoded, its layers, and slots by frame and seat."""

    tables: tuple[Any, ...]
    inputs: tuple[Any, ...]
    blocks: tuple[Any, ...]
    head: tuple[Any, ...]
    slot_of: np.ndarray


def try_candidates(work, scratch, policy, values, seat, seed, first, last, depth, doubt, candidates, totals):
    """Tries every candidate in the imagined states `first` to `last` - 1; adds what the seat then expects to `totals`.

    `totals[candidate]` is the sum of win shares, the sum of their squares and the sum of the weights, all weighed.
    """
    for world in range(first, last):
        weight = likelihood(work, scratch, policy, imagined(work, seat, seed + world), seat, doubt)
        for n in range(len(candidates)):
            s = imagined(work, seat, seed + world)
            seed_luck(work.memory[0], seed + world, REPLIES)
            apply(s, seat, candidates[n])
            play_on(work, scratch, policy, s, depth)
            share = expected_share(work, scratch, values, s, seat)
            totals[n][0] += weight * share
            totals[n][1] += weight * share * share
            totals[n][2] += weight


def likelihood(work, scratch, policy, s, seat, doubt):
    """How likely the others were to decide as they did in this state; players are taken to differ by `doubt`."""
    weight = 1.0
    decision = turn_back(s, seat)
    while decision >= 0:
        mover, action = decision // len(work.mask), decision % len(work.mask)
        count = 0
        for number in range(len(work.mask)):
            work.mask[number] = 0
        legal(s, mover, work.mask)
        for number in range(len(work.mask)):
            count += work.mask[number]
        if mover != seat and count > 1 and work.mask[action]:
            weight *= (1.0 - doubt) * chance_of(work, scratch, policy, mover, action) + doubt / count
        decision = turn_back(s, seat)
    return weight


def play_on(work, scratch, policy, s, depth):
    """Takes decisions as the network would until `depth` of them were free, or the game is over."""
    free = 0
    while not s.over and free < depth:
        mover, count = ask(s, work)
        action = pick(work, 0)
        if count > 1:
            action = sample(work, scratch, policy, mover)
            free += 1
        apply(s, mover, action)


def sample(work, scratch, policy, mover):
    """A legal decision, drawn with the probability that the network gives it from the mover's view."""
    frame, total = weigh_actions(work, scratch, policy, mover)
    width = scratch.encoded.shape[1]
    left = total * roll(work.memory[0], FINE) / FINE
    last = 0
    for turned in range(len(scratch.logits)):
        if scratch.row[width + turned] != 0:
            last = turned
            left -= scratch.logits[turned]
            if left < 0:
                break
    return policy.actions[frame][last]


def chance_of(work, scratch, policy, mover, action):
    """The probability that the network gives a legal decision from the mover's view."""
    frame, total = weigh_actions(work, scratch, policy, mover)
    turned = 0
    while policy.actions[frame][turned] != action:
        turned += 1
    return scratch.logits[turned] / total


def weigh_actions(work, scratch, policy, mover):
    """Leaves what each legal decision weighs in `scratch.logits`, turned; returns the frame and the sum."""
    scratch.seats[0] = mover
    encode_rows(
        0,
        1,
        scratch.raw,
        scratch.seats,
        policy.tables[0],
        policy.tables[1],
        policy.tables[2],
        policy.tables[3],
        scratch.encoded,
    )
    frame = find_frame(scratch.raw[0], mover, policy.tables[0])
    width = scratch.encoded.shape[1]
    for column in range(width):
        scratch.row[column] = scratch.encoded[0][column]
    for turned in range(len(scratch.logits)):
        scratch.row[width + turned] = work.mask[policy.actions[frame][turned]]
    hidden_layers(scratch.row, policy.inputs, policy.blocks, scratch.hidden, scratch.middle, scratch.more)
    add_layer(scratch.hidden, policy.head[0], policy.head[1], scratch.logits)
    highest = -math.inf
    for turned in range(len(scratch.logits)):
        if scratch.row[width + turned] != 0:
            highest = max(highest, scratch.logits[turned])
    total = 0.0
    for turned in range(len(scratch.logits)):
        if scratch.row[width + turned] != 0:
            scratch.logits[turned] = math.exp(scratch.logits[turned] - highest)
            total += scratch.logits[turned]
    return frame, total


def expected_share(work, scratch, values, s, seat):
    """The seat's result, or what the critic expects, as whoever moves next would be turned to."""
    if s.over:
        return s.result[seat] / WHOLE_WIN
    mover, _ = ask(s, work)
    scratch.seats[0] = mover
    encode_rows(
        0,
        1,
        scratch.raw,
        scratch.seats,
        values.tables[0],
        values.tables[1],
        values.tables[2],
        values.tables[3],
        scratch.full,
    )
    frame = find_frame(scratch.raw[0], mover, values.tables[0])
    hidden_layers(scratch.full[0], values.inputs, values.blocks, scratch.hidden, scratch.middle, scratch.more)
    add_layer(scratch.hidden, values.head[0], values.head[1], scratch.outcomes)
    highest = -math.inf
    for outcome in range(len(scratch.outcomes)):
        highest = max(highest, scratch.outcomes[outcome])
    total = 0.0
    for outcome in range(len(scratch.outcomes)):
        total += math.exp(scratch.outcomes[outcome] - highest)
    return math.exp(scratch.outcomes[values.slot_of[frame][seat]] - highest) / total
