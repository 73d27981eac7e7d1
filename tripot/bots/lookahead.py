"""Look-ahead with a network, in native code: compiled by `core.jit`, never run as it stands.

Every candidate decision is tried in the same states, imagined from the searching seat's view, and under the same luck.
After it all seats decide on for a while, each from what it can see there; then the critic weighs the state that was
reached. The critic sees all of that state, which is imagined: nothing in it is known.

The searching seat decides as the network would. Of the others nobody knows what kind of player they are: in some tries
a seat decides as the network, in others as the game's heuristic, which people and searches are closer to.

How likely an imagined state is follows from how likely the others were to decide as they did there: decisions that can
still be read from the state are undone, and each kind of player says how likely it would have taken them. More states
are weighed than tried, and each is tried about as often as it is likely: a weight costs some decisions of the network,
a try many more.

Several tries go on side by side, one a lane, and wait for each other before each decision between several: the network
then answers all of them at once, with weights that stay in the cache.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from tripot.bots.forward import add_head, hidden_layers
from tripot.bots.ismcts import ask, imagined, pick
from tripot.bots.playouts import AS_THE_HEURISTIC, may_go_on
from tripot.core.encode import encode_rows, find_frame
from tripot.core.game import PLAYERS, WHOLE_WIN
from tripot.core.rng import roll, seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
features = side_of = turn_of = None  # … together with the functions of the game's evaluation …
turn_back = None  # … and of its hidden things

AS_THE_NETWORK = AS_THE_HEURISTIC  # in place of a decision: the player who plays on takes it
REPLIES = PLAYERS + 37  # the random stream of the decisions after a candidate …
AGAIN = PLAYERS + 38  # … of the cards, where a state is tried once more …
WHO = PLAYERS + 39  # … and of what kind of player each of the others is
ANOTHER_TIME = 1 << 40  # between the seeds of one state that is tried several times
NETWORK, HEURISTIC = range(2)  # kinds of players
FINE = 1 << 24  # steps of a random number between 0 and 1


class Lanes(NamedTuple):
    """Tries that go on side by side, and what the network is asked about each of them."""

    states: np.ndarray  # the imagined tables
    raw: np.ndarray  # their bytes, a row a lane
    memory: np.ndarray  # the luck of their decisions
    seats: np.ndarray  # who is to decide
    live: np.ndarray  # the lanes that ask the network now
    rows: np.ndarray  # the mover's encoded view and turned mask
    full: np.ndarray  # the whole state, encoded
    hidden: np.ndarray
    middle: np.ndarray
    more: np.ndarray
    logits: np.ndarray  # by turned action; then what each weighs
    outcomes: np.ndarray  # by slot, and nobody
    used: np.ndarray  # the inputs of a layer that are not 0
    asked: np.ndarray  # a past decision: its world, its action, how many were legal
    alike: np.ndarray  # by seat: whether it decides as the network; otherwise as the heuristic
    left: np.ndarray  # free decisions until the critic is asked
    shares: np.ndarray  # what the seat expects in the end


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


def try_choices(work, lanes, policy, values, seat, seed, worlds, alike, stream, depth, sharpness, choices):
    """Tries every choice in every imagined state, in a lane for each choice in each state.

    Of a state, `worlds` has its number and how often it was tried before: then its hidden cards are the same, and its
    luck is another. A choice is one decision or several in a row, filled up with AS_THE_NETWORK. Leaves what the seat
    then expects in `lanes.shares`. `alike` has the probability that a seat decides as the network, by world and seat.
    """
    lane = 0
    for n in range(len(worlds)):
        number, before = seed + worlds[n][0], worlds[n][1]
        s = imagined(work, seat, number)
        if before > 0:
            seed_luck(s, number + before * ANOTHER_TIME, AGAIN)
        seed_luck(work.memory[0], number + before * ANOTHER_TIME, WHO)
        for other in range(alike.shape[1]):
            lanes.alike[lane][other] = roll(work.memory[0], FINE) < alike[n][other] * FINE
        first = lane
        for choice in range(len(choices)):
            for other in range(alike.shape[1]):
                lanes.alike[lane][other] = lanes.alike[first][other]
            enter(work, lanes, lane)
            seed_luck(lanes.memory[lane], number + before * ANOTHER_TIME, stream)
            take_choice(work, lanes.states[lane], seat, choices[choice])
            lane += 1
    play_on(work, lanes, policy, lane, depth, sharpness)
    expect(work, lanes, values, lane, seat)


def take_choice(work, s, seat, choice):
    """Takes the decisions of a choice, as far as what lay hidden allows."""
    for part in range(len(choice)):
        if choice[part] == AS_THE_NETWORK or (part > 0 and not may_go_on(work, s, seat, choice[part])):
            break
        apply(s, seat, choice[part])


def enter(work, lanes, lane):
    """Copies the state that was imagined into a lane."""
    raw = lanes.raw[lane]
    for byte in range(len(raw)):
        raw[byte] = work.raw[byte]


def weigh_worlds(work, lanes, policy, seat, seed, first, doubts, likely):
    """Multiplies `likely` by how likely the others were to decide as they did in the imagined states from `first` on.

    By world, seat and kind of player: one like the network, or one like the heuristic. A player decides otherwise than
    their kind with the probability in `doubts`.
    """
    count = 0
    for world in range(len(likely)):
        s = imagined(work, seat, seed + first + world)
        seed_luck(work.memory[0], seed + first + world, WHO)
        decision = turn_back(s, seat)
        while decision >= 0:
            mover, action = decision // len(work.mask), decision % len(work.mask)
            several = count_legal(work, s, mover)
            if mover != seat and several > 1 and work.mask[action]:
                if count == len(lanes.live):
                    count_answers(lanes, policy, count, doubts, likely)
                    count = 0
                enter(work, lanes, count)
                asked = lanes.asked[count]
                asked[0], asked[1], asked[2] = world, action, several
                lanes.live[count] = count
                write_question(work, lanes, policy, count, mover)
                count += 1
                likely[world][mover][HEURISTIC] *= as_advised(work, s, mover, action, several, doubts[HEURISTIC])
            decision = turn_back(s, seat)
    count_answers(lanes, policy, count, doubts, likely)


def as_advised(work, s, mover, action, several, doubt):
    """How likely a player like the heuristic is to take this one of several legal decisions."""
    same = choose(observe_seat(s, mover, work.observer), work.mask, work.memory[0]) == action
    return (1.0 - doubt) * same + doubt / several


def count_legal(work, s, mover):
    """Fills the mask with the mover's legal decisions; returns their number."""
    for number in range(len(work.mask)):
        work.mask[number] = 0
    legal(s, mover, work.mask)
    count = 0
    for number in range(len(work.mask)):
        count += work.mask[number]
    return count


