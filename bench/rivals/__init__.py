"""Tripot beside its peers: random play in OpenSpiel, pgx, RLCard and PettingZoo, on the same cores in one run.

One file a program; each is the only one that imports its library, and runs in a process of its own (`worker`), so that
threads and settings of one do not meet another's. Nothing is installed here: the extra `peers` does that.
"""
