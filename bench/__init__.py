"""Comparisons with other programs, goals, and the benchmark pages. Part of a checkout, not of the wheel."""
