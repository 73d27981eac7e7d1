"""The search bot: repeatable, blind to what is hidden, bounded, explained, and right where being right is certain."""

import dataclasses
import random
import threading
import time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import Case, play_on, real_tables
from tests.scenarios.position import position
from tripot import GAMES
from tripot.bots import search
from tripot.bots.bot import SearchBot, find_bot
from tripot.bots.ismcts import imagined, view_hash
from tripot.bots.memory import new_memory
from tripot.bots.search import ALL_PHASES, CHUNK, Searcher, SearchResult
from tripot.core import jit, observe
from tripot.core.game import Game
from tripot.core.rng import roll
from tripot.games.trieste.actions import CARD as TRIESTE_CARD
from tripot.games.trieste.cards import TREASURES, WATCH
from tripot.games.trieste.state import Phase as TriestePhase
from tripot.games.verrater import imagine
from tripot.games.verrater.actions import TURN_OVER
from tripot.games.verrater.cards import EAGLE, ROSE, Building, Role
from tripot.games.verrater.phases import ask
from tripot.games.verrater.state import Phase
from tripot.lab import benchmark
from tripot.table.table import Table
from tripot.testing.hidden import scrambled, twin

pytestmark = pytest.mark.native

GAME = GAMES["verrater"]
MEGABYTE = 1 << 20


def searcher(game: Game, iterations: int) -> SearchBot:
    bot = find_bot(f"search:{iterations}", game)
    assert isinstance(bot, SearchBot)
    return bot


def moments(case: Case, seed: int, every: int = 9) -> list[tuple[Table, int]]:
    """Tables of one random game, each with a seat that has something to choose."""
    luck, table, found = random.Random(seed), case.table(seed), []
    while not table.over:
        seat = table.waiting[-1]
        if len(table.offer(seat).legal) > 1:
            found.append((twin(table, table.state_bytes()), seat))
        play_on(table, luck, every)
    return found


def think(bot: SearchBot, table: Table, seat: int) -> SearchResult:
    return bot.search(table.view(seat), table.offer(seat).legal, new_memory(7, seat))


# --- The same thought, whoever asks ---


@real_tables
def test_the_same_seed_and_iterations_give_the_same_thought(case: Case) -> None:
    other_luck = 0
    for table, seat in moments(case, 1):
        one, other = (think(searcher(case.game, 60), table, seat) for _ in range(2))
        assert one == other
        view, legal = table.view(seat), table.offer(seat).legal
        other_luck += searcher(case.game, 60).search(view, legal, new_memory(8, seat)).visits != one.visits
    assert other_luck, "the seed changes nothing at all"


@real_tables
def test_a_used_searcher_thinks_like_a_new_one(case: Case) -> None:
    used = searcher(case.game, 60)
    assert [think(used, *at) for at in moments(case, 2)] == [
        think(searcher(case.game, 60), *at) for at in moments(case, 2)
    ]


@real_tables
def test_what_is_hidden_from_the_seat_changes_nothing(case: Case) -> None:
    """Whatever stands in the fields that the seat may not see, and in any state that it may imagine."""
    luck, bot = random.Random(3), searcher(case.game, 40)
    for table, seat in moments(case, 3):
        thought = think(bot, table, seat)
        data = table.state_bytes()
        others = [scrambled(case.game.layout, data, seat, luck) for _ in range(3)]
        others += [case.game.imagined(table.view(seat), seed).pack() for seed in range(3)]
        for other in others:
            assert other != data and think(bot, twin(table, other), seat) == thought


apply: Any = None  # bound by `core.jit`
observe_seat: Any = None


def met_after(work: Any, seat: int, action: int) -> Any:
    """Where the next seat to decide finds itself in the tree, after a decision of the searching seat."""
    s = imagined(work, seat, 1)
    apply(s, seat, action)
    mover = 0
    while not s.waiting >> mover & 1:
        mover += 1
    observe_seat(s, mover, work.observer)
    return mover, view_hash(work, mover)


