"""The commands of the lab: tournaments, balance reports, ladder, datasets, training, perft; `main.run` imports them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tripot import GAMES
from tripot.bots.own import find_any_bot
from tripot.cli.main import (
    AsJson,
    BadInput,
    GameName,
    Lang,
    OptionPairs,
    Seats,
    app,
    console,
    find_game,
    find_language,
    number_option,
    open_table,
    whole_number,
)
from tripot.core.game import Game
from tripot.core.options import check_seats
from tripot.table.table import Table

if TYPE_CHECKING:
    from tripot.lab.arena.games_file import GamesFile
    from tripot.lab.arena.workers import Runner
    from tripot.lab.training.run import TrainingRun

MOST_GAMES = 10**7  # the record of every game is kept
MOST_DEPTH = 100  # far beyond what can be counted

Workers = Annotated[int | None, number_option("Number of worker processes.", "one per core")]
Cluster = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on the Dask cluster with this scheduler.")]
SaveFolder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Save the games in this folder; resumes them if they exist.")
]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write the page to.")]
RunFolder = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder of the run.")]
Device = Annotated[str | None, typer.Option(metavar="cuda|cpu", help="Where to train.", show_default="cuda")]
Start = Annotated[
    str | None, typer.Option(metavar="WEIGHTS", help="Weights to begin with: a file, a folder, or `network`.")
]
Against = Annotated[
    str | None,
    typer.Option(metavar="WEIGHTS", help="Learn the best response to this network, which plays all other seats."),
]
League = Annotated[
    float | None, typer.Option(help="Share of the tables at which earlier selves play.", show_default="0")
]
Meet = Annotated[
    list[str] | None, typer.Option(metavar="WEIGHTS", help="A frozen network to meet; may be given several times.")
]
Meeting = Annotated[
    float | None, typer.Option(help="Share of the tables at which those play.", show_default="0.3 with --meet")
]


@app.command()
def arena(
    game_name: GameName,
    bots: Annotated[
        str | None, typer.Option(help="Bots to compare: a,b,c. The last one fills the remaining seats.")
    ] = None,
    games: Annotated[
        int | None, number_option("Number of games, rounded up to whole deals.", "1000, or 0 with --merge")
    ] = None,
    seats: Seats = None,
    seed: Annotated[int, number_option("Seed of the first deal; each further deal uses the next seed.")] = 0,
    option: OptionPairs = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the games in this file; resumes it if it exists.")
    ] = None,
    merge: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Add the games of this file. Can be repeated.")
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Compare bots on the same deals in every seat, and rate them."""
    from tripot.lab.arena import arena as lab
    from tripot.lab.arena.games_file import merge as add_games
    from tripot.lab.arena.standings import standings
    from tripot.terminal.progress import progress_bar
    from tripot.terminal.standings import show_standings

    table = open_table(find_game(game_name), seats, seed, option)
    count = check_games((0 if merge else 1000) if games is None else games, lowest=0)
    with bad_input_on_errors():
        games_file = open_games_file(table, bots, save, merge or [])
        run = find_runner(workers, cluster)
        add_games(merge or [], games_file)
        with progress_bar(count) as progress:
            lab.play_contest(games_file, count, seed, run, progress)
    if not games_file.games:
        raise BadInput("there are no games to rate: play some with --games N")
    found = standings(games_file, table.game)
    if as_json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        console().print(show_standings(found))


