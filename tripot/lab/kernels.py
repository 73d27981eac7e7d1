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

from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, roll, seed_luck
from tripot.lab.playout import HASH_FACTOR, HASH_START, count_game, next_to_move, play_uniform

deal = legal = take = settle = None  # the game's rules …
STATE = MEMORY = BYTE = WORD32 = COUNT = None  # … the types of what lies in memory …
ONE_IN_EACH_BYTE = 0x01010101
WARP = 32
WHOLE_WARP = 0xFFFFFFFF
ACTIONS = TALLY = STATE_BYTES = STATE_WORDS = MASK_WORDS = VIEW_WORDS = COMMON_WORDS = 0  # … and sizes


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
            course = ((course ^ decide(s, memory[0])) * HASH_FACTOR) & WORD
            decisions += 1
        if s.over and decisions > 0:
            count_game(s, decisions, course, tally)
            decisions = 0
    for i in range(TALLY):
        tallies[thread][i] = tally[i]


def wipe_and_deal(s, options, seats, seed):
    """A new game at this thread's table in shared memory."""
    words = cuda.shared.array(0, WORD32)
    for word in range(STATE_WORDS):
        words[cuda.threadIdx.x * STATE_WORDS + word] = 0
    deal(s, options, seats, seed)


def decide(s, memory):
    """A uniform decision at this thread's table; its mask lies behind the block's records."""
    words = cuda.shared.array(0, WORD32)
    bytes_ = cuda.shared.array(0, BYTE)
    mask_at = cuda.blockDim.x * STATE_WORDS + cuda.threadIdx.x * MASK_WORDS
    for word in range(MASK_WORDS):
        words[mask_at + word] = 0
    seat = next_to_move(s)
    legal(s, seat, bytes_[4 * mask_at : 4 * mask_at + ACTIONS])
    action = choose_word(words, mask_at, memory)
    take(s, seat, action)
    return action


def choose_word(words, at, memory):
    """`choose_uniform` on a mask of bytes that is read as words: the same luck, the same decision."""
    count = 0
    for word in range(MASK_WORDS):
        count += (words[at + word] * ONE_IN_EACH_BYTE >> 24) & 255
    skip = roll(memory, count)
    word = 0
    while True:
        here = (words[at + word] * ONE_IN_EACH_BYTE >> 24) & 255
        if skip < here:
            break
        skip -= here
        word += 1
    four = words[at + word]
    byte = 0
    while True:
        if four >> (8 * byte) & 1:
            if skip == 0:
                return 4 * word + byte
            skip -= 1
        byte += 1


def reset(words, options, seats, seed, views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at):
    """Deal every table anew: table i from the seed `seed + i`."""
    tile = cuda.shared.array(0, WORD32)
    states = cuda.shared.array(0, STATE)
    place = cuda.threadIdx.x
    table = cuda.grid(1)
    for word in range(STATE_WORDS):
        tile[place * STATE_WORDS + word] = 0
    if table < len(movers):
        deal(states[place], options[0], seats, seed + table)
    cuda.syncthreads()
    show(tile, states, words, views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at)


def step(
    words, actions, options, seats, next_seed, results, overs,
    views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at,
):  # fmt: skip
    """One decision at every table; a table whose game is over pays out and is dealt anew."""
    tile = cuda.shared.array(0, WORD32)
    states = cuda.shared.array(0, STATE)
    place = cuda.threadIdx.x
    block = cuda.blockIdx.x * cuda.blockDim.x
    first = block * STATE_WORDS
    for word in range(place, cuda.blockDim.x * STATE_WORDS, cuda.blockDim.x):
        if first + word < len(words):
            tile[word] = words[first + word]
    cuda.syncthreads()
    there = block + place < len(movers)
    s = states[place]
    if there:
        take(s, movers[block + place], actions[block + place])
    cuda.syncthreads()
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
            for word in range(STATE_WORDS):
                tile[mine * STATE_WORDS + word] = 0
            deal(s, options[0], seats, next_seed + table)
    cuda.syncthreads()
    show(tile, states, words, views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at)


def gather(tile, place, busy):
    """Which table of the block this thread takes up, so that those with much to do lie side by side."""
    size = cuda.blockDim.x
    order = size * STATE_WORDS
    counts = order + size  # of the busy, and of the others
    if place < 2:
        tile[counts + place] = 0
    cuda.syncthreads()
    kind = 0 if busy else 1
    spot = cuda.atomic.add(tile, counts + kind, 1)
    cuda.syncthreads()
    tile[order + spot + (0 if busy else tile[counts])] = place
    cuda.syncthreads()
    return tile[order + place]


def show(tile, states, words, views, view_bytes, masks, mask_bytes, movers, tail_from, tail_to, seat_at):
    """Write back the block's records, and for each table who moves, what he sees and what he may decide.

    Masks and the mover's own part of a view are few bytes: they go straight to where they belong. Records and the
    public part of views are written by the block in order.
    """
    place = cuda.threadIdx.x
    size = cuda.blockDim.x
    block = cuda.blockIdx.x * size
    for word in range(place, size * MASK_WORDS, size):
        if block * MASK_WORDS + word < len(masks):
            masks[block * MASK_WORDS + word] = 0
    cuda.syncthreads()
    table = block + place
    if table < len(movers):
        mover = next_to_move(states[place])
        movers[table] = mover
        mask_at = 4 * table * MASK_WORDS
        legal(states[place], mover, mask_bytes[mask_at : mask_at + ACTIONS])
        bytes_ = cuda.shared.array(0, BYTE)  # the records once more
        tail_at = 4 * (table * VIEW_WORDS + COMMON_WORDS)
        for i in range(len(tail_to)):
            view_bytes[tail_at + tail_to[i]] = bytes_[place * STATE_BYTES + tail_from[mover][i]]
        view_bytes[tail_at + seat_at] = mover
    for word in range(place, size * STATE_WORDS, size):
        if block * STATE_WORDS + word < len(words):
            words[block * STATE_WORDS + word] = tile[word]
    lane, tables = place % WARP, min(size, len(movers) - block)
    for whose in range(place // WARP, tables, size // WARP):
        for part in range(lane, COMMON_WORDS, WARP):
            views[(block + whose) * VIEW_WORDS + part] = tile[whose * STATE_WORDS + part]


def pick(masks, actions, seed, turn):
    """A uniform legal decision at every table, to drive the environment without leaving the device."""
    table = cuda.grid(1)
    if table < len(actions):
        memory = cuda.local.array(1, MEMORY)
        seed_luck(memory[0], seed + table, PLAYERS + turn)
        actions[table] = choose_word(masks, table * MASK_WORDS, memory[0])
