"""Loops that the tests run natively, written like rules: `core.jit` binds their free names."""

from tripot.bots.uniform import choose_uniform
from tripot.core.game import PLAYERS
from tripot.core.pile import random_bit
from tripot.core.rng import seed_luck

deal = legal = apply = imagine = observe_seat = None


def trace_game(states, raw, options, seats, seed, mask, memory, trace, masks, moves):
    """Plays one game uniformly at random and writes state, mask, seat and action of every decision into the arrays.

    The last state is the end of the game. Returns the number of decisions.
    """
    for byte in range(len(raw)):
        raw[byte] = 0
    s = states[0]
    luck = memory[0]
    deal(s, options[0], seats, seed)
    seed_luck(luck, seed, PLAYERS)
    step = 0
    while not s.over and step < len(moves):
        seat = random_bit(luck, s.waiting)
        for action in range(len(mask)):
            mask[action] = 0
        legal(s, seat, mask)
        choice = choose_uniform(0, mask, luck)
        for byte in range(len(raw)):
            trace[step][byte] = raw[byte]
        for action in range(len(mask)):
            masks[step][action] = mask[action]
        moves[step][0] = seat
        moves[step][1] = choice
        apply(s, seat, choice)
        step += 1
    for byte in range(len(raw)):
        trace[step][byte] = raw[byte]
    return step


def apply_one(states, seat, action):
    apply(states[0], seat, action)


def imagine_one(views, states, seed):
    imagine(views[0], states[0], seed)


def observe_one(states, seat, observer):
    observe_seat(states[0], seat, observer)


def read_at(numbers, index):
    return numbers[index]
