"""Reviews on a server: computed among the searches, once for all who ask, and given up on request."""

import json
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.served import PATIENCE, ServedHere, patiently
from tests.test_review import finished
from tripot.coach.review import PLAYOUTS, REVIEW_SEED, Looked, look_at, moments_of, review
from tripot.web.live import reviews
from tripot.web.live.reviews import FORM, content
from tripot.web.ops.errors import ApiError
from tripot.web.ops.rate_limits import RateLimits
from tripot.web.ops.settings import Settings

pytestmark = [pytest.mark.server, pytest.mark.native]

FEW = 8  # games played on from each moment, where a server plays PLAYOUTS


def asked_as(server: ServedHere, path: str, token: str | None, body: Any) -> tuple[int, Any]:
    """A request of somebody who holds a seat."""
    return asked(server, path, "POST", json.dumps(body).encode(), token)


def asked(
    server: ServedHere, path: str, method: str = "GET", body: bytes | None = None, token: str | None = None
) -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(f"{server.address}/api/{path}", body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]["reason"]


def test_a_finished_game_is_reviewed_once_native_code_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()

    def look_later(*given: Any) -> Looked:
        assert given_up.wait(PATIENCE)
        return look_at(*given)

    assert reviews.PLAYOUTS == PLAYOUTS
    monkeypatch.setattr(reviews, "PLAYOUTS", FEW)
    monkeypatch.setattr(reviews, "look_at", look_later)
    record, table = finished("verrater")
    other, _ = finished("verrater", seed=4)
    unfinished = record.__class__(**{**vars(record), "decisions": record.decisions[:30], "result": None})
    with ServedHere(tmp_path / "tables.sqlite") as server:
        ids = [asked(server, "records", "POST", one.dumps().encode())[1]["id"] for one in (record, other, unfinished)]
        paths = [f"tables/{table_id}/review" for table_id in ids]
        assert asked(server, paths[0]) == (404, "not_found")
        assert asked(server, paths[0], "POST") == (503, "not_ready")
        assert asked(server, "tables/nowhere/review", "POST") == (404, "no_table")
        server.context.bot_pool.engine["verrater"] = "native"
        assert asked(server, paths[2], "POST") == (403, "not_over")
        status, state = asked(server, paths[0], "POST")
        assert status == 202 and state["of"] == len(record.decisions)
        assert asked(server, paths[1], "POST")[0] == 202
        assert asked(server, paths[1], "DELETE") == (204, None)
        for _ in patiently("the review is given up"):
            if asked(server, paths[1]) == (404, "not_found"):
                break
        given_up.set()
        for _ in patiently("the review is there", 240):
            if asked(server, paths[0])[1]["review"] is not None:
                break
        told = asked(server, paths[0])[1]["review"]
        for _ in patiently("the review is kept"):
            if server.run(server.context.store.review(ids[0], FORM)) is not None:
                break
    with ServedHere(tmp_path / "tables.sqlite") as again:  # another process, later: no native code is needed to read it
        assert asked(again, paths[0])[1]["review"] == told
        assert asked(again, paths[0], "POST")[1]["review"] == told
        assert again.run(again.context.store.review(ids[0], FORM + 1)) is None
    expected = content(review(record, table, playouts=FEW, seed=REVIEW_SEED), moments_of(table))
    assert told == json.loads(expected.model_dump_json())


@pytest.mark.parametrize("what", ["review", "hint", "chances"])
def test_reviews_hints_and_chances_are_limited_like_replays(what: str) -> None:
    limits = RateLimits(Settings(replays_at_once=2, replays_per_second=0.001))
    scope = {"type": "http", "method": "POST", "path": f"/api/tables/x/{what}", "client": ("192.0.2.1", 1)}
    limits.check(scope)
    limits.check(scope)
    with pytest.raises(ApiError):
        limits.check(scope)
    limits.check({**scope, "method": "DELETE"})
    limits.check({**scope, "method": "GET"})
