"""Identifiers that cannot be guessed: table ids, links, and the tokens and words that give the right to a seat."""

import base64
import hashlib
import hmac
import re
import secrets

from tripot.store.models import StoredSeat
from tripot.web.ops.word_list import WORDS

ID = re.compile(r"[A-Za-z0-9_-]{1,48}")  # what fits the database
WORDS_OF_A_PASS = 6  # of 256: 48 random bits


def new_table_id() -> str:
    return secrets.token_urlsafe(12)


def is_id(text: str) -> bool:
    """Whether a text can be a table id or the code of a link. Nothing else may reach the database."""
    return ID.fullmatch(text) is not None


def record_id(seal: str) -> str:
    """Returns the table id of an uploaded record: the same for the same record, on any server."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"record {seal}".encode()).digest()[:12]).decode()


def new_link(table_id: str) -> str:
    """Returns the code of a link. It starts with the table id, so that a sharded server finds the right database."""
    return table_id + secrets.token_urlsafe(12)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Returns the stored form of a token. A token has 256 random bits, so a plain digest cannot be reversed."""
    return hashlib.sha256(token.encode()).hexdigest()


def matches(token: str, stored_hash: str) -> bool:
    """Whether a token has this hash, compared in constant time."""
    return hmac.compare_digest(token_hash(token), stored_hash)


def opens(token: str, seat: StoredSeat) -> bool:
    """Whether a token gives the right to a seat."""
    return any([matches(token, stored_hash) for stored_hash in seat.tokens])


def new_words() -> str:
    """Returns six words that bring a seat to another device."""
    return " ".join(secrets.choice(WORDS) for _ in range(WORDS_OF_A_PASS))


def read_words(text: str) -> str | None:
    """Returns the words of a pass as `new_words` writes them, or None: six words, or the first letters of each."""
    typed = text.lower().replace(",", " ").replace("-", " ").split()
    found = [[word for word in WORDS if word == part or (len(part) >= 4 and word.startswith(part))] for part in typed]
    known = [words[0] for words in found if len(words) == 1]
    return " ".join(known) if len(known) == len(typed) == WORDS_OF_A_PASS else None
