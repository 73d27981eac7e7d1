"""A table's id leads to all that belongs to it, so that tables can be sharded over databases: docs/scaling.md."""

import inspect
import re
from pathlib import Path

import pytest
from sqlalchemy import PrimaryKeyConstraint

from tests.served import Served
from tripot import GAMES
from tripot.store import schema
from tripot.store.store import Store
from tripot.table.record import record_of
from tripot.table.table import Table
from tripot.web.api.app import build
from tripot.web.client import Refused
from tripot.web.ops.settings import Settings

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
# What does not belong to a table: every database has its own.
FIRST = {"tables": "id", "processes": "id", "audit": "id", "buckets": "id", "sockets": "process"}
ACROSS_TABLES = {
    "take_tokens",  # limits are a visitor's: each database counts those of its own tables
    "add_socket",
    "drop_socket",
    "open_tables",
    "running_tables",
    "finished_tables",
    "passed_seat",
    "quick_check",
    "table_ids",
    "tables_awaiting_bots",
    "heartbeat",
    "adopt",
    "ping",
    "close",
}  # queries to every database
BY_NAME = {"record_with_seal": "record_id", "invitation": "new_link"}  # the id is derived from the argument


def test_the_tables_id_comes_first_in_every_key() -> None:
    for table in schema.metadata.tables.values():
        key = table.primary_key
        assert isinstance(key, PrimaryKeyConstraint)
        first = next(iter(key.columns)).name
        assert first == FIRST.get(table.name, "table_id"), table.name


def test_the_tables_id_comes_first_in_every_method_of_the_store() -> None:
    for name, method in inspect.getmembers(Store, inspect.iscoroutinefunction):
        if name.startswith("_") or name in ACROSS_TABLES or name in BY_NAME:
            continue
        first = list(inspect.signature(method).parameters)[1]
        assert first in ("table", "table_id", "table_ids"), f"{name} asks for {first} first"


def test_the_tables_id_comes_first_in_every_address() -> None:
    for path in build(Settings()).openapi()["paths"]:
        names = re.findall(r"{(\w+)}", path)
        assert names in ([], ["table_id"], ["code"], ["game"]), path
        if "table_id" in names:
            assert path.startswith("/api/tables/{table_id}")


@pytest.mark.server
def test_invitations_and_records_lead_to_their_table(tmp_path: Path) -> None:
    record = record_of(Table(GAMES[NAME], FEWEST, 7)).dumps()
    ids = set()
    for number in range(2):
        with Served(tmp_path / f"{number}.sqlite") as server:
            opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
            code = opened.link.removeprefix("/join/")
            assert code.startswith(opened.table.id) and len(code) == 32
            assert server.client.invitation(code).table.id == opened.table.id
            try:
                ids.add(server.client.upload(record).id)
            except Refused as refused:
                raise AssertionError(refused.problem) from None
            assert server.client.upload(record).id in ids
    assert len(ids) == 1
