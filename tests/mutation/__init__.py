"""Mutation testing: `make mutants` changes the sources one place at a time and asks whether a test notices."""
