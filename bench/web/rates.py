"""The server's processor time where fewer decisions come: `python -m bench.web.rates --rates 50 150 300 600 1000`.

A rate is that many tables with four connected seats each, and a decision a second at every one of them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.web.measure import Missing, Played, Report, beside_load, beside_server, install, our_load, our_server, under
from bench.web.page import rates_table

FEWER = (50, 150, 300, 600)  # than `make bench-web` measures at a thousand tables


def measure_rates(rates: Sequence[int], seconds: float, report: Report) -> dict[int, Played]:
    """Plays at each of these rates, with a new server for each."""
    found: dict[int, Played] = {}
    with tempfile.TemporaryDirectory() as folder:
        for rate in rates:
            report(f"Tripot: {rate} decisions a second, for {seconds:.0f} s")
            with our_server(Path(folder) / f"{rate}.sqlite") as (server, address):
                generator = our_load(address, rate)
                generator.answer()
                found[rate] = under(server, generator, f"pace {seconds}")
                generator.stop()
    return found


def measure_beside_rates(rates: Sequence[int], seconds: float, report: Report) -> dict[int, Played]:
    """Measures boardgame.io in the same way. Raises Missing."""
    install(report)
    found: dict[int, Played] = {}
    for rate in rates:
        report(f"boardgame.io: {rate} decisions a second, for {seconds:.0f} s")
        with beside_server() as (server, address):
            generator = beside_load(address, rate)
            generator.answer()
            found[rate] = under(server, generator, f"pace {seconds}")
            generator.stop()
    return found


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("--rates", type=int, nargs="+", default=(*FEWER, 1000), help="decisions a second")
    given.add_argument("--seconds", type=float, default=20, help="how long each rate is played")
    given.add_argument("--beside", action="store_true", help="measure boardgame.io too")
    wanted = given.parse_args()
    load = os.getloadavg()[0]
    sizes = wanted.rates, wanted.seconds, lambda line: print(line, file=sys.stderr, flush=True)
    found = measure_rates(*sizes)
    try:
        beside = measure_beside_rates(*sizes) if wanted.beside else {}
    except Missing as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Load average before the start: {load:.1f}\n\n{rates_table(found, beside)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
