"""Balance reports: who wins, how long games last, and which cards are used."""