@app.command()
def balance(
    game_name: GameName,
    bot: Annotated[str, typer.Option(help="Bot that plays every seat.")] = "sensible",
    games: Annotated[int, number_option("Number of games per column.")] = 1000,
    seats: Seats = None,
    seed: Annotated[int, number_option("Seed of the first game; each further game uses the next seed.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE[; …]", help="Add a column with these house rules. Can be repeated."),
    ] = None,
    save: SaveFolder = None,
    output: Output = None,
    lang: Lang = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Write a balance report for game designers.

    The report says who wins, how long games take, what is used and what correlates with winning.
    """
    from tripot.lab.balance.balance import measure, read_columns
    from tripot.lab.balance.report import report
    from tripot.terminal.progress import progress_bar

    table, language = open_table(find_game(game_name), seats, seed, None), find_language(lang)
    find_any_bot(bot, table.game)
    check_games(games, lowest=1)
    columns = read_columns(table.game, option or [])
    for options in columns:
        check_seats(options, table.seats)
    if output is None and not as_json:
        raise BadInput("name a file for the report: -o report.html (or print JSON with --json)")
    check_page(output)
    if save is not None:
        make_folder(save)
    with bad_input_on_errors(), progress_bar(games * len(columns)) as progress:
        run = find_runner(workers, cluster)
        facts = measure(table.game, table.seats, bot, games, seed, columns, run, progress, save)
    if output is not None:
        write_page(output, report(facts, language))
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))


@app.command()
def export(
    game_name: GameName,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Parquet file to write.")],
    bots: Annotated[
        str, typer.Option(help="Bots by seat: a,b,c. The last one fills the remaining seats.")
    ] = "sensible",
    games: Annotated[int, number_option("Number of games.")] = 1000,
    seats: Seats = None,
    seed: Annotated[int, number_option("Seed of the first game; each further game uses the next seed.")] = 0,
    option: OptionPairs = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="Encode with slots for the largest table: one encoding for all table sizes.")
    ] = False,
) -> None:
    """Write decisions of bots as a dataset for learning: Parquet, with a dataset card beside it."""
    from tripot.lab.export import Export, NoArrow, fill_seats
    from tripot.lab.export import export as write
    from tripot.terminal.progress import progress_bar

    table = open_table(find_game(game_name), seats, seed, option)
    check_games(games, lowest=1)
    named = [bot.strip() for bot in bots.split(",")]
    for bot in named:
        find_any_bot(bot, table.game)
    check_page(output)
    asked = Export(table.game, table.seats, table.options, fill_seats(named, table.seats), seed, wide)
    try:
        with progress_bar(games) as progress:
            rows = write(asked, games, output, progress)
    except NoArrow as missing:
        raise BadInput(str(missing)) from None
    console().print(f"{rows:,} decisions in {output}, described in {output.with_suffix('.md').name}")


@app.command()
def ladder(
    games: Annotated[int, number_option("Number of games to play of each game.")] = 1000,
    bots: Annotated[
        str | None, typer.Option(help="Bots to rate: a,b,c.", show_default="one bot of each strength")
    ] = None,
    row: Annotated[
        str | None, typer.Option(metavar="BOT", help="Rate this bot among the fixed pool, for a row of the ladder.")
    ] = None,
    save: SaveFolder = None,
    output: Output = None,
    workers: Workers = None,
    cluster: Cluster = None,
) -> None:
    """Rate all bots in all games and print the ratings as Markdown."""
    from tripot.lab.arena import ladder as lab
    from tripot.terminal.progress import progress_bar

    if row is not None and bots is not None:
        raise BadInput("choose --bots or --row, not both: a row is of one bot among the fixed pool")
    named = [row] if row else [bot.strip() for bot in bots.split(",")] if bots is not None else lab.BOTS
    for bot in named:
        if not any(lab.is_bot(bot, game) for game in GAMES.values()):
            find_any_bot(bot, next(iter(GAMES.values())))  # raises UnknownBot with the reason
    check_games(games, lowest=1)
    check_page(output)
    read_page(output)
    if save is not None:
        make_folder(save)
    found = []
    for game in GAMES.values():
        if row is not None and not lab.is_bot(row, game):
            continue
        with bad_input_on_errors(), progress_bar(games) as progress:
            run = find_runner(workers, cluster)
            if row is not None:
                found.append((game, lab.climb_row(game, row, games, save, run, progress)))
            else:
                found.append((game, lab.climb(game, named, games, save, run, progress)))
    rows = lab.bot_rows(found, row) if row is not None else []
    if output is None:
        return print(lab.row_table(rows) if row is not None else lab.ladder_page(found))
    there = read_page(output)  # others may have changed it meanwhile
    if row is not None:
        return write_page(output, lab.page_with_rows(there, rows))
    return write_page(output, lab.page_with_rows(lab.ladder_page(found), lab.kept_rows(there)))


@app.command()
def perft(
    game_name: GameName,
    depth: Annotated[int, number_option("Number of decisions.")] = 4,
    seed: Annotated[int, number_option("Seed of the deal.")] = 0,
    seats: Seats = None,
    option: OptionPairs = None,
    engine: Annotated[str, typer.Option(metavar="native|python", help="Engine that runs the rules.")] = "native",
    after: Annotated[
        str | None, typer.Option(metavar="N,N,…", help="Actions to apply before counting.", show_default="none")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of legal decisions up to a depth (perft).

    Equal rules give equal counts, so that two implementations can be compared.
    """
    from tripot.lab import perft as lab
    from tripot.terminal.progress import progress_count
    from tripot.terminal.results import show_tree

    table = open_table(find_game(game_name), seats, seed, option)
    if not 0 <= depth <= MOST_DEPTH:
        raise BadInput(f"cannot count {depth} decisions deep: choose 0 to {MOST_DEPTH}")
    if engine not in lab.ENGINES:
        raise BadInput(f"there is no engine '{engine}': choose {', '.join(lab.ENGINES)}")
    taken = [whole_number(word.strip()) for word in after.split(",")] if after else []
    with bad_input_on_errors(), progress_count("sequences") as progress:
        tree = lab.perft(table.game, table.seats, depth, seed, engine, table.options, taken, progress)
    if as_json:
        print(json.dumps(tree.as_json()))
    else:
        console().print(show_tree(tree))


@app.command()
def train(
    game_name: GameName,
    output: RunFolder = Path("training"),
    seats: Annotated[int | None, number_option("Table size.", "every size, in equal parts")] = None,
    minutes: Annotated[float, typer.Option(help="How long to learn, earlier parts of a resumed run included.")] = 10.0,
    width: Annotated[int | None, number_option("Width of the networks.", "256, or 96 on a CPU")] = None,
    tables: Annotated[int | None, number_option("Tables played together.", "by game and device")] = None,
    seed: Annotated[int, number_option("Seed of the first networks and deals.")] = 1,
    evaluated: Annotated[
        int | None, number_option("Deals against each bot of a fixed pool, every two minutes; 0: none.", "25")
    ] = None,
    device: Device = None,
    start: Start = None,
    against: Against = None,
    league: League = None,
    meet: Meet = None,
    meeting: Meeting = None,
    discount: Annotated[
        float | None, typer.Option(help="A decision; below 1, late wins are worth less.", show_default="1")
    ] = None,
    rate: Annotated[float | None, typer.Option(help="Learning rate at the start.", show_default="0.0006")] = None,
    vary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Vary house rules from game to game, in these ranges (TOML).")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with the run in this folder.", show_default="none")
    ] = None,
) -> None:
    """Train a network by self-play, on a GPU or, small and slow, on a CPU. Needs PyTorch: the extra `train`."""
    game = find_game(game_name)
    check_training(game, seats, minutes, evaluated, league, discount, rate)
    if against and (league or start or meet):
        raise BadInput("a best response begins with the network it meets: leave --league, --meet and --start out")
    meeting = check_meeting(meet, meeting, league)
    size = {"seats": seats, "width": width, "tables": tables, "evaluated": evaluated}
    how = {"start": start, "against": against, "league": league, "discount": discount, "rate": rate}
    how |= {"meet": ",".join(meet or []), "meeting": meeting, "vary": read_ranges(vary)}
    run = open_run(resume or output, resume is not None, game.name, device, minutes=minutes, seed=seed, **size, **how)
    run.train()
    run.tell(f"weights: {run.folder / 'weights.npz'}; play them as network:{run.folder / 'weights.npz'}")


