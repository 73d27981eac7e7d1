"""The commands of `tripot store`: maintain the database of a server."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from tripot import GAMES, OLDER
from tripot.cli.main import AsJson, BadInput, Database, app, find_game

if TYPE_CHECKING:
    from tripot.store.store import Store

Result = TypeVar("Result")
HOURS = {"h": 1, "d": 24, "w": 24 * 7}

store_app = typer.Typer(help="Maintain the database of a server.", rich_markup_mode=None)
app.add_typer(store_app, name="store")

BackupFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The backup file; compressed if its name ends in .gz.", show_default=False),
]


def age(typed: str) -> int:
    """Parses an age such as 12h, 90d or 2w, in milliseconds."""
    found = re.fullmatch(r"([0-9]{1,6})([hdw])", typed)
    if found is None:
        raise typer.BadParameter(f"'{typed[:40]}' is not an age: write 12h, 90d or 2w")
    return int(found[1]) * HOURS[found[2]] * 3_600_000


def at_store(database: str, work: Callable[[Store], Awaitable[Result]], new: bool = False) -> Result:
    """Opens the database, does the work and closes it. Turns failures into BadInput."""
    from tripot.store.maintenance import BadBackup
    from tripot.store.store import StoreFailed, open_store
    from tripot.web.ops.settings import Settings

    address = Settings(database=database).database_address
    file = Path(address.removeprefix("sqlite:///"))
    if address.startswith("sqlite:///") and not new and not file.exists():
        raise BadInput(f"there is no database {file}: name one with --database")

    async def done() -> Result:
        store = await open_store(address)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(done())
    except (StoreFailed, BadBackup, OSError, EOFError, UnicodeDecodeError, zlib.error) as error:  # of a damaged backup
        raise BadInput(str(error)) from None


@store_app.command()
def stats(database: Database = "", as_json: AsJson = False) -> None:
    """Count the stored tables and decisions."""
    from tripot.store import maintenance

    found = at_store(database, maintenance.stats)
    if as_json:
        print(json.dumps(asdict(found)))
        return
    for row in found.tables:
        print(f"{row['game']:10} rules {row['rules']}  {row['status']:8} {row['tables']:>10,}")
    print(f"{found.decisions:,} decisions")


@store_app.command()
def check(database: Database = "", as_json: AsJson = False) -> None:
    """Read and replay every stored game. Exits with code 1 if one fails or if the file is damaged."""
    from tripot.store import maintenance

    found = at_store(database, lambda store: maintenance.check(store, GAMES, OLDER))
    if as_json:
        print(json.dumps(asdict(found)))
    else:
        if found.damage is not None:
            print(f"the file is damaged: {found.damage}")
        for table_id, reason in found.broken.items():
            print(f"{table_id}: {reason}")
        print(f"{found.sound} replay, {found.outdated} of rules not shipped here, {len(found.broken)} do not replay")
    raise typer.Exit(1 if found.broken or found.damage else 0)


@store_app.command()
def export(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER|FILE.jsonl",
            help="Folder for one file per record, or file for one line per record.",
            show_default=False,
        ),
    ],
    game: Annotated[str | None, typer.Option(help="Export only this game.")] = None,
    database: Database = "",
) -> None:
    """Export the records of all finished games."""
    if game is not None:
        find_game(game)
    count = at_store(database, lambda store: _export(store, target, game))
    print(f"{count} games in {target}")


async def _export(store: Store, target: Path, game: str | None) -> int:
    from tripot.store import maintenance

    count = 0
    if target.suffix == ".jsonl":
        with target.open("w", encoding="utf-8") as file:
            async for _, record in maintenance.finished(store, game):
                file.write(json.dumps(json.loads(record.dumps())) + "\n")
                count += 1
        return count
    target.mkdir(parents=True, exist_ok=True)
    async for table_id, record in maintenance.finished(store, game):
        (target / f"{record.game}-{table_id}.tripot.json").write_text(record.dumps(), "utf-8")
        count += 1
    return count


@store_app.command()
def prune(
    older_than: Annotated[
        int, typer.Option(parser=age, metavar="AGE", help="Delete games unchanged for this long: 12h, 90d, 2w.")
    ],
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Delete unfinished games too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count the games without deleting them.")] = False,
    database: Database = "",
) -> None:
    """Delete old finished games and uploaded records."""
    from tripot.store import maintenance
    from tripot.store.models import now

    before = now() - older_than
    count = at_store(database, lambda store: maintenance.prune(store, before, unfinished, dry_run))
    print(f"{count} games {'would be' if dry_run else 'were'} deleted")


@store_app.command()
def backup(file: BackupFile, database: Database = "") -> None:
    """Back up all tables to a file; the server may keep running.

    The file holds secrets: protect it like the database itself.
    """
    count = at_store(database, lambda store: _backup(store, file))
    print(f"{count} tables in {file}")


async def _backup(store: Store, file: Path) -> int:
    from tripot.store import maintenance

    count = -2  # the first and the last line are not tables
    partial = file.with_name(file.name + ".part")
    partial.touch(mode=0o600)
    with _opened(partial, file.suffix, "wt") as out:
        async for line in maintenance.backup(store):
            out.write(line + "\n")
            count += 1
    partial.replace(file)
    return count


@store_app.command()
def restore(file: BackupFile, database: Database = "") -> None:
    """Restore a backup into an empty database.

    The backup may come from the other kind of database (SQLite or PostgreSQL).
    """
    from tripot.store import maintenance

    async def filled(store: Store) -> int:
        with _opened(file, file.suffix, "rt") as lines:
            return await maintenance.restore(store, lines)

    print(f"{at_store(database, filled, new=True)} tables from {file}")


@store_app.command("verify-backup")
def verify_backup(
    file: BackupFile,
    max_age: Annotated[
        int | None, typer.Option(parser=age, metavar="AGE", help="Fail if its newest game is older than this: 36h.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into a temporary database and replay every game in it; for a schedule.

    Prints one line. Exits with code 0 if everything is there, and with 1 if not.
    """
    from tempfile import TemporaryDirectory

    from tripot.store import maintenance
    from tripot.store.models import now

    async def checked(store: Store) -> maintenance.BackupResult:
        with _opened(file, file.suffix, "rt") as lines:
            return await maintenance.verify_backup(store, lines, GAMES, OLDER)

    problem, found = None, None
    try:
        with TemporaryDirectory(prefix="tripot-backup-") as folder:
            found = at_store(f"sqlite:///{folder}/restored.sqlite", checked, new=True)
        if found.broken:
            problem = f"{len(found.broken)} games do not replay, the first is {next(iter(found.broken))}"
        elif max_age is not None and (found.newest is None or found.newest < now() - max_age):
            problem = "its newest game is too old"
    except BadInput as error:
        problem = str(error)
    if as_json:
        print(
            json.dumps(
                {"file": str(file), "good": problem is None, "problem": problem, **(asdict(found) if found else {})}
            )
        )
    elif problem is not None:
        print(f"{file}: BAD: {problem}")
    elif found is not None:
        print(
            f"{file}: good: {found.tables} tables and {found.decisions} decisions restored, {found.sound} games replay"
        )
    raise typer.Exit(0 if problem is None else 1)


