"""Names that cannot be guessed: tables, invitations, and the tokens that are the right to a seat."""

import base64
import hashlib
import hmac
import secrets


def new_table_id() -> str:
    return secrets.token_urlsafe(12)


def record_id(seal: str) -> str:
    """The table of an uploaded record: the same for the same record, wherever tables are stored."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"record {seal}".encode()).digest()[:12]).decode()


def new_invite(table_id: str) -> str:
    """Leads to its table: whoever spreads tables over databases finds the one that knows it."""
    return table_id + secrets.token_urlsafe(12)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_seed() -> int:
    return secrets.randbits(64)


def token_hash(token: str) -> str:
    """What is kept of a token. It has 256 random bits, so a plain digest cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def matches(token: str, stored_hash: str | None) -> bool:
    """Whether a token is the one that was hashed, in constant time."""
    return hmac.compare_digest(token_hash(token), stored_hash or "")
