"""Tournaments: bots meet on the same deals in every seat."""
