"""docs/protocol.md is correct: its examples are valid, its tables complete, its program runs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.served import Served
from tripot.table.refusal import Reason
from tripot.web.api import messages
from tripot.web.live.connection import CloseCode
from tripot.web.ops.errors import ErrorCode

pytestmark = pytest.mark.server

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text("utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def examples() -> list[dict[str, Any]]:
    """Returns every JSON object on the page; a block may hold several, one a line."""
    found = []
    for block in BLOCKS:
        try:
            found.append(json.loads(block))
        except json.JSONDecodeError:
            found += [json.loads(line) for line in block.strip().splitlines()]
    return found


def fields(model: type[Any]) -> set[str]:
    return set(model.model_fields)


@pytest.mark.parametrize("example", [e for e in examples() if "type" in e], ids=lambda example: str(example["type"]))
def test_examples_of_messages_have_the_fields_of_their_type(example: dict[str, Any]) -> None:
    kinds = {model.model_fields["type"].annotation.__args__[0]: model for model in models() if "type" in fields(model)}
    assert set(example) == fields(kinds[example["type"]])


def models() -> list[type[Any]]:
    return [m for m in vars(messages).values() if isinstance(m, type) and hasattr(m, "model_fields")]


def test_examples_of_client_messages_are_valid() -> None:
    said = [e for e in examples() if e.get("type") in ("try", "decide", "hold", "release", "fill", "say", "ping")]
    assert len(said) == 7
    for example in said:
        assert messages.read_client_message(json.dumps(example)).model_dump() == example


def test_examples_of_requests_and_answers_have_the_right_form() -> None:
    by_form = {frozenset(example): example for example in examples()}
    assert messages.NewTable.model_validate(by_form[frozenset(fields(messages.NewTable))])
    assert messages.Opened.model_validate(by_form[frozenset(fields(messages.Opened))])
    assert messages.Failure.model_validate(by_form[frozenset({"error"})])
    assert by_form[frozenset(fields(messages.Catalogue))]
    assert by_form[frozenset(fields(messages.Replay))]


def test_every_reason_and_every_code_is_on_the_page() -> None:
    for word in [*(code.name.lower() for code in ErrorCode), *(reason.name.lower() for reason in Reason)]:
        assert f"`{word}`" in PAGE
    for code in ErrorCode:
        row = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`{code.name.lower()}`" in line)
        assert f"| {code.value.status} |" in row
    for close_code in CloseCode:
        assert f"| {close_code} |" in PAGE


def test_every_type_of_message_is_on_the_page() -> None:
    for model in models():
        if "type" in fields(model):
            (kind,) = model.model_fields["type"].annotation.__args__
            assert f'"{kind}"' in PAGE


def test_the_program_on_the_page_plays_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with Served(tmp_path / "tables.sqlite") as server:
        exec(program.replace("http://127.0.0.1:8000", server.address), {})
    assert sum(json.loads(capsys.readouterr().out)) == 60
