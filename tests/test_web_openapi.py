"""schemathesis tries all requests of the OpenAPI description: every answer is one that the description lists."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS

from tests.served import Served
from tests.test_web_hostile import FEWEST, NAME
from tripot.web.api.app import build
from tripot.web.api.messages import Opened
from tripot.web.ops.settings import Settings

pytestmark = pytest.mark.server


def can_be_wrong(operation: dict[str, Any]) -> bool:
    """Whether an operation can get invalid input: any path is valid, but a body or a query may not be."""
    return "requestBody" in operation or any(part["in"] == "query" for part in operation.get("parameters", []))


GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
DESCRIBED = [
    (path, method, operation)
    for path, methods in build(Settings()).openapi()["paths"].items()
    for method, operation in methods.items()
]
OPERATIONS = [
    *((GOOD, path, method) for path, method, _ in DESCRIBED),
    *((BAD, path, method) for path, method, operation in DESCRIBED if can_be_wrong(operation)),
]
# A well-formed request may still be refused: no such table, no such game, no such bot.
LEFT_OUT = ["positive_data_acceptance", "missing_required_header", "ignored_auth"]
CHECKED = [check for name in CHECKS.get_all_names() if name not in LEFT_OUT for check in CHECKS.get_by_names([name])]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("openapi") / "tables.sqlite") as served:
        yield served


@pytest.fixture(scope="module")
def opened(server: Served) -> Opened:
    return server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)], open=True)


@pytest.fixture(scope="module")
def schema(server: Served) -> Any:
    return schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")


@pytest.mark.parametrize(("mode", "path", "method"), OPERATIONS, ids=lambda part: getattr(part, "value", part))
def test_every_answer_is_described(opened: Opened, schema: Any, mode: GenerationMode, path: str, method: str) -> None:
    operation = schema[path][method.upper()]

    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans())
    def attempt(case: Case, real: bool) -> None:
        if real:
            with_real_names(case, opened)
        response = case.call(headers={"connection": "close"})
        case.validate_response(response, checks=CHECKED)
        assert response.status_code < 500

    attempt()


def with_real_names(case: Case, opened: Opened) -> None:
    """Puts the ids of an existing table and invitation into the path."""
    for name, value in (("table_id", opened.table.id), ("code", opened.link.removeprefix("/join/")), ("game", NAME)):
        if name in case.path_parameters:
            case.path_parameters[name] = value
