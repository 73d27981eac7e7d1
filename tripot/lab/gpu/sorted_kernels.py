"""Tables in order: the rules inside GPU kernels, for games whose rules are long and various. Built by `lab.gpu`.

Thirty-two threads, a warp, move in step, and all warps of a multiprocessor share a small store of instructions. Where
rules are long, tables that stand at different points of the game stand in each other's way twice. So there are many
more tables than threads, and before every pass they are put in order by what they have to do next: neighbours then run
the same code. What that is, a byte says, the table's key: its phase where somebody has to decide, KEY_TO_GO_ON and the
errand where the rules go on by themselves, KEY_TO_DEAL where a game is to begin, KEY_DONE where there is nothing more.

A pass stages the records of a warp in shared memory, and every table does the next thing. Then those go on that have
the same to do, the largest group of the warp first and the others waiting, as long as there are `stay` of them: so
long the warp is used well, and need not be put in order anew.

Open names are bound by `lab.gpu`; so are, where there are no warps, the functions that need one.
"""

from numba import cuda
from numpy import int32, uint32

from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, seed_luck
from tripot.lab.gpu.copies import collect, spread
from tripot.lab.gpu.kernels import ask_here, decide_uniformly, spread_tail, wipe_and_deal
from tripot.lab.playout import HASH_FACTOR, HASH_START, count_game, next_to_move

deal = legal = take = proceed = errand = None
STATE = WORD32 = COUNT = None
KEY_KINDS = KEY_TO_GO_ON = KEY_TO_DEAL = KEY_DONE = TALLY_ROWS = 0
WARP = 32
WHOLE_WARP = 0xFFFFFFFF
TALLY = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = 0

# --- Putting tables in order: blocks of KEY_KINDS threads ---


def count_keys(keys, counts):
    """How many tables have each key."""
    here = cuda.shared.array(KEY_KINDS, WORD32)
    place = cuda.threadIdx.x
    here[place] = 0
    cuda.syncthreads()
    for table in range(cuda.grid(1), len(keys), cuda.gridsize(1)):
        cuda.atomic.add(here, keys[table], 1)
    cuda.syncthreads()
    if here[place] > 0:
        cuda.atomic.add(counts, place, here[place])


def start_keys(counts, starts):
    """Where the tables of each key begin; the counts are wiped. One block."""
    sums = cuda.shared.array(KEY_KINDS, WORD32)
    place = cuda.threadIdx.x
    mine = counts[place]
    counts[place] = 0
    sums[place] = mine
    cuda.syncthreads()
    reach = 1
    while reach < KEY_KINDS:
        before = sums[place - reach] if place >= reach else 0
        cuda.syncthreads()
        sums[place] += before
        cuda.syncthreads()
        reach *= 2
    starts[place] = sums[place] - mine


def place_tables(keys, starts, order):
    """Tables by key, in any order among equals; afterwards `starts` says where the tables of each key end."""
    here = cuda.shared.array(KEY_KINDS, WORD32)
    place = cuda.threadIdx.x
    table = cuda.grid(1)
    here[place] = 0
    cuda.syncthreads()
    key = 0
    rank = 0
    if table < len(keys):
        key = keys[table]
        rank = cuda.atomic.add(here, key, 1)
    cuda.syncthreads()
    if here[place] > 0:
        here[place] = cuda.atomic.add(starts, place, here[place])
    cuda.syncthreads()
    if table < len(keys):
        order[here[key] + rank] = table


# --- Whole games ---


