"""What some tests need besides Python: Debian's Chromium and PostgreSQL, and a type checker for the page.

`make test-deps` says what is missing and asks before it installs. `make test` calls it with `--offer`, which installs
system packages only where somebody said so before: CI=true or TEST_DEPS=yes. Nothing here fails: without these the
tests that need them are skipped, and say so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
NODE = ROOT / ".venv" / "node"  # ignored by git, like the rest of .venv
TYPESCRIPT = "typescript@7.0.2"
MINUTES = 15  # until an installation is given up
YES = ("1", "true", "yes")
WITHOUT_WINDOWS = "chromium-headless-shell"  # the same engine; the browser around it takes a fifth of the time
BROWSERS = (WITHOUT_WINDOWS, "chromium", "chromium-browser")


def chromium() -> str | None:
    """Returns the browser's path, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def postgresql() -> Path | None:
    """Returns the folder of initdb and pg_ctl, if they are anywhere."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    known = shutil.which("initdb")
    return found[-1].parent if found else Path(known).resolve().parent if known else None


def type_checker() -> Path | None:
    """Returns the path of tsc, if it is there."""
    own = NODE / "node_modules" / ".bin" / "tsc"
    found = shutil.which("tsc")
    return own if own.exists() else Path(found) if found else None


def missing() -> list[str]:
    """Returns the Debian packages that are not installed."""
    return [name for name, found in ((WITHOUT_WINDOWS, chromium()), ("postgresql", postgresql())) if found is None]


def root() -> list[str] | None:
    """Returns the words before a command that make it run as root, or None where we may not."""
    if os.geteuid() == 0:
        return []
    may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=30).returncode
    return ["sudo", "-n"] if may == 0 else None


def agreed(packages: list[str], offered: bool) -> bool:
    """Whether the system packages are wanted: said beforehand, or at the terminal when it was asked for."""
    if any(os.environ.get(name, "").lower() in YES for name in ("CI", "TEST_DEPS")):
        return True
    if offered or not sys.stdin.isatty():
        return False
    return input(f"Install {' and '.join(packages)} with apt-get? [y/N] ").strip().lower() in ("y", "yes")


def attempt(*words: str) -> bool:
    """Runs a command and prints the last line of its complaint, if it fails."""
    try:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60 * MINUTES)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(words)}: given up after {MINUTES} minutes")
        return False
    if done.returncode:
        print(f"{' '.join(words)}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}")
    return done.returncode == 0


def install_packages(packages: list[str], offered: bool) -> None:
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    before = root() if shutil.which("apt-get") else None
    if before is None:
        print(f"{' and '.join(packages)}: not installed; that takes apt-get and root")
    elif agreed(packages, offered):
        print(f"installing {' and '.join(packages)} for the tests")
        if attempt(*before, "apt-get", "update", "-qq") and not attempt(*before, *command):
            attempt(*before, *(word.replace(WITHOUT_WINDOWS, "chromium") for word in command))  # Ubuntu has no other
    else:
        print(
            f"{' and '.join(packages)}: not installed; `make test-deps` asks and installs, TEST_DEPS=yes does not ask"
        )


def install_type_checker() -> None:
    """Installs it into .venv, as `make setup` does with everything from Python's own registry."""
    if shutil.which("npm") and NODE.parent.exists():
        print("installing the type checker for the page")
        attempt("npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(NODE), TYPESCRIPT)


if __name__ == "__main__":
    if missing():
        install_packages(missing(), "--offer" in sys.argv)
    if type_checker() is None:
        install_type_checker()
    for needed, path in (("browser", chromium()), ("database", postgresql()), ("page types", type_checker())):
        print(f"tests of the {needed}: {path or 'SKIPPED, it is not installed'}")
