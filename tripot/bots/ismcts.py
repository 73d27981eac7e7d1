"""Information-set Monte Carlo tree search for any game, in native code: compiled by `core.jit`, never run as it stands.

Each iteration selects a decision of the searching seat and applies it to a full state imagined from its view. It then
descends the tree to the next new node of that seat, rolls out to the end of the game (or for some turns, after which
the evaluation estimates the result), and adds each mover's win share to the edges it followed.

- The n-th visit of every root decision uses the same imagined state and the same luck, so decisions are compared under
  common random numbers.
- A node stands for all states that its mover cannot tell apart; its key is a hash of the mover's view. So no player in
  the tree responds to cards they cannot see, and the searching seat's hand stays secret there too.
- The legal decisions may differ between imagined states, so every edge also counts how often it was available.
- Seats that choose in secret at the same time move one after another; none sees the others' choices.
- Every player maximises their own win share.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from tripot.core.game import PLAYERS, WHOLE_WIN
from tripot.core.observe import unobserve_seat
from tripot.core.rng import roll, seed_luck

legal = apply = imagine = choose = observe_seat = None  # bound by `core.jit` …
features = side_of = turn_of = None  # … together with the functions of the game's evaluation

EXPLORATION = 0.6  # the weight of the exploration term in PUCT
HEURISTIC_PRIOR = 0.5  # the part of the prior that goes to the heuristic's decision; bound to 0 without a heuristic
HASH_START = 1469598103934665603
HASH_FACTOR = 1099511628211
ONE_IN_EACH_BYTE = 0x0101010101010101
LUCK = PLAYERS + 33  # the random stream of selection and rollouts; an imagined state has its own
MAX_DEPTH = 400  # edges of one descent


NODE = np.dtype(
    [
        ("key", np.int64),  # the hash of a view and its mover; 0 in an empty slot
        ("head", np.int32),  # its first edge
        ("suggested", np.int32),  # the heuristic's decision
    ]
)
EDGE = np.dtype(
    [
        ("value", np.float64),  # the sum of its mover's win shares
        ("after", np.int32),  # the next edge of the same node
        ("visits", np.int32),
        ("available", np.int32),  # how often it was legal when its node was visited
        ("action", np.int32),
    ]
)


class Tree(NamedTuple):
    """Nodes in an open-addressing hash table, their edges in linked lists; edge 0 means none."""

    nodes: np.ndarray  # of NODE, by slot
    edges: np.ndarray  # of EDGE
    used: np.ndarray  # [nodes, edges] so far
    edge_of: np.ndarray  # scratch, by decision: its edge at the current node
    path: np.ndarray  # scratch: the edges of this iteration
    movers: np.ndarray  # scratch: who took each
    shares: np.ndarray  # scratch: the win shares of this iteration, by seat


class Statistics(NamedTuple):
    """The statistics of the root."""

    visits: np.ndarray  # by decision
    value: np.ndarray  # by decision: the sum of win shares
    line: np.ndarray  # the principal variation


class Workspace(NamedTuple):
    """The arrays of one search besides its tree."""

    root_view: np.ndarray  # the seat's view, one record
    raw_view: np.ndarray
    states: np.ndarray  # the imagined table, one record
    raw: np.ndarray
    observer: tuple[Any, ...]  # writes views of that state
    words: np.ndarray  # the view that the observer writes, eight bytes at a time
    mask: np.ndarray
    mask_words: np.ndarray  # the mask, eight bytes at a time
    root_words: np.ndarray  # the mask of the searching seat at the root
    memory: np.ndarray
    net: tuple[Any, ...]  # an `evaluation.EvaluationNet`


def run_search(tree, work, seat, seed, iterations, heuristic_phases, turns, found):
    """Runs `iterations` more iterations and writes the statistics; returns the length of the principal variation."""
    search(tree, work, seat, seed, iterations, heuristic_phases, turns)
    count_root(tree, work, seat, seed, found)
    return principal_variation(tree, work, seat, seed, found.line)


def search(tree, work, seat, seed, iterations, heuristic_phases, turns):
    """Runs `iterations` more iterations.

    Rollouts follow the heuristic in phases whose bit is set in `heuristic_phases`, and stop after `turns` turns.
    """
    until = turn_of(work.root_view[0]) + turns
    slot, count = find_root(tree, work, seat, seed)
    for _ in range(iterations):
        s = start_iteration(tree, work, slot, count, seat, seed)
        depth = descend(tree, work, s, seat)
        rollout(work, s, heuristic_phases, until)
        evaluate(s, work.net, tree.shares)
        for step in range(depth):
            edge = tree.path[step]
            tree.edges[edge].visits += 1
            tree.edges[edge].value += tree.shares[tree.movers[step]]


def imagined(work, seat, seed):
    """A full state that agrees with the view."""
    unobserve_seat(work.raw_view, work.raw, seat, work.observer)
    s = work.states[0]
    imagine(work.root_view[0], s, seed)
    return s


def find_root(tree, work, seat, seed):
    """Returns the root's slot and the number of legal decisions there, and keeps their mask.

    A new root gets all its edges at once: however full the tree becomes, every decision can be visited.
    """
    s = imagined(work, seat, seed)
    _, count = ask(s, work)
    for word in range(len(work.mask_words)):
        work.root_words[word] = work.mask_words[word]
    view = observe_seat(s, seat, work.observer)
    slot, new = find_node(tree, view_hash(work, seat))
    if new:
        tree.nodes[slot].suggested = choose(view, work.mask, work.memory[0])
        for action in range(len(work.mask)):
            if work.mask[action]:
                new_edge(tree, slot, action)
    return slot, count


def start_iteration(tree, work, slot, count, seat, seed):
    """Selects a root decision and returns the imagined state after it.

    The n-th visit of every decision uses the same imagined state and the same luck.
    """
    for word in range(len(work.mask_words)):
        work.mask_words[word] = work.root_words[word]
    edge = select(tree, work, slot, count)
    world = seed + tree.edges[edge].visits
    seed_luck(work.memory[0], world, LUCK)
    s = imagined(work, seat, world)
    tree.path[0] = edge
    tree.movers[0] = seat
    apply(s, seat, tree.edges[edge].action)
    return s


def ask(s, work):
    """Fills the mask; returns the mover (the searching seat before others) and the number of legal decisions."""
    mover = work.root_view[0].seat
    if not s.waiting >> mover & 1:
        mover = 0
        while not s.waiting >> mover & 1:
            mover += 1
    for word in range(len(work.mask_words)):
        work.mask_words[word] = 0
    legal(s, mover, work.mask)
    count = 0
    for word in work.mask_words:
        count += count_open(word)
    return mover, count


def count_open(word):
    """How many of eight decisions are legal: the sum of eight bytes, each 0 or 1."""
    return (word * ONE_IN_EACH_BYTE) >> 56


def pick(work, skip):
    """The legal decision after `skip` others."""
    word = 0
    here = count_open(work.mask_words[0])
    while skip >= here:
        skip -= here
        word += 1
        here = count_open(work.mask_words[word])
    action = 8 * word
    while not work.mask[action] or skip > 0:
        skip -= work.mask[action]
        action += 1
    return action


def descend(tree, work, s, seat):
    """Descends to a new node of the searching seat and one decision beyond it; returns the number of edges.

    It does not stop at a new node of another seat: that seat seldom holds the same hand twice, so its nodes stay young,
    and the heuristic's decision is a good answer.
    """
    depth = 1
    fresh = False
    while not s.over and not fresh and depth < MAX_DEPTH:
        mover, count = ask(s, work)
        if count == 1:
            apply(s, mover, pick(work, 0))
            continue
        view = observe_seat(s, mover, work.observer)
        slot, new = find_node(tree, view_hash(work, mover))
        if slot < 0:
            return depth  # the tree is full
        if new:
            tree.nodes[slot].suggested = choose(view, work.mask, work.memory[0])
            edge = new_edge(tree, slot, tree.nodes[slot].suggested)
            fresh = mover == seat
        else:
            edge = select(tree, work, slot, count)
        if edge == 0:
            return depth
        tree.path[depth] = edge
        tree.movers[depth] = mover
        depth += 1
        apply(s, mover, tree.edges[edge].action)
    return depth


def view_hash(work, mover):
    """A hash of the view that was just written for the mover; never 0."""
    key = HASH_START ^ mover
    for word in work.words:
        key = (key ^ word) * HASH_FACTOR
        key ^= key >> 29
    return key if key != 0 else 1


def find_node(tree, key):
    """Returns the slot of a node and whether it is new; slot -1 when the table is full."""
    size = len(tree.nodes)
    slot = key & (size - 1)
    while tree.nodes[slot].key != 0:
        if tree.nodes[slot].key == key:
            return slot, False
        slot = (slot + 1) & (size - 1)
    if tree.used[0] * 2 >= size:
        return -1, False
    tree.used[0] += 1
    tree.nodes[slot].key = key
    return slot, True


def select(tree, work, slot, count):
    """The edge with the highest PUCT score, ties broken at random; 0 when there is no room for a new edge."""
    mask, edge_of = work.mask, tree.edge_of
    visits = 0
    value = 0.0
    edge = tree.nodes[slot].head
    while edge != 0:
        action = tree.edges[edge].action
        if mask[action]:
            edge_of[action] = edge
            tree.edges[edge].available += 1
            visits += tree.edges[edge].visits
            value += tree.edges[edge].value
        edge = tree.edges[edge].after
    mean = value / visits if visits > 0 else 0.0
    skip = roll(work.memory[0], count)  # a random rotation breaks ties
    suggested = tree.nodes[slot].suggested
    best = -1.0
    choice = best_rank = seen = 0
    for word in range(len(work.mask_words)):
        if work.mask_words[word] != 0:
            for action in range(8 * word, min(8 * word + 8, len(mask))):
                if mask[action]:
                    score = puct_score(tree, edge_of[action], action == suggested, count, mean)
                    rank = (seen - skip) % count
                    if score > best or (score == best and rank < best_rank):
                        best = score
                        choice = action
                        best_rank = rank
                    seen += 1
    if edge_of[choice] == 0:
        edge_of[choice] = new_edge(tree, slot, choice)
    chosen = edge_of[choice]
    edge = tree.nodes[slot].head
    while edge != 0:
        edge_of[tree.edges[edge].action] = 0
        edge = tree.edges[edge].after
    edge_of[choice] = 0
    return chosen


def puct_score(tree, edge, suggested, count, mean):
    prior = (1.0 - HEURISTIC_PRIOR) / count + (HEURISTIC_PRIOR if suggested else 0.0)
    if edge == 0:
        return mean + EXPLORATION * prior
    visits = tree.edges[edge].visits
    mean = tree.edges[edge].value / visits if visits > 0 else mean
    return mean + EXPLORATION * prior * math.sqrt(tree.edges[edge].available) / (1 + visits)


def new_edge(tree, slot, action):
    if tree.used[1] + 1 >= len(tree.edges):
        return 0
    tree.used[1] += 1
    edge = tree.used[1]
    tree.edges[edge].action = action
    tree.edges[edge].after = tree.nodes[slot].head
    tree.nodes[slot].head = edge
    tree.edges[edge].available = 1
    return edge


def rollout(work, s, heuristic_phases, until):
    """Plays to the end of the game, or until the turn `until` begins."""
    memory = work.memory[0]
    while not s.over and turn_of(s) < until:
        mover, count = ask(s, work)
        if count == 1:
            action = pick(work, 0)
        elif heuristic_phases >> s.phase & 1:
            action = choose(observe_seat(s, mover, work.observer), work.mask, memory)
        else:
            action = pick(work, roll(memory, count))
        apply(s, mover, action)


def evaluate(s, net, shares):
    """Writes each seat's win share: the result of a finished game, else the softmax of the logits."""
    if s.over:
        for seat in range(s.seats):
            shares[seat] = s.result[seat] / WHOLE_WIN
        return
    highest = -math.inf
    for seat in range(s.seats):
        shares[seat] = logit(s, seat, net)
        highest = max(highest, shares[seat])
    total = 0.0
    for seat in range(s.seats):
        shares[seat] = math.exp(shares[seat] - highest)
        total += shares[seat]
    for seat in range(s.seats):
        shares[seat] /= total


