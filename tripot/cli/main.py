"""The command line: one thin function for each command. Bad input prints one sentence and exits with code 2."""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from tripot import GAMES, OLDER, OUTSIDE, OWN_GAMES, __version__, add_game
from tripot.bots.bot import UnknownBot, find_policy
from tripot.bots.levels import bot_of
from tripot.core.game import Game
from tripot.core.game_check import BadGame
from tripot.core.options import BadOption, parse_pairs
from tripot.core.shared_seed import SFC32, Draw, Seed, SharedSeed, new_secret
from tripot.core.speech import LANGUAGES
from tripot.table.record import BadRecord, Record, replay
from tripot.table.table import BadTable, Table
from tripot.terminal.players import BadSeating

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130
STOP_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
MOST_GAMES = 10**9


def whole_number(typed: str) -> int:
    """Parses a whole number."""
    try:
        return int(typed)
    except ValueError:
        raise typer.BadParameter(f"'{typed[:40]}' is not a whole number") from None


def number_option(help: str, default: str | None = None) -> Any:
    """A typer option that takes a whole number."""
    return typer.Option(parser=whole_number, metavar="N", help=help, show_default=default or True)


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(GAMES)}; or module:GAME.", show_default=False)
]
Seats = Annotated[int | None, number_option("Number of seats.", "4 if the game allows it")]
Lang = Annotated[str | None, typer.Option(metavar="en|fr", help="Language of the output.", show_default="the system's")]
OptionPairs = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set a house rule. Can be repeated.")]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="TRIPOT_DATABASE",
        help="Where tables are stored: sqlite:///FILE or postgresql://…",
        show_default="a file in your data folder",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


