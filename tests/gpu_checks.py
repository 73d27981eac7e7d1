"""What the GPU engine must do, on a GPU or in the simulator. On a machine with a GPU: `python -m tests.gpu_checks`."""

import argparse
from importlib.util import find_spec
from typing import Any

import numpy as np

from tripot import GAMES
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab import leduc, playout
from tripot.lab.batch import Batch, IllegalAction
from tripot.lab.gpu import VectorTables, codegen, play_gpu
from tripot.lab.simulate import simulate
from tripot.lab.varied import Variation
from tripot.lab.vector.self_play import SelfPlay

EVERY_GAME = {"leduc": leduc.GAME, **GAMES}
NEAR_SIGN = 2**63 - 20  # seeds from here on cross the sign of a 64-bit number


def plays_whole_games_of_native(game: Game, games: int, sort: bool | None) -> None:
    """The checksum of whole games is that of the native engine."""
    tally = play_gpu(game, game.options(), game.usual_seats, 5, games, sort=sort)
    expected = simulate(game, game.usual_seats, games, 5, "native")
    assert int(tally[playout.DECISIONS]) == expected.decisions
    assert f"{int(tally[playout.CHECKSUM]):08x}" == expected.checksum


def plays_games_of_batch(tables: VectorTables, steps: int, house_rules: Any = None) -> int:
    """Uniform play of both is the same, decision by decision; returns how many games ended."""
    view = tables.game.layout.view.dtype
    batch = Batch(tables.game, tables.tables, tables.seats, house_rules, tables.seed, observations=view)
    tables.reset()
    ended = 0
    for step in range(steps):
        compare_tables(tables, batch, step)
        tables.pick()
        actions = batch.pick()
        assert np.array_equal(tables.actions.copy_to_host(), actions), step
        tables.step()
        now = batch.step(actions)
        assert np.array_equal(tables.overs.copy_to_host(), now.done), step
        results = tables.results.copy_to_host()[now.done, : tables.seats]
        assert np.array_equal(results, np.rint(now.rewards[now.done] * WHOLE_WIN)), step
        ended += int(now.done.sum())
    compare_tables(tables, batch, steps)
    tables.raise_if_illegal()
    assert tables.illegal_count == 0
    tables.reset()
    batch.reset()
    compare_tables(tables, batch, 0)
    return ended


def sets_of_rules(game: Game) -> list[Any]:
    """Three sets of house rules that differ in a number of Trieste's deck."""
    varied = Variation(game, '[deck."Patrol Officer"]\namount = [1, 3]')
    return [varied.options_of([amount]) for amount in (2, 1, 3)]


def compare_tables(tables: VectorTables, batch: Batch, step: int) -> None:
    """Movers, masks, views and seeds are equal."""
    now, views = batch.now, batch.now.observations
    assert views is not None
    assert np.array_equal(tables.movers.copy_to_host(), now.movers), step
    masks, seen = host(tables.masks), host(tables.views)
    assert np.array_equal(masks[:, : tables.game.num_actions], now.masks), step
    assert seen[:, : views.dtype.itemsize].tobytes() == views.tobytes(), step
    assert np.array_equal(tables.seeds.copy_to_host().view(np.uint64), batch.seeds), step


def plays_sizes_together(tables: VectorTables, sizes: list[int], steps: int, rules: Any = None) -> int:
    """Tables of several sizes, stepped together, play the games of a batch of each size; how many games ended."""
    batches = {size: Batch(tables.game, tables.tables, size, rules, tables.seed) for size in set(sizes)}
    tables.reset()
    ended = 0
    for step in range(steps):
        for size, batch in batches.items():
            rows = np.array(sizes) == size
            assert np.array_equal(tables.movers.copy_to_host()[rows], batch.now.movers[rows]), step
            found = host(tables.masks)[rows, : tables.game.num_actions]
            assert np.array_equal(found, batch.now.masks[rows]), step
        picked = {size: batch.pick() for size, batch in batches.items()}
        actions = np.array([picked[size][table] for table, size in enumerate(sizes)], np.int16)
        for size, batch in batches.items():
            batch.step(picked[size])
        tables.step(tables.cuda.to_device(actions))
        ended += int(tables.overs.copy_to_host().sum())
    return ended


def host(array: Any) -> Any:
    """A copy on the host of an array that may be a slice of a larger one."""
    return np.ascontiguousarray(array.copy_to_host())


def refuses_illegal_actions(tables: VectorTables) -> None:
    """A table whose action is illegal stays as it is; the others are stepped; the first one is described."""
    game, batch = tables.game, Batch(tables.game, tables.tables, tables.seats, seeds=tables.seed)
    tables.reset()
    barred = int(np.argmin(batch.now.masks[1]))
    for table, action in ((0, -1), (1, barred), (2, game.num_actions), (0, 2**15 - 1), (2, -(2**15))):
        tables.reset()
        batch.reset()
        views, masks = host(tables.views), host(tables.masks)
        legal = ", ".join(map(str, np.flatnonzero(batch.now.masks[table])))
        seat = batch.now.movers[table]
        actions = batch.pick()
        batch.step(actions)
        actions[table] = action
        tables.step(tables.cuda.to_device(actions.astype(np.int16)))
        assert tables.illegal_count == 1 and not tables.overs.copy_to_host()[table]
        assert np.array_equal(host(tables.views)[table], views[table])
        assert np.array_equal(host(tables.masks)[table], masks[table])
        stepped = np.arange(tables.tables) != table
        assert np.array_equal(tables.movers.copy_to_host()[stepped], batch.now.movers[stepped])
        assert np.array_equal(host(tables.masks)[stepped, : game.num_actions], batch.now.masks[stepped])
        try:
            tables.raise_if_illegal()
        except IllegalAction as refused:
            start = f"table {table}: action {action} is illegal for seat {seat}; legal are {legal}."
            assert str(refused).startswith(start), str(refused)
        else:
            raise AssertionError("the illegal action was not reported")
    tables.step(tables.cuda.to_device(np.full(tables.tables, -1, np.int16)))
    assert tables.illegal_count == 1 + tables.tables
    tables.reset()
    assert tables.illegal_count == 0


