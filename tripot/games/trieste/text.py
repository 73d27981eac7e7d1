"""Names and sentences of Trieste for people, French and English. The clause behind each stands with it."""