# The packages that a light install leaves out, by the extra that brings them.
EXTRAS = {
    "web": ("aiosqlite", "alembic", "fastapi", "pydantic", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    "scale": ("asyncpg",),
    "farm": ("distributed",),
    "env": ("gymnasium", "pettingzoo", "pyspiel"),
    "gpu": ("numba_cuda",),
    "data": ("pyarrow",),
    "train": ("torch",),
}


class BadInput(ValueError):
    """Bad input; the message says what was wrong and what is allowed."""


@app.callback(invoke_without_command=True)
def tripot(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Play, study and measure three hidden-information card games.

    Without a command, starts the server and opens the browser, like `tripot serve`.
    """
    if version:
        print(f"tripot {__version__}")
    elif context.invoked_subcommand is None:
        app(["serve"], prog_name="tripot", standalone_mode=False)


@app.command()
def play(
    game_name: GameName,
    seats: Seats = None,
    seat: Annotated[int | None, number_option("Your seat, counted from 1.", "1")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots for the other seats in order (a,b,c), or one bot for all of them.", show_default="as at Medium"
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name.", show_default="the name of your seat")] = None,
    seed: Annotated[int | None, number_option("Seed of the deal, 0 to 2^64 - 1.", "random")] = None,
    option: OptionPairs = None,
    lang: Lang = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Resume a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="File or folder to save the game in.")] = None,
) -> None:
    """Play a game in the terminal against bots."""
    from tripot.terminal.game_file import GameFile, default_path
    from tripot.terminal.play import Session
    from tripot.terminal.players import players_of, seat_players

    game, language = find_game(game_name), find_language(lang)
    if resume is not None:
        settings = {"seats": seats, "seat": seat, "bots": bots, "name": name, "seed": seed, "option": option}
        record, table = open_record(resume)
        check_resumable(resume, record, game, settings)
        players = players_of(record, game, language)
        file = GameFile(resume, claimed=True)
    else:
        table = open_table(game, seats, SharedSeed(new_secret()) if seed is None else seed, option)
        others = bots or bot_of("medium", game)
        players = seat_players(game, table.seats, 1 if seat is None else seat, others, name, language)
        file = GameFile(default_path(game.name, table.seed))
    if save is not None:
        file = GameFile(save / file.path.name if save.is_dir() else save)
    if not os.access(file.path.parent, os.W_OK):
        raise BadInput(f"cannot save games in {file.path.parent}: name a file in a writable folder with --save FILE")
    Session(table, players, language, file, console(), game_name).play()


@app.command()
def games(
    trial: Annotated[bool, typer.Option(help="Play one game of each game of another package.")] = True,
    as_json: AsJson = False,
) -> None:
    """List the games: Tripot's own, and those of other packages with what is wrong with them."""
    from tripot.cli.game_trial import try_game

    refused = dict(OUTSIDE.refused)
    for name in OUTSIDE.games if trial else ():
        if problem := try_game(name):
            refused[name] = problem
    rows = [
        {
            "game": name,
            "title": game.text.TITLE.en,
            "seats": list(game.seats),
            "rules": game.rules_version,
            "own": name in OWN_GAMES,
            "problem": refused.get(name),
        }
        for name, game in GAMES.items()
    ]
    rows += [{"game": name, "problem": told} for name, told in OUTSIDE.refused.items()]
    if as_json:
        print(json.dumps({"games": rows}, ensure_ascii=False))
    else:
        for row in rows:
            print("  ".join(game_line(row)))
    if refused:
        raise typer.Exit(1)


def game_line(row: dict[str, Any]) -> list[str]:
    """What `tripot games` says of a game."""
    about = (
        [f"{row['title']}, {'/'.join(map(str, row['seats']))} seats, rules version {row['rules']}"]
        if "title" in row
        else []
    )
    return [row["game"], *about, *([f"NOT USABLE: {row['problem']}"] if row["problem"] else [])]


@app.command()
def simulate(
    game_name: GameName,
    seats: Seats = None,
    games: Annotated[int, number_option("Number of games.")] = 1000,
    seed: Annotated[int, number_option("Seed of the first game; each further game uses the next seed.")] = 0,
    engine: Annotated[str, typer.Option(metavar="python|native|gpu", help="Engine that runs the rules.")] = "native",
    bot: Annotated[str, typer.Option(help="Bot that plays every seat.")] = "uniform",
    option: OptionPairs = None,
    as_json: AsJson = False,
) -> None:
    """Simulate many games of one bot and summarize them."""
    from tripot.lab import simulate as lab
    from tripot.lab.gpu import EngineMissing
    from tripot.terminal.progress import progress_bar
    from tripot.terminal.results import show_summary

    table = open_table(find_game(game_name), seats, seed, option)
    if not 0 <= games <= MOST_GAMES:
        raise BadInput(f"cannot play {games} games: choose 0 to {MOST_GAMES}")
    if engine not in lab.ENGINES:
        raise BadInput(f"there is no engine '{engine}': choose {', '.join(lab.ENGINES)}")
    find_policy(bot, table.game)
    with progress_bar(games) as progress:
        try:
            summary = lab.simulate(table.game, table.seats, games, seed, engine, bot, table.options, progress)
        except EngineMissing as missing:
            raise BadInput(str(missing)) from None
    if as_json:
        print(json.dumps(summary.as_json()))
    else:
        console().print(show_summary(summary))


@app.command()
def rules(
    game_name: GameName,
    clause: Annotated[
        str | None, typer.Argument(metavar="CLAUSE", help="A clause (2.3) or a section (2).", show_default="all")
    ] = None,
    question: Annotated[
        str | None, typer.Option("--search", metavar="QUESTION", help='The clauses that answer: "how do I win".')
    ] = None,
    lang: Lang = None,
) -> None:
    """Print the rules of a game, clause by clause, or those that answer a question."""
    from tripot.core.rulebook import rule_book
    from tripot.terminal.rules import NoSuchClause, find_clauses, sections, show_answers, show_clauses

    game, language = find_game(game_name), find_language(lang)
    if question is not None:
        if clause is not None:
            raise BadInput("--search looks in all clauses: leave the clause out")
        console().print(show_answers(game, question, language))
        return
    try:
        found = find_clauses(game, clause) if clause else rule_book(game).values()
    except NoSuchClause as missing:
        raise BadInput(f"{game.name} has no clause {missing}: its sections are {', '.join(sections(game))}") from None
    console().print(show_clauses(game, found, language))


@app.command("replay")
def replay_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.", show_default=False)],
    lang: Lang = None,
    seat: Annotated[int | None, number_option("Tell only what this seat saw, counted from 1.", "everything")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check the luck too, and print only the result.")] = False,
    seed_hash: Annotated[
        str | None, typer.Option("--hash", metavar="HASH", help="With --verify: the hash that the table showed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a saved game and print what happened."""
    from tripot.terminal import news
    from tripot.terminal.players import names_of

    language = find_language(lang)
    record, table = open_record(file)
    check_seat(seat, table)
    reader = None if seat is None else seat - 1
    names = names_of(record, table.game, language)
    if verify or seed_hash is not None:
        return verify_luck(file, record, names, language, seed_hash, as_json)
    if as_json:
        print(json.dumps(news.as_json(record, table, names, language, reader), ensure_ascii=False))
    else:
        console().print(news.retell(record, table, names, language, reader))


def verify_luck(
    file: Path, record: Record, names: list[str], language: str, seed_hash: str | None, as_json: bool
) -> None:
    """Prints that seed, contributions and every draw of a record fit together. Raises BadInput if they do not."""
    from tripot.terminal import news

    if isinstance(record.seed, int):
        raise BadInput(f"{file}: the luck of this game comes from {SFC32}, which nobody can check")
    draws: list[Draw] = []
    replay(record, GAMES, OLDER, draws)
    if seed_hash is not None and seed_hash.strip().lower() != record.seed.hash:
        raise BadInput(f"{file}: the seed of this game has the hash {record.seed.hash}, not {seed_hash[:80]}")
    if as_json:
        parts = [part and part._asdict() for part in record.seed.contributions]
        print(json.dumps({"hash": record.seed.hash, "contributions": parts, "draws": len(draws)}))
    else:
        console().print(news.fair_deal(record.seed, len(draws), names, language), soft_wrap=True)


@app.command()
def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Beside OpenSpiel, pgx, RLCard and PettingZoo.")] = False,
    on_gpu: Annotated[bool, typer.Option("--gpu", help="On the GPU of this machine.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="With --peers or --gpu.", show_default="docs/benchmarks.md"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of the rules on this machine."""
    from tripot.lab import benchmark as lab
    from tripot.terminal.progress import progress_line
    from tripot.terminal.results import show_machine, show_measure

    if peers and on_gpu:
        raise BadInput("--peers and --gpu are measured one at a time")
    if peers:
        return bench_peers(output, as_json)
    if on_gpu:
        return bench_gpu(output, as_json)
    if output is not None:
        raise BadInput("--output goes with --peers or --gpu")
    found = []
    if not as_json:
        console().print(show_machine(lab.machine()), soft_wrap=True)
    with progress_line() as report:
        for measured in lab.measure(list(GAMES.values()), report):
            found.append(measured)
            report("")
            if not as_json:
                console().print(show_measure(measured), soft_wrap=True)
    if as_json:
        print(json.dumps(lab.as_json(found), ensure_ascii=False))


def bench_peers(output: Path | None, as_json: bool) -> None:
    """Measures Tripot beside the programs of the extra `peers`, and writes a section of docs/benchmarks.md."""
    if not in_checkout():
        raise BadInput(f"--peers {CHECKOUT_ONLY}")
    from bench.rivals import page, run
    from bench.rivals.terminal import show_comparison
    from tripot.lab.benchmark import machine
    from tripot.terminal.progress import progress_line
    from tripot.terminal.results import show_machine

    output = page_to_write(output)
    facts = {**machine(), **run.circumstances()}
    with progress_line() as report:
        found = run.compare(report)
    write_section(output, "peers", page.section(found, facts))
    if as_json:
        print(json.dumps(run.as_json(found, facts), ensure_ascii=False))
    else:
        console().print(show_machine(facts), soft_wrap=True)
        console().print(show_comparison(found))


def bench_gpu(output: Path | None, as_json: bool) -> None:
    """Measures all games and Leduc poker on the GPU. In a checkout it also writes a section of docs/benchmarks.md."""
    from tripot.lab import gpu, leduc
    from tripot.lab.gpu import benchmark
    from tripot.terminal.progress import progress_line
    from tripot.terminal.results import show_gpu_speeds

    checkout = in_checkout()
    if checkout:
        output = page_to_write(output)
    elif output is not None:
        raise BadInput(f"--output {CHECKOUT_ONLY}")
    try:
        name, copy = benchmark.gpu_name(gpu.require_gpu()), benchmark.copy_speed()
        with progress_line() as report:
            found = list(benchmark.measure([leduc.GAME, *GAMES.values()], report))
    except gpu.EngineMissing as error:
        raise BadInput(str(error)) from None
    if output is not None:
        from bench.gpu import section

        write_section(output, "gpu", section(name, copy, found))
    if as_json:
        print(json.dumps(benchmark.as_json(found), ensure_ascii=False))
    else:
        console().print(show_gpu_speeds(name, found))


CHECKOUT_ONLY = "needs a checkout of the repository: the installed package does not contain its folder bench"


def in_checkout() -> bool:
    """Whether `bench` can be imported: it is part of a checkout, not of the wheel."""
    try:
        return find_spec("bench.page") is not None
    except ModuleNotFoundError:
        return False


def page_to_write(output: Path | None) -> Path:
    """The page to write, checked before measuring: its folder must exist."""
    output = output or Path("docs") / "benchmarks.md"
    if not output.parent.is_dir():
        raise BadInput(f"there is no folder {output.parent} here: name the page to write with -o FILE")
    return output


def write_section(output: Path, name: str, body: str) -> None:
    """Writes one section of a page; the other sections stay."""
    from bench import page

    try:
        page.write_section(output, name, body)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from None


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(envvar="TRIPOT_HOST", help="Address to listen on; 0.0.0.0 accepts other machines.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="N",
            envvar="TRIPOT_PORT",
            help="Port to listen on; 0 picks a free one.",
            show_default="8000, or the next free one",
        ),
    ] = None,
    database: Database = "",
    browser: Annotated[bool, typer.Option(envvar="TRIPOT_BROWSER", help="Open the page in the browser.")] = True,
    share: Annotated[
        str, typer.Option(metavar="URL", envvar="TRIPOT_SHARE", help="Address to print in invitations.")
    ] = "",
    log: Annotated[str, typer.Option(metavar="text|json", envvar="TRIPOT_LOG", help="Format of the log.")] = "text",
) -> None:
    """Start the server and play in the browser.

    Play alone against bots, with friends over a link, or together on one screen.

    `tripot` without a command does the same. Environment variables can set all of these options and
    every limit: see docs/operating.md.
    """
    from tripot.web.ops import serve as web
    from tripot.web.ops.settings import BadSetting, Settings

    if port is not None and not 0 <= port < 65536:
        raise BadInput(f"there is no port {port}: choose 0 to 65535")
    try:
        settings = Settings.from_environment(os.environ, database=database, share=share.rstrip("/"), log=log)
        web.serve(host, port, browser, settings)
    except (web.CannotServe, BadSetting) as problem:
        raise BadInput(str(problem)) from None


# --- Checks of the input ---


def find_game(name: str) -> Game:
    """The game of this name, or that `module:GAME` names."""
    try:
        if ":" in name:
            return add_game(name)
    except BadGame as problem:
        raise BadInput(f"{name}: {problem}") from None
    if name not in GAMES:
        raise BadInput(f"there is no game '{name}': choose {', '.join(GAMES)}, or write module:GAME")
    return GAMES[name]


def find_language(given: str | None) -> str:
    """Returns the given language, or the system's if none is given."""
    if given is None:
        system = [os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)]
        return "fr" if system and system[0].lower().startswith("fr") else "en"
    if given not in LANGUAGES:
        raise BadInput(f"there is no language '{given}': choose {' or '.join(LANGUAGES)}")
    return given


def open_table(game: Game, seats: int | None, seed: Seed, pairs: list[str] | None) -> Table:
    """Opens a new table, with the game's usual number of seats unless `seats` is given."""
    return Table(game, game.usual_seats if seats is None else seats, seed, parse_pairs(game.options, pairs or []))


def open_record(path: Path) -> tuple[Record, Table]:
    """Reads a saved game and replays it under the rules."""
    from tripot.terminal.game_file import read_record

    try:
        record = read_record(path)
        return record, replay(record, GAMES, OLDER)
    except BadRecord as error:
        raise BadInput(f"{path}: {error}") from None


def check_seat(seat: int | None, table: Table) -> None:
    """Raises BadInput unless the table has the seat, counted from 1."""
    if seat is not None and not 1 <= seat <= table.seats:
        raise BadInput(f"there is no seat {seat}: choose 1 to {table.seats}")


def check_resumable(path: Path, record: Record, game: Game, settings: dict[str, Any]) -> None:
    """Raises BadInput unless the record is an unfinished game of this kind and no setting is given again."""
    given = [f"--{name}" for name, value in settings.items() if value]
    if given:
        raise BadInput(f"a resumed game keeps its settings: leave out {', '.join(given)}")
    if record.game != game.name:
        raise BadInput(f"{path} is a game of {record.game}, not of {game.name}")
    if record.result is not None:
        raise BadInput(f"{path} is finished: read it with tripot replay")


# --- Entry point ---


def console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def main() -> NoReturn:
    """Runs the program. Stop signals act like Ctrl-C, so that games are saved; unprintable characters are replaced."""
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    for number in STOP_SIGNALS:
        signal.signal(number, interrupt)
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe: not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def run(words: list[str]) -> int:
    """Runs a command and returns its exit code."""
    from tripot.cli import lab, learn, new_game, store  # noqa: F401  # importing them registers their commands

    try:
        return app(words, prog_name="tripot", standalone_mode=False) or 0
    except (typer.TyperException, BadInput, BadTable, BadSeating, BadOption, BadRecord, UnknownBot) as error:
        print("tripot:", " ".join(explain(error).split()), file=sys.stderr)
        return EXIT_BAD_INPUT
    except ModuleNotFoundError as error:
        extra = extra_of(error)
        if extra is None:
            raise
        print(f"tripot: {error.name} is not installed: pip install 'tripot[{extra}]' brings it", file=sys.stderr)
        return EXIT_BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED


def extra_of(error: ModuleNotFoundError) -> str | None:
    """The extra that brings what could not be imported."""
    package = (error.name or "").partition(".")[0]
    return next((extra for extra, packages in EXTRAS.items() if package in packages), None)


def explain(error: Exception) -> str:
    """The message for a person; a mistyped command also names the allowed commands or the help to read."""
    if not isinstance(error, typer.TyperException):
        return str(error)
    context, message = getattr(error, "ctx", None), error.format_message().rstrip(".")
    if context and message.startswith("No such command"):
        return f"{message}: choose {', '.join(context.command.commands)}"
    return f"{message}: see {context.command_path if context else 'tripot'} --help"


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Raises KeyboardInterrupt once: pressing Ctrl-C again while a game is being saved does no harm."""
    for once in STOP_SIGNALS:
        signal.signal(once, signal.SIG_IGN)
    raise KeyboardInterrupt