def logit(s, seat, net):
    """The network's output for a seat. Most features are 0 and are skipped."""
    for feature in range(len(net.features)):
        net.features[feature] = 0.0
    features(s, seat, net.features)
    side = side_of(s, seat)
    total = net.output_bias[side]
    for unit in range(len(net.hidden)):
        net.hidden[unit] = net.hidden_bias[unit]
    for feature in range(len(net.features)):
        value = net.features[feature]
        if value != 0.0:
            total += net.linear_weights[side][feature] * value
            for unit in range(len(net.hidden)):
                net.hidden[unit] += net.hidden_weights[feature][unit] * value
    for unit in range(len(net.hidden)):
        total += net.output_weights[side][unit] * max(net.hidden[unit], 0.0)
    return total


def find_edges(tree, s, work, mover):
    """The first edge of the mover's node in this state, or 0 if it was never reached."""
    observe_seat(s, mover, work.observer)
    key = view_hash(work, mover)
    slot = key & (len(tree.nodes) - 1)
    while tree.nodes[slot].key != 0:
        if tree.nodes[slot].key == key:
            return tree.nodes[slot].head
        slot = (slot + 1) & (len(tree.nodes) - 1)
    return 0


def count_root(tree, work, seat, seed, found):
    """Writes the visits and the summed win shares of the root's decisions."""
    s = imagined(work, seat, seed)
    ask(s, work)
    edge = find_edges(tree, s, work, seat)
    while edge != 0:
        found.visits[tree.edges[edge].action] = tree.edges[edge].visits
        found.value[tree.edges[edge].action] = tree.edges[edge].value
        edge = tree.edges[edge].after


def principal_variation(tree, work, seat, seed, line):
    """Writes the principal variation into `line` as (mover, decision) pairs; returns its length."""
    s = imagined(work, seat, seed)
    length = 0
    while not s.over and length < len(line):
        mover, count = ask(s, work)
        choice = pick(work, 0)
        if count > 1:
            choice = most_visited(tree, s, work, mover)
            if choice < 0 and mover == seat:
                return length
            if choice < 0:
                choice = choose(observe_seat(s, mover, work.observer), work.mask, work.memory[0])
        line[length][0] = mover
        line[length][1] = choice
        length += 1
        apply(s, mover, choice)
    return length


def most_visited(tree, s, work, mover):
    """The legal decision with the most visits, or -1 if none has any."""
    most = 0
    choice = -1
    edge = find_edges(tree, s, work, mover)
    while edge != 0:
        if work.mask[tree.edges[edge].action] and tree.edges[edge].visits > most:
            most = tree.edges[edge].visits
            choice = tree.edges[edge].action
        edge = tree.edges[edge].after
    return choice
