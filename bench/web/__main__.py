"""Measures the web table under load beside boardgame.io: `python -m bench.web --write docs/benchmarks.md`."""

import argparse
import os
import sys
from pathlib import Path

from bench.page import write_section
from bench.web.cold import measure_cold
from bench.web.measure import Missing, Played, measure_beside, measure_ours
from bench.web.page import section
from bench.web.rates import FEWER, measure_beside_rates, measure_rates


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("--tables", type=int, default=1000, help="tables with four connected seats each")
    given.add_argument("--seconds", type=float, default=40, help="how long every table plays one decision a second")
    given.add_argument("--saturate", type=float, default=20, help="how many seconds every table plays at full load")
    given.add_argument("--idle", type=int, default=5000, help="tables with nobody connected")
    given.add_argument(
        "--rates", type=int, nargs="*", default=FEWER, help="fewer decisions a second, one after the other"
    )
    given.add_argument("--rate-seconds", type=float, default=15, help="how long each of these rates is played")
    given.add_argument("--alone", action="store_true", help="leave boardgame.io out")
    given.add_argument("--write", type=Path, metavar="FILE", help="write the section into this page")
    wanted = given.parse_args()
    sizes = (wanted.tables, wanted.seconds, wanted.saturate, wanted.idle)
    load = os.getloadavg()[0]
    ours, beside, missing = measure_ours(*sizes, report), None, "boardgame.io was left out."
    rates = wanted.rates, wanted.rate_seconds, report
    fewer, cold = measure_rates(*rates), measure_cold(*rates)
    beside_fewer: dict[int, Played] = {}
    if not wanted.alone:
        try:
            beside, missing = measure_beside(*sizes, report), ""
            beside_fewer = measure_beside_rates(*rates)
        except Missing as error:
            missing = f"{str(error)[0].upper()}{str(error)[1:]}."
            report(missing)
    content = section(ours, beside, missing, wanted.tables, load, wanted.idle, fewer, beside_fewer, cold)
    print(content)
    if wanted.write is not None:
        write_section(wanted.write, "web", f"## The web table\n\n{content.strip()}")
    return 0


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
