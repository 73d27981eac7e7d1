"""Commands for learners: lessons, reviews of games, positions as text."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from tripot import GAMES
from tripot.cli.main import (
    AsJson,
    BadInput,
    GameName,
    Lang,
    app,
    check_seat,
    console,
    find_game,
    find_language,
    number_option,
    open_record,
)
from tripot.coach.review import PLAYOUTS, REVIEW_SEED
from tripot.core.game import waiting_seats
from tripot.core.layout import SPECTATOR
from tripot.core.position import LONGEST, BadPosition, Position, read_position, write_position
from tripot.table.record import Record
from tripot.table.table import Table

MOST_PLAYOUTS = 100_000


@app.command("learn")
def learn_command(
    game_name: GameName,
    lesson: Annotated[
        str | None, typer.Argument(metavar="LESSON", help="A lesson by its number or name.", show_default="all")
    ] = None,
    lang: Lang = None,
) -> None:
    """Learn a game in short lessons, each a decision on a real table."""
    from tripot.terminal.learn import teach

    game, language = find_game(game_name), find_language(lang)
    lessons = list(game.lessons)
    if lesson is not None:
        names = [one.key for one in lessons]
        if lesson not in names and not (lesson.isascii() and lesson.isdigit() and 1 <= int(lesson) <= len(names)):
            raise BadInput(f"{game.name} has no lesson '{lesson[:20]}': choose 1 to {len(names)} or {', '.join(names)}")
        lessons = [lessons[names.index(lesson) if lesson in names else int(lesson) - 1]]
    teach(game, lessons, language, console())


@app.command("review")
def review_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game that is finished.", show_default=False)],
    seat: Annotated[int | None, number_option("Review this seat only, counted from 1.", "all")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write an HTML page.")] = None,
    playouts: Annotated[int, number_option("Games played on from every moment.")] = PLAYOUTS,
    seed: Annotated[int, number_option("Seed of these games: the same seed gives the same review.")] = REVIEW_SEED,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Review a finished game: every seat's chance to win, and what decisions, cards and others did to it."""
    from tripot.coach.report import report
    from tripot.coach.review import as_json as review_json
    from tripot.coach.review import moments_of, review
    from tripot.coach.words import Teller
    from tripot.terminal.players import names_of
    from tripot.terminal.progress import progress_bar
    from tripot.terminal.review import show_review

    language = find_language(lang)
    record, table = open_record(file)
    check_seat(seat, table)
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise BadInput(f"cannot play {playouts} games from every moment: choose 1 to {MOST_PLAYOUTS}")
    if output is not None and not output.resolve().parent.is_dir():
        raise BadInput(f"there is no folder {output.parent}: name a file in a folder that exists")
    if record.result is None:
        raise BadInput(f"{file} is not finished: there is nothing to review yet")
    seats = range(table.seats) if seat is None else [seat - 1]
    with progress_bar(len(record.decisions), "moments played on") as advance:
        found = review(record, table, seats, playouts, seed, os.cpu_count() or 1, lambda done, of: advance(1))
    if as_json:
        print(json.dumps(review_json(found, seats)))
        return
    teller = Teller(found, moments_of(table), names_of(record, table.game, language), language)
    if output is None:
        console().print(show_review(teller, seats))
        return
    try:
        output.write_text(report(teller, seats), "utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from None
    console().print(str(output))


@app.command("position")
def position_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game, or a position as text.")],
    at: Annotated[
        int | None, number_option("The moment of a saved game: after this many decisions.", "the last one")
    ] = None,
    lang: Lang = None,
) -> None:
    """Write a moment of a saved game as text, or check and show a position that was written.

    Everything is in the text, hidden cards too. docs/positions.md explains the notation.
    """
    from tripot.terminal.board import find_board

    if is_record(file):
        record, table = open_record(file)
        print(position_at(record, table, at), end="")
        return
    if at is not None:
        raise BadInput("--at goes with a saved game: a position is one moment")
    found, language = open_position(file), find_language(lang)
    game, s = found.game, found.s
    seat = next(iter(waiting_seats(s)), SPECTATOR)
    view = game.layout.observe_plain(s, seat)
    players = [phrase(language) for phrase in game.text.SEATS]
    board, shown = find_board(game), console()
    shown.print(board.draw(view, players, language, shown.width))
    if seat != SPECTATOR:
        shown.print(board.hand(view, players, language))


def is_record(file: Path) -> bool:
    """Whether a file looks like a saved game; a position begins with a word."""
    try:
        with file.open("rb") as opened:
            return opened.read(1) == b"{"
    except OSError as error:
        raise BadInput(f"{file}: cannot read the file: {error.strerror or error}") from None


def open_position(file: Path) -> Position:
    """Reads a position from a file."""
    try:
        with file.open("rb") as opened:
            return read_position(opened.read(4 * LONGEST).decode("utf-8"), GAMES)
    except (BadPosition, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from None


def position_at(record: Record, table: Table, at: int | None) -> str:
    """The text of a moment of a saved game."""
    moments = len(record.decisions)
    if at is None:
        at = moments
    if not 0 <= at <= moments:
        raise BadInput(f"there is no moment {at}: choose 0 to {moments}")
    s = table.game.new_state(table.options, table.seats, table.seed)
    for seat, action in record.decisions[:at]:
        table.game.apply(s, seat, action)
    return write_position(table.game, table.options, s)