def advance(words, desks, keys, order, starts, options, supply, tallies, seats, seed, games, stay):
    """A pass of whole games of uniform players.

    A desk is what a table has beside its record: the players' luck and the course so far. `supply` counts the games
    that were begun.
    """
    at = cuda.grid(1)
    there = starts[KEY_DONE - 1]
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= there:
        return
    stage(words, order, first, there - 1)
    table = order[min(at, there - 1)]
    s = record_here(words, table)
    key = int32(keys[table]) if at < there else int32(KEY_DONE)
    doing = key
    while True:
        if key == doing and key != KEY_DONE:
            key = int32(work(s, desks[table], key, table, options, supply, tallies, seats, seed, games))
        group = largest_group(key)
        if group < stay * KEY_KINDS:
            break
        doing = KEY_DONE - (group & (KEY_KINDS - 1))
    if at < there:
        keys[table] = key
    keep(words, order, first, there)


def work(s, desk, key, table, options, supply, tallies, seats, seed, games):
    """The next thing that a table has to do; the key of what comes after it."""
    if key == KEY_TO_DEAL:
        game = cuda.atomic.add(supply, 0, 1)
        if game >= games:
            return KEY_DONE
        wipe_and_deal(s, options[0], seats, seed + game)
        seed_luck(desk, seed + game, PLAYERS)
        desk.course = HASH_START
        desk.decisions = 0
    elif key >= KEY_TO_GO_ON:
        proceed(s)
    else:
        action = decide_uniformly(s, desk)
        desk.course = (((desk.course & WORD) ^ action) * HASH_FACTOR) & WORD
        desk.decisions += 1
    if s.over:
        add_up(s, desk, tallies, table & (TALLY_ROWS - 1))
        return KEY_TO_DEAL
    return key_of(s)


def key_of(s):
    """What a table in the middle of a game has to do next."""
    return s.phase if s.waiting else KEY_TO_GO_ON + errand(s)


def add_up(s, desk, tallies, row):
    """The game at this table is over: it joins the sums."""
    tally = cuda.local.array(TALLY, COUNT)
    for i in range(TALLY):
        tally[i] = 0
    count_game(s, desk.decisions, desk.course & WORD, tally)
    for i in range(TALLY):
        cuda.atomic.add(tallies, (row, i), tally[i])


# --- The vector environment ---


def take_ordered(words, order, keys, actions, movers, results, overs, listed, stay):
    """One decision at every table, in the order in which they were shown, and what follows while `stay` go together."""
    at = cuda.grid(1)
    tables = len(movers)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= tables:
        return
    stage(words, order, first, tables - 1)
    table = order[min(at, tables - 1)]
    s = record_here(words, table)
    key = int32(KEY_DONE)
    if at < tables:
        overs[table] = 0
        take(s, movers[table], actions[table])
        key = int32(key_or_end(s, table, results, overs, listed))
    key = proceed_together(s, table, key, KEY_DONE, results, overs, listed, stay)
    if at < tables:
        keys[table] = key
    keep(words, order, first, tables)


def proceed_ordered(words, order, keys, starts, results, overs, listed, stay):
    """What follows from the decisions by itself, at the tables where something still does."""
    at = cuda.grid(1) + starts[KEY_TO_GO_ON - 1]
    end = starts[KEY_TO_DEAL - 1]
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= end:
        return
    stage(words, order, first, end - 1)
    table = order[min(at, end - 1)]
    s = record_here(words, table)
    key = int32(keys[table]) if at < end else int32(KEY_DONE)
    key = proceed_together(s, table, key, key, results, overs, listed, stay)
    if at < end:
        keys[table] = key
    keep(words, order, first, end)


def proceed_together(s, table, key, doing, results, overs, listed, stay):
    """Those whose key is `doing` go on, then the largest group of the warp while it has `stay`; the key at the end."""
    while True:
        if key == doing and key != KEY_DONE:
            proceed(s)
            key = key_or_end(s, table, results, overs, listed)
        group = largest_group(key if key >= KEY_TO_GO_ON and key < KEY_TO_DEAL else KEY_DONE)
        if group < stay * KEY_KINDS:
            return int32(key)
        doing = KEY_DONE - (group & (KEY_KINDS - 1))


