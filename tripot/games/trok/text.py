"""Names and sentences of Trök for people, French and English."""
