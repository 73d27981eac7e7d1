"""The luck of tests: what a served table deals follows from the test that opens it.

Servers and clients draw 256 random bits for every deal. In tests they get a hash of the test's name and of the number
of draws in that test, whatever ran before it and in whichever worker. All processes of a test append to one file, and
its length is their count.
"""

import hashlib
import json
import os
import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

VARIABLE = "TEST_LUCK"  # the folder of the files, for the processes that a test starts
SERVER, CLIENT, NAMES = "server", "client", "names"  # what draws; no two depend on each other's order

PAGE = """(() => {
  let state = SEED;
  crypto.getRandomValues = (bytes) => {
    for (const place of bytes.keys()) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      bytes[place] = state >>> 24;
    }
    return bytes;
  };
})()"""


def begin(test: str) -> None:
    """From now on the luck follows from this test."""
    for what in (SERVER, CLIENT, NAMES):
        _file(what).write_text(f"{test}\n", "utf-8")


def draw(what: str) -> str:
    """The next 256 bits of the test that is running, as 64 hexadecimal digits."""
    with _file(what).open("ab", buffering=0) as drawn:
        drawn.write(b".")
        length = drawn.tell()
    test = _file(what).read_text("utf-8").partition("\n")[0]
    return hashlib.sha256(f"{what} {length} {test}".encode()).hexdigest()


def _file(what: str) -> Path:
    return Path(os.environ[VARIABLE]) / what


def replace() -> None:
    """Replaces what servers and clients of this process draw at random."""
    from tripot.web import client
    from tripot.web.api import lobby
    from tripot.web.live import seating

    client.new_secret = partial(draw, CLIENT)
    lobby.new_secret = seating.new_secret = partial(draw, SERVER)
    seating.random = SimpleNamespace(choice=choice)


def choice(names: Sequence[str]) -> str:
    """The next name of a bot."""
    return random.Random(draw(NAMES)).choice(names)


def page_script(visitor: int) -> str:
    """What a page runs first, so that the browser's own random bytes are the same in every run."""
    return PAGE.replace("SEED", json.dumps(visitor))
