"""A trial of a game whose rules nobody here has read: one whole game, in a process of its own that may hang or die."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from tripot import GAMES
from tripot.core.game import Game, waiting_seats
from tripot.core.layout import OutOfRange

PATIENCE = 20  # seconds
LONGEST = 100_000  # decisions; random players need longer than others
SEED = 1


def try_game(name: str) -> str | None:
    """Plays a game at the smallest and the largest table. Returns what went wrong, or None."""
    try:
        words = [sys.executable, "-m", "tripot.cli.game_trial", name]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"a game is not over after {PATIENCE} seconds"
    if done.returncode == 0:
        return None
    told = done.stdout.strip() or done.stderr.strip() or f"the process ended with {done.returncode}"
    return told.splitlines()[-1]


def problems(game: Game) -> Iterator[str]:
    """What goes wrong in games of random decisions."""
    for seats in {min(game.seats), max(game.seats)}:
        try:
            yield from _problems_at(game, seats)
        except OutOfRange as error:
            yield f"a rule writes what its field does not allow: {error}"
        except Exception as error:
            yield f"the rules fail: {type(error).__name__}: {error}"


def _problems_at(game: Game, seats: int) -> Iterator[str]:
    s = game.new_state(game.options(), seats, SEED)
    for count in range(LONGEST):
        s.pack()
        if s.over:
            return
        waiting = waiting_seats(s)
        if not waiting:
            yield f"after {count} decisions nobody is asked and the game is not over"
            return
        legal = game.legal_actions(s, waiting[0])
        if not legal:
            yield f"after {count} decisions seat {waiting[0]} is asked, but nothing is legal"
            return
        game.text.decision(game.layout.observe_plain(s, waiting[0]), legal[0])
        game.apply(s, waiting[0], legal[(count * 7919) % len(legal)])
    yield f"a game is not over after {LONGEST} decisions"


def main() -> None:
    for problem in problems(GAMES[sys.argv[1]]):
        print(" ".join(problem.split()))
        raise SystemExit(1)


if __name__ == "__main__":
    main()
