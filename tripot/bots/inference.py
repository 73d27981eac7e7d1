"""Chances of what lies hidden, in native code: compiled by `core.jit`, never run as it stands.

Each imagined table counts by how likely the other players' decisions were if it is the real one. To find that out, a
decision is undone and the heuristic player is asked several times. How often it decides the same is the likelihood,
less a share of doubt for players who think differently.
"""

from tripot.bots.ismcts import imagined
from tripot.core.game import PLAYERS
from tripot.core.rng import seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
read = turn_back = None  # … together with the functions of the game's hidden things

REMEMBERED = PLAYERS + 36  # the random stream of players who are asked again


def count_tables(work, seat, seed, count, actions, asked, doubt, scratch, plain, weighed):
    """Imagines `count` tables; adds what lies hidden there to `plain`, and times its likelihood to `weighed`.

    Returns the sum of the likelihoods.
    """
    total = 0.0
    for n in range(count):
        s = imagined(work, seat, seed + n)
        seed_luck(work.memory[0], seed + n, REMEMBERED)
        read(s, seat, scratch)
        weight = likelihood(work, s, seat, actions, asked, doubt)
        total += weight
        for place in range(scratch.shape[0]):
            for other in range(scratch.shape[1]):
                for number in range(scratch.shape[2]):
                    if scratch[place][other][number]:
                        scratch[place][other][number] = 0
                        plain[place][other][number] += 1
                        weighed[place][other][number] += weight
    return total


def likelihood(work, s, seat, actions, asked, doubt):
    """How likely the others were to decide as they did, if this is the table."""
    weight = 1.0
    decision = turn_back(s, seat)
    while decision >= 0:
        mover = decision // actions
        if mover != seat:
            weight *= chance_of(work, s, mover, decision % actions, asked, doubt)
        decision = turn_back(s, seat)
    return weight


def chance_of(work, s, mover, action, asked, doubt):
    """How likely a player is to decide so; 1 where there was no choice, or another than the state still tells of."""
    for number in range(actions_of(work)):
        work.mask[number] = 0
    legal(s, mover, work.mask)
    choices = 0
    for number in range(actions_of(work)):
        choices += work.mask[number]
    if choices < 2 or not work.mask[action]:
        return 1.0
    view = observe_seat(s, mover, work.observer)
    agreed = 0
    for _ in range(asked):
        if choose(view, work.mask, work.memory[0]) == action:
            agreed += 1
    return (1.0 - doubt) * agreed / asked + doubt / choices


def actions_of(work):
    return len(work.mask)
