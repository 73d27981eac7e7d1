"""Balance reports: who wins, how long games last, and which decisions and cards are used."""
