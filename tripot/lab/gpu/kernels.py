"""The rules inside GPU kernels: whole games, and a step-by-step vector environment. Built by `lab.gpu`.

One thread a table. Open names are bound there: the game's rules, and the sizes that a kernel must know
as it is compiled. A step stages a block's tables in shared memory: records are read and written by the
whole block in order, word by word, so that memory is moved in long stretches; the thread of each table
works on its record there.

Thirty-two threads, a warp, move in step: what one of them does, all wait for. Most decisions are short; what
follows from some of them, and dealing a new game, is long. So tables that have come to such a point are let wait
until there are many of them (whole games), or are gathered by the block and given to as few warps as can be (steps).
"""

from numba import cuda
from numpy import int32, uint32

from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, roll, seed_luck
from tripot.lab.gpu.copies import carry, spread, wipe
from tripot.lab.playout import HASH_FACTOR, HASH_START, count_game, next_to_move, play_uniform

deal = legal = take = settle = None  # the game's rules …
STATE = MEMORY = BYTE = WORD32 = COUNT = None  # … the types of what lies in memory …
WARP = 32
WHOLE_WARP = 0xFFFFFFFF
ACTIONS = TALLY = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = TAIL_BYTES = 0  # … and sizes


def play_games(states, raw, options, seats, seed, games, tallies):
    """Whole games of uniform players: thread i plays games i, i + threads, … and keeps its own tally."""
    thread = cuda.grid(1)
    mask = cuda.local.array(ACTIONS, BYTE)
    memory = cuda.local.array(1, MEMORY)
    tally = cuda.local.array(TALLY, COUNT)
    for i in range(TALLY):
        tally[i] = 0
    for game in range(thread, games, cuda.gridsize(1)):
        for part in range(len(raw[thread])):
            raw[thread][part] = 0
        play_uniform(states[thread], options[0], seats, seed + game, mask, memory[0], tally)
    for i in range(TALLY):
        tallies[thread][i] = tally[i]


def play_games_shared(options, seats, seed, games, tallies, settle_at, deal_at):
    """The same with records and masks of a block in shared memory, and masks read four decisions at a time.

    A warp lets those who have come to a long stretch wait until `settle_at` or `deal_at` of them can do it together.
    """
    thread = cuda.grid(1)
    place = cuda.threadIdx.x
    memory = cuda.local.array(1, MEMORY)
    tally = cuda.local.array(TALLY, COUNT)
    for i in range(TALLY):
        tally[i] = 0
    s = cuda.shared.array(0, STATE)[place]
    step = cuda.gridsize(1)
    game = thread - step  # none yet
    decisions = 0
    course = HASH_START
    s.over = 1
    while True:
        dealing = s.over != 0 and game + step < games
        settling = s.over == 0 and s.waiting == 0
        deciding = s.over == 0 and s.waiting != 0
        to_deal = cuda.popc(cuda.ballot_sync(WHOLE_WARP, dealing))
        to_settle = cuda.popc(cuda.ballot_sync(WHOLE_WARP, settling))
        to_decide = cuda.popc(cuda.ballot_sync(WHOLE_WARP, deciding))
        if to_deal + to_settle + to_decide == 0:
            break
        if to_deal >= deal_at or to_settle + to_decide == 0:
            if dealing:
                game += step
                wipe_and_deal(s, options[0], seats, seed + game)
                seed_luck(memory[0], seed + game, PLAYERS)
                decisions = 0
                course = HASH_START
        elif to_settle >= settle_at or to_decide == 0:
            if settling:
                settle(s)
        elif deciding:
            course = ((course ^ decide_uniformly(s, memory[0])) * HASH_FACTOR) & WORD
            decisions += 1
        if s.over and decisions > 0:
            count_game(s, decisions, course, tally)
            decisions = 0
    for i in range(TALLY):
        tallies[thread][i] = tally[i]


def wipe_and_deal(s, options, seats, seed):
    """A new game at this thread's table in shared memory."""
    wipe(cuda.shared.array(0, WORD32), cuda.threadIdx.x * STATE_WORDS, STATE_WORDS, 1)
    deal(s, options, seats, seed)


def decide_uniformly(s, memory):
    """A uniform decision at this thread's table; its mask lies behind the block's records."""
    words = cuda.shared.array(0, WORD32)
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    seat = next_to_move(s)
    ask_here(s, seat, mask_at)
    action = choose_word(words, mask_at, memory)
    take(s, seat, action)
    return action


def ask_here(s, seat, mask_at):
    """What the seat may decide, into shared memory from the word `mask_at` on."""
    bytes_ = cuda.shared.array(0, BYTE)
    wipe(cuda.shared.array(0, WORD32), mask_at, MASK_WORDS, 1)
    legal(s, seat, bytes_[4 * mask_at : 4 * mask_at + ACTIONS])


def choose_word(words, at, memory):
    """`choose_uniform` on a mask whose bytes, 0 or 1, are read as words: the same luck, the same decision."""
    count = 0
    for word in range(MASK_WORDS):
        count += cuda.popc(words[uint32(at + word)])
    skip = int32(roll(memory, count))
    word = uint32(0)
    here = cuda.popc(words[uint32(at)])
    while skip >= here:
        skip = int32(skip - here)
        word = uint32(word + 1)
        here = cuda.popc(words[uint32(at + word)])
    four = uint32(words[uint32(at + word)])
    while skip > 0:
        four = uint32(four & (four - 1))  # without its lowest bit
        skip = int32(skip - 1)
    return 4 * word + (cuda.ffs(four) - 1) // 8


