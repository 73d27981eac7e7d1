"""Choices weighed by a network, in native code: compiled by `core.jit`, never run as it stands.

All seats decide as the network would from what each can see, for some decisions; then the critic weighs the state that
was reached. As in `playouts`, the n-th try uses the same luck for every choice.
"""

from tripot.bots.ismcts import imagined
from tripot.bots.lookahead import enter, expect, play_on
from tripot.bots.playouts import AS_THE_HEURISTIC, REPLIES, may_go_on
from tripot.core.rng import seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
features = side_of = turn_of = None  # … together with the functions of the game's evaluation

AS_LIKELY = 1.0  # the network's own probabilities
AS_THE_NETWORK = AS_THE_HEURISTIC  # in place of a decision: the player who plays on takes it


def weigh_view(work, lanes, policy, values, seat, actions, seed, depth, shares):
    """Plays on from states that the seat cannot tell from the real one; `shares[n]` gets what it expects in the n-th.

    `actions` are the parts of one choice, in order.
    """
    for first in range(0, len(shares), len(lanes.live)):
        count = min(len(lanes.live), len(shares) - first)
        for lane in range(count):
            imagined(work, seat, seed + first + lane)
            enter(work, lanes, lane)
            seed_luck(lanes.memory[lane], seed + first + lane, REPLIES)
            s = lanes.states[lane]
            for part in range(len(actions)):
                if actions[part] == AS_THE_NETWORK or (part > 0 and not may_go_on(work, s, seat, actions[part])):
                    break
                apply(s, seat, actions[part])
        play_on(work, lanes, policy, count, depth, AS_LIKELY)
        expect(work, lanes, values, count, seat)
        for lane in range(count):
            shares[first + lane] = lanes.shares[lane]