def test_nobody_in_the_tree_answers_to_a_card_that_lies_face_down() -> None:
    """Trieste: the Merchant stands at one node, whichever card the Watch has put down before. [T-3.2]"""
    game = GAMES["trieste"]
    met = jit.native(met_after, **game.functions, observe_seat=observe.observe_seat)
    compared = 0
    for table, seat in (at for seed in range(5) for at in moments(Case(game, 3, game.options()), seed, every=1)):
        view, legal = table.view(seat), table.offer(seat).legal
        hidden = not view["informed"][0].any()  # the Informer has it played face up
        if hidden and view["phase"][0] == TriestePhase.PLAY and view["faction"][0][seat] == WATCH:
            work = Searcher(game, 1).work
            work.root_view[:] = view
            cards = [action for action in legal if action >= TRIESTE_CARD + TREASURES]  # they all have one back
            others = {key for mover, key in (met(work, seat, card) for card in cards) if mover != seat}
            assert len(others) <= 1
            compared += len(cards) > 1 and len(others) == 1
    assert compared > 5


# --- What it tells of itself ---


@real_tables
def test_thoughts_add_up(case: Case) -> None:
    for table, seat in moments(case, 4):
        legal = table.offer(seat).legal
        thought = think(searcher(case.game, 80), table, seat)
        assert thought.decision in legal and thought.iterations == 80
        assert tuple(thought.visits) == tuple(thought.expected) == legal
        assert sum(thought.visits.values()) == 80
        assert all(0 <= share <= 1 for share in thought.expected.values())
        most = max(thought.visits.values())
        assert thought.visits[thought.decision] == most
        mover, first = thought.line[0]
        assert mover == seat and thought.visits[first] == most
        assert len(thought.line) <= search.MAX_LINE


@real_tables
def test_every_decision_of_a_whole_game_is_legal(case: Case) -> None:
    table, bot = case.table(5), searcher(case.game, 8)
    memories = [new_memory(5, seat) for seat in range(case.seats)]
    while not table.over:
        offer = table.offer(table.waiting[0])
        action = bot.decide(table.view(offer.seat), offer.legal, memories[offer.seat])
        table.decide(offer.seat, action, offer.sequence)  # refuses what is illegal
    assert sum(table.result) > 0


# --- A win that is certain ---


def last_build(points: list[int], house: int = EAGLE) -> NDArray[np.void]:
    """The last round's Builder is North, who holds three cards and one estate; then the game ends."""
    s = position(
        GAME,
        4,
        {"first": 1},
        round=8,
        points=points,
        role_shown=[Role.BUILDER, Role.DIPLOMAT_5, Role.STRATEGIST, Role.TRAITOR],
        role_kept=[Role.BUILDER, Role.DIPLOMAT_5, Role.STRATEGIST, Role.TRAITOR],
        holder=[EAGLE, ROSE] * 6,
        building=[0, Building.ESTATE] + [0] * 10,
        unbuilt=[2, 3, 3, 3],
        house=[house, ROSE, EAGLE, ROSE],
    )
    s.handed[0] = 0b1111110 - (1 << Role.FARMER)
    ask(s, Phase.BUILD, 0)
    layout = GAME.layout
    return layout.observe(np.frombuffer(s.pack(), layout.state.dtype), 0)


def legal_in(view: NDArray[np.void]) -> list[int]:
    return GAME.legal_actions(GAME.imagined(view, 1), 0)


@pytest.mark.parametrize("heuristic_phases", [0, ALL_PHASES])
def test_a_certain_win_is_found(heuristic_phases: int) -> None:
    """Two points behind: only the office, three cards and so three points, wins; anything else loses."""
    view = last_build([10, 12, 8, 8])
    thought = Searcher(GAME, 400, heuristic_phases=heuristic_phases).search(view, legal_in(view), 1)
    office = TURN_OVER + 1
    assert thought.decision == office and thought.expected[office] == 1.0
    assert all(thought.expected[action] == 0.0 for action in thought.visits if action != office)
    assert thought.visits[office] > 200 and thought.line == [(0, office)]


def test_a_shared_victory_is_worth_half() -> None:
    view = last_build([10, 13, 8, 8])
    thought = Searcher(GAME, 400).search(view, legal_in(view), 1)
    assert thought.decision == TURN_OVER + 1 and thought.expected[thought.decision] == 0.5


def clouded(view, s, seed):
    """Every other table that is imagined is lost from the start: East has points that nobody can reach."""
    imagine(view, s, seed)
    if roll(s, 2) == 0:
        s.points[1] = 100


