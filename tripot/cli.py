"""The command line: one thin function a command."""

from __future__ import annotations

import json
import os
import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from tripot import GAMES, __version__
from tripot.bots.bot import Bot, UnknownBot, find_bot
from tripot.core.game import Game
from tripot.core.options import BadOption, check_seats, parse_pairs
from tripot.core.speech import LANGUAGES
from tripot.table.replay import BadRecord, Record, replay
from tripot.table.table import SEEDS, BadTable, Table

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(GAMES)}.", show_default=False)]
Lang = Annotated[str | None, typer.Option("--lang", metavar="en|fr", help="Language; by default the system's.")]
Pairs = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A house rule; repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]


class Wrong(typer.BadParameter):
    """A bad input; its message is one sentence that says what is allowed."""

    def format_message(self) -> str:
        return self.message


@app.callback(invoke_without_command=True)
def tripot(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """Three hidden-information card games: to play, to research and to measure."""
    if version:
        print(f"tripot {__version__}")
        raise typer.Exit


@app.command()
def play(
    name: GameName,
    seats: Annotated[int | None, typer.Option(help="Players at the table.", show_default=False)] = None,
    seat: Annotated[int, typer.Option(help="Your seat, from 1.")] = 1,
    bots: Annotated[str, typer.Option(help="Bots of the other seats in order, or one for all.")] = "sensible",
    you: Annotated[str | None, typer.Option("--name", help="Your name at the table.")] = None,
    seed: Annotated[int | None, typer.Option(help="0 to 2^64 - 1; drawn if not given.", show_default=False)] = None,
    option: Pairs = None,
    lang: Lang = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save the game.")] = None,
) -> None:
    """Play a game in the terminal against bots."""
    from tripot.terminal.file import SUFFIX, GameFile
    from tripot.terminal.play import Player, Session

    game, language = find_game(name), find_language(lang)
    count = seats if seats is not None else max(game.seats)
    table = open_table(game, count, secrets.randbelow(SEEDS) if seed is None else seed, option)
    names = [game.text.SEATS[i](language) for i in range(count)]
    names[seat - 1] = you or names[seat - 1]
    players = [Player(n, None if i == seat - 1 else the_bot(bots, game)) for i, n in enumerate(names)]
    file = GameFile(save or Path(f"{game.name}-{table.seed}{SUFFIX}"))
    Session(table, players, language, file, Console(highlight=False, markup=False)).play()


@app.command()
def simulate(
    name: GameName,
    seats: Annotated[int | None, typer.Option(help="Players at the table.", show_default=False)] = None,
    games: Annotated[int, typer.Option(help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the first game; each later game has the next.")] = 0,
    engine: Annotated[str, typer.Option(help="python, native or gpu.")] = "native",
    bot: Annotated[str, typer.Option(help="Who sits in every seat.")] = "uniform",
    option: Pairs = None,
    as_json: Json = False,
) -> None:
    """Let bots play many games and sum up."""
    from tripot.lab.simulate import simulate as run

    game = find_game(name)
    count = seats if seats is not None else max(game.seats)
    summary = run(game, count, games, seed, engine, bot, open_table(game, count, seed, option).options)
    print(json.dumps(summary.as_json()))


@app.command()
def rules(
    name: GameName,
    clause: Annotated[
        str | None, typer.Argument(help="A clause (V-2.3) or a section (V-2).", show_default=False)
    ] = None,
    lang: Lang = None,
) -> None:
    """Read the rules, clause by clause."""
    from tripot.core.clauses import rule_book
    from tripot.terminal.rules import NoSuchClause, find_clauses, sections, show_clauses

    game, language = find_game(name), find_language(lang)
    try:
        found = find_clauses(game, clause) if clause else list(rule_book(game.name).values())
    except NoSuchClause as missing:
        raise Wrong(f"{name} has no clause {missing}: its sections are {', '.join(sections(game))}") from None
    Console(highlight=False, markup=False).print(show_clauses(game, found, language))


@app.command("replay")
def replay_file(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False)],
    lang: Lang = None,
    seat: Annotated[int | None, typer.Option(help="Tell it as this seat saw it, from 1.")] = None,
    as_json: Json = False,
) -> None:
    """Verify a saved game and tell it."""
    from tripot.terminal.file import read_record
    from tripot.terminal.story import tell

    language = find_language(lang)
    record = read_record(file)
    table = replay(record, GAMES)
    names = [table.game.text.SEATS[i](language) for i in range(table.seats)]
    stories = table.all_news() if seat is None else table.news(seat - 1)
    console = Console(highlight=False, markup=False)
    for line in tell(table.game, stories, names, language, None if seat is None else seat - 1):
        console.print(line)


# --- What was typed, checked ---


def find_game(name: str) -> Game:
    if name not in GAMES:
        raise Wrong(f"there is no game '{name}': choose {', '.join(GAMES)}")
    return GAMES[name]


def find_language(given: str | None) -> str:
    """The language asked for, or the system's."""
    if given is None:
        system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
        return "fr" if system.lower().startswith("fr") else "en"
    if given not in LANGUAGES:
        raise Wrong(f"there is no language '{given}': choose {' or '.join(LANGUAGES)}")
    return given


def open_table(game: Game, seats: int, seed: int, pairs: list[str] | None) -> Table:
    try:
        return Table(game, seats, seed, parse_pairs(game.options, pairs or []))
    except (BadTable, BadOption) as error:
        raise Wrong(str(error)) from None


def the_bot(notation: str, game: Game) -> Bot:
    try:
        return find_bot(notation, game)
    except UnknownBot as error:
        raise Wrong(str(error)) from None


def main() -> None:
    """Run a command; a bad input ends with one sentence and exit code 2."""
    try:
        app(prog_name="tripot")
    except BadRecord as error:
        sys.exit(f"tripot: {error}")
