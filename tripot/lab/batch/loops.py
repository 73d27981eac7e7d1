"""Loops over many tables, behind `lab.batch` and `lab.perft`. A rule module.

Each loop takes the tables from `first` up to `last`, so that threads can share the work; no table affects another.
`core.jit` binds the open names `deal`, `legal` and `apply`; one compiled function holds everything that needs them.
"""

from tripot.bots.uniform import choose_uniform
from tripot.core.game import PLAYERS
from tripot.core.layout import SPECTATOR
from tripot.core.rng import seed_luck
from tripot.lab.playout import next_to_move

deal = legal = apply = choose = None  # bound by `core.jit`

DEAL, STEP, STEP_AND_DEAL = 0, 1, 2  # modes: deal every table; one decision each; and deal again where a game is over
ALL_LEGAL = -1
SEAT_VALUES = SPECTATOR + 1  # length of the last part of the table `scaled`


def advance(
    first, last, mode, states, raw, options, seats, seeds, stride, rngs, actions, masks, movers, done, results, finals
):  # fmt: skip
    """Deals every table, or takes one decision at each; then finds the mover and the mask of the next decision.

    `results` has a row for each table. A table's next game has its last seed plus `stride`. `finals` gets the bytes of
    a state that the next deal overwrites.
    """
    for table in range(first, last):
        if mode == DEAL:
            deal_table(states[table], raw[table], options, seats, seeds[table], rngs[table])
            done[table] = 0
            clear(results[table])
        else:
            s = states[table]
            clear(results[table])
            if not s.over:
                apply(s, movers[table], actions[table])
                if s.over:
                    for seat in range(seats):
                        results[table][seat] = s.result[seat]
            done[table] = s.over
            if s.over and mode == STEP_AND_DEAL:
                for byte in range(len(raw[table])):
                    finals[table][byte] = raw[table][byte]
                seeds[table] += stride
                deal_table(s, raw[table], options, seats, seeds[table], rngs[table])
        find_decision(states[table], table, masks[table], movers)


def deal_table(s, raw, options, seats, seed, rng):
    """Deals a game, and seeds the generator of its uniform player. Of several house rules its seed says which."""
    clear(raw)
    deal(s, options[seed % len(options)], seats, seed)
    seed_luck(rng, seed, PLAYERS)


def find_decision(s, table, mask, movers):
    """Finds the lowest seat that owes a decision, and its mask; the mask is empty once the game is over."""
    clear(mask)
    movers[table] = 0
    if not s.over:
        movers[table] = next_to_move(s)
        legal(s, movers[table], mask)


def clear(row):
    for place in range(len(row)):
        row[place] = 0


# --- Loops that need no rules ---


def find_illegal(first, last, actions, masks, done, mode):
    """Returns the first table whose action is illegal, or ALL_LEGAL; tables that stay over are skipped."""
    for table in range(first, last):
        if mode == STEP_AND_DEAL or not done[table]:
            action = actions[table]
            if action < 0 or action >= len(masks[table]):
                return table
            if not masks[table][action]:
                return table
    return ALL_LEGAL


def pick(first, last, masks, rngs, actions):
    """Chooses a uniform legal action at every table, with the table's own generator."""
    for table in range(first, last):
        actions[table] = choose_uniform(0, masks[table], rngs[table]) if has_choice(masks[table]) else 0


def has_choice(mask):
    """Whether an action is legal: none is once the game is over."""
    for allowed in mask:
        if allowed:
            return True
    return False


def choose_actions(first, last, raw, movers, sensible, places, views, raw_views, masks, rngs, actions):
    """Lets native bots choose: `sensible` has a 1 for each seat where the heuristic plays, the others are uniform."""
    own_from, own_to, common, seat_at = places
    for table in range(first, last):
        if not has_choice(masks[table]):
            actions[table] = 0  # the game is over
        elif sensible[movers[table]]:
            copy_view(raw[table], raw_views[table], movers[table], own_from, own_to, common, seat_at)
            actions[table] = choose(views[table], masks[table], rngs[table])
        else:
            actions[table] = choose_uniform(0, masks[table], rngs[table])


def copy_views(first, last, raw, movers, own_from, own_to, common, seat_at, views):
    """Writes the movers' views as the bytes of their records, like `core.observe.observe_seat`."""
    for table in range(first, last):
        copy_view(raw[table], views[table], movers[table], own_from, own_to, common, seat_at)


def copy_view(state, view, seat, own_from, own_to, common, seat_at):
    """Writes the bytes of one view."""
    for byte in range(common):
        view[byte] = state[byte]
    for i in range(len(own_to)):
        view[own_to[i]] = state[own_from[seat][i]]
    view[seat_at] = seat


def list_views(first, last, raw, movers, places, numbers):
    """Writes the movers' views as plain numbers, one for each value; the last one is the seat."""
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


def encode_views(first, last, raw, movers, amounts, wides, codes, scaled, encoded):
    """Writes the movers' views as `Layout.encode` does: amounts looked up in `scaled`, codes one-hot."""
    for table in range(first, last):
        seat = movers[table]
        data = raw[table]
        row = encoded[table]
        clear(row)
        places, columns, starts = amounts
        for i in range(len(columns)):
            row[columns[i]] = scaled[starts[i] + data[places[seat][i]]]
        places, columns, starts = wides
        for i in range(len(columns)):
            low = places[seat][i]
            row[columns[i]] = scaled[starts[i] + data[low] + (data[low + 1] << 8)]
        places, columns, starts = codes
        for i in range(len(columns)):
            row[columns[i] + data[places[seat][i]]] = 1
        row[len(row) - 1] = scaled[len(scaled) - SEAT_VALUES + seat]
