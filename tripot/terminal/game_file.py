"""The file a game is saved in: never overwrites another game, always written atomically."""

from __future__ import annotations

import os
from pathlib import Path

from tripot.core.shared_seed import Seed
from tripot.table.record import BadRecord, Record, loads

SUFFIX = ".tripot.json"
LARGEST = 16 << 20  # bytes; a long game takes a few thousand


def default_path(game: str, seed: Seed) -> Path:
    """The name of a game's file: it does not tell a secret seed."""
    return Path(f"{game}-{seed if isinstance(seed, int) else seed.hash[:12]}{SUFFIX}")


class GameFile:
    """The file of one game. The first save claims a free name; every save replaces the content."""

    def __init__(self, wanted: Path, claimed: bool = False) -> None:
        self.path = wanted
        self._claimed = claimed

    def save(self, record: Record) -> None:
        """Writes the record to a temporary file and moves it into place."""
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            temporary.write_text(record.dumps(), "utf-8")
            if not self._claimed:
                self._claim()
            os.replace(temporary, self.path)
        finally:
            temporary.unlink(missing_ok=True)

    def _claim(self) -> None:
        """Claims the first free name of NAME, NAME-2, NAME-3 …"""
        wanted, number = self.path, 1
        suffix = SUFFIX if wanted.name.endswith(SUFFIX) else wanted.suffix
        stem = wanted.name.removesuffix(suffix)
        while True:
            try:
                self.path.open("x").close()
                break
            except FileExistsError:
                number += 1
                self.path = wanted.with_name(f"{stem}-{number}{suffix}")
        self._claimed = True


def read_record(path: Path) -> Record:
    """Reads the record in a file. Raises BadRecord with the reason if there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise BadRecord(f"cannot read the file: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise BadRecord(f"not a record: larger than {LARGEST >> 20} MiB")
    try:
        return loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadRecord("not a record: not a text file in UTF-8") from None