def reset(words, options, seats, seed, views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at):
    """Deal every table anew: table i from the seed `seed + i`."""
    tile = cuda.shared.array(0, WORD32)
    states = cuda.shared.array(0, STATE)
    place = cuda.threadIdx.x
    table = cuda.grid(1)
    wipe(tile, place * STATE_WORDS, STATE_WORDS, 1)
    wipe(masks, cuda.blockIdx.x * cuda.blockDim.x * MASK_WORDS + place, MASK_WORDS, cuda.blockDim.x)
    if table < len(movers):
        deal(states[place], options[0], seats, seed + table)
    cuda.syncthreads()
    show(tile, states, words, views, view_bytes, mask_bytes, movers, tail_from, tail_to, seat_at)


def step(
    words, actions, options, seats, next_seed, results, overs,
    views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at,
):  # fmt: skip
    """One decision at every table; a table whose game is over pays out and is dealt anew."""
    tile = cuda.shared.array(0, WORD32)
    states = cuda.shared.array(0, STATE)
    place = cuda.threadIdx.x
    block = cuda.blockIdx.x * cuda.blockDim.x
    counts = cuda.blockDim.x * (STATE_WORDS + 1)  # of the busy, and of the others
    if place < 2:
        tile[counts + place] = 0
    wipe(masks, block * MASK_WORDS + place, MASK_WORDS, cuda.blockDim.x)
    carry(tile, place, words, block * STATE_WORDS + place, STATE_WORDS, cuda.blockDim.x)
    cuda.syncthreads()
    there = block + place < len(movers)
    s = states[place]
    if there:
        take(s, movers[block + place], actions[block + place])
    mine = gather(tile, place, there and s.waiting == 0 and s.over == 0)
    table = block + mine
    s = states[mine]
    if table < len(movers):
        if s.waiting == 0 and s.over == 0:
            settle(s)
        overs[table] = s.over
        if s.over:
            for seat in range(seats):
                results[table][seat] = s.result[seat]
            wipe(tile, mine * STATE_WORDS, STATE_WORDS, 1)
            deal(s, options[0], seats, next_seed + table)
    cuda.syncthreads()
    show(tile, states, words, views, view_bytes, mask_bytes, movers, tail_from, tail_to, seat_at)


def gather(tile, place, busy):
    """Which table of the block this thread takes up, so that those with much to do lie side by side."""
    order = cuda.blockDim.x * STATE_WORDS
    counts = order + cuda.blockDim.x
    spot = cuda.atomic.add(tile, counts + (0 if busy else 1), 1)
    cuda.syncthreads()
    tile[order + spot + (0 if busy else tile[counts])] = place
    cuda.syncthreads()
    return tile[order + place]


def show(tile, states, words, views, view_bytes, mask_bytes, movers, tail_from, tail_to, seat_at):
    """Write back the block's records, and for each table who moves, what he sees and what he may decide.

    Masks are wiped already, and few bytes of them are set: they go straight to where they belong.
    """
    place = cuda.threadIdx.x
    first = cuda.blockIdx.x * cuda.blockDim.x
    table = first + place
    mover = int32(0)
    if table < len(movers):
        mover = int32(next_to_move(states[place]))
        movers[table] = mover
        mask_at = 4 * table * MASK_WORDS
        legal(states[place], mover, mask_bytes[mask_at : mask_at + ACTIONS])
        view_bytes[4 * (table * VIEW_WORDS + COMMON_WORDS) + seat_at] = mover
    cuda.syncwarp()
    lane = place & (WARP - 1)
    for whose in range(WARP):
        at = (place - lane + whose) * STATE_WORDS
        row = (table - lane + whose) * VIEW_WORDS
        spread(views, row, tile, at, COMMON_WORDS)
        spread_tail(view_bytes, row, at, cuda.shfl_sync(WHOLE_WARP, mover, whose), tail_from, tail_to)
    carry(words, first * STATE_WORDS + place, tile, place, STATE_WORDS, cuda.blockDim.x)


def spread_tail(view_bytes, row, at, mover, tail_from, tail_to):
    """The mover's own part of a view, by a warp: from the record at the word `at`, to the view at the word `row`."""
    bytes_ = cuda.shared.array(0, BYTE)
    lane = cuda.threadIdx.x & (WARP - 1)
    for start in range(0, TAIL_BYTES, WARP):
        if start + lane < TAIL_BYTES:
            seen = bytes_[uint32(4 * at + tail_from[uint32(mover * TAIL_BYTES + start + lane)])]
            view_bytes[uint32(4 * (row + COMMON_WORDS) + tail_to[uint32(start + lane)])] = seen


def pick(masks, actions, seed, turn):
    """A uniform legal decision at every table, to drive the environment without leaving the device."""
    table = cuda.grid(1)
    if table < len(actions):
        memory = cuda.local.array(1, MEMORY)
        seed_luck(memory[0], seed + table, PLAYERS + turn)
        actions[table] = choose_word(masks, table * MASK_WORDS, memory[0])
