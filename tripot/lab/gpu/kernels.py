"""GPU kernels with one thread per table: whole games, and a vector environment that steps all tables. Built by `build`.

`bindings` gives the open names their meaning: the rules of a game, record types, and sizes known at compile time.
Records lie in shared memory while rules work on them; a block copies its records word by word, in order, so that
accesses to global memory coalesce.

The 32 threads of a warp run in lockstep: all wait for the slowest. Most decisions are short, but what follows from some
of them, and dealing a new game, takes long. So tables that reach such a point wait until many of the warp have reached
it (whole games), or the block compacts them into as few warps as possible (steps).

Functions that touch shared records or need a warp stand apart, so that tests can replace them in the simulator.
"""

from numba import cuda
from numpy import int32, uint32

from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, roll, seed_luck
from tripot.lab.gpu.copies import copy_by_warp, copy_strided, zero_strided
from tripot.lab.playout import HASH_FACTOR, HASH_START, count_game, next_to_move

deal = legal = decide = settle = None  # the rules of the game
STATE = RNG_STATE = BYTE = WORD32 = COUNT = None  # types
WARP = 32
WHOLE_WARP = 0xFFFFFFFF
ACTIONS = TALLY = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = OWN_BYTES = 0  # sizes
ILLEGAL_COUNT, ILLEGAL_TABLE, ILLEGAL_SEAT, ILLEGAL_ACTION, ILLEGAL_MASK = 0, 1, 2, 3, 4  # places in `illegal`

# --- Whole games ---


def play_games(options, seats, seed, games, tallies, settle_at, deal_at):
    """Plays whole games of uniform players: thread i plays games i, i + threads, … and keeps its own tally.

    A table that must settle or deal waits until `settle_at` or `deal_at` tables of its warp must do the same.
    """
    thread = cuda.grid(1)
    rng = cuda.local.array(1, RNG_STATE)
    tally = cuda.local.array(TALLY, COUNT)
    for i in range(TALLY):
        tally[i] = 0
    s = record_at(cuda.threadIdx.x)
    threads = cuda.gridsize(1)
    game = thread - threads  # none yet
    decisions = 0
    checksum = HASH_START
    s.over = 1
    while True:
        dealing = s.over != 0 and game + threads < games
        settling = s.over == 0 and s.waiting == 0
        deciding = s.over == 0 and s.waiting != 0
        to_deal = count_in_warp(dealing)
        to_settle = count_in_warp(settling)
        to_decide = count_in_warp(deciding)
        if to_deal + to_settle + to_decide == 0:
            break
        if to_deal >= deal_at or to_settle + to_decide == 0:
            if dealing:
                game += threads
                clear_and_deal(s, cuda.threadIdx.x, options[0], seats, seed + game)
                seed_luck(rng[0], seed + game, PLAYERS)
                decisions = 0
                checksum = HASH_START
        elif to_settle >= settle_at or to_decide == 0:
            if settling:
                settle(s)
        elif deciding:
            checksum = ((checksum ^ decide_uniformly(s, rng[0])) * HASH_FACTOR) & WORD
            decisions += 1
        if s.over and decisions > 0:
            count_game(s, decisions, checksum, tally)
            decisions = 0
    for i in range(TALLY):
        tallies[thread][i] = tally[i]


def count_in_warp(condition):
    """Returns for how many threads of the warp the condition holds."""
    return cuda.popc(cuda.ballot_sync(WHOLE_WARP, condition != 0))


def record_at(place):
    """Returns a record of the block in shared memory."""
    return cuda.shared.array(0, STATE)[place]


def clear_and_deal(s, place, options, seats, seed):
    """Deals a new game into `s`, the block's record number `place` in shared memory."""
    zero_strided(cuda.shared.array(0, WORD32), place * STATE_WORDS, STATE_WORDS, 1)
    deal(s, options, seats, seed)


def decide_uniformly(s, rng):
    """Takes a uniform decision at this thread's table."""
    seat = next_to_move(s)
    action = pick_uniformly(s, seat, rng)
    decide(s, seat, action)
    return action