def test_decisions_are_compared_on_the_same_imagined_tables() -> None:
    """The first visit of each is to the first table, and so on: what each brought follows from its visits alone."""
    game = dataclasses.replace(GAME, imagine=clouded)
    view = last_build([30, 12, 8, 8])  # North wins unless the table is lost
    thought = Searcher(game, 2000).search(view, legal_in(view), 1)
    won = [game.imagined(view, 1 + number).points[1] < 100 for number in range(2000)]
    assert len(thought.visits) > 2 and all(visits > 1 for visits in thought.visits.values())
    for action, visits in thought.visits.items():
        assert thought.expected[action] == pytest.approx(sum(won[:visits]) / visits)


# --- Bounds ---


def test_memory_is_bounded_whatever_the_budget() -> None:
    most = Searcher(GAME, milliseconds=600_000)
    assert most.memory_bytes == Searcher(GAME, 10_000_000).memory_bytes < 9 * MEGABYTE
    assert Searcher(GAME, 100).memory_bytes < MEGABYTE / 4


def test_a_full_tree_goes_on_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_NODES", 64)
    small = Searcher(GAME, 1000)
    arrays = [array.ctypes.data for array in small.tree]
    table = Table(GAME, 4, 1)
    thought = small.search(table.view(table.waiting[0]), table.offer(table.waiting[0]).legal, 1)
    assert sum(thought.visits.values()) == 1000 and small.tree.used[0] <= 32
    assert [array.ctypes.data for array in small.tree] == arrays


def test_it_can_be_cancelled() -> None:
    table, cancelled = Table(GAME, 4, 1), threading.Event()
    seat = table.waiting[0]
    cancelled.set()
    bot = searcher(GAME, 10_000_000)
    thought = bot.search(table.view(seat), table.offer(seat).legal, new_memory(1, seat), cancelled)
    assert thought.iterations == CHUNK == sum(thought.visits.values())
    assert thought.decision in table.offer(seat).legal


def test_another_thread_can_cancel_it_while_it_runs() -> None:
    table, cancelled, running = Table(GAME, 4, 1), threading.Event(), threading.Event()
    seat = table.waiting[0]
    tired = Searcher(GAME, 10_000_000)
    inner = tired._run

    def watched(*arguments: Any) -> Any:
        running.set()
        return inner(*arguments)

    tired._run = watched
    threading.Thread(target=lambda: (running.wait(), cancelled.set())).start()
    thought = tired.search(table.view(seat), table.offer(seat).legal, 1, cancelled)
    assert CHUNK <= thought.iterations < 10_000_000


def test_the_interpreter_is_free_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread goes on counting inside one call of native code, which no switch of threads can interrupt."""
    monkeypatch.setattr(search, "CHUNK", 20_000)
    table, stop, count, seen = Table(GAME, 4, 1), threading.Event(), [0], list[int]()
    view, legal = table.view(table.waiting[0]), table.offer(table.waiting[0]).legal
    long = Searcher(GAME, 20_000)
    inner = long._run
    Searcher(GAME, 1).search(view, legal, 1)  # compiled by now

    def measured(*arguments: Any) -> Any:
        before = count[0]
        length = inner(*arguments)
        seen.append(count[0] - before)
        return length

    def tick() -> None:
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.001)  # gives the lock away: a thread that had to wait would count one or two in all

    long._run = measured
    counting = threading.Thread(target=tick)
    counting.start()
    for _ in range(20):  # a busy machine may give the other thread no time at first
        long.search(view, legal, 1)
        if seen[-1] > 5:
            break
    stop.set()
    counting.join()
    assert seen[-1] > 5


def test_one_bot_serves_several_threads_with_equal_results() -> None:
    bot = searcher(GAME, 300)
    places = moments(Case(GAME, 4, GAME.options()), 6, every=25)[:4]
    expected = [think(bot, *at) for at in places]
    found: dict[tuple[int, int], SearchResult] = {}

    def work(number: int) -> None:
        for i in range(len(places)):
            place = (i + number) % len(places)
            found[number, place] = think(bot, *places[place])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 * len(places)
    assert all(thought == expected[place] for (_, place), thought in found.items())


# --- The benchmark of it ---


def test_the_benchmark_counts_iterations_from_the_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "SEARCH_MILLISECONDS", 1)
    for game in GAMES.values():
        [found] = benchmark.search(game)
        assert (found.game, found.name, found.unit) == (game.name, "search", "iterations/s")
        assert found.value > 0 and f"{game.usual_seats} seats" in found.what
