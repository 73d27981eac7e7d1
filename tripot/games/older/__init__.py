"""Rule books under which games are finished, but none are begun: docs/decisions/0009-older-rules.md."""
