"""What Tripot is made of: `python -m tests.dependencies` checks the locked dependencies and writes an SBOM.

It prints the licences, writes a CycloneDX file, and asks the OSV database about every locked version. Exit code 0: no
known vulnerability; 1: some, named; 3: no database could be reached, so nothing is known.
"""

import argparse
import json
import re
import sys
import urllib.request
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from tripot import __version__

ROOT = Path(__file__).parent.parent
OSV = "https://api.osv.dev/v1/querybatch"
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
UNKNOWN = "unknown"


class Package(NamedTuple):
    name: str
    version: str
    hashes: list[str]
    licence: str

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def locked(lock: str) -> list[Package]:
    """Returns the packages of a lock file, with the licences of those that are installed."""
    starts = list(PIN.finditer(lock))
    ends = [start.start() for start in starts[1:]] + [len(lock)]
    return [
        Package(start[1].lower(), start[2], HASH.findall(lock[start.start() : end]), licence_of(start[1]))
        for start, end in zip(starts, ends, strict=True)
    ]


def licence_of(name: str) -> str:
    """Returns the licence that an installed package declares: its expression, its classifiers, or its first line."""
    try:
        found: Any = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return UNKNOWN
    classifiers = [one.rsplit(" :: ", 1)[-1] for one in found.get_all("Classifier") or [] if one.startswith("License")]
    text = (found.get("License") or "").strip().splitlines()
    said = found.get("License-Expression") or ", ".join(classifiers) or (text[0] if text else "")
    return said[:80] or UNKNOWN


def sbom(packages: list[Package]) -> dict[str, Any]:
    """Returns a CycloneDX 1.6 document. It holds no time, so that the same lock gives the same file."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "tripot", "version": __version__, "bom-ref": "tripot"}
        },
        "components": [component(package) for package in packages],
        "dependencies": [{"ref": "tripot", "dependsOn": [package.purl for package in packages]}],
    }


def component(package: Package) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "library", "bom-ref": package.purl, "purl": package.purl}
    found |= {"name": package.name, "version": package.version}
    if package.hashes:
        found["properties"] = [{"name": "lock:sha256", "value": one} for one in package.hashes]
    if package.licence != UNKNOWN:
        found["licenses"] = [{"license": {"name": package.licence}}]
    return found


def vulnerabilities(packages: list[Package], seconds: float = 20) -> dict[str, list[str]]:
    """Returns the ids of known vulnerabilities by package. Raises OSError if the database cannot be reached."""
    asked = {"queries": [{"package": {"purl": package.purl}} for package in packages]}
    request = urllib.request.Request(OSV, json.dumps(asked).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        results = json.load(answer)["results"]
    found = zip(packages, results, strict=True)
    return {package.purl: [one["id"] for one in result["vulns"]] for package, result in found if result.get("vulns")}


def main(words: list[str]) -> int:
    reader = argparse.ArgumentParser(prog="make audit", description=__doc__)
    reader.add_argument("--lock", type=Path, default=ROOT / "requirements.lock")
    reader.add_argument("--sbom", type=Path, default=ROOT / "build" / "tripot.cdx.json")
    wanted = reader.parse_args(words)
    packages = locked(wanted.lock.read_text("utf-8"))
    wanted.sbom.parent.mkdir(parents=True, exist_ok=True)
    wanted.sbom.write_text(json.dumps(sbom(packages), indent=1) + "\n", "utf-8")
    for package in packages:
        print(f"{package.name:32} {package.version:14} {package.licence}")
    unknown = [package.name for package in packages if package.licence == UNKNOWN]
    print(f"{len(packages)} packages, {len(unknown)} without a known licence (not installed here); SBOM: {wanted.sbom}")
    try:
        found = vulnerabilities(packages)
    except (OSError, ValueError, KeyError) as error:
        print(f"NO VULNERABILITY DATABASE COULD BE REACHED: nothing is known about vulnerabilities ({error})")
        return 3
    for purl, ids in found.items():
        print(f"VULNERABLE {purl}: {', '.join(ids)}")
    print(f"{len(found)} of {len(packages)} packages have known vulnerabilities")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
