"""`make dist`: builds wheel and sdist, reads them, and tries them in environments that hold nothing else.

`python -m tests.distribution` leaves both in dist/. Exit code 1 and a sentence if anything is wrong. It installs what
the wheel needs from the package index, in the versions of requirements.play.lock.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pexpect

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
UV = Path(sys.executable).parent / "uv"
TWINE = "7.0.0"  # in an environment of its own, which uv makes
WEB = ("aiosqlite", "alembic", "fastapi", "sqlalchemy", "starlette", "uvicorn", "websockets")
PATIENCE = 180  # seconds, for a compiler or a server
BATCH = """
from tripot.lab.batch import Batch
tables = Batch("verrater", 64, seeds=1)
for _ in range(200):
    tables.step(tables.pick())
print("stepped", tables.now.masks.any(axis=1).all())
"""


class BadDistribution(Exception):
    """Something that nobody should install; the message says what."""


def require(fact: object, told: str) -> None:
    if not fact:
        raise BadDistribution(told)


# --- Building and reading ---


def build(folder: Path) -> tuple[Path, Path]:
    """Builds sdist and wheel. Returns (wheel, sdist)."""
    command = [UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable, "--out-dir", folder, ROOT]
    subprocess.run(command, check=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def tracked(*paths: str) -> set[str]:
    """What git knows of these paths."""
    listed = subprocess.run(["git", "ls-files", "-z", *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    return {path for path in listed.stdout.split("\0") if path}


def check_wheel(names: set[str], wanted: set[str]) -> None:
    """A wheel has every file of the package and nothing of the checkout beside it."""
    package = {name for name in names if ".dist-info/" not in name}
    missing, more = sorted(wanted - package), sorted(package - wanted)
    require(not missing, f"the wheel lacks {', '.join(missing[:5])}")
    require(not more, f"the wheel has {', '.join(more[:5])}, which git does not know")
    require(any(name.endswith("/licenses/LICENSE") for name in names), "the wheel has no licence")


def check_sdist(names: set[str], wanted: set[str]) -> None:
    """An sdist builds and tests itself: sources, tests, locks and the files about the project."""
    inside = {name.partition("/")[2] for name in names}
    missing = sorted((wanted | {"pyproject.toml", "README.md", "LICENSE", "Makefile", "requirements.lock"}) - inside)
    require(not missing, f"the sdist lacks {', '.join(missing[:5])}")


def check_metadata(about: Message) -> None:
    """What people see of a package in an index, and that a light install is light."""
    for field in ("Name", "Version", "Summary", "Requires-Python", "License-Expression", "Description-Content-Type"):
        require(about[field], f"the metadata has no {field}")
    require(about["Description-Content-Type"].startswith("text/markdown"), "the long description is no Markdown")
    require(str(about.get_payload()).strip(), "the long description is empty")
    needed = about.get_all("Requires-Dist") or []
    light = {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in needed if "extra ==" not in line}
    heavy = sorted(light & set(WEB))
    require(not heavy, f"a light install brings {', '.join(heavy)}")


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(path).decode("utf-8"))


def read(wheel: Path, sdist: Path) -> None:
    package = tracked("tripot")
    with zipfile.ZipFile(wheel) as archive:
        check_wheel(set(archive.namelist()), package)
    with tarfile.open(sdist) as tar:
        check_sdist({member.name for member in tar.getmembers() if member.isfile()}, package | tracked("tests"))
    check_metadata(metadata_of(wheel))
    twine = [UV, "tool", "run", "--quiet", f"twine@{TWINE}", "check", "--strict", wheel, sdist]
    checked = subprocess.run(twine, capture_output=True, text=True, check=False)
    require(checked.returncode == 0, f"twine check: {(checked.stdout + checked.stderr).strip()[-400:]}")


# --- Trying ---


@contextmanager
def environment(wheel: Path, extra: str = "") -> Iterator[Path]:
    """A new environment with the wheel and what it needs; yields its folder of programs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder], check=True)
        install = [UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", f"{folder}/bin/python"]
        locked = ["--constraints", ROOT / "requirements.play.lock"]
        subprocess.run([*install, *locked, f"tripot{extra} @ {wheel.resolve().as_uri()}"], cwd=folder, check=True)
        bin = Path(folder) / "bin"
        place = said(bin / "python", "-c", "import tripot; print(tripot.__file__)", folder=bin).strip()
        require(place.startswith(folder), f"the environment imports {place}")
        yield bin


def said(*words: object, folder: Path) -> str:
    """What a program prints; it must succeed. It runs where no checkout is on the path."""
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{' '.join(map(str, words[1:3]))} fails: {done.stderr.strip()[-400:]}")
    return done.stdout


def try_light(bin: Path) -> None:
    """`import tripot`, a native batch, a game in a terminal, and a sentence where the web is missing."""
    spec = "import sys; from importlib.util import find_spec as f; print([n for n in sys.argv[1:] if f(n)])"
    brought = said(bin / "python", "-c", spec, *WEB, folder=bin).strip()
    require(brought == "[]", f"a light install brings {brought}")
    said(bin / "python", "-c", "import tripot; assert len(tripot.GAMES) == 3", folder=bin)
    require("stepped True" in said(bin / "python", "-c", BATCH, folder=bin), "a native batch does not step")
    person = pexpect.spawn(str(bin / "tripot"), ["play", "verrater", "--seed", "1", "--lang", "en"], cwd=str(bin))
    person.timeout, person.delaybeforesend = PATIENCE, None
    person.setwinsize(50, 120)
    try:
        person.expect("> ")
        person.sendline("quit")
        person.expect(pexpect.EOF)
    except pexpect.ExceptionPexpect:
        raise BadDistribution(f"tripot play does not play: {str(person.before)[-400:]}") from None
    finally:
        person.close(force=True)
    served = subprocess.run([bin / "tripot", "serve"], capture_output=True, text=True, check=False)
    told = served.returncode == 2 and served.stderr.count("\n") == 1 and "pip install 'tripot[web]'" in served.stderr
    require(told, f"tripot serve without the extra says: {served.stderr[-400:]}")


def try_web(bin: Path) -> None:
    """The page, its games and its health over HTTP."""
    words = [bin / "tripot", "serve", "--port", "0", "--no-browser", "--database", f"sqlite:///{bin}/tables.sqlite"]
    server = pexpect.spawn(str(words[0]), [str(word) for word in words[1:]], cwd=str(bin), timeout=PATIENCE)
    try:
        server.expect(r"(http://127\.0\.0\.1:\d+)/")
        address = server.match.group(1).decode()
        for path, wanted in (("/", "<title>"), ("/healthz", "ok"), ("/page/frame/choice.js", "export")):
            with urllib.request.urlopen(address + path, timeout=PATIENCE) as answer:
                require(wanted in answer.read().decode(), f"the server answers {path} without {wanted}")
        with urllib.request.urlopen(f"{address}/api/games", timeout=PATIENCE) as answer:
            require(len(json.load(answer)["games"]) == 3, "the server does not know its games")
    except pexpect.ExceptionPexpect:
        raise BadDistribution(f"tripot serve does not serve: {str(server.before)[-400:]}") from None
    finally:
        server.close(force=True)


def main() -> int:
    os.environ.pop("PYTHONPATH", None)  # what is tried is the wheel, not this checkout
    shutil.rmtree(DIST, ignore_errors=True)
    steps: list[tuple[str, str, Callable[[Path], None]]] = [
        ("", "light: import, a native batch, a game in a terminal", try_light),
        ("[web]", "web: the page over HTTP", try_web),
    ]
    try:
        wheel, sdist = build(DIST)
        read(wheel, sdist)
        for path in (wheel, sdist):
            print(
                f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, contents and metadata as they should be", flush=True
            )
        for extra, told, attempt in steps:
            with environment(wheel, extra) as bin:
                attempt(bin)
            print(f"{told}: works", flush=True)
    except BadDistribution as problem:
        print(f"make dist: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
