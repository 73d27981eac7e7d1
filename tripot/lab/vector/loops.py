"""The loop behind `SeatVectorEnv`: bots play on until it is the turn of the seat that learns. A rule module.

`core.jit` binds the open names: a game's rules and `choose`, the heuristic player.
"""

from tripot.bots.uniform import choose_uniform
from tripot.lab.batch.loops import clear, copy_view
from tripot.lab.one_seat import FORFEIT_SHARE, decides_outside, kind_at, mover_of, seat_players
from tripot.lab.playout import SENSIBLE

deal = legal = apply = choose = None  # bound by `core.jit`

REST, DEAL, ACT, FORFEIT = 0, 1, 2, 3  # what to do at a table: nothing; deal; take the action; the game is lost by it


def play_on(
    first, last, orders, states, raw, options, seats, seeds, stride, memories, kinds, seat, learners, decided,
    actions, masks, movers, places, views, raw_views, paid, done, finals,
):  # fmt: skip
    """Carries out the orders. A table then waits for the seat that learns, or for a policy in Python.

    `paid` has what the seat got in a game that ended, in sixtieths, and -60 for a forfeit; `finals` its last state.
    """
    for table in range(first, last):
        if orders[table] == REST:
            continue
        s = states[table]
        learner = learners[table]
        if orders[table] == DEAL:
            deal_game(s, raw[table], options, seats, seeds[table], memories[table], table, seat, learners, decided)
        elif orders[table] == FORFEIT:
            end_game(raw[table], table, FORFEIT_SHARE, paid, done, finals)
            s.over = 1
            decided[table] = 0
        else:
            if movers[table] == learner:
                decided[table] = 1
            apply(s, movers[table], actions[table])
        while not await_turn(s, table, learners, kinds, masks, movers):
            if s.over:
                if decided[table]:
                    end_game(raw[table], table, s.result[learners[table]], paid, done, finals)
                seeds[table] += stride
                deal_game(s, raw[table], options, seats, seeds[table], memories[table], table, seat, learners, decided)
            else:
                mover = movers[table]
                if kind_at(mover, learners[table], kinds) == SENSIBLE:
                    own_from, own_to, common, seat_at = places
                    copy_view(raw[table], raw_views[table], mover, own_from, own_to, common, seat_at)
                    action = choose(views[table], masks[table], memories[table][mover])
                else:
                    action = choose_uniform(0, masks[table], memories[table][mover])
                apply(s, mover, action)


def await_turn(s, table, learners, kinds, masks, movers):
    """Fills in mover and mask. Returns whether Python has to decide: for the seat that learns, or for a policy."""
    if s.over:
        return False
    movers[table] = mover_of(s, learners[table])
    clear(masks[table])
    legal(s, movers[table], masks[table])
    return decides_outside(movers[table], learners[table], kinds)


def deal_game(s, raw, options, seats, seed, memories, table, seat, learners, decided):
    """Deals a game and seats its players. Of several house rules the seed says which."""
    clear(raw)
    deal(s, options[seed % len(options)], seats, seed)
    decided[table] = 0
    seat_players(table, seed, seats, seat, memories, learners)


def end_game(raw, table, share, paid, done, finals):
    """Notes that a game of the seat that learns has ended, with what it got and the last state."""
    paid[table] = share
    done[table] = 1
    for byte in range(len(raw)):
        finals[table][byte] = raw[byte]
