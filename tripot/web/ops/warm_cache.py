"""Compiles the bots of the named games into the cache: `python -m tripot.web.ops.warm_cache GAME …`."""

import os
import sys

from tripot.web.live.bot_pool import warm

if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # the server runs meanwhile
    for name in sys.argv[1:]:
        warm(name)
