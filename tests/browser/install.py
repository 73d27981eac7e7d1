"""Install what the browser tests need where that is allowed: Debian's chromium, and a type checker for the page.

Never fails: a machine that may not install runs the other tests, and says loudly what it skips.
"""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NODE = ROOT / ".venv" / "node"  # ignored by git, like the rest of .venv
TYPESCRIPT = "typescript@7.0.2"


def chromium() -> str | None:
    """The browser's path, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def type_checker() -> Path | None:
    """The path of tsc, if it is there."""
    own = NODE / "node_modules" / ".bin" / "tsc"
    found = shutil.which("tsc")
    return own if own.exists() else Path(found) if found else None


def attempt(*words: str) -> bool:
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    )
    if done.returncode:
        print(f"{' '.join(words)}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}")
    return done.returncode == 0


def install_chromium() -> None:
    if chromium() or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("installing chromium for the browser tests")
    attempt("apt-get", "update", "-qq") and attempt(
        "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"
    )


def install_type_checker() -> None:
    if type_checker() or not shutil.which("npm") or not NODE.parent.exists():
        return
    print("installing the type checker for the page")
    attempt("npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(NODE), TYPESCRIPT)


if __name__ == "__main__":
    install_chromium()
    install_type_checker()
    print(f"browser tests: chromium {chromium() or 'is missing'}; page types: tsc {type_checker() or 'is missing'}")
