"""The games of a contest, each once. On disk they are lines of JSON, to which games are only appended.

The first line identifies the contest; every other line is one game. An incomplete last line, left when the
program was stopped, is dropped, and its game is played again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tripot.core.game import WHOLE_WIN
from tripot.lab.arena.contest import Contest, Played
from tripot.lab.arena.schedule import Lineup

FORMAT = "tripot arena 1"
HEADER = ("format", "game", "rules", "seats", "options", "bots", "program")
ROW = ("deal", "lineup", "result", "sides", "choices", "seconds")


class BadGamesFile(ValueError):
    """A file of games cannot be used; the message says why, and in which line."""


class GamesFile:
    """The games of one contest. With a path, every new game is appended to the file at once."""

    def __init__(self, contest: Contest, path: Path | None = None) -> None:
        self.contest, self.path = contest, path
        self.games: dict[tuple[int, Lineup], Played] = {}
        if path is not None and path.exists() and path.stat().st_size:
            self._resume(path)
        elif path is not None:
            self._write(path, header_of(contest))

    @property
    def rows(self) -> list[Played]:
        """All games, in an order that does not depend on which finished first."""
        return [self.games[name] for name in sorted(self.games)]

    def add(self, played: Played) -> bool:
        """Adds a game. Returns False if the contest has it already."""
        if not self._is_new(played):
            return False
        self.games[played.name] = played
        if self.path is not None:
            self._write(self.path, row_of(played))
        return True

    def _is_new(self, played: Played) -> bool:
        known = self.games.get(played.name)
        if known is not None and known.outcome != played.outcome and not self.contest.is_timed:
            who = ", ".join(self.contest.bots[bot] for bot in played.lineup)
            raise BadGamesFile(
                f"deal {played.deal} with {who} has two different outcomes: one of them was played by other bots"
            )
        return known is None

    def _resume(self, path: Path) -> None:
        """Reads the saved games and truncates an incomplete last line."""
        found = read_games(path)
        check_fit(path, found.contest, self.contest)
        self.games = found.games
        text = path.read_bytes()
        if not text.endswith(b"\n"):
            with path.open("r+b") as file:
                file.truncate(text.rfind(b"\n") + 1)

    def _write(self, path: Path, line: dict[str, Any]) -> None:
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
        except OSError as error:
            raise BadGamesFile(f"{path} cannot be written: {error.strerror}") from None


def merge(paths: list[Path], target: GamesFile) -> int:
    """Adds the games of other files. Returns how many were new."""
    new = 0
    for path in paths:
        found = read_games(path)
        check_fit(path, found.contest, target.contest)
        for played in found.rows:
            try:
                new += target.add(played)
            except BadGamesFile as error:
                raise BadGamesFile(f"{path}: {error}") from None
    return new


def check_fit(path: Path, found: Contest, wanted: Contest) -> None:
    """Raises BadGamesFile unless both are the same contest."""
    parts = {"game": "game", "rules": "rules version", "seats": "seats", "options": "house rules", "circle": "bots"}
    parts["program"] = "version of rules and bots"
    for part, name in parts.items():
        theirs, ours = getattr(found, part), getattr(wanted, part)
        if theirs != ours:
            show = ", ".join if part == "circle" else str
            raise BadGamesFile(f"{path} is of another contest: its {name}: {show(theirs)}; here: {show(ours)}")


# --- Lines ---


def header_of(contest: Contest) -> dict[str, Any]:
    rules = (contest.game, contest.rules, contest.seats, json.loads(contest.options))
    return dict(zip(HEADER, (FORMAT, *rules, list(contest.circle), contest.program), strict=True))


def row_of(played: Played) -> dict[str, Any]:
    row = {name: getattr(played, name) for name in ROW}
    return {**row, "decisions": played.decisions} if played.decisions else row


def read_games(path: Path) -> GamesFile:
    """Reads a file of games. Raises BadGamesFile, which names the line, if it is damaged."""
    try:
        *lines, _ = path.read_text("utf-8").split("\n")  # what follows the last newline is incomplete
    except (OSError, UnicodeDecodeError) as error:
        raise BadGamesFile(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}") from None
    if not lines:
        raise BadGamesFile(f"{path} is not a file of arena games: its first line is missing")
    games_file = GamesFile(_contest(path, lines[0]))
    for number, line in enumerate(lines[1:], start=2):
        try:
            games_file.add(_played(line, games_file.contest))
        except (KeyError, TypeError, ValueError) as error:
            why = str(error) if isinstance(error, BadGamesFile) else "not a game of this contest"
            raise BadGamesFile(f"{path}, line {number}: {why}") from None
    return games_file


def _contest(path: Path, line: str) -> Contest:
    try:
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise BadGamesFile(f"{path}: its format is {json.dumps(header['format'])}, not {json.dumps(FORMAT)}")
        options = json.dumps(header["options"], sort_keys=True)
        circle = tuple(str(bot) for bot in header["bots"])
        program = str(header["program"])
        return Contest(str(header["game"]), int(header["rules"]), int(header["seats"]), options, circle, program)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BadGamesFile):
            raise
        raise BadGamesFile(f"{path} is not a file of arena games: its first line does not name the contest") from None


def _played(line: str, contest: Contest) -> Played:
    row = json.loads(line)
    deal, lineup, result, sides, choices, seconds = (row[name] for name in ROW)
    for numbers in (lineup, result, choices, seconds):
        if len(numbers) != contest.seats:
            raise ValueError("expected one number for each seat")
    if not all(0 <= bot < len(contest.bots) for bot in lineup) or sum(result) > WHOLE_WIN or min(result) < 0:
        raise ValueError("numbers out of range")
    lineup, result, sides, choices = (tuple(map(int, numbers)) for numbers in (lineup, result, sides, choices))
    decisions = tuple((int(seat), int(action)) for seat, action in row.get("decisions", ()))
    return Played(int(deal), lineup, result, sides, choices, tuple(map(float, seconds)), decisions)
