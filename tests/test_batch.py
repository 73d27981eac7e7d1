"""Many tables stepped together: they play the games of `simulate`, on any number of threads; what seats see; errors."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from tests.cases import Case, every_game, real_tables
from tripot import GAMES
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.options import BadOption, parse
from tripot.core.rng import WORD
from tripot.lab import playout
from tripot.lab.batch import Arrays, BadBatch, Batch, IllegalAction, measure
from tripot.lab.batch.threads import MIN_TABLES_PER_THREAD
from tripot.lab.simulate import simulate
from tripot.testing.hidden import scrambled

pytestmark = pytest.mark.native

VERRATER = GAMES["verrater"]


def after(batch: Batch, steps: int) -> Batch:
    """The batch after some uniform decisions."""
    for _ in range(steps):
        batch.step(batch.pick())
    return batch


# --- The same games ---


@real_tables
def test_a_batch_plays_the_games_of_simulate(case: Case) -> None:
    tables, seed = 12, 2**63 - 5  # crosses the sign of a 64-bit number
    batch = Batch(case.game, tables, case.seats, case.options, seed, again=False)
    checksum = np.full(tables, playout.HASH_START, np.int64)
    decisions, wins = 0, np.zeros(case.seats)
    while not batch.now.done.all():
        playing = ~batch.now.done
        actions = batch.pick()
        checksum = np.where(playing, ((checksum ^ actions) * playout.HASH_FACTOR) & WORD, checksum)
        decisions += int(playing.sum())
        wins += batch.step(actions).rewards.sum(axis=0)
    for share in batch.states["result"][:, : case.seats].T:
        checksum = ((checksum ^ share) * playout.HASH_FACTOR) & WORD
    expected = simulate(case.game, case.seats, tables, seed, "python", house_rules=case.options)
    assert f"{int(checksum.sum()) & WORD:08x}" == expected.checksum
    assert decisions == expected.decisions
    assert wins == pytest.approx(expected.wins, abs=1e-3)


@every_game
def test_threads_change_nothing(game: Game) -> None:
    alone = after(Batch(game, 3 * MIN_TABLES_PER_THREAD + 1, seeds=3, observations=np.float32, threads=1), 40)
    for threads in (2, 3):
        together = after(
            Batch(game, 3 * MIN_TABLES_PER_THREAD + 1, seeds=3, observations=np.float32, threads=threads), 40
        )
        assert together.states.tobytes() == alone.states.tobytes()
        for one, other in zip(vars(together.now).values(), vars(alone.now).values(), strict=True):
            assert np.array_equal(one, other)


def test_a_table_depends_on_its_seed_and_its_actions_alone() -> None:
    together, seeds = Batch(VERRATER, 5, 3, seeds=[7, 2**64 - 1, 7, 0, 9]), [7, 2**64 - 1, 7, 0, 9]
    alone = [Batch(VERRATER, 1, 3, seeds=[seed]) for seed in seeds]
    for _ in range(40):
        actions = together.pick()
        together.step(actions)
        for table, single in enumerate(alone):
            single.step(actions[table : table + 1])
            assert single.states.tobytes() == together.states[table : table + 1].tobytes()
    assert together.states[0].tobytes() == together.states[2].tobytes()
    assert list(together.seeds) == seeds


def test_the_next_game_is_dealt_at_once_from_a_seed_of_its_own() -> None:
    batch, tables = Batch(VERRATER, 6, 3, seeds=100), 6
    ended = np.zeros(tables, int)
    while ended.min() < 2:
        now = batch.step(batch.pick())
        ended += now.done
        assert np.array_equal(now.rewards.sum(axis=1) > 0.99, now.done)
        assert now.masks.any(axis=1).all() and not batch.states["over"].any()
        for table in np.flatnonzero(now.done):
            seed = int(100 + table + ended[table] * tables)
            assert batch.seeds[table] == seed
            assert batch.states[table].tobytes() == VERRATER.new_state(batch.house_rules, 3, seed).pack()
    assert batch.reset().masks.any() and list(batch.seeds) == [100, 101, 102, 103, 104, 105]
    batch.reset(seeds=np.arange(6) * 10)
    assert list(batch.seeds) == [0, 10, 20, 30, 40, 50]


def test_without_again_finished_tables_stay_over() -> None:
    batch = Batch(VERRATER, 3, 3, again=False)
    while not batch.now.done.any():
        batch.step(batch.pick())
    over = batch.now.done.copy()
    kept = batch.states[over].tobytes()
    assert not batch.now.masks[over].any() and batch.now.rewards[over].sum() == pytest.approx(over.sum())
    actions = batch.pick()
    actions[over] = 999  # ignored
    batch.step(actions)
    assert batch.now.done[over].all() and batch.now.rewards[over].sum() == 0
    assert batch.states[over].tobytes() == kept


def test_house_rules_hold_at_every_table() -> None:
    rules = parse(VERRATER.options, {"first": 2, "strategist_points": 7})
    batch = Batch(VERRATER, 4, 4, rules)
    assert set(batch.states["strategist_points"]) == {7} and set(batch.now.movers) == {1}


# --- What seats see ---


@every_game
def test_observations_equal_observe_and_encode(game: Game) -> None:
    layout = game.layout
    for steps in (0, 35):
        batch = after(Batch(game, 40, seeds=5, observations=np.float32), steps)
        numbers = batch.observe(batch.arrays(observations=np.int16).observations)
        views = batch.observe(batch.arrays(observations=layout.view.dtype).observations)
        for table, seat in enumerate(batch.now.movers):
            seen = layout.observe(batch.states[table : table + 1], int(seat))
            assert views[table].tobytes() == seen[0].tobytes()
            assert tuple(numbers[table]) == layout.view.packing.unpack(seen.tobytes())
            assert np.array_equal(batch.now.observations[table], layout.encode(seen)[0])
            assert np.array_equal(batch._encoding.encode(seen), layout.encode(seen)[0])
        assert batch.now.observations.shape == (40, len(batch.columns))
        assert numbers.shape == (40, len(batch.numbers))


@every_game
def test_no_number_depends_on_what_the_seat_may_not_know(game: Game) -> None:
    batch, luck = after(Batch(game, 30, seeds=8), 25), random.Random(8)
    kinds: list[Any] = [np.float32, np.int16, game.layout.view.dtype]
    before = [batch.observe(batch.arrays(observations=kind).observations).tobytes() for kind in kinds]
    for table, seat in enumerate(batch.now.movers):
        data = scrambled(game.layout, batch.states[table].tobytes(), int(seat), luck)
        batch.states[table : table + 1].view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    assert [batch.observe(batch.arrays(observations=kind).observations).tobytes() for kind in kinds] == before


# --- Arrays ---


def test_steps_write_into_the_callers_arrays() -> None:
    batch, twin = Batch(VERRATER, 9, 3), Batch(VERRATER, 9, 3, observations=np.int16)
    memory = batch.arrays(steps=125, observations=np.int16)
    assert batch.reset(out=memory[0]).masks.base is memory.masks
    twin.reset()
    for step in range(124):
        for name, array in vars(twin.now).items():
            assert np.array_equal(getattr(memory, name)[step], array), name
        batch.step(batch.pick(), memory[step + 1])
        twin.step(twin.pick())
    assert memory.masks.any(axis=2).all() and memory.done.any() and memory.rewards.any()


def test_the_arrays_of_the_batch_are_read_only() -> None:
    batch = Batch(VERRATER, 3, observations=np.float32)
    shown = batch.now
    assert batch.step(batch.pick()) is shown
    for array in vars(shown).values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_an_illegal_action_is_named_and_no_table_is_stepped() -> None:
    batch = after(Batch(VERRATER, 2 * MIN_TABLES_PER_THREAD, 3, threads=2), 3)
    kept, masks = batch.states.tobytes(), batch.now.masks.copy()
    for table, action in (
        (0, -1),
        (0, int(np.flatnonzero(masks[0])[0]) - VERRATER.num_actions),  # legal, if it were counted from the end
        (7, VERRATER.num_actions),
        (2 * MIN_TABLES_PER_THREAD - 1, int(np.argmin(masks[-1]))),
        (3000, 2**40),
    ):
        actions = batch.pick()
        actions[table] = action
        seat, legal = batch.now.movers[table], ", ".join(map(str, np.flatnonzero(masks[table])))
        message = f"table {table}: action {action} is illegal for seat {seat}; legal are {legal}. No table was stepped"
        with pytest.raises(IllegalAction) as refused:
            batch.step(actions)
        assert str(refused.value) == message
        assert batch.states.tobytes() == kept and np.array_equal(batch.now.masks, masks)


def test_actions_of_any_integer_type_are_accepted() -> None:
    for kind in (np.int8, np.uint8, np.int16, np.int32, np.uint64):
        batch, twin = Batch(VERRATER, 4), Batch(VERRATER, 4)
        batch.step(batch.pick().astype(kind))
        twin.step(twin.pick().tolist())
        assert batch.states.tobytes() == twin.states.tobytes()


def without(arrays: Arrays, name: str, array: Any) -> Arrays:
    return Arrays(**{**vars(arrays), name: array})


BAD = {
    "too few actions": (lambda b: b.step([0, 1]), "actions: an array of 2 int64; needed are 3 integers"),
    "actions in halves": (lambda b: b.step([0.5, 1, 2]), "actions: an array of 3 float64"),
    "seeds for other tables": (lambda b: b.reset(seeds=[1, 2]), "seeds: an array of 2 uint64; needed are 3"),
    "seeds in halves": (lambda b: b.reset(seeds=[0.5, 1, 2]), "seeds: an array of 3 float64"),
    "a seed too large": (lambda b: b.reset(seeds=2**64), "2^64 - 1"),
    "observations of another type": (lambda b: b.observe(np.zeros((3, 404))), "float64 is not float32, int16"),
    "observations of another width": (lambda b: b.observe(np.zeros((3, 4), np.float32)), "3 by 4 float32; needed is"),
    "numbers for masks": (
        lambda b: b.reset(out=without(b.arrays(), "masks", np.zeros((3, 55)))),
        "masks: an array of 3 by 55 float64; needed is a contiguous, writable array of 3 by 55 bool",
    ),
    "every other reward": (
        lambda b: b.reset(out=without(b.arrays(), "rewards", np.zeros((6, 4), np.float32)[::2])),
        "rewards: an array of 3 by 4 float32; needed is a contiguous, writable array",
    ),
    "what may not be written": (lambda b: b.reset(out=b.now), "writable array"),
    "picks of another type": (lambda b: b.pick(np.zeros(3, np.int8)), "actions: an array of 3 int8"),
    "no tables": (lambda b: Batch(VERRATER, 0), "at least 1 table, not 0"),
    "no threads": (lambda b: Batch(VERRATER, 1, threads=0), "at least 1 thread, not 0"),
    "too many seats": (lambda b: Batch(VERRATER, 1, 9), "3 or 4 players, not 9"),
}


@pytest.mark.parametrize(("ask", "tells"), BAD.values(), ids=BAD)
def test_an_error_names_what_is_wrong_and_what_is_needed(ask: Any, tells: str) -> None:
    batch = Batch(VERRATER, 3)
    kept = batch.states.tobytes()
    with pytest.raises(BadBatch) as refused:
        ask(batch)
    assert tells in str(refused.value)
    assert batch.states.tobytes() == kept


def test_options_that_name_a_missing_seat_raise() -> None:
    with pytest.raises(BadOption, match="3 seats"):
        Batch(VERRATER, 1, 3, parse(VERRATER.options, {"first": 4}))


def test_rewards_are_shares_of_the_victory() -> None:
    batch = Batch(VERRATER, 50, 4, again=False)
    while not batch.now.done.all():
        now = batch.step(batch.pick())
        shares = batch.states["result"][:, :4] / WHOLE_WIN
        assert now.rewards[now.rewards.any(axis=1)] == pytest.approx(shares[now.rewards.any(axis=1)])


# --- Names, seats, copies ---


def test_a_batch_takes_names_and_dictionaries() -> None:
    batch = Batch("verrater", 2, house_rules={"first": 2, "tie_break": "supply"})
    assert batch.game is VERRATER and set(batch.states["tie_break"]) == {1} and set(batch.now.movers) == {1}
    with pytest.raises(BadBatch, match="no game 'chess': choose verrater, trok, trieste"):
        Batch("chess", 2)
    with pytest.raises(BadBatch, match="no encoding 3: choose 1 or 2"):
        Batch("verrater", 2, encoding=3)


@every_game
def test_bots_choose_what_they_choose_in_a_simulation(game: Game) -> None:
    batch, seats, taken = Batch(game, 6, seeds=70, again=False), game.usual_seats, 0
    while not batch.now.done.all():
        taken += int((~batch.now.done).sum())
        batch.step(batch.choose(["sensible"] * seats))
    assert taken == simulate(game, seats, 6, 70, "native", "sensible").decisions
    with pytest.raises(BadBatch, match="1 bots: name one for all seats"):
        batch.choose(["uniform"])


def test_a_table_can_be_looked_at_from_any_seat() -> None:
    layout, batch = VERRATER.layout, after(Batch(VERRATER, 5, 4), 30)
    views = np.zeros(5, layout.view.dtype)
    for seats in (2, [0, 1, 2, 3, 0]):
        batch.observe(views, seats)
        for table, seat in enumerate(np.broadcast_to(seats, 5)):
            assert views[table].tobytes() == layout.observe(batch.states[table : table + 1], int(seat))[0].tobytes()
    with pytest.raises(BadBatch, match="numbers from 0 to 3"):
        batch.observe(views, 4)


def test_the_state_in_which_a_game_ended_is_kept_until_the_next_ends() -> None:
    batch, twin = Batch(VERRATER, 4, 3, seeds=9), Batch(VERRATER, 4, 3, seeds=9, again=False)
    while not batch.now.done.any():
        batch.step(batch.pick())
        twin.step(twin.pick())
    for table in np.flatnonzero(batch.now.done):
        assert batch.final_states[table].tobytes() == twin.states[table].tobytes()
    views = batch.observe(np.zeros(4, VERRATER.layout.view.dtype), 1, final=True)
    assert views["over"][batch.now.done].all()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_of_a_batch_plays_on_as_the_batch_does(copied: Any) -> None:
    batch = after(Batch(VERRATER, 6, 3, {"first": 1}, observations=np.float32, encoding=2), 40)
    twin = copied(batch)
    for _ in range(90):
        for name, array in vars(batch.now).items():
            assert np.array_equal(getattr(twin.now, name), array), name
        batch.step(batch.pick())
        twin.step(twin.pick())
    assert twin.encoding == 2 and twin.states.tobytes() == batch.states.tobytes()


def test_a_batch_goes_back_to_where_it_was_saved() -> None:
    batch = after(Batch(VERRATER, 3, observations=np.int16), 20)
    saved, seen = batch.save(), batch.now.observations.copy()
    after(batch, 50)
    assert np.array_equal(batch.restore(saved).observations, seen)
    with pytest.raises(BadBatch, match="saved raw: an array of 3 by"):
        Batch(VERRATER, 2).restore(saved)


def test_measure_returns_a_speed() -> None:
    for observations in (None, np.int16):
        assert measure(VERRATER, 64, observations, threads=1, seconds=0.01, tries=1) > 0
