"""Untrusted input is accepted or refused with an error: a bounded part of what `python -m tests.fuzz` does."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import FILE, TARGETS, FaultFound, Target, changed, run
from tests.test_web_hostile import JSON
from tripot.core.options import BadOption, parse, parse_pairs
from tripot.games.trieste import GAME as TRIESTE
from tripot.table.record import FORMAT, BadRecord, _seal, loads

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_changed_inputs_are_accepted_or_refused(target: Target) -> None:
    assert run(target, 1500, seed=2026).total() == 1500
    FILE.unlink(missing_ok=True)


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_good_inputs_are_accepted_and_changed_ones_differ(target: Target) -> None:
    rng = random.Random(1)
    for data in target.good:
        target.read(data)
    assert len({changed(target, rng) for _ in range(200)}) > 150
    FILE.unlink(missing_ok=True)


def test_a_fault_would_be_found() -> None:
    def careless(data: bytes) -> None:
        json.loads(data)

    with pytest.raises(FaultFound, match="JSONDecodeError"):
        run(Target("careless", careless, TARGETS["message"].good), 1000, seed=1)


@pytest.mark.process
def test_the_command_says_how_many_it_tried() -> None:
    words = [sys.executable, "-m", "tests.fuzz", "message", "--runs", "300"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "300 inputs, no fault\n"), done.stderr


@given(
    st.fixed_dictionaries({name: JSON for name in ("game", "rules", "options", "seats", "seed", "players")}), JSON, JSON
)
@settings(max_examples=60)
def test_any_sealed_document_is_a_record_or_is_refused(
    content: dict[str, object], decisions: object, result: object
) -> None:
    document = {"format": FORMAT, **content, "decisions": decisions, "result": result}
    text = json.dumps({**document, "seal": _seal(document)})
    with pytest.raises(BadRecord, match=r"."):
        loads(text)


@given(st.text(max_size=100) | st.binary(max_size=100).map(lambda raw: raw.decode("latin-1")))
@settings(max_examples=100)
def test_any_text_is_a_deck_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "deck.toml"
    path.write_text(text, "utf-8", "surrogatepass")
    for read in (
        lambda: parse_pairs(TRIESTE.options, [f"deck={path}"]),
        lambda: parse(TRIESTE.options, {"deck": text}),
    ):
        try:
            assert read()
        except BadOption as error:
            assert str(error)


def test_a_deck_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text("[Muster]\ncost = " + "[" * 5000, "utf-8")
    with pytest.raises(BadOption, match="not nested like this"):
        parse_pairs(TRIESTE.options, [f"deck={tmp_path}/deck.toml"])