@store_app.command()
def audit(
    table: Annotated[str | None, typer.Option(metavar="ID", help="Only this table.")] = None,
    last: Annotated[
        int | None, typer.Option(parser=age, metavar="AGE", help="Only the last 12h, 90d, 2w.", show_default="30d")
    ] = None,
    most: Annotated[int, typer.Option(help="At most this many entries, the latest.")] = 1000,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Print who took, moved, held, filled or left which seat, what hosts changed, and prunes."""
    from datetime import UTC, datetime

    from tripot.store import maintenance
    from tripot.store.models import now

    since = now() - (30 * 24 * 3_600_000 if last is None else last)
    found = at_store(database, lambda store: maintenance.audit_entries(store, table, since, most))
    for entry in found:
        if as_json:
            print(json.dumps(entry._asdict()))
            continue
        moment = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        seat = "" if entry.seat is None else f"seat {entry.seat + 1}"
        print(f"{moment}  {entry.table_id or '-':16}  {seat:7} {entry.what:9} {entry.detail or ''}".rstrip())


@store_app.command()
def withdraw(
    table: Annotated[str, typer.Argument(metavar="ID", help="The table.", show_default=False)],
    seat: Annotated[int | None, typer.Option(help="Only this seat, counted from 1.")] = None,
    database: Database = "",
) -> None:
    """Withdraw the tokens of a table: no device holds its seats any more."""
    from tripot.store import maintenance

    place = None if seat is None else seat - 1
    count = at_store(database, lambda store: maintenance.withdraw(store, table, place))
    print(f"{count} tokens of table {table} were withdrawn")


def _opened(path: Path, suffix: str, mode: str) -> IO[str]:
    opened: Any = gzip.open if suffix == ".gz" else open
    return cast("IO[str]", opened(path, mode, encoding="utf-8"))
