"""Rate limits that several processes share, on PostgreSQL."""

import asyncio

import pytest

from tests.postgres import Postgres
from tests.served import Served
from tripot.store.store import open_store
from tripot.web.client import Refused

pytestmark = pytest.mark.server


def test_two_processes_give_a_visitor_one_bucket(postgres: Postgres) -> None:
    """Six tables at once: three here and three there, and then none anywhere."""
    database = postgres.database("shared_limits")
    limits = {"tables_at_once": 6, "tables_per_hour": 0.001}
    with Served(database, **limits) as one, Served(database, **limits) as other:
        for server in (one, other, one, other, one, other):
            server.open_table("verrater", ["here", "easy", "easy"])
        for server in (one, other):
            with pytest.raises(Refused) as refused:
                server.open_table("verrater", ["here", "easy", "easy"])
            assert (refused.value.status, refused.value.problem.reason) == (429, "too_many_tables")
        assert one.client.games().games  # reads have a bucket of their own


def test_buckets_fill_by_the_databases_clock_and_sockets_are_counted_together(postgres: Postgres) -> None:
    async def work() -> None:
        one, other = [
            await open_store(postgres.database("buckets") if not n else postgres.address("buckets")) for n in (0, 1)
        ]
        await one.heartbeat()
        await other.heartbeat()
        assert [await store.take_tokens("x", 2, 0.0001) for store in (one, other, one)] == [True, True, False]
        postgres.psql("UPDATE buckets SET filled = filled - interval '3 hours'", "buckets")
        assert await other.take_tokens("x", 2, 0.0001) and not await one.take_tokens("x", 2, 0.0001)
        postgres.psql("UPDATE buckets SET filled = filled + interval '3 hours'", "buckets")  # a clock that jumped
        assert not await one.take_tokens("x", 2, 0.0001)
        postgres.psql("UPDATE buckets SET filled = filled - interval '9 days'", "buckets")
        await one.heartbeat()
        assert postgres.psql("SELECT count(*) FROM buckets", "buckets").strip() == "0"
        assert [await store.add_socket("v", 2) for store in (one, other, one)] == [True, True, False]
        await other.drop_socket("v")
        assert await one.add_socket("v", 2) and not await other.add_socket("v", 2)
        await one.close()  # a process that leaves takes its sockets with it
        assert await other.add_socket("v", 1)
        await other.close()

    asyncio.run(work())
