"""Thousands of games behind one step: one seat that learns among bots, or all seats in self-play."""
