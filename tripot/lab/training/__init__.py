"""Fitting the evaluations that search uses."""
