"""GPU kernels for one seat that learns: bots play the others inside, on tables sorted as in `sorted_kernels`.

A table whose seat must decide, or a policy outside, has the key KEY_DONE until it is given an action. All other keys
mean what they mean there, and passes are made alike, until every table waits again.

`bindings` gives the open names their meaning. Tests replace the functions that touch shared memory.
"""

from numba import cuda
from numpy import int32, uint32

from tripot.lab.gpu.kernels import clear_and_deal, fill_shared_mask, pick_uniformly
from tripot.lab.gpu.sorted_kernels import largest_group, load_warp, record_of, store_warp, write_observations
from tripot.lab.one_seat import FORFEIT, FORFEIT_SHARE, NO_ACTION, decides_outside, kind_at, mover_of, seat_players
from tripot.lab.playout import SENSIBLE

decide = settle_step = step_kind = heuristic = None  # the rules of the game, and its `sensible` player
VIEW = BYTE = WORD32 = None  # types; a view is padded to the size of a state
KEY_KINDS = KEY_SETTLE = KEY_DEAL = KEY_DONE = 0
WARP = 32
ACTIONS = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = OWN_WORDS = OWN_BYTES = 0  # sizes


def wake_tables(actions, phases, keys):
    """Gives the tables that have an action their phase as key."""
    table = cuda.grid(1)
    if table < len(keys):
        keys[table] = KEY_DONE if actions[table] == NO_ACTION else phases[table]


def play_seats(
    words, order, keys, ends, actions, options, seats, seeds, stride, memories, kinds, seat, learners, decided,
    paid, done, finals, final_bytes, own_from, own_to, seat_at, min_group,
):  # fmt: skip
    """One pass: takes the actions, lets bots decide and rules continue, and deals where a game is over.

    `paid` and `finals` get what the seat that learns was paid for a game that ended, in sixtieths, and how it saw it.
    """
    at = cuda.grid(1)
    busy = ends[KEY_DONE - 1]
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= busy:
        return
    load_warp(words, order, first, busy - 1)
    table = order[min(at, busy - 1)]
    s = record_of(table)
    key = int32(keys[table]) if at < busy else int32(KEY_DONE)
    doing = key
    while True:
        if key == doing and key != KEY_DONE:
            if key == KEY_DEAL:
                if decided[table]:
                    end_seat(s, table, s.result[learners[table]], learners, decided, paid, done)
                    keep_view(s, table, learners[table], finals, final_bytes, own_from, own_to, seat_at)
                deal_seat(s, table, options, seats, seeds, stride, memories[table], seat, learners)
            elif key >= KEY_SETTLE:
                settle_step(s)
            elif actions[table] == FORFEIT:
                actions[table] = NO_ACTION
                end_seat(s, table, FORFEIT_SHARE, learners, decided, paid, done)
                keep_view(s, table, learners[table], finals, final_bytes, own_from, own_to, seat_at)
                s.over = 1
            else:
                decide_seat(s, table, actions, learners, decided, kinds, memories[table], own_from, own_to, seat_at)
            key = int32(seat_key(s, learners[table], kinds))
        group = largest_group(key)
        if group < min_group * KEY_KINDS:
            break
        doing = KEY_DONE - (group & (KEY_KINDS - 1))
    if at < busy:
        keys[table] = key
    store_warp(words, order, first, busy)


def seat_key(s, learner, kinds):
    """Returns what a table must do next; KEY_DONE where it waits for an action."""
    if s.over:
        return KEY_DEAL
    if not s.waiting:
        return KEY_SETTLE + step_kind(s)
    return KEY_DONE if decides_outside(mover_of(s, learner), learner, kinds) else s.phase


def end_seat(s, table, share, learners, decided, paid, done):
    """Notes that a game of the seat that learns has ended."""
    paid[table] = share
    done[table] = 1
    decided[table] = 0