def count_answers(lanes, policy, count, doubts, likely):
    """Weighs worlds by what the network says of the past decisions in the first `count` lanes."""
    run_network(lanes, lanes.rows, count, policy, lanes.logits)
    for lane in range(count):
        world, action, several = lanes.asked[lane][0], lanes.asked[lane][1], lanes.asked[lane][2]
        total = weigh_actions(lanes, lane, 1.0)
        actions = policy.actions[find_frame(lanes.raw[lane], lanes.seats[lane], policy.tables[0])]
        turned = 0
        while actions[turned] != action:
            turned += 1
        doubt = doubts[NETWORK]
        chance = (1.0 - doubt) * lanes.logits[lane][turned] / total + doubt / several
        likely[world][lanes.seats[lane]][NETWORK] *= chance


def play_on(work, lanes, policy, count, depth, sharpness):
    """Takes decisions in the first `count` lanes until `depth` were free or the game is over.

    Each seat decides as its kind of player would. Probabilities of the network are raised to the power of `sharpness`.
    """
    for lane in range(count):
        lanes.left[lane] = depth
    asking = 1
    while asking > 0:
        asking = 0
        for lane in range(count):
            if play_to_question(work, lanes, policy, lane):
                lanes.live[asking] = lane
                asking += 1
        run_network(lanes, lanes.rows, asking, policy, lanes.logits)
        for n in range(asking):
            lane = lanes.live[n]
            apply(lanes.states[lane], lanes.seats[lane], sample(lanes, policy, lane, sharpness))
            lanes.left[lane] -= 1