def pick_uniformly(s, seat, rng):
    """Returns a uniform legal action of the seat; the masks lie behind the block's records in shared memory."""
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    fill_shared_mask(s, seat, mask_at)
    return choose_uniform_word(cuda.shared.array(0, WORD32), mask_at, rng)


def fill_shared_mask(s, seat, mask_at):
    """Writes the action mask of the seat into shared memory, from the word `mask_at` on."""
    bytes_ = cuda.shared.array(0, BYTE)
    zero_strided(cuda.shared.array(0, WORD32), mask_at, MASK_WORDS, 1)
    legal(s, seat, bytes_[4 * mask_at : 4 * mask_at + ACTIONS])


def choose_uniform_word(words, at, rng):
    """`choose_uniform` on a mask read as words of four bytes, each 0 or 1: the same roll and the same action."""
    count = 0
    for word in range(MASK_WORDS):
        count += cuda.popc(words[uint32(at + word)])
    skip = int32(roll(rng, count))
    word = uint32(0)
    here = cuda.popc(words[uint32(at)])
    while skip >= here:
        skip = int32(skip - here)
        word = uint32(word + 1)
        here = cuda.popc(words[uint32(at + word)])
    four = uint32(words[uint32(at + word)])
    while skip > 0:
        four = uint32(four & (four - 1))  # clears the lowest bit
        skip = int32(skip - 1)
    return 4 * word + (cuda.ffs(four) - 1) // 8


# --- The vector environment ---


def reset(
    words, options, seats, seeds, stride, rngs,
    views, view_bytes, masks, mask_bytes, movers, own_from, own_to, seat_at,
):  # fmt: skip
    """Deals every table its next game."""
    tile = cuda.shared.array(0, WORD32)
    place = cuda.threadIdx.x
    table = cuda.grid(1)
    zero_strided(masks, cuda.blockIdx.x * cuda.blockDim.x * MASK_WORDS + place, MASK_WORDS, cuda.blockDim.x)
    if table < len(movers):
        deal_next(record_at(place), place, table, options, seats, seeds, stride, rngs)
    cuda.syncthreads()
    mover = find_mover(record_at(place), table, view_bytes, mask_bytes, movers, seat_at)
    write_block(tile, words, views, view_bytes, table, mover, own_from, own_to)


def step(
    words, actions, check, illegal, options, seats, seeds, stride, rngs, results, overs,
    views, view_bytes, masks, mask_bytes, movers, own_from, own_to, seat_at,
):  # fmt: skip
    """Takes one decision at every table; a table whose game ends sets its results and is dealt its next game.

    With `check`, a table whose action is illegal stays as it is.
    """
    tile = cuda.shared.array(0, WORD32)
    place = cuda.threadIdx.x
    first = cuda.blockIdx.x * cuda.blockDim.x
    counters = cuda.blockDim.x * (STATE_WORDS + 1)  # how many tables must settle, and how many need not
    if place < 2:
        tile[counters + place] = 0
    copy_strided(tile, place, words, first * STATE_WORDS + place, STATE_WORDS, cuda.blockDim.x)
    present = first + place < len(movers)
    stepping = present and accept(first + place, actions, movers, masks, mask_bytes, check, illegal)
    cuda.syncthreads()
    zero_strided(masks, first * MASK_WORDS + place, MASK_WORDS, cuda.blockDim.x)
    s = record_at(place)
    if stepping:
        decide(s, movers[first + place], actions[first + place])
    mine = compact(tile, place, present and s.waiting == 0 and s.over == 0)
    table = first + mine
    s = record_at(mine)
    if table < len(movers):
        if s.waiting == 0 and s.over == 0:
            settle(s)
        overs[table] = s.over
        if s.over:
            for seat in range(s.seats):
                results[table][seat] = s.result[seat]
            deal_next(s, mine, table, options, seats, seeds, stride, rngs)
    cuda.syncthreads()
    mover = find_mover(record_at(place), first + place, view_bytes, mask_bytes, movers, seat_at)
    write_block(tile, words, views, view_bytes, first + place, mover, own_from, own_to)


