"""GPU kernels for games with long rules: tables are sorted by what they must do next. Built by `build`.

The 32 threads of a warp run in lockstep, and all warps of a multiprocessor share a small instruction cache. Where rules
are long, tables at different points of the game slow each other down twice. So there are many more tables than threads,
and before every pass a counting sort orders them by a key, a byte that says what the table must do next; neighbours
then run the same code. The key of a table is its phase where a seat must decide; KEY_SETTLE plus the kind of step where
the rules continue by themselves; KEY_DEAL where a game must begin; KEY_DONE where nothing is left.

In a pass each warp loads 32 records into shared memory, and every table does what its key says. Then the largest group
of tables with equal keys continues, as long as it has `min_group` tables; the others wait for the next pass.

`bindings` gives the open names their meaning. Tests replace the functions that need a warp.
"""

from numba import cuda
from numpy import int32, uint32

from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, seed_luck
from tripot.lab.gpu.copies import copy_by_warp, load_records
from tripot.lab.gpu.kernels import (
    accept,
    clear_and_deal,
    copy_own_part,
    deal_next,
    decide_uniformly,
    fill_shared_mask,
    record_at,
)
from tripot.lab.playout import HASH_FACTOR, HASH_START, count_game, next_to_move

decide = settle_step = step_kind = None  # the rules of the game
WORD32 = COUNT = None  # types
KEY_KINDS = KEY_SETTLE = KEY_DEAL = KEY_DONE = TALLY_ROWS = 0
WARP = 32
WHOLE_WARP = 0xFFFFFFFF
TALLY = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = 0  # sizes

# --- Counting sort of the tables by key, in blocks of KEY_KINDS threads ---


def count_keys(keys, counts):
    """Counts the tables of each key."""
    here = cuda.shared.array(KEY_KINDS, WORD32)
    place = cuda.threadIdx.x
    here[place] = 0
    cuda.syncthreads()
    for table in range(cuda.grid(1), len(keys), cuda.gridsize(1)):
        cuda.atomic.add(here, keys[table], 1)
    cuda.syncthreads()
    if here[place] > 0:
        cuda.atomic.add(counts, place, here[place])


def sum_counts(counts, starts):
    """Computes where the tables of each key start, by a prefix sum, and zeroes the counts. Runs as one block."""
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
    """Writes the tables sorted by key; equal keys come in any order. Afterwards `starts` holds where each key ends."""
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


def play_pass(words, players, keys, order, ends, options, games_begun, tallies, seats, seed, games, min_group):
    """One pass of whole games of uniform players; `players` holds what a table needs besides its record."""
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
            key = int32(advance_table(s, players[table], key, table, options, games_begun, tallies, seats, seed, games))
        group = largest_group(key)
        if group < min_group * KEY_KINDS:
            break
        doing = KEY_DONE - (group & (KEY_KINDS - 1))
    if at < busy:
        keys[table] = key
    store_warp(words, order, first, busy)


def advance_table(s, player, key, table, options, games_begun, tallies, seats, seed, games):
    """Does what the key of a table says, and returns its next key."""
    if key == KEY_DEAL:
        game = cuda.atomic.add(games_begun, 0, 1)
        if game >= games:
            return KEY_DONE
        clear_and_deal(s, cuda.threadIdx.x, options[0], seats, seed + game)
        seed_luck(player, seed + game, PLAYERS)
        player.checksum = HASH_START
        player.decisions = 0
    elif key >= KEY_SETTLE:
        settle_step(s)
    else:
        action = decide_uniformly(s, player)
        player.checksum = (((player.checksum & WORD) ^ action) * HASH_FACTOR) & WORD
        player.decisions += 1
    if s.over:
        add_to_tallies(s, player, tallies, table & (TALLY_ROWS - 1))
        return KEY_DEAL
    return key_of(s)


def key_of(s):
    """Returns the key of a table in the middle of a game."""
    return s.phase if s.waiting else KEY_SETTLE + step_kind(s)


def add_to_tallies(s, player, tallies, row):
    """Adds a finished game to a row of the tallies."""
    tally = cuda.local.array(TALLY, COUNT)
    for i in range(TALLY):
        tally[i] = 0
    count_game(s, player.decisions, player.checksum & WORD, tally)
    for i in range(TALLY):
        cuda.atomic.add(tallies, (row, i), tally[i])


# --- The vector environment ---


def decide_sorted(
    words, order, keys, actions, movers, masks, mask_bytes, check, illegal, results, overs, ended, min_group
):
    """Takes one decision at every table, and settles while a warp has a group of `min_group`.

    With `check`, a table whose action is illegal stays as it is.
    """
    at = cuda.grid(1)
    tables = len(movers)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= tables:
        return
    load_warp(words, order, first, tables - 1)
    table = order[min(at, tables - 1)]
    s = record_of(table)
    key = int32(KEY_DONE)
    if at < tables:
        overs[table] = 0
        if accept(table, actions, movers, masks, mask_bytes, check, illegal):
            decide(s, movers[table], actions[table])
        key = int32(key_or_ended(s, table, results, overs, ended))
    key = settle_groups(s, table, key, KEY_DONE, results, overs, ended, min_group)
    if at < tables:
        keys[table] = key
    store_warp(words, order, first, tables)