def key_or_end(s, table, results, overs, listed):
    """What a table has to do next; where its game is over that pays out, and the table is listed for a new one."""
    if s.over == 0:
        return key_of(s)
    overs[table] = 1
    for seat in range(s.seats):
        results[table][seat] = s.result[seat]
    listed[cuda.atomic.add(listed, len(overs), 1)] = table
    return KEY_TO_DEAL


def deal_listed(words, listed, keys, options, seats, seed):
    """A new game at the listed tables, whose number stands behind the list: table i from the seed `seed + i`."""
    at = cuda.grid(1)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    count = listed[len(listed) - 1]
    if first >= count:
        return
    if at < count:
        table = listed[at]
        s = record_here(words, table)
        wipe_and_deal(s, options[0], seats, seed + table)
        keys[table] = s.phase
    keep(words, listed, first, count)


def show_ordered(words, order, listed, views, view_bytes, masks, movers, tail_from, tail_to, seat_at):
    """For each table who moves, what he sees and what he may decide; no game has ended yet after this."""
    at = cuda.grid(1)
    tables = len(movers)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if at == 0:
        listed[tables] = 0
    if first >= tables:
        return
    stage(words, order, first, tables - 1)
    mover = int32(0)
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    if at < tables:
        table = order[at]
        s = record_here(words, table)
        mover = int32(next_to_move(s))
        movers[table] = mover
        ask_here(s, mover, mask_at)
        view_bytes[uint32(4 * (table * VIEW_WORDS + COMMON_WORDS) + seat_at)] = mover
    show_rows(views, view_bytes, masks, order, first, tables, mover, mask_at, tail_from, tail_to)


# --- What needs a warp ---


def stage(words, order, first, last):
    """The warp's records into shared memory."""
    lane = cuda.threadIdx.x & (WARP - 1)
    collect(cuda.shared.array(0, WORD32), (cuda.threadIdx.x - lane) * STATE_WORDS, words, order, first, last)
    cuda.syncwarp()


def record_here(words, table):
    """This thread's record."""
    return cuda.shared.array(0, STATE)[cuda.threadIdx.x]


def keep(words, order, first, end):
    """The warp's records back to where they belong."""
    cuda.syncwarp()
    lane = cuda.threadIdx.x & (WARP - 1)
    tile = cuda.shared.array(0, WORD32)
    for whose in range(min(WARP, end - first)):
        table = order[uint32(first + whose)]
        spread(words, table * STATE_WORDS, tile, (cuda.threadIdx.x - lane + whose) * STATE_WORDS, STATE_WORDS)


def show_rows(views, view_bytes, masks, order, first, end, mover, mask_at, tail_from, tail_to):
    """The warp's views and masks, from shared memory to where they belong."""
    cuda.syncwarp()
    tile = cuda.shared.array(0, WORD32)
    lane = cuda.threadIdx.x & (WARP - 1)
    for whose in range(min(WARP, end - first)):
        table = order[uint32(first + whose)]
        at = (cuda.threadIdx.x - lane + whose) * STATE_WORDS
        spread(views, table * VIEW_WORDS, tile, at, COMMON_WORDS)
        spread(masks, table * MASK_WORDS, tile, mask_at + (whose - lane) * MASK_WORDS, MASK_WORDS)
        who = cuda.shfl_sync(WHOLE_WARP, int32(mover), whose)
        spread_tail(view_bytes, table * VIEW_WORDS, at, who, tail_from, tail_to)


def largest_group(key):
    """The most frequent key of the warp, KEY_DONE apart: KEY_KINDS times how often, and KEY_DONE less that key."""
    alike = cuda.popc(cuda.match_any_sync(WHOLE_WARP, int32(key)))
    best = int32(0) if key == KEY_DONE else int32(alike * KEY_KINDS + KEY_DONE - key)
    reach = WARP // 2
    while reach > 0:
        best = max(best, cuda.shfl_xor_sync(WHOLE_WARP, best, reach))
        reach //= 2
    return best
