"""Random play in Tripot beside OpenSpiel, pgx, RLCard and PettingZoo, on the same cores in one run.

One file per program. Each file is the only one that imports that program's library, and runs in a process of its own
(`worker`), so that threads and settings of one library do not affect another. The extra `peers` installs the libraries.
"""
