"""Older rule books, for games that began under them; see docs/decisions/0009-older-rules.md."""
