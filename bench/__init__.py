"""Measurements beside other programs, and the goals they are held to. Part of a checkout, not of the wheel."""
