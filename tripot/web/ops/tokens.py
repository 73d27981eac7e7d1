"""Identifiers that cannot be guessed: table ids, invite codes, and the tokens that give the right to a seat."""

import base64
import hashlib
import hmac
import secrets


def new_table_id() -> str:
    return secrets.token_urlsafe(12)


def record_id(seal: str) -> str:
    """Returns the table id of an uploaded record: the same for the same record, on any server."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"record {seal}".encode()).digest()[:12]).decode()


def new_invite(table_id: str) -> str:
    """Returns an invite code. It starts with the table id, so that a sharded server finds the right database."""
    return table_id + secrets.token_urlsafe(12)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_seed() -> int:
    return secrets.randbits(64)


def token_hash(token: str) -> str:
    """Returns the stored form of a token. A token has 256 random bits, so a plain digest cannot be reversed."""
    return hashlib.sha256(token.encode()).hexdigest()


def matches(token: str, stored_hash: str | None) -> bool:
    """Whether a token has this hash, compared in constant time."""
    return hmac.compare_digest(token_hash(token), stored_hash or "")
