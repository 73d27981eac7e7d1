"""Fuzzing with a million malformed inputs: `python -m tests.fuzz [TARGET …] [--runs N] [--seed N] [--engine atheris]`.

A target reads bytes and may refuse them with its own error. Any other exception is a fault: it is printed and ends the
run with exit code 1. Inputs are good inputs with changes: in the bytes of the text, and in the values of the document
(a record is sealed again, so that the code behind the seal check is reached). With atheris, where it is installed,
coverage guides the changes instead.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from tripot import GAMES
from tripot.core import options
from tripot.core.options import BadOption, parse, parse_pairs
from tripot.table import record as replays
from tripot.table.record import BadRecord, _seal, loads, record_of, replay
from tripot.table.table import Table
from tripot.terminal.game_file import read_record
from tripot.web.api import messages, socket
from tripot.web.api.messages import read_client_message
from tripot.web.api.socket import id_of, parse_message
from tripot.web.ops import errors
from tripot.web.ops.errors import ApiError

Document = Any
PIECES = [
    b"", b"0", b"-1", b"1e999", b"NaN", b"null", b"true", b'""', b"{}", b"[]", b"[[[[[[[[", b"}", b'"', b"\\", b"=",
    b"\\u0000", b"\xff", b"\x00", b"\r\n", b"9" * 40, b"9" * 5000, b"[" * 3000, b'{"a":' * 3000, "é😀".encode(),
    b"\xed\xa0\x80", b'["Muster"]', b"copies = 3", b"1979-05-27T07:32:00Z", b"inf", b"0x7fffffffffffffff",
    b'"""', b"'''",
]  # fmt: skip
VALUES: list[Document] = [
    None, True, False, 0, 1, -1, 2, 3, 15, 16, 127, 128, 255, 2**31 - 1, 2**31, 2**63, 2**64, 10**40, 0.5, -0.0, 1e308,
    "", "0", "-1", "x" * 300, "1" * 29, "é\u0000", "house", "[1]", [], [[]], {}, {"": None}, [0] * 300, [[0, 0]] * 30,
    *GAMES,
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A parser of untrusted input."""

    name: str
    read: Callable[[bytes], None]  # refuses bad input without raising
    good: Sequence[bytes]


# --- Targets ----------------------------------------------------------------------------------------------


def take_message(data: bytes) -> None:
    """A client message, as a socket receives it."""
    text = data.decode("utf-8", "replace")
    number = id_of(text)
    assert number is None or 0 <= number < 2**31
    try:
        parse_message(text)
    except ApiError as error:
        assert error.problem.reason == "malformed"


def take_record(data: bytes) -> None:
    """A record, as `tripot replay FILE` and an upload read it."""
    FILE.write_bytes(data)
    try:
        replay(read_record(FILE), GAMES)
    except BadRecord as error:
        assert str(error)


def take_deck(data: bytes) -> None:
    """Trieste's deck, from a file named on the command line and from a browser."""
    kind = GAMES["trieste"].options
    FILE.write_bytes(data)
    try:
        assert parse_pairs(kind, [f"deck={FILE}"])
    except BadOption as error:
        assert str(error)
    try:
        assert parse(kind, {"deck": data.decode("utf-8", "replace")})
    except BadOption as error:
        assert str(error)


FOLDER = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())
FILE = FOLDER / f"tripot-fuzz-{random.SystemRandom().getrandbits(48):x}"


def good_messages() -> list[bytes]:
    said: list[Document] = [
        {"type": "hello", "token": "x" * 43, "heard": 7},
        {"type": "hello", "token": None},
        {"type": "try", "id": 3, "sequence": 12, "actions": [1, 2, 3], "any_order": True},
        {"type": "decide", "id": 4, "sequence": 12, "actions": [5]},
        {"type": "hold", "id": 5, "seat": 2, "level": "easy"},
        {"type": "release", "id": 6, "seat": 2},
        {"type": "fill", "id": 7, "seat": 3, "level": "hard"},
        {"type": "ping", "id": 8},
    ]
    found = [json.dumps(message).encode() for message in said]
    for text in found:
        read_client_message(text.decode())
    return found


def good_records() -> list[bytes]:
    """Returns records of the first decisions of every game and table size; longer ones would only be slower."""
    found = []
    for name, game in GAMES.items():
        for seats in game.seats:
            table, rng = Table(game, seats, 5), random.Random(seats)
            for _ in range(6):
                offer = table.offer(table.waiting[0])
                table.decide(offer.seat, rng.choice(offer.legal), offer.sequence)
            found.append(record_of(table, ["person:Anna", "sensible"]).dumps().encode())
        assert loads(found[-1].decode()).game == name
    return found


def good_decks() -> list[bytes]:
    rows = json.dumps(GAMES["trieste"].options().deck)
    text = '["Patrol Officer"]\ncopies = 4\ncost = 2\nreach = 2\n\n["Muster"]\ncopies = 3\n\n["Burglar"]\nlevel = 3\n'
    return [text.encode(), b"[Muster]\ncost = 1\n", b"", rows.encode()]