@app.command()
def fold(
    game_name: GameName,
    weights: Annotated[Path, typer.Argument(metavar="WEIGHTS", help="Weights of a training with --vary.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File of weights to write.")],
    option: OptionPairs = None,
) -> None:
    """Turn a network that sees the house rules into one for these house rules alone."""
    from tripot.bots.network import load_weights
    from tripot.bots.own import weights_file
    from tripot.lab.training.folding import folded

    game = find_game(game_name)
    rules = open_table(game, None, 0, option).options
    check_page(output)
    try:
        folded(load_weights(weights_file(str(weights))), game, rules).save(output)
    except ValueError as error:
        raise BadInput(str(error)) from None
    console().print(f"weights: {output}; play them as network:{output}")


@app.command()
def surface(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a training with --vary.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder for the proposed tables.")],
    parts: Annotated[int | None, number_option("Parts of the training to use, from the end.", "half of them")] = None,
    changed: Annotated[int | None, number_option("Use only sets with at most so many changes.", "any")] = None,
    within: Annotated[float, typer.Option(help="How far from equal a proposal's win shares may be.")] = 0.015,
    shortest: Annotated[float, typer.Option(help="The least turns of a proposal.")] = 8.5,
    longest: Annotated[float, typer.Option(help="The most turns of a proposal.")] = 11.0,
    count: Annotated[int, number_option("Number of proposals.")] = 5,
) -> None:
    """Say what each number of the house rules does to the balance, and propose house rules that are balanced."""
    from tripot.lab.balance.outcomes import load_outcomes
    from tripot.lab.balance.rule_search import Wanted, propose
    from tripot.lab.balance.surface import Surface
    from tripot.terminal.surface import proposal_file, show_proposals, show_surface

    make_folder(output)
    try:
        outcomes = load_outcomes(folder)
        found = Surface(outcomes, parts or -(-len(outcomes.parts) // 2), changed)
    except ValueError as error:
        raise BadInput(str(error)) from None
    proposals = propose(found, Wanted(within, shortest, longest), count)
    for number, proposal in enumerate(proposals, 1):
        (output / f"proposal-{number}.toml").write_text(proposal_file(found, proposal), "utf-8")
    console().print(show_surface(found))
    console().print(show_proposals(found, proposals, output))


@app.command()
def imitate(
    game_name: GameName,
    datasets: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Datasets that `export` wrote.")],
    output: RunFolder = Path("clone"),
    epochs: Annotated[int, number_option("How often to go through the datasets.")] = 10,
    width: Annotated[int, number_option("Width of the network, unless it starts with weights.")] = 256,
    device: Device = None,
    start: Start = None,
) -> None:
    """Train a network to decide as bots did. Needs PyTorch and pyarrow: the extras `train` and `data`."""
    game, device = find_game(game_name), find_device(device)
    from tripot.lab.training.imitation import imitate as fit

    if epochs < 1:
        raise BadInput(f"cannot go through the datasets {epochs} times")
    try:
        path = fit(game, datasets, output, device, start or "", width, epochs, console().print)
    except ModuleNotFoundError:
        raise BadInput("datasets need the extra 'data': pip install 'tripot[data]'") from None
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from None
    console().print(f"weights: {path}; play them as network:{path}")


@app.command()
def kinds(
    game_name: GameName,
    weights: Annotated[str, typer.Argument(metavar="WEIGHTS", help="A file, a folder, or `network`.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File of weights to write.")],
    games: Annotated[int, number_option("Games to learn from.")] = 1500,
    seed: Annotated[int, number_option("Seed of the first game.")] = 7_000_000,
) -> None:
    """Teach weights to tell which of the others play like them: `guided` looks ahead accordingly. Needs PyTorch."""
    game = find_game(game_name)
    if games < 12:
        raise BadInput(f"{games} games are too few to learn from")
    check_page(output)
    find_device("cpu")
    from tripot.lab.training.kinds import play, taught
    from tripot.lab.training.opponents import given_weights
    from tripot.terminal.progress import progress_bar

    try:
        given = given_weights(weights, game)
        with progress_bar(games) as progress:
            seen = play(game, given, games, seed, progress)
        taught(given, seen, console().print).save(output)
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from None
    console().print(f"weights: {output}; play them as network:{output}")


# --- Checks of the input ---


def check_training(
    game: Game,
    seats: int | None,
    minutes: float,
    evaluated: int | None,
    league: float | None,
    discount: float | None,
    rate: float | None,
) -> None:
    """Raises BadInput for a number that no training run can have."""
    if seats is not None and seats not in game.seats:
        raise BadInput(f"{game.name} is for {' or '.join(map(str, game.seats))} players, not {seats}")
    if not 0 < minutes <= 100_000:
        raise BadInput(f"cannot learn for {minutes} minutes")
    if evaluated is not None and evaluated < 0:
        raise BadInput(f"cannot play {evaluated} deals against the pool")
    if league is not None and not 0 <= league <= 1:
        raise BadInput(f"{league} is no share of the tables: choose one from 0 to 1")
    if discount is not None and not 0 < discount <= 1:
        raise BadInput(f"{discount} is no discount: choose one above 0, and 1 at most")
    if rate is not None and not 0 < rate < 1:
        raise BadInput(f"{rate} is no learning rate: choose one between 0 and 1")


def check_meeting(meet: list[str] | None, meeting: float | None, league: float | None) -> float:
    """The share of the tables at which given networks play. Raises BadInput if it fits nothing."""
    if not meet:
        if meeting:
            raise BadInput("--meeting is for networks that --meet names")
        return 0.0
    meeting = 0.3 if meeting is None else meeting
    if not 0 < meeting <= 1 or meeting + (league or 0) > 1:
        raise BadInput(f"{meeting} is no share of the tables beside a league of {league or 0}")
    return meeting


def read_ranges(path: Path | None) -> str | None:
    """The text of a file of ranges."""
    try:
        return None if path is None else path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise BadInput(f"{path}: cannot read the ranges of house rules: {error}") from None


def find_device(device: str | None) -> str:
    """The device asked for, or the best there is. Raises BadInput if PyTorch or the device is missing."""
    try:
        import torch
    except ImportError:
        raise BadInput("training needs PyTorch: pip install 'tripot[train]'") from None
    found = torch.cuda.is_available()
    device = device or ("cuda" if found else "cpu")
    if device not in ("cuda", "cpu") or (device == "cuda" and not found):
        raise BadInput(f"cannot train on '{device}': PyTorch finds {'cuda and cpu' if found else 'cpu alone'}")
    return device


def open_run(folder: Path, resume: bool, game: str, device: str | None, **given: Any) -> TrainingRun:
    """Opens a training run. One that is there already is resumed only when that is asked for."""
    if "LOCAL_RANK" in os.environ:  # one of several processes of `torchrun`: each sees a GPU of its own
        os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]
    device = find_device(device)
    from tripot.lab.training.run import CHECKPOINT, TrainingRun
    from tripot.lab.training.settings import settings_for

    if (folder / CHECKPOINT).exists() != resume:
        raise BadInput(
            f"{folder} holds {'no run' if resume else 'a run already: --resume it, or choose another folder'}"
        )
    asked = settings_for(game, device, **given)
    try:
        return TrainingRun(folder, asked, console().print)
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from None


def open_games_file(table: Table, bots: str | None, save: Path | None, merged: list[Path]) -> GamesFile:
    """Opens the games file. Without --bots, the saved games name the bots."""
    from tripot.lab.arena.contest import new_contest
    from tripot.lab.arena.games_file import GamesFile, check_fit, read_games

    if bots is not None:
        named = [bot.strip() for bot in bots.split(",")]
        for bot in named:
            find_any_bot(bot, table.game)
        return GamesFile(new_contest(table.game, table.seats, table.options, named), save)
    known = [path for path in [*([save] if save else []), *merged] if path.exists()]
    if not known:
        raise BadInput("name the bots to compare: --bots a,b,c")
    found = read_games(known[0]).contest
    check_fit(known[0], found, new_contest(table.game, table.seats, table.options, found.circle))
    return GamesFile(found, save)


def find_runner(workers: int | None, cluster: str | None) -> Runner:
    """Returns the runner for the games: worker processes on this machine, or a cluster."""
    from tripot.lab.arena.cluster import run_on_cluster
    from tripot.lab.arena.workers import run_on_cores

    if workers is not None and workers < 1:
        raise BadInput(f"cannot play in {workers} processes: choose at least 1")
    if workers is not None and cluster is not None:
        raise BadInput("choose --workers or --cluster, not both")
    return run_on_cores(workers) if cluster is None else run_on_cluster(cluster)


def check_games(games: int, lowest: int) -> int:
    if not lowest <= games <= MOST_GAMES:
        raise BadInput(f"cannot play {games} games: choose {lowest} to {MOST_GAMES}")
    return games


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot create the folder {path}: {error.strerror}") from None


def check_page(path: Path | None) -> None:
    """Raises BadInput if the page cannot be written, before hours of play and not after."""
    if path is None:
        return
    there = path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
    if not there:
        path.unlink()


def read_page(path: Path | None) -> str:
    """Returns what is written there, "" if nothing is. Raises BadInput if it is no text."""
    try:
        return path.read_text("utf-8") if path is not None and path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None


def write_page(path: Path, page: str) -> None:
    try:
        path.write_text(page, "utf-8")
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def bad_input_on_errors() -> Iterator[None]:
    """Turns the errors of the lab into BadInput, which prints one sentence."""
    from tripot.lab.arena.cluster import BadCluster
    from tripot.lab.arena.games_file import BadGamesFile
    from tripot.lab.arena.schedule import BadLineup
    from tripot.lab.arena.workers import LostWorker
    from tripot.lab.perft import BadOpening

    try:
        yield
    except (BadCluster, BadOpening, BadGamesFile, BadLineup, LostWorker) as error:
        raise BadInput(str(error)) from None
