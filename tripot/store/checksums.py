"""Checksums of what is stored: a flipped bit in a table or a decision is found when it is read.

They guard against damaged disks, not against people: whoever can write to the database can compute them too.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

SIGN = 1 << 31  # a column holds 32 bits with a sign


def decision_checksum(table_id: str, sequence: int, seat: int, action: int, at: int) -> int:
    """Returns the checksum of one decision in the log.

    >>> decision_checksum("t1", 1, 0, 7, 1000) != decision_checksum("t1", 1, 0, 6, 1000)
    True
    """
    return zlib.crc32(f"{table_id} {sequence} {seat} {action} {at}".encode()) - SIGN


def table_checksum(table_id: str, game: str, rules: int, seed: str, options: dict[str, Any]) -> int:
    """Returns the checksum of what never changes at a table: with its decisions, its game follows from this."""
    house_rules = json.dumps(options, sort_keys=True)
    return zlib.crc32(f"{table_id} {game} {rules} {seed} {house_rules}".encode()) - SIGN
