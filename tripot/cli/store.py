"""The commands of `tripot store`: look after the database of a server."""

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

store_app = typer.Typer(help="Look after the database of a server.", rich_markup_mode=None)
app.add_typer(store_app, name="store")

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .gz to be compressed.", show_default=False)]


def age(typed: str) -> int:
    """How long ago, in milliseconds: 12h, 90d, 2w."""
    found = re.fullmatch(r"([0-9]{1,6})([hdw])", typed)
    if found is None:
        raise typer.BadParameter(f"'{typed[:40]}' is no age: write 12h, 90d or 2w")
    return int(found[1]) * HOURS[found[2]] * 3_600_000


def at_store(database: str, work: Callable[[Store], Awaitable[Result]], new: bool = False) -> Result:
    """Open the database, do something, close it. What goes wrong is said in a sentence."""
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
    """Count tables and decisions."""
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
    """Play every stored game again; exit code 1 if one does not replay."""
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
    target: Annotated[Path, typer.Argument(metavar="FOLDER|FILE.jsonl", help="A record a file, or a record a line.")],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    database: Database = "",
) -> None:
    """Write the records of all finished games."""
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
    older_than: Annotated[int, typer.Option(parser=age, metavar="AGE", help="12h, 90d, 2w since the last change.")],
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Unfinished games too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
    database: Database = "",
) -> None:
    """Delete old games that ended, and uploaded records."""
    from tripot.store import maintenance
    from tripot.store.models import now

    before = now() - older_than
    count = at_store(database, lambda store: maintenance.prune(store, before, unfinished, dry_run))
    print(f"{count} games {'would be' if dry_run else 'were'} deleted")


@store_app.command()
def backup(file: BackupFile, database: Database = "") -> None:
    """Write all tables to a file while the server runs. It holds secrets: keep it as you keep the database."""
    count = at_store(database, lambda store: _backup(store, file))
    print(f"{count} tables in {file}")


async def _backup(store: Store, file: Path) -> int:
    from tripot.store import maintenance

    count = -2  # the first line and the last are no tables
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
    """Fill an empty database from a backup; it may be of another kind than the one the backup is from."""
    from tripot.store import maintenance

    async def filled(store: Store) -> int:
        with _opened(file, file.suffix, "rt") as lines:
            return await maintenance.restore(store, lines)

    print(f"{at_store(database, filled, new=True)} tables from {file}")


def _opened(path: Path, suffix: str, mode: str) -> IO[str]:
    opened: Any = gzip.open if suffix == ".gz" else open
    return cast("IO[str]", opened(path, mode, encoding="utf-8"))