def play_to_question(work, lanes, policy, lane):
    """Plays a lane on until the network is to be asked; False if it need not be any more."""
    s = lanes.states[lane]
    while not s.over and lanes.left[lane] > 0:
        mover, legal_ones = ask(s, work)
        if legal_ones == 1:
            apply(s, mover, pick(work, 0))
        elif lanes.alike[lane][mover]:
            write_question(work, lanes, policy, lane, mover)
            return True
        else:
            apply(s, mover, choose(view_in(work, lanes, lane, mover), work.mask, lanes.memory[lane]))
            lanes.left[lane] -= 1
    return False


def view_in(work, lanes, lane, seat):
    """What a seat sees in a lane."""
    _, raw_view, views, own_from, own_to, common, seat_at = work.observer
    observer = (lanes.raw[lane], raw_view, views, own_from, own_to, common, seat_at)
    return observe_seat(lanes.states[lane], seat, observer)


def write_question(work, lanes, policy, lane, mover):
    """Writes what the mover sees, and what they may decide, into the lane's row."""
    lanes.seats[lane] = mover
    write_encoded(lanes, lane, policy.tables, lanes.rows)
    actions = policy.actions[find_frame(lanes.raw[lane], mover, policy.tables[0])]
    row = lanes.rows[lane]
    before = len(row) - len(actions)
    for turned in range(len(actions)):
        row[before + turned] = work.mask[actions[turned]]


def write_encoded(lanes, lane, tables, rows):
    """Encodes the lane's state as its mover sees it, or the whole of it."""
    encode_rows(lane, lane + 1, lanes.raw, lanes.seats, tables[0], tables[1], tables[2], tables[3], rows)


def run_network(lanes, rows, count, network, out):
    """Leaves what a network answers to the rows of the first `count` live lanes in `out`."""
    live, hidden, used = lanes.live, lanes.hidden, lanes.used
    hidden_layers(rows, live, count, network.inputs, network.blocks, hidden, lanes.middle, lanes.more, used)
    add_head(live, count, network.head, hidden, out, used)


def sample(lanes, policy, lane, sharpness):
    """A legal decision, drawn with the probability that the network gives it, raised to the power of `sharpness`."""
    total = weigh_actions(lanes, lane, sharpness)
    row, logits = lanes.rows[lane], lanes.logits[lane]
    before = len(row) - len(logits)
    left = total * roll(lanes.memory[lane], FINE) / FINE
    last = 0
    for turned in range(len(logits)):
        if row[before + turned] != 0:
            last = turned
            left -= logits[turned]
            if left < 0:
                break
    return policy.actions[find_frame(lanes.raw[lane], lanes.seats[lane], policy.tables[0])][last]


def weigh_actions(lanes, lane, sharpness):
    """Turns the logits of legal decisions into what each weighs; returns the sum."""
    row, logits = lanes.rows[lane], lanes.logits[lane]
    before = len(row) - len(logits)
    highest = -math.inf
    for turned in range(len(logits)):
        if row[before + turned] != 0:
            highest = max(highest, logits[turned])
    total = 0.0
    for turned in range(len(logits)):
        if row[before + turned] != 0:
            logits[turned] = math.exp(sharpness * (logits[turned] - highest))
            total += logits[turned]
    return total


def expect(work, lanes, values, count, seat):
    """Writes the seat's result in the first `count` lanes, or what the critic expects as the next mover is turned."""
    asking = 0
    for lane in range(count):
        s = lanes.states[lane]
        if s.over:
            lanes.shares[lane] = s.result[seat] / WHOLE_WIN
        else:
            mover, _ = ask(s, work)
            lanes.seats[lane] = mover
            write_encoded(lanes, lane, values.tables, lanes.full)
            lanes.live[asking] = lane
            asking += 1
    run_network(lanes, lanes.full, asking, values, lanes.outcomes)
    for n in range(asking):
        lane = lanes.live[n]
        slot = values.slot_of[find_frame(lanes.raw[lane], lanes.seats[lane], values.tables[0])][seat]
        lanes.shares[lane] = softmax_of(lanes.outcomes[lane], slot)


def softmax_of(logits, which):
    """The probability of one of these outcomes."""
    highest = -math.inf
    for outcome in range(len(logits)):
        highest = max(highest, logits[outcome])
    total = 0.0
    for outcome in range(len(logits)):
        total += math.exp(logits[outcome] - highest)
    return math.exp(logits[which] - highest) / total
