"""Training: networks by self-play or from exported games, and the evaluations that search uses."""