def settle_sorted(words, order, keys, ends, results, overs, ended, min_group):
    """Settles the tables where the rules must still continue."""
    at = cuda.grid(1) + ends[KEY_SETTLE - 1]
    end = ends[KEY_DEAL - 1]
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if first >= end:
        return
    load_warp(words, order, first, end - 1)
    table = order[min(at, end - 1)]
    s = record_of(table)
    key = int32(keys[table]) if at < end else int32(KEY_DONE)
    key = settle_groups(s, table, key, key, results, overs, ended, min_group)
    if at < end:
        keys[table] = key
    store_warp(words, order, first, end)


def settle_groups(s, table, key, doing, results, overs, ended, min_group):
    """Continues the tables whose key is `doing`, then the warp's largest group while it has `min_group` tables.

    Returns the key of this thread's table at the end.
    """
    while True:
        if key == doing and key != KEY_DONE:
            settle_step(s)
            key = key_or_ended(s, table, results, overs, ended)
        group = largest_group(key if key >= KEY_SETTLE and key < KEY_DEAL else KEY_DONE)
        if group < min_group * KEY_KINDS:
            return int32(key)
        doing = KEY_DONE - (group & (KEY_KINDS - 1))


def key_or_ended(s, table, results, overs, ended):
    """Returns the next key of a table; where its game is over, writes the results and lists the table in `ended`."""
    if s.over == 0:
        return key_of(s)
    overs[table] = 1
    for seat in range(s.seats):
        results[table][seat] = s.result[seat]
    ended[cuda.atomic.add(ended, len(overs), 1)] = table
    return KEY_DEAL


def deal_ended(words, ended, keys, options, seats, seeds, stride, rngs):
    """Deals the next game at the tables in `ended`, whose last element holds their number."""
    at = cuda.grid(1)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    count = ended[len(ended) - 1]
    if first >= count:
        return
    if at < count:
        table = ended[at]
        s = record_of(table)
        deal_next(s, cuda.threadIdx.x, table, options, seats, seeds, stride, rngs)
        keys[table] = s.phase
    store_warp(words, ended, first, count)


def observe_sorted(words, order, ended, views, view_bytes, masks, movers, own_from, own_to, seat_at):
    """Writes the mover of each table, its view and its action mask; empties `ended`."""
    at = cuda.grid(1)
    tables = len(movers)
    first = at - (cuda.threadIdx.x & (WARP - 1))
    if at == 0:
        ended[tables] = 0
    if first >= tables:
        return
    load_warp(words, order, first, tables - 1)
    mover = int32(0)
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    if at < tables:
        table = order[at]
        s = record_of(table)
        mover = int32(next_to_move(s))
        movers[table] = mover
        fill_shared_mask(s, mover, mask_at)
        view_bytes[uint32(4 * (table * VIEW_WORDS + COMMON_WORDS) + seat_at)] = mover
    write_observations(views, view_bytes, masks, order, first, tables, mover, mask_at, own_from, own_to)


# --- What needs a warp ---


def load_warp(words, order, first, last):
    """Loads the warp's records into shared memory."""
    lane = cuda.threadIdx.x & (WARP - 1)
    load_records(cuda.shared.array(0, WORD32), (cuda.threadIdx.x - lane) * STATE_WORDS, words, order, first, last)
    cuda.syncwarp()


def record_of(table):
    """Returns this thread's record in shared memory."""
    return record_at(cuda.threadIdx.x)


def store_warp(words, order, first, end):
    """Stores the warp's records back to global memory."""
    cuda.syncwarp()
    lane = cuda.threadIdx.x & (WARP - 1)
    tile = cuda.shared.array(0, WORD32)
    for whose in range(min(WARP, end - first)):
        table = order[uint32(first + whose)]
        copy_by_warp(words, table * STATE_WORDS, tile, (cuda.threadIdx.x - lane + whose) * STATE_WORDS, STATE_WORDS)


def write_observations(views, view_bytes, masks, order, first, end, mover, mask_at, own_from, own_to):
    """Copies the warp's views and action masks from shared to global memory."""
    cuda.syncwarp()
    tile = cuda.shared.array(0, WORD32)
    lane = cuda.threadIdx.x & (WARP - 1)
    for whose in range(min(WARP, end - first)):
        table = order[uint32(first + whose)]
        at = (cuda.threadIdx.x - lane + whose) * STATE_WORDS
        copy_by_warp(views, table * VIEW_WORDS, tile, at, COMMON_WORDS)
        copy_by_warp(masks, table * MASK_WORDS, tile, mask_at + (whose - lane) * MASK_WORDS, MASK_WORDS)
        seat = cuda.shfl_sync(WHOLE_WARP, int32(mover), whose)
        copy_own_part(view_bytes, table * VIEW_WORDS, at, seat, own_from, own_to)


def largest_group(key):
    """Returns the warp's most frequent key other than KEY_DONE, as its count times KEY_KINDS plus KEY_DONE - key."""
    alike = cuda.popc(cuda.match_any_sync(WHOLE_WARP, int32(key)))
    best = int32(0) if key == KEY_DONE else int32(alike * KEY_KINDS + KEY_DONE - key)
    reach = WARP // 2
    while reach > 0:
        best = max(best, cuda.shfl_xor_sync(WHOLE_WARP, best, reach))
        reach //= 2
    return best
