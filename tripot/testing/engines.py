"""Every engine plays the same games, byte for byte: interpreted, native, and a GPU's kernels in their simulator."""

import json
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from tripot.bots.memory import BOT_MEMORY
from tripot.core import jit, observe
from tripot.core.game import Game
from tripot.core.options import as_record
from tripot.lab.simulate import simulate
from tripot.testing import stepping
from tripot.testing.cases import Case, cases_of, positions
from tripot.testing.hidden import scrambled

SIMULATED = (3, 2)  # games on the simulated GPU, and tables
SEEDS = (1, 2**63 - 20)  # the second run crosses the sign of a 64-bit number


def native(name: str, game: Game) -> Any:
    """A loop of `stepping` with the game's rules bound in, as native code."""
    return jit.native(getattr(stepping, name), **game.functions, observe_seat=observe.observe_seat)


class Stepper:
    """Native games of one case, every step recorded."""

    def __init__(self, game: Game, longest: int = 4_000) -> None:
        self.trace_game = native("trace_game", game)
        self.states = game.layout.states(1)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.memory = np.zeros(1, BOT_MEMORY.dtype)
        self.trace = np.zeros((longest + 1, self.states.itemsize), np.uint8)
        self.masks = np.zeros((longest, game.num_actions), np.int8)
        self.moves = np.zeros((longest, 2), np.int64)

    def play(self, case: Case, seed: int) -> int:
        """The number of decisions of one uniform game, its steps left in trace, masks and moves."""
        raw, options = self.states.view(np.uint8), as_record(case.options)
        steps: int = self.trace_game(
            self.states,
            raw,
            options,
            case.seats,
            seed,
            self.mask,
            self.memory,
            self.trace,
            self.masks,
            self.moves,
        )
        assert self.states["over"][0], f"{case}, seed {seed}: longer than {len(self.moves)} decisions"
        return steps


def native_games_are_the_same(case: Case, games: int) -> int:
    """States and masks of many random games, under a mix of house rules. Returns how many decisions were compared."""
    mix = cases_of(case.game, case.seats)
    stepper = Stepper(case.game)
    return sum(_compare_game(stepper, mix[seed % len(mix)], seed) for seed in range(games))


def _compare_game(stepper: Stepper, case: Case, seed: int) -> int:
    steps = stepper.play(case, seed)
    states = [row.tobytes() for row in stepper.trace[: steps + 1]]
    masks = [row.tobytes() for row in stepper.masks[:steps]]
    game, s = case.game, case.deal(seed)
    for step, (seat, action) in enumerate(stepper.moves[:steps].tolist()):
        mask = [0] * game.num_actions
        game.legal(s, seat, mask)
        if s.pack() != states[step] or bytes(mask) != masks[step]:
            raise AssertionError(f"{case}, seed {seed}, decision {step}: {differences(game, s.pack(), states[step])}")
        game.apply(s, seat, action)
    end = s.pack()
    assert end == states[steps], f"{case}, seed {seed}, at the end: {differences(game, end, states[steps])}"
    assert s.over, f"{case}, seed {seed}: the native game is over, the interpreted one is not"
    return steps


def differences(game: Game, interpreted: bytes, compiled: bytes) -> str:
    """Which values differ, and how."""
    form = game.layout.state
    values = zip(form.elements(), form.packing.unpack(interpreted), form.packing.unpack(compiled), strict=True)
    found = [f"{name} is {one} interpreted, {two} native" for name, one, two in values if one != two]
    return "; ".join(found) or "the masks differ"


def native_imagination_is_the_same(case: Case, seed: int = 31) -> None:
    """Native and interpreted imagination fill in the same."""
    layout = case.game.layout
    imagine = native("imagine_one", case.game)
    states = layout.states(1)
    for number, (s, _, _) in enumerate(positions(case, seed)):
        for seat in range(case.seats):
            view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
            layout.unobserve(view, states)
            imagine(view, states, number)
            interpreted, compiled = case.game.imagined(view, number).pack(), states.tobytes()
            at = f"{case}, decision {number}, imagined by seat {seat}"
            assert compiled == interpreted, f"{at}: {differences(case.game, interpreted, compiled)}"


def native_views_are_the_same(case: Case, seed: int = 32) -> None:
    """Native views are those that the layout copies, whatever lies in what is hidden from the seat."""
    layout = case.game.layout
    observe_one = native("observe_one", case.game)
    states = layout.states(1)
    watching = layout.observer(states)
    views = watching[2]
    luck = random.Random(seed)
    for number, (s, _, _) in enumerate(positions(case, seed)):
        for seat in range(case.seats):
            seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat).tobytes()
            for data in (s.pack(), scrambled(layout, s.pack(), seat, luck)):
                states.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
                observe_one(states, seat, watching)
                assert views.tobytes() == seen, f"{case}, decision {number}: seat {seat} sees something else natively"


def simulations_are_the_same(case: Case, bot: str, games: int = 40) -> None:
    """Simulations by either engine have the same checksum."""
    for seed in SEEDS:
        slow = simulate(case.game, case.seats, games, seed, "python", bot)
        fast = simulate(case.game, case.seats, games, seed, "native", bot)
        told = f"{case}: games of {bot} from seed {seed} are others natively"
        assert slow.checksum == fast.checksum, told
        assert (slow.decisions, slow.wins, slow.games) == (fast.decisions, fast.wins, games), told


# --- A GPU ---


def gpu_can_be_simulated() -> bool:
    """Whether numba-cuda is installed."""
    return find_spec("numba_cuda") is not None


def gpu_games_are_the_same(game: Game) -> None:
    """The kernels of a GPU play the games of the interpreter, in numba-cuda's simulator and a process of its own."""
    seats, (games, tables) = game.usual_seats, SIMULATED
    words = ["-m", "tripot.testing.gpu_simulator", "whole_games", reference_of(game), seats, games, tables]
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = (done.stderr.strip() or "nothing was printed").splitlines()[-1]
    assert done.returncode == 0, f"{game.name}: a GPU's kernels fail in the simulator: {told}"
    expected = simulate(game, seats, games, 7, "python")
    played = json.loads(done.stdout)
    assert played == [games, expected.decisions, expected.checksum], f"{game.name}: a GPU plays other games: {played}"


def reference_of(game: Game) -> str:
    """`module:NAME` for a game, so that another process can load it."""
    package = game.deal.__module__.partition(".")[0]
    for name, module in sorted(sys.modules.items()):
        if isinstance(module, ModuleType) and name.partition(".")[0] == package:
            for found, value in vars(module).items():
                if value is game:
                    return f"{name}:{found}"
    raise AssertionError(f"{game.name}: no module of {package} has this game at its top, so no process can load it")
