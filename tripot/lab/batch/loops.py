"""Many tables side by side: the loops behind `lab.batch` and `lab.perft`. A rule module.

Each takes a stretch of tables, from `first` up to `last`, so that threads can share the work: no table knows of
another. `deal`, `legal` and `apply` are open names, filled in by `core.jit`; one compiled function serves all that
needs rules.
"""

from tripot.bots.uniform import choose_uniform
from tripot.core.game import PLAYERS
from tripot.core.layout import SPECTATOR
from tripot.core.rng import seed_luck
from tripot.lab.playout import next_to_move

deal = legal = apply = None  # bound by `core.jit`

DEAL, STEP, STEP_AND_DEAL = 0, 1, 2  # set the tables; one decision each; and where a game is over, the next one
FINE = -1
SEAT_VALUES = SPECTATOR + 1  # the last part of the table `worth`


def advance(first, last, how, states, raw, options, seats, seeds, stride, lucks, actions, masks, movers, done, shares):
    """Deal every table, or take one decision at each; then the mask and the seat of the next decision.

    `shares` has a row of results for each table; the seed of a table's next game is its last one plus `stride`.
    """
    for table in range(first, last):
        if how == DEAL:
            deal_row(states[table], raw[table], options[0], seats, seeds[table], lucks[table])
            done[table] = 0
            clear(shares[table])
        else:
            s = states[table]
            clear(shares[table])
            if not s.over:
                apply(s, movers[table], actions[table])
                if s.over:
                    for seat in range(seats):
                        shares[table][seat] = s.result[seat]
            done[table] = s.over
            if s.over and how == STEP_AND_DEAL:
                seeds[table] += stride
                deal_row(s, raw[table], options[0], seats, seeds[table], lucks[table])
        ask_row(states[table], table, masks[table], movers)


def deal_row(s, raw, options, seats, seed, luck):
    """A new game, and the luck of the uniform player who may play it."""
    clear(raw)
    deal(s, options, seats, seed)
    seed_luck(luck, seed, PLAYERS)


def ask_row(s, table, mask, movers):
    """Whose decision comes next, the lowest seat that owes one, and what it may be; nothing once the game is over."""
    clear(mask)
    movers[table] = 0
    if not s.over:
        movers[table] = next_to_move(s)
        legal(s, movers[table], mask)


def clear(row):
    for place in range(len(row)):
        row[place] = 0


# --- What needs no rules ---


def find_illegal(first, last, actions, masks, done, how):
    """The first table whose action is not allowed, or FINE; a table whose game is over is not asked."""
    for table in range(first, last):
        if how == STEP_AND_DEAL or not done[table]:
            action = actions[table]
            if action < 0 or action >= len(masks[table]):
                return table
            if not masks[table][action]:
                return table
    return FINE


def pick(first, last, masks, lucks, actions):
    """A uniform legal decision at every table, by its own luck."""
    for table in range(first, last):
        open_ones = 0
        for allowed in masks[table]:
            open_ones += allowed
        actions[table] = choose_uniform(0, masks[table], lucks[table]) if open_ones > 0 else 0


def look_rows(first, last, raw, movers, own_from, own_to, common, seat_at, views):
    """The view of the seat to move at every table, as the bytes of its record: `core.observe.look` in a row."""
    for table in range(first, last):
        state = raw[table]
        view = views[table]
        seat = movers[table]
        for byte in range(common):
            view[byte] = state[byte]
        for i in range(len(own_to)):
            view[own_to[i]] = state[own_from[seat][i]]
        view[seat_at] = seat


def number_rows(first, last, raw, movers, places, numbers):
    """The same views as plain numbers, one for each single value; the last one is the seat."""
    low, high, wide = places
    for table in range(first, last):
        seat = movers[table]
        data = raw[table]
        row = numbers[table]
        for element in range(len(low[seat])):
            row[element] = data[low[seat][element]]
        for i in range(len(wide)):
            row[wide[i]] += data[high[seat][i]] << 8
        row[len(low[seat])] = seat


def encode_rows(first, last, raw, movers, amounts, wides, codes, worth, encoded):
    """The same views as `Layout.encode` has them: amounts by the table `worth`, a column for every code."""
    for table in range(first, last):
        seat = movers[table]
        data = raw[table]
        row = encoded[table]
        clear(row)
        places, columns, starts = amounts
        for i in range(len(columns)):
            row[columns[i]] = worth[starts[i] + data[places[seat][i]]]
        places, columns, starts = wides
        for i in range(len(columns)):
            low = places[seat][i]
            row[columns[i]] = worth[starts[i] + data[low] + (data[low + 1] << 8)]
        places, columns, starts = codes
        for i in range(len(columns)):
            row[columns[i] + data[places[seat][i]]] = 1
        row[len(row) - 1] = worth[len(worth) - SEAT_VALUES + seat]