def deal_seat(s, table, options, seats, seeds, stride, memories, seat, learners):
    """Deals the table's next game and seats its players."""
    seed = seeds[table] + stride
    seeds[table] = seed
    clear_and_deal(s, cuda.threadIdx.x, options[seed % len(options)], seats[table], seed)
    seat_players(table, seed, seats[table], seat, memories, learners)


def decide_seat(s, table, actions, learners, decided, kinds, memories, own_from, own_to, seat_at):
    """Takes the table's action, or lets the bot to move choose one."""
    learner = learners[table]
    mover = int32(mover_of(s, learner))
    action = int32(actions[table])
    if action != NO_ACTION:
        actions[table] = NO_ACTION
        if mover == learner:
            decided[table] = 1
    elif kind_at(mover, learner, kinds) == SENSIBLE:
        action = int32(choose_sensibly(s, mover, memories[mover], own_from, own_to, seat_at))
    else:
        action = int32(pick_uniformly(s, mover, memories[mover]))
    decide(s, mover, action)


def observe_seats(words, order, phases, learners, views, view_bytes, masks, movers, own_from, own_to, seat_at):
    """Writes the seat that each table waits for, its view and its action mask."""
    at = cuda.grid(1)
    tables = len(movers)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= tables:
        return
    load_warp(words, order, first, tables - 1)
    mover = int32(0)
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    if at < tables:
        table = order[at]
        s = record_of(table)
        phases[table] = s.phase
        mover = int32(mover_of(s, learners[table]))
        movers[table] = mover
        fill_shared_mask(s, mover, mask_at)
        view_bytes[uint32(4 * (table * VIEW_WORDS + COMMON_WORDS) + seat_at)] = mover
    write_observations(views, view_bytes, masks, order, first, tables, mover, mask_at, own_from, own_to)


# --- What touches shared memory ---


def choose_sensibly(s, mover, memory, own_from, own_to, seat_at):
    """Returns what the heuristic player decides from its view.

    What is public lies alike in states and views. So the record in shared memory becomes the view: what only the seat
    sees takes the place of what lies behind the public part, until the heuristic has decided.
    """
    words, bytes_ = cuda.shared.array(0, WORD32), cuda.shared.array(0, BYTE)
    seen, kept = cuda.local.array(OWN_BYTES, BYTE), cuda.local.array(OWN_WORDS, WORD32)
    record_at = cuda.threadIdx.x * STATE_WORDS
    own_at = record_at + COMMON_WORDS
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    fill_shared_mask(s, mover, mask_at)
    for i in range(OWN_BYTES):
        seen[i] = bytes_[uint32(4 * record_at + own_from[uint32(mover * OWN_BYTES + i)])]
    for word in range(OWN_WORDS):
        kept[word] = words[uint32(own_at + word)]
    for i in range(OWN_BYTES):
        bytes_[uint32(4 * own_at + own_to[uint32(i)])] = seen[i]
    bytes_[uint32(4 * own_at + seat_at)] = mover
    view = cuda.shared.array(0, VIEW)[cuda.threadIdx.x]
    action = heuristic(view, bytes_[4 * mask_at : 4 * mask_at + ACTIONS], memory)
    for word in range(OWN_WORDS):
        words[uint32(own_at + word)] = kept[word]
    return action


def keep_view(s, table, seat, finals, final_bytes, own_from, own_to, seat_at):
    """Writes how a seat sees the record; a thread alone, since games seldom end."""
    words, bytes_ = cuda.shared.array(0, WORD32), cuda.shared.array(0, BYTE)
    record_at = cuda.threadIdx.x * STATE_WORDS
    row = table * VIEW_WORDS
    for word in range(COMMON_WORDS):
        finals[uint32(row + word)] = words[uint32(record_at + word)]
    for i in range(OWN_BYTES):
        seen = bytes_[uint32(4 * record_at + own_from[uint32(seat * OWN_BYTES + i)])]
        final_bytes[uint32(4 * (row + COMMON_WORDS) + own_to[uint32(i)])] = seen
    final_bytes[uint32(4 * (row + COMMON_WORDS) + seat_at)] = seat
