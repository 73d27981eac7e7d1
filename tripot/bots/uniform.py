"""The uniform player: any legal decision, all equally likely. A rule module."""

from tripot.core.rng import roll


def choose_uniform(view, mask, memory):
    count = 0
    for allowed in mask:
        count += allowed
    return next_open(mask, roll(memory, count))


def next_open(mask, skip):
    """The legal decision that comes after `skip` others."""
    action = 0
    while not mask[action] or skip > 0:
        skip -= mask[action]
        action += 1
    return action
