"""Whole games at full speed: the loops that simulation, benchmarks and tests share. A rule module.

`core.jit` binds the open names: a game's rules, `observe_seat`, two players (`choose` and `rival`), `ACTIONS`, and the
functions of an evaluation (`features`, `side_of`, `turn_of`). A tally is (games, decisions, sum of checksums, result by
seat …). The checksum of a game is a hash of all its decisions and its result, so equal sums mean equal games.
"""

from tripot.bots.uniform import choose_uniform, next_open
from tripot.core.game import PLAYERS
from tripot.core.rng import WORD, roll, seed_luck

deal = legal = apply = observe_seat = choose = rival = None  # bound by `core.jit` …
features = side_of = turn_of = None  # … so is an evaluation …
ACTIONS = 0  # … and so is the number of decisions a game has

HASH_START = 2166136261
HASH_FACTOR = 16777619
GAMES, DECISIONS, CHECKSUM, WINS = 0, 1, 2, 3  # places in a tally


def next_to_move(s):
    """The seat to move: the lowest that has a decision to take."""
    seat = 0
    while not s.waiting >> seat & 1:
        seat += 1
    return seat


def ask(s, seat, mask):
    """Clears the mask and fills in the seat's legal actions."""
    for action in range(len(mask)):
        mask[action] = 0
    legal(s, seat, mask)


def ask_all(s, seat, mask):
    """The same with a length known at compile time, which is faster. Returns the number of legal actions."""
    for action in range(ACTIONS):
        mask[action] = 0
    legal(s, seat, mask)
    count = 0
    for action in range(ACTIONS):
        count += mask[action]
    return count


def play_uniform(s, options, seats, seed, mask, memory, tally):
    """Plays one game of uniform players, who need no view."""
    deal(s, options, seats, seed)
    seed_luck(memory, seed, PLAYERS)
    decisions = 0
    checksum = HASH_START
    while not s.over:
        seat = next_to_move(s)
        count = ask_all(s, seat, mask)
        action = next_open(mask, roll(memory, count))  # the same as `choose_uniform`
        checksum = ((checksum ^ action) * HASH_FACTOR) & WORD
        apply(s, seat, action)
        decisions += 1
    count_game(s, decisions, checksum, tally)


def play_seen(s, options, seats, seed, mask, memory, tally, observer, chosen):
    """Plays one game of players with views: seats whose bit is in `chosen` play `choose`, the others `rival`."""
    deal(s, options, seats, seed)
    seed_luck(memory, seed, PLAYERS)
    decisions = 0
    checksum = HASH_START
    while not s.over:
        seat = next_to_move(s)
        ask_all(s, seat, mask)
        view = observe_seat(s, seat, observer)
        action = choose(view, mask, memory) if chosen >> seat & 1 else rival(view, mask, memory)
        checksum = ((checksum ^ action) * HASH_FACTOR) & WORD
        apply(s, seat, action)
        decisions += 1
    count_game(s, decisions, checksum, tally)


def count_game(s, decisions, checksum, tally):
    tally[GAMES] += 1
    tally[DECISIONS] += decisions
    for seat in range(s.seats):
        checksum = ((checksum ^ s.result[seat]) * HASH_FACTOR) & WORD
        tally[WINS + seat] += s.result[seat]
    tally[CHECKSUM] = (tally[CHECKSUM] + checksum) & WORD


def run_uniform(states, raw, options, seats, seed, games, mask, memory, tally):
    """Plays `games` games one after the other at one native table; game i has the seed `seed + i`."""
    for game in range(games):
        for byte in range(len(raw)):
            raw[byte] = 0
        play_uniform(states[0], options[0], seats, seed + game, mask, memory[0], tally)


def run_seen(states, raw, options, seats, seed, games, mask, memory, tally, observer, chosen):
    """The same for players with views."""
    for game in range(games):
        for byte in range(len(raw)):
            raw[byte] = 0
        play_seen(states[0], options[0], seats, seed + game, mask, memory[0], tally, observer, chosen)


# --- Games that an evaluation is fitted to ---


def run_recorded(
    states, raw, options, seats, seed, games, mask, memory, observer, blunders, recorded, sides, game_of, results
):
    """Plays games of `choose`, with `blunders` percent of random decisions. Records features where turns begin.

    Returns how many positions were recorded; it stops recording when the arrays are full.
    """
    s = states[0]
    luck = memory[0]
    count = 0
    for game in range(games):
        set_table(states, raw, options, seats, seed + game)
        turn = turn_of(s) - 1
        while not s.over:
            if turn_of(s) != turn and count < len(recorded):
                turn = turn_of(s)
                for seat in range(seats):
                    features(s, seat, recorded[count][seat])
                    sides[count][seat] = side_of(s, seat)
                game_of[count] = game
                count += 1
            seat = next_to_move(s)
            open_ = ask_all(s, seat, mask)
            if roll(luck, 100) < blunders:
                action = next_open(mask, roll(luck, open_))
            else:
                action = choose(observe_seat(s, seat, observer), mask, luck)
            apply(s, seat, action)
        for seat in range(seats):
            results[game][seat] = s.result[seat]
    return count


# --- Games of different bots: some decide in native code, the others in Python ---

OUTSIDE, UNIFORM, SENSIBLE = 0, 1, 2  # kinds of player; outside is a bot that decides in Python


def set_table(states, raw, options, seats, seed):
    """Deals a new game at the native table."""
    for byte in range(len(raw)):
        raw[byte] = 0
    deal(states[0], options[0], seats, seed)


def take_turns(states, kinds, mask, memories, observer, log, choices, taken):
    """Decides for native bots as long as they are of one kind. Returns the number of decisions so far.

    Stops where a bot in Python must decide, with its mask filled in.
    """
    s = states[0]
    kind = OUTSIDE
    while not s.over and taken < len(log):
        seat = next_to_move(s)
        if kind != OUTSIDE and kinds[seat] != kind:
            return taken
        kind = kinds[seat]
        ask(s, seat, mask)
        if kind == OUTSIDE:
            return taken
        if kind == SENSIBLE:
            action = choose(observe_seat(s, seat, observer), mask, memories[seat])
        else:
            action = choose_uniform(0, mask, memories[seat])
        if sum_of(mask) > 1:
            choices[seat] += 1
        taken = answer(states, seat, action, log, taken)
    return taken


def answer(states, seat, action, log, taken):
    """Applies one decision and logs it. Returns the number of decisions so far."""
    log[taken][0] = seat
    log[taken][1] = action
    apply(states[0], seat, action)
    return taken + 1


def sum_of(mask):
    """The number of legal actions."""
    count = 0
    for allowed in mask:
        count += allowed
    return count
