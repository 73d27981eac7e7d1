"""Fingerprints of whole games: a hash of all that the rules, the heuristic and the evaluation of a game say in it.

Golden playthroughs are few, because people read them. Fingerprints are many, and say only that something changed:
`python -m tests.regen` writes them anew after a change that is meant to be one.
"""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from tests.cases import CASES, GAMES, LONGEST, Case, big
from tripot.bots.bot import find_bot
from tripot.bots.memory import new_memory
from tripot.core.game import waiting_seats
from tripot.core.options import as_json

FILE = Path(__file__).parent / "fingerprints.json"
BLUNDERS = 0.3  # the share of random decisions, so that games come where good players never do
EVERY = 8  # decisions between two looks at what each seat sees and imagines

PRINTED = [case for case in CASES if case.game in GAMES]


def seeds_of(case: Case) -> range:
    """More games with the default rules than with a house rule; few at a big table, where a game is long."""
    few, many = (1, 2) if big(case) else (4, 32)
    return range(few if as_json(case.options) else many)


def fingerprint(case: Case, seed: int) -> str:
    """Plays one game with the heuristic and some random decisions, and hashes all that can be seen of it."""
    game, found = case.game, hashlib.sha256()
    luck, memory = random.Random(f"{case} {seed}"), new_memory(seed, 0)
    sensible = find_bot("sensible", game)
    s = game.layout.state.plain()
    s.news = []
    game.deal(s, case.options, case.seats, seed)
    for number in range(LONGEST):
        found.update(repr(s.news).encode() + s.pack())
        s.news = []
        if number % EVERY == 0 or s.over:
            _look(case, s, seed + number, found)
        if s.over:
            return found.hexdigest()[:12]
        seat = luck.choice(waiting_seats(s))
        mask = [0] * game.num_actions
        game.legal(s, seat, mask)
        legal = [action for action, allowed in enumerate(mask) if allowed]
        advised = sensible.decide(_view(case, s, seat), legal, memory)
        found.update(bytes(mask) + repr(advised).encode())
        game.apply(s, seat, luck.choice(legal) if luck.random() < BLUNDERS else advised)
    raise AssertionError(f"{case}: the game of seed {seed} goes on after {LONGEST} decisions")


def _view(case: Case, s: Any, seat: int) -> Any:
    layout = case.game.layout
    return layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)


def _look(case: Case, s: Any, seed: int, found: Any) -> None:
    """Hashes what each seat sees and imagines, and its features."""
    evaluation = case.game.evaluation
    for seat in range(case.seats):
        view = _view(case, s, seat)
        found.update(view.tobytes())
        if not s.over:
            found.update(case.game.imagined(view, seed).pack())
        if evaluation is not None:
            features = [0.0] * evaluation.feature_count
            evaluation.features(s, seat, features)
            found.update(repr([round(number, 9) for number in features]).encode())
            found.update(bytes([evaluation.side_of(s, seat)]) + repr(evaluation.turn_of(s)).encode())


def fingerprints(case: Case) -> list[str]:
    return [fingerprint(case, seed) for seed in seeds_of(case)]


def kept() -> dict[str, list[str]]:
    """The fingerprints on file, by case."""
    found: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return found


def write() -> None:
    FILE.write_text(json.dumps({str(case): fingerprints(case) for case in PRINTED}, indent=1) + "\n", "utf-8")
