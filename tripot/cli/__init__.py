"""The command line: one thin function for each command."""
