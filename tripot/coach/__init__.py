"""Coaching: what decisions were worth, counted in games played on from them."""
