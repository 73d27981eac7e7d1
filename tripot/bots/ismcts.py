"""Information-set tree search for any game, in native code: compiled by `core.jit`, never run as it stands.

Every iteration takes one of the searching seat's decisions at a full state imagined from its view, walks down the tree
to where that seat decides for the first time, plays on to the end, or for some turns and then weighs the outlook, and
counts what each mover got. A decision's first visit is to the same imagined state as any other's, and so on: they are
compared with the same cards and the same luck. A node stands for all states that its mover cannot tell apart: it is
found by a hash of the mover's view. So nobody in the tree answers to cards that he cannot see; the searching seat's
hand is as secret there as at the table. Which decisions are legal may differ from one imagined state to the next, so
every edge also counts how often it was available. Seats that choose in secret at the same time move one after the
other, none seeing the others' choices. Everybody maximises his own result.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from tripot.core.game import PLAYERS, WHOLE_WIN
from tripot.core.observe import put_back
from tripot.core.rng import roll, seed_luck

legal = apply = imagine = choose = look = None  # bound by `core.jit` …
traits = side_of = turn_of = None  # … and so is the game's outlook

EXPLORATION = 0.6  # how much a decision seldom tried is worth trying
TRUST = 0.5  # how much of the prior goes to the decision that common sense would take
HASH_START = 1469598103934665603
HASH_FACTOR = 1099511628211
ONE_IN_EACH_BYTE = 0x0101010101010101
LUCK = PLAYERS + 33  # the stream of what is by lot on the way; an imagined table has its own
LONGEST = 400  # decisions on one way down the tree


NODE = np.dtype(
    [
        ("key", np.int64),  # the hash of a view and who moves; 0 where nothing is kept yet
        ("head", np.int32),  # its first edge
        ("favourite", np.int32),  # the decision that common sense would take
    ]
)
EDGE = np.dtype(
    [
        ("value", np.float64),  # what its mover got, summed
        ("after", np.int32),  # the next edge of the same node
        ("visits", np.int32),
        ("available", np.int32),  # how often it could have been taken
        ("action", np.int32),
    ]
)


class Tree(NamedTuple):
    """The nodes in an open hash table, the edges of each in a linked list; entry 0 means none."""

    nodes: np.ndarray  # of NODE: by place in the table
    edges: np.ndarray  # of EDGE
    used: np.ndarray  # [nodes, edges] so far
    edge_of: np.ndarray  # scratch, by decision: its edge at the node in hand
    path: np.ndarray  # scratch: the edges of this iteration
    movers: np.ndarray  # scratch: who took each
    shares: np.ndarray  # scratch: what this iteration brought, by seat


class Found(NamedTuple):
    """What a search tells of itself."""

    visits: np.ndarray  # by decision at the root
    value: np.ndarray  # by decision at the root, summed
    line: np.ndarray  # the most expected continuation


class Desk(NamedTuple):
    """What one search works with besides its tree."""

    sight: np.ndarray  # the seat's view, one record
    raw_view: np.ndarray
    states: np.ndarray  # the imagined table, one record
    raw: np.ndarray
    eyes: tuple[Any, ...]  # watching that table
    words: np.ndarray  # the same view bytes that the eyes write, eight at a time
    mask: np.ndarray
    mask_words: np.ndarray  # the same bytes, eight at a time
    root_words: np.ndarray  # what is open to the searching seat now
    memory: np.ndarray
    net: tuple[Any, ...]  # what traits promise: an `outlook.Net`


def think(tree, desk, seat, seed, iterations, guide, turns, found):
    """Search on, then write down what was found so far; the length of the expected continuation."""
    search(tree, desk, seat, seed, iterations, guide, turns)
    count_root(tree, desk, seat, seed, found)
    return expect(tree, desk, seat, seed, found.line)


def search(tree, desk, seat, seed, iterations, guide, turns):
    """So many iterations more.

    In phases whose bit is in `guide` play-outs follow common sense; after `turns` turns they are broken off.
    """
    until = turn_of(desk.sight[0]) + turns
    place, count = find_root(tree, desk, seat, seed)
    for _ in range(iterations):
        s = begin(tree, desk, place, count, seat, seed)
        depth = descend(tree, desk, s, seat)
        play_out(desk, s, guide, until)
        weigh(s, desk.net, tree.shares)
        for step in range(depth):
            edge = tree.path[step]
            tree.edges[edge].visits += 1
            tree.edges[edge].value += tree.shares[tree.movers[step]]


def imagined(desk, seat, seed):
    """A full state that the view allows."""
    put_back(desk.raw_view, desk.raw, seat, desk.eyes)
    s = desk.states[0]
    imagine(desk.sight[0], s, seed)
    return s


def find_root(tree, desk, seat, seed):
    """(the searching seat's own node, how many decisions are open there); which they are is kept.

    The first time, too, each gets its edge: however full the tree becomes, all of them can be visited.
    """
    s = imagined(desk, seat, seed)
    _, count = ask(s, desk)
    for word in range(len(desk.mask_words)):
        desk.root_words[word] = desk.mask_words[word]
    view = look(s, seat, desk.eyes)
    place, new = find_node(tree, view_key(desk, seat))
    if new:
        tree.nodes[place].favourite = choose(view, desk.mask, desk.memory[0])
        for action in range(len(desk.mask)):
            if desk.mask[action]:
                new_edge(tree, place, action)
    return place, count


def begin(tree, desk, place, count, seat, seed):
    """Take a decision at the root: the table after it.

    The same visit of every decision is to the same imagined table with the same luck, so that what they brought can be
    compared visit by visit.
    """
    for word in range(len(desk.mask_words)):
        desk.mask_words[word] = desk.root_words[word]
    edge = select(tree, desk, place, count)
    world = seed + tree.edges[edge].visits
    seed_luck(desk.memory[0], world, LUCK)
    s = imagined(desk, seat, world)
    tree.path[0] = edge
    tree.movers[0] = seat
    apply(s, seat, tree.edges[edge].action)
    return s


def ask(s, desk):
    """Whose turn it is, the mask filled in, and how many decisions are open; the searching seat before others."""
    mover = desk.sight[0].seat
    if not s.waiting >> mover & 1:
        mover = 0
        while not s.waiting >> mover & 1:
            mover += 1
    for word in range(len(desk.mask_words)):
        desk.mask_words[word] = 0
    legal(s, mover, desk.mask)
    count = 0
    for word in desk.mask_words:
        count += how_many(word)
    return mover, count


def how_many(word):
    """How many of eight decisions are open: the sum of eight bytes, each 0 or 1."""
    return (word * ONE_IN_EACH_BYTE) >> 56


def pick(desk, skip):
    """The open decision after `skip` others."""
    word = 0
    here = how_many(desk.mask_words[0])
    while skip >= here:
        skip -= here
        word += 1
        here = how_many(desk.mask_words[word])
    action = 8 * word
    while not desk.mask[action] or skip > 0:
        skip -= desk.mask[action]
        action += 1
    return action


def descend(tree, desk, s, seat):
    """On down the tree to a new node of the searching seat, and one decision beyond it; the number of edges taken.

    A new node of another seat is no place to stop: he seldom holds the same hand twice, and common sense knows it.
    """
    depth = 1
    fresh = False
    while not s.over and not fresh and depth < LONGEST:
        mover, count = ask(s, desk)
        if count == 1:
            apply(s, mover, pick(desk, 0))
            continue
        view = look(s, mover, desk.eyes)
        place, new = find_node(tree, view_key(desk, mover))
        if place < 0:
            return depth  # the tree is full
        if new:
            tree.nodes[place].favourite = choose(view, desk.mask, desk.memory[0])
            edge = new_edge(tree, place, tree.nodes[place].favourite)
            fresh = mover == seat
        else:
            edge = select(tree, desk, place, count)
        if edge == 0:
            return depth
        tree.path[depth] = edge
        tree.movers[depth] = mover
        depth += 1
        apply(s, mover, tree.edges[edge].action)
    return depth


def view_key(desk, mover):
    """A hash of what the mover sees, who has just looked; never 0."""
    key = HASH_START ^ mover
    for word in desk.words:
        key = (key ^ word) * HASH_FACTOR
        key ^= key >> 29
    return key if key != 0 else 1


def find_node(tree, key):
    """(place, whether it is new); place -1 when there is no room for a new one."""
    size = len(tree.nodes)
    place = key & (size - 1)
    while tree.nodes[place].key != 0:
        if tree.nodes[place].key == key:
            return place, False
        place = (place + 1) & (size - 1)
    if tree.used[0] * 2 >= size:
        return -1, False
    tree.used[0] += 1
    tree.nodes[place].key = key
    return place, True


def select(tree, desk, place, count):
    """The edge to follow: good so far, seldom tried, favoured by common sense. 0 if there is no room for it."""
    mask, edge_of = desk.mask, tree.edge_of
    visits = 0
    value = 0.0
    edge = tree.nodes[place].head
    while edge != 0:
        action = tree.edges[edge].action
        if mask[action]:
            edge_of[action] = edge
            tree.edges[edge].available += 1
            visits += tree.edges[edge].visits
            value += tree.edges[edge].value
        edge = tree.edges[edge].after
    usual = value / visits if visits > 0 else 0.0
    skip = roll(desk.memory[0], count)  # where to start looking, so that equals are taken by lot
    favourite = tree.nodes[place].favourite
    best = -1.0
    choice = soonest = seen = 0
    for word in range(len(desk.mask_words)):
        if desk.mask_words[word] != 0:
            for action in range(8 * word, min(8 * word + 8, len(mask))):
                if mask[action]:
                    score = worth(tree, edge_of[action], action == favourite, count, usual)
                    place_in_line = (seen - skip) % count
                    if score > best or (score == best and place_in_line < soonest):
                        best = score
                        choice = action
                        soonest = place_in_line
                    seen += 1
    if edge_of[choice] == 0:
        edge_of[choice] = new_edge(tree, place, choice)
    chosen = edge_of[choice]
    edge = tree.nodes[place].head
    while edge != 0:
        edge_of[tree.edges[edge].action] = 0
        edge = tree.edges[edge].after
    edge_of[choice] = 0
    return chosen


def worth(tree, edge, favourite, count, usual):
    prior = (1.0 - TRUST) / count + (TRUST if favourite else 0.0)
    if edge == 0:
        return usual + EXPLORATION * prior
    visits = tree.edges[edge].visits
    mean = tree.edges[edge].value / visits if visits > 0 else usual
    return mean + EXPLORATION * prior * math.sqrt(tree.edges[edge].available) / (1 + visits)


def new_edge(tree, place, action):
    if tree.used[1] + 1 >= len(tree.edges):
        return 0
    tree.used[1] += 1
    edge = tree.used[1]
    tree.edges[edge].action = action
    tree.edges[edge].after = tree.nodes[place].head
    tree.nodes[place].head = edge
    tree.edges[edge].available = 1
    return edge


def play_out(desk, s, guide, until):
    """To the end of the game, or to where the turn `until` begins."""
    memory = desk.memory[0]
    while not s.over and turn_of(s) < until:
        mover, count = ask(s, desk)
        if count == 1:
            action = pick(desk, 0)
        elif guide >> s.phase & 1:
            action = choose(look(s, mover, desk.eyes), desk.mask, memory)
        else:
            action = pick(desk, roll(memory, count))
        apply(s, mover, action)


def weigh(s, net, shares):
    """Each seat's share of the victory, as it came out or as it can be expected."""
    if s.over:
        for seat in range(s.seats):
            shares[seat] = s.result[seat] / WHOLE_WIN
        return
    highest = -math.inf
    for seat in range(s.seats):
        shares[seat] = promise(s, seat, net)
        highest = max(highest, shares[seat])
    total = 0.0
    for seat in range(s.seats):
        shares[seat] = math.exp(shares[seat] - highest)
        total += shares[seat]
    for seat in range(s.seats):
        shares[seat] /= total


def promise(s, seat, net):
    """What the net makes of a seat's traits. Most traits are 0, and cost nothing."""
    for trait in range(len(net.traits)):
        net.traits[trait] = 0.0
    traits(s, seat, net.traits)
    side = side_of(s, seat)
    promised = net.base[side]
    for cell in range(len(net.cells)):
        net.cells[cell] = net.bias[cell]
    for trait in range(len(net.traits)):
        value = net.traits[trait]
        if value != 0.0:
            promised += net.straight[side][trait] * value
            for cell in range(len(net.cells)):
                net.cells[cell] += net.inner[trait][cell] * value
    for cell in range(len(net.cells)):
        promised += net.outer[side][cell] * max(net.cells[cell], 0.0)
    return promised


def find_known(tree, s, desk, mover):
    """The first edge of the node for this moment, or 0 if it was never reached."""
    look(s, mover, desk.eyes)
    key = view_key(desk, mover)
    place = key & (len(tree.nodes) - 1)
    while tree.nodes[place].key != 0:
        if tree.nodes[place].key == key:
            return tree.nodes[place].head
        place = (place + 1) & (len(tree.nodes) - 1)
    return 0


def count_root(tree, desk, seat, seed, found):
    """How often each decision at the root was taken, and what it brought."""
    s = imagined(desk, seat, seed)
    ask(s, desk)
    edge = find_known(tree, s, desk, seat)
    while edge != 0:
        found.visits[tree.edges[edge].action] = tree.edges[edge].visits
        found.value[tree.edges[edge].action] = tree.edges[edge].value
        edge = tree.edges[edge].after


def expect(tree, desk, seat, seed, line):
    """The most expected continuation: (mover, decision) pairs into `line`; how many."""
    s = imagined(desk, seat, seed)
    length = 0
    while not s.over and length < len(line):
        mover, count = ask(s, desk)
        choice = pick(desk, 0)
        if count > 1:
            choice = most_tried(tree, s, desk, mover)
            if choice < 0 and mover == seat:
                return length
            if choice < 0:
                choice = choose(look(s, mover, desk.eyes), desk.mask, desk.memory[0])
        line[length][0] = mover
        line[length][1] = choice
        length += 1
        apply(s, mover, choice)
    return length


def most_tried(tree, s, desk, mover):
    """The open decision that was taken here most often, or -1 if none was."""
    most = 0
    choice = -1
    edge = find_known(tree, s, desk, mover)
    while edge != 0:
        if desk.mask[tree.edges[edge].action] and tree.edges[edge].visits > most:
            most = tree.edges[edge].visits
            choice = tree.edges[edge].action
        edge = tree.edges[edge].after
    return choice