TARGETS = {
    "message": Target("message", take_message, good_messages()),
    "record": Target("record", take_record, good_records()),
    "deck": Target("deck", take_deck, good_decks()),
}


# --- How inputs are changed -------------------------------------------------------------------------------


def changed(target: Target, rng: random.Random) -> bytes:
    """Returns a good input with a few changes."""
    data = rng.choice(target.good)
    if rng.random() < 0.5 and data.startswith((b"{", b"[[")):
        document = json.loads(data)
        for _ in range(rng.choice((1, 1, 2, 3))):
            document = with_another_value(document, rng)
        if isinstance(document, dict) and "seal" in document and rng.random() < 0.95:
            document["seal"] = _seal({name: value for name, value in document.items() if name != "seal"})
        data = json.dumps(document).encode("utf-8", "replace")
        if rng.random() < 0.8:
            return data
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = with_other_bytes(data, target, rng)
    return data


def with_another_value(document: Document, rng: random.Random) -> Document:
    """Returns the document with one value replaced, removed or repeated, sometimes the whole document."""
    document = copy.deepcopy(document)
    place, key = None, None
    inside = document
    while isinstance(inside, dict | list) and inside and rng.random() < 0.9:
        place, key = inside, rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        inside = place[key]
    if place is None:
        return rng.choice(VALUES)
    act = rng.random()
    if act < 0.6:
        place[key] = copy.deepcopy(rng.choice(VALUES))
    elif act < 0.75:
        place[key] = inside + rng.choice((-1, 1, 256)) if isinstance(inside, int) else [inside]
    elif act < 0.9:
        del place[key]
    elif isinstance(place, dict):
        place[rng.choice(["type", "id", "x", "", "seat", "options"])] = inside
    else:
        place.insert(0, copy.deepcopy(inside))
    return document


def with_other_bytes(data: bytes, target: Target, rng: random.Random) -> bytes:
    """Returns the text with some bytes flipped, cut, repeated, or copied from another input."""
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + rng.choice((0, 1, 1, 2, 4, 16, 200)))
    act = rng.randrange(6)
    if act == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if act == 1:
        return data[:at] + data[to:]
    if act == 2:
        return data[:at] + data[at:to] * rng.choice((2, 3, 50)) + data[to:]
    if act == 3:
        return data[:at] + rng.choice(target.good)[at:]
    if act == 4:
        return data[:at] + rng.randbytes(to - at) + data[to:]
    return data[:at] + rng.choice(PIECES) + data[to:]


# --- Running ----------------------------------------------------------------------------------------------


class FaultFound(Exception):
    """A target failed on an input. The message holds the input and the traceback."""


def run(target: Target, runs: int, seed: int, report: Callable[[str], None] = lambda _: None) -> Counter[int]:
    """Tries changed inputs. Returns the number of inputs by length (in powers of two). Raises FaultFound."""
    rng = random.Random(f"{target.name} {seed}")
    lengths: Counter[int] = Counter()
    start = time.monotonic()
    for number in range(1, runs + 1):
        data = changed(target, rng)
        attempt(target, data)
        lengths[len(data).bit_length()] += 1
        if number % 50_000 == 0:
            report(f"{target.name}: {number:,} inputs, {number / (time.monotonic() - start):,.0f} a second")
    return lengths


def attempt(target: Target, data: bytes) -> None:
    try:
        target.read(data)
    except Exception as error:
        happened = traceback.format_exc(limit=-6)
        raise FaultFound(f"{target.name}: {data[:600]!r} ({len(data)} bytes)\n{happened}") from error


def run_atheris(target: Target, runs: int, seed: int) -> None:
    """Runs a target under atheris, which ends the process itself."""
    import atheris

    for module in (messages, options, replays, socket, errors):
        for function in vars(module).values():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                atheris.instrument_func(function)
    atheris.Setup([sys.argv[0], f"-runs={runs}", f"-seed={seed}", "-max_len=4096"], target.read)
    atheris.Fuzz()


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    given.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="all targets unless named")
    given.add_argument(
        "--runs", type=int, default=1_000_000, help="total number of inputs, divided evenly among the targets"
    )
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--engine", choices=["own", "atheris"], default="own")
    wanted = given.parse_args()
    names = wanted.targets or list(TARGETS)
    if wanted.engine == "atheris" and len(names) != 1:
        given.error("atheris takes one target")
    total = 0
    try:
        for name in names:
            if wanted.engine == "atheris":
                run_atheris(TARGETS[name], wanted.runs, wanted.seed)
            runs = -(-wanted.runs // len(names))
            total += run(TARGETS[name], runs, wanted.seed, lambda line: print(line, flush=True)).total()
    except FaultFound as found:
        print(found)
        return 1
    finally:
        FILE.unlink(missing_ok=True)
    print(f"{total:,} inputs, no fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
