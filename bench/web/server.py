"""The server under load, in its own process: `python -m bench.web.server JSON`."""

import json
import sys

from tripot.web.ops.serve import serve
from tripot.web.ops.settings import Settings

if __name__ == "__main__":
    serve(port=0, browser=False, settings=Settings(**json.loads(sys.argv[1])))
