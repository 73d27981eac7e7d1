"""The arena on a Dask cluster: a real scheduler and two workers, one of which is killed midway."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tripot import GAMES
from tripot.cli import main
from tripot.lab.arena import cluster
from tripot.lab.arena.arena import play_contest
from tripot.lab.arena.cluster import BadCluster, run_on_cluster, same_source
from tripot.lab.arena.contest import new_contest
from tripot.lab.arena.games_file import GamesFile, read_games
from tripot.lab.arena.workers import WorkUnit, match_of, run_here, work_units

pytestmark = pytest.mark.process

distributed = pytest.importorskip("distributed", reason="the extra 'farm' is NOT INSTALLED: the cluster is not tested")

GAME = GAMES["verrater"]
CONTEST = new_contest(GAME, 4, GAME.options(), ["search:60", "sensible"])
GAMES_PLAYED = 24


class Cluster:
    """A scheduler and two workers, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.running = [self._start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--no-show")]
        deadline = time.monotonic() + 200
        while not self.file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.address: str = json.loads(self.file.read_text())["address"]
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        self.workers = [self._start("worker", *alone) for _ in range(2)]
        self.running += self.workers
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=200)

    def _start(self, part: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--scheduler-file", str(self.file), *words]
        root = Path(__file__).parent.parent
        with (self.folder / f"{part}.log").open("ab") as log:
            return subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(root)}, cwd=root
            )

    def stop(self) -> None:
        for process in reversed(self.running):
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    yield started
    started.stop()


def test_a_worker_killed_midway_loses_nothing_and_counts_nothing_twice(dask: Cluster, tmp_path: Path) -> None:
    match_of(CONTEST)  # compiles here, so that the workers need not
    path = tmp_path / "games.jsonl"
    games_file, counted = GamesFile(CONTEST, path), list[int]()

    def progress(count: int) -> None:
        counted.append(count)
        if sum(counted) == 5:
            dask.workers[0].kill()

    play_contest(games_file, GAMES_PLAYED, 0, run_on_cluster(dask.address), progress)
    assert dask.workers[0].wait() < 0 and dask.workers[1].poll() is None
    assert sum(counted) == GAMES_PLAYED and len(path.read_text().splitlines()) == 1 + GAMES_PLAYED
    alone = GamesFile(CONTEST)
    play_contest(alone, GAMES_PLAYED, 0, run_here)
    expected = [(played.name, played.outcome) for played in alone.rows]
    assert [(played.name, played.outcome) for played in games_file.rows] == expected
    assert [(played.name, played.outcome) for played in read_games(path).rows] == expected


def test_no_scheduler_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cluster, "TIMEOUT", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        words = ["arena", "verrater", "--bots", "uniform", "--games", "4", "--cluster", address]
        assert main.run(words) == 2
        assert f"there is no scheduler at {address}" in capsys.readouterr().err


def test_a_worker_with_other_rules_is_refused() -> None:
    unit = work_units(CONTEST, [(0, (0, 1, 1, 1))])[0]
    with pytest.raises(BadCluster, match="another version"):
        same_source(play_nothing, "0123456789abcdef", unit)


def play_nothing(unit: WorkUnit) -> None:
    raise AssertionError("a game was played")


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadCluster, match="tripot\\[farm\\]"):
        run_on_cluster("tcp://127.0.0.1:1")
