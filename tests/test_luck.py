"""The luck of tests follows from the test, in its own process and in those that it starts."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import luck


def test_the_same_test_draws_the_same_and_another_something_else() -> None:
    drawn = []
    for name in ("one", "other", "one"):
        luck.begin(name)
        drawn.append([luck.draw(luck.SERVER) for _ in range(3)])
    assert drawn[0] == drawn[2] and len({*drawn[0], *drawn[1]}) == 6


def test_what_clients_draw_does_not_change_what_servers_draw() -> None:
    luck.begin("one")
    alone = luck.draw(luck.SERVER)
    luck.begin("one")
    luck.draw(luck.CLIENT)
    assert luck.draw(luck.SERVER) == alone


@pytest.mark.server
@pytest.mark.parametrize("kind", ["process", "thread"])
def test_tables_and_their_rematches_are_dealt_by_the_luck_of_the_test(tmp_path: Path, kind: str) -> None:
    from tests.served import Served, ServedHere

    kinds: dict[str, Any] = {"process": Served, "thread": ServedHere}
    luck.begin("a test")
    expected = {luck.draw(luck.SERVER) for _ in range(2)}
    luck.begin("a test")
    with kinds[kind](tmp_path / "tables.sqlite") as server:
        opened = server.client.open_table("verrater", ["here", "easy", "easy"])
        token = opened.tokens[0].token
        with server.client.sit(opened.table.id, token):
            server.client.end_table(opened.table.id, token)
            server.client.rematch(opened.table.id, token)
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database:
            found = database.execute("SELECT secret FROM tables").fetchall()
    assert {secret for (secret,) in found} == expected