def encodes_on_the_device(game: Game, steps: int = 60) -> None:
    """Self-play on the GPU shows, pays and ends what it does on the CPU; needs PyTorch."""
    here, there = SelfPlay(game, 500, seed=NEAR_SIGN), SelfPlay(game, 500, seed=NEAR_SIGN, device="cuda")
    one, two = here.reset(), there.reset()
    luck = np.random.default_rng(1)
    for step in range(steps):
        for name, array in vars(one).items():
            assert np.array_equal(getattr(two, name).cpu().numpy(), array), (step, name)
        actions = np.argmax(one.masks * luck.random(one.masks.shape), axis=1)
        one, two = here.step(actions), there.step(there.torch.as_tensor(actions, device="cuda"))
    there.raise_if_illegal()


def last_legal(observations: Any, masks: Any) -> Any:
    """A policy for opponents, on any device: the legal action with the highest number."""
    backwards = masks[:, ::-1].argmax(1) if isinstance(masks, np.ndarray) else masks.int().flip(1).argmax(1)
    return masks.shape[1] - 1 - backwards


POLICIES = {"last": last_legal}


def plays_one_seat_as_a_cpu(here: Any, there: Any, steps: int, seed: int = NEAR_SIGN) -> int:
    """One seat that learns sees, gets and ends on the GPU what it does on the CPU.

    One action in a hundred is illegal, so that games are forfeited too. Returns how many were played to their end.
    """
    (seen, infos), (on_device, device_infos) = here.reset(seed=seed), there.reset(seed=seed)
    luck, ended = np.random.default_rng(1), 0
    for step in range(steps):
        compare_seats(seen, infos, on_device, device_infos, step)
        actions = np.argmax(seen["action_mask"] * luck.random(seen["action_mask"].shape), axis=1)
        actions = np.where(luck.random(len(actions)) < 0.01, luck.integers(-2, here.game.num_actions + 2), actions)
        seen, rewards, done, truncated, infos = here.step(actions)
        on_device, *paid, device_infos = there.step(
            there.torch.as_tensor(actions, device=on_device["action_mask"].device)
        )
        for one, other in zip((rewards.astype(np.float32), done, truncated), paid, strict=True):
            assert np.array_equal(other.cpu().numpy(), one), step
        if done.any():
            assert np.array_equal(device_infos["_final_obs"].cpu().numpy(), infos["_final_obs"])
            compare_seats(
                infos["final_obs"], infos["final_info"], device_infos["final_obs"], device_infos["final_info"], step
            )
        ended += int((done & (rewards >= 0)).sum())
    return ended


def compare_seats(seen: Any, infos: Any, on_device: Any, device_infos: Any, step: int) -> None:
    for name in ("observation", "action_mask"):
        assert np.array_equal(on_device[name].cpu().numpy(), seen[name]), (step, name)
    assert np.array_equal(device_infos["seat"].cpu().numpy(), infos["seat"]), step


def plays_one_seat(game: Game, steps: int, tables: int = 500) -> None:
    """All kinds of opponents that play alike everywhere, a drawn seat, both encodings; needs PyTorch and Gymnasium."""
    from tripot.lab.vector.seat_env import SeatVectorEnv

    bots: list[Any] = ["uniform", last_legal] if game.heuristic is None else ["sensible", "uniform", last_legal]
    for encoding, opponents in [(2, [bot]) for bot in bots] + [(1, (bots * 3)[: game.usual_seats - 1])]:
        settings: dict[str, Any] = {"seat": None, "opponents": opponents, "encoding": encoding}
        there = SeatVectorEnv(game, tables, device="cuda", **settings)
        there.reset(seed=1)
        ended = plays_one_seat_as_a_cpu(SeatVectorEnv(game, tables, **settings), there, steps)
        assert ended > 0
        print(f"{game.name}: {steps} steps among {opponents} are those of the CPU, {ended} games ended", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(EVERY_GAME), help="all of them by default")
    parser.add_argument("--both", action="store_true", help="sorted and unsorted tables, not only the usual way")
    parser.add_argument("--one-seat", action="store_true", help="only the vector environment of one seat")
    parser.add_argument("--unpatched", action="store_true", help="as with another version of numba-cuda")
    asked = parser.parse_args()
    if asked.unpatched:
        codegen.WRITTEN_FOR = "no version"
    for name in asked.games:
        game = EVERY_GAME[name]
        if find_spec("torch") is not None and find_spec("gymnasium") is not None:
            plays_one_seat(game, 300)
        if asked.one_seat:
            continue
        for sort in (False, True) if asked.both else (None,):
            plays_whole_games_of_native(game, 2_000, sort)
            tables = VectorTables(game, 1_000, game.usual_seats, seed=NEAR_SIGN, sort=sort)
            ended = plays_games_of_batch(tables, 1_000)
            refuses_illegal_actions(tables)
            if name in GAMES and find_spec("torch") is not None:
                encodes_on_the_device(game)
                print(f"{name}: self-play on the device is that of the CPU, to the last bit", flush=True)
            print(
                f"{name}, sort={sort}: whole games, {ended} stepped games and illegal actions are as expected",
                flush=True,
            )


if __name__ == "__main__":
    main()
