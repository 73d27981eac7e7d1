"""OpenSpiel: its games in a C++ loop, and Leduc poker driven from Python."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.rivals.speed import Played, Speed

if hasattr(os, "RTLD_GLOBAL"):
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # so that `playout.cc` finds the library's functions
import pyspiel

PROGRAM = f"OpenSpiel {version('open_spiel')}"
CARD_GAMES = ("hearts", "oh_hell", "skat", "euchre")  # of similar size to ours
GAMES = ("leduc_poker", *CARD_GAMES)
SMALL_GAMES = ("kuhn_poker", "liars_dice")
SOURCE = Path(__file__).with_name("playout.cc")
WAY, PYTHON_WAY, BOTS_WAY = "C++ loop", "Python loop", "C++ bots, called for each game"

Play = Callable[[str, int, int, bool], int]  # (game, games, seed, seen): decisions


def speeds(cores: int) -> Iterator[Speed]:
    loop = compiled_loop()
    for game in (*GAMES, *SMALL_GAMES) if cores == 1 else GAMES:
        for seen in (False, True):
            if loop is not None:
                yield speed(loop, WAY, game, cores, seen)
    if cores == 1:
        if loop is None:
            yield from (speed(play_bots, BOTS_WAY, game, 1, False) for game in GAMES)
        for seen in (False, True):
            yield speed(play_from_python, PYTHON_WAY, "leduc_poker", 1, seen)


def speed(loop: Play, way: str, game: str, cores: int, seen: bool) -> Speed:
    def play(games: int) -> Played:
        decisions = sum(pool.map(lambda seed: loop(game, games, seed, seen), range(cores)))
        return Played(games * cores, decisions)

    with ThreadPoolExecutor(cores) as pool:
        return Speed.of(PROGRAM, game, way, cores, seen, play)


def compiled_loop() -> Play | None:
    """Compiles the loop of `playout.cc` over the wheel's library. Returns None without a working C++ compiler."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    found = find_spec("open_spiel")
    if compiler is None or found is None or not found.submodule_search_locations:
        return None
    package = Path(found.submodule_search_locations[0])
    headers = (package.parent, package / "abseil-cpp", package / "json" / "include")
    with tempfile.TemporaryDirectory(prefix="tripot-rivals-") as folder:
        target = Path(folder) / "playout.so"
        flags = ["-O3", "-DNDEBUG", "-std=c++17", "-shared", "-fPIC", *(f"-I{path}" for path in headers)]
        done = subprocess.run([compiler, *flags, SOURCE, "-o", target], capture_output=True, check=False)
        if done.returncode:
            return None
        library: Any = ctypes.CDLL(str(target))  # stays loaded after the file is deleted
    library.tripot_play.restype = ctypes.c_int64
    library.tripot_play.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_int]
    return lambda game, games, seed, seen: int(library.tripot_play(game.encode(), games, seed, seen))


def play_bots(name: str, games: int, seed: int, seen: bool) -> int:
    """Without a compiler: OpenSpiel's own random bots in C++, one call from Python per game."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(game.num_players())]
    decisions = 0
    for number in range(games):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed + number)
        decisions += sum(1 for step in state.full_history() if step.player >= 0)
    return decisions


def play_from_python(name: str, games: int, seed: int, seen: bool) -> int:
    game, generator, decisions = pyspiel.load_game(name), random.Random(seed), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(generator.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            if seen:
                state.observation_tensor()
            state.apply_action(legal[int(generator.random() * len(legal))])
            decisions += 1
    return decisions
