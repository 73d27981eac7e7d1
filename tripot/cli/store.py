"""The commands of `tripot store`: maintain the database of a server."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
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
    except (StoreFailed, BadBackup, OSError) as error:
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
    """Replay every stored game. Exits with code 1 if one fails."""
    from tripot.store import maintenance

    found = at_store(database, lambda store: maintenance.check(store, GAMES, OLDER))
    if as_json:
        print(json.dumps(asdict(found)))
    else:
        for table_id, reason in found.broken.items():
            print(f"{table_id}: {reason}")
        print(f"{found.sound} replay, {found.outdated} of rules not shipped here, {len(found.broken)} do not replay")
    raise typer.Exit(1 if found.broken else 0)


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


def _opened(path: Path, suffix: str, mode: str) -> IO[str]:
    opened: Any = gzip.open if suffix == ".gz" else open
    return cast("IO[str]", opened(path, mode, encoding="utf-8"))