def accept(table, actions, movers, masks, mask_bytes, check, illegal):
    """Returns whether the table's action may be taken; describes the first illegal action in `illegal`, counts all."""
    action = actions[table]
    if not check:
        return True
    if action >= 0 and action < ACTIONS and mask_bytes[4 * table * MASK_WORDS + action] != 0:
        return True
    if cuda.atomic.add(illegal, ILLEGAL_COUNT, 1) == 0:
        illegal[ILLEGAL_TABLE] = table
        illegal[ILLEGAL_SEAT] = movers[table]
        illegal[ILLEGAL_ACTION] = action
        for word in range(MASK_WORDS):
            illegal[ILLEGAL_MASK + word] = masks[table * MASK_WORDS + word]
    return False


def deal_next(s, place, table, options, seats, seeds, stride, rngs):
    """Deals the table's next game as `lab.batch` does: from its last seed plus `stride`; seeds the RNG of `pick`.

    `seats` has the size of each table: one launch plays tables of all sizes. Of several house rules `seed` says which.
    """
    seed = seeds[table] + stride
    seeds[table] = seed
    clear_and_deal(s, place, options[seed % len(options)], seats[table], seed)
    seed_luck(rngs[table], seed, PLAYERS)


def compact(tile, place, busy):
    """Returns the table of the block that this thread continues with: the busy tables come first."""
    order = cuda.blockDim.x * STATE_WORDS
    counters = order + cuda.blockDim.x
    spot = cuda.atomic.add(tile, counters + (0 if busy else 1), 1)
    cuda.syncthreads()
    tile[order + spot + (0 if busy else tile[counters])] = place
    cuda.syncthreads()
    return tile[order + place]


def find_mover(s, table, view_bytes, mask_bytes, movers, seat_at):
    """Returns the seat to move, and writes it with its action mask straight to global memory.

    The mask is zeroed already, and only a few of its bytes are set.
    """
    mover = int32(0)
    if table < len(movers):
        mover = int32(next_to_move(s))
        movers[table] = mover
        mask_at = 4 * table * MASK_WORDS
        legal(s, mover, mask_bytes[mask_at : mask_at + ACTIONS])
        view_bytes[4 * (table * VIEW_WORDS + COMMON_WORDS) + seat_at] = mover
    return mover


def write_block(tile, words, views, view_bytes, table, mover, own_from, own_to):
    """Copies the block's records and its movers' views to global memory."""
    place = cuda.threadIdx.x
    cuda.syncwarp()
    lane = place & (WARP - 1)
    for whose in range(WARP):
        at = (place - lane + whose) * STATE_WORDS
        row = (table - lane + whose) * VIEW_WORDS
        copy_by_warp(views, row, tile, at, COMMON_WORDS)
        copy_own_part(view_bytes, row, at, cuda.shfl_sync(WHOLE_WARP, int32(mover), whose), own_from, own_to)
    copy_strided(words, (table - place) * STATE_WORDS + place, tile, place, STATE_WORDS, cuda.blockDim.x)


def copy_own_part(view_bytes, row, at, mover, own_from, own_to):
    """Copies by warp what only the mover sees: from the record at the word `at` to the view at the word `row`."""
    bytes_ = cuda.shared.array(0, BYTE)
    lane = cuda.threadIdx.x & (WARP - 1)
    for start in range(0, OWN_BYTES, WARP):
        if start + lane < OWN_BYTES:
            seen = bytes_[uint32(4 * at + own_from[uint32(mover * OWN_BYTES + start + lane)])]
            view_bytes[uint32(4 * (row + COMMON_WORDS) + own_to[uint32(start + lane)])] = seen


def pick(masks, actions, rngs):
    """Chooses a uniform legal action at every table."""
    table = cuda.grid(1)
    if table < len(actions):
        actions[table] = choose_uniform_word(masks, table * MASK_WORDS, rngs[table])
