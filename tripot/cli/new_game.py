"""`tripot new-game`: a small, working game package to start from."""

from __future__ import annotations

import keyword
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from tripot import GAMES, __version__
from tripot.cli.main import BadInput, app
from tripot.core.game_check import NAME

FILES = Path(__file__).parent / "new_game_files"
SUFFIX = ".template"


@app.command("new-game")
def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Of the game: small letters, digits, underscores.", show_default=False)
    ],
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the folder of the package is made.", show_default="here")
    ] = Path("."),
) -> None:
    """Write a small working game as a package of its own, to start from."""
    check_name(name)
    folder = into / name
    write_game(name, folder)
    print(f"{folder} has a game of two to four players that works. Next:")
    print(f"  cd {folder}")
    print("  pip install --editable '.[test]'")
    print("  pytest")
    print(f"  tripot play {name}")


def check_name(name: str) -> None:
    """Raises BadInput unless a game and a package can have this name."""
    shown = name[:40]
    if not NAME.fullmatch(name):
        raise BadInput(f"'{shown}' is not a name: write small letters, digits and underscores, at most 32")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise BadInput(f"'{shown}' is a word of Python: choose another name")
    if name in GAMES:
        raise BadInput(f"there is a game '{shown}' already: choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise BadInput(f"there is a Python module '{shown}' already: choose another name")


def write_game(name: str, folder: Path) -> None:
    """Writes the package, whole or not at all. Raises BadInput where that cannot be."""
    if folder.exists() or folder.is_symlink():
        raise BadInput(f"{folder} exists already: choose another name, or another folder with --into")
    if not folder.parent.is_dir():
        raise BadInput(f"there is no folder {folder.parent}")
    words = {
        "name": name,
        "title": name.replace("_", " ").strip().capitalize(),
        "letter": name[0].upper(),
        "version": __version__,
    }
    try:
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=folder.parent) as made:
            fill(Path(made) / name, words)
            shutil.move(Path(made) / name, folder)
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror or error}") from None


def fill(folder: Path, words: dict[str, str]) -> None:
    """Writes every template of `new_game_files` with these words."""
    for source in sorted(FILES.rglob(f"*{SUFFIX}")):
        path = source.relative_to(FILES).as_posix().removesuffix(SUFFIX)
        path = path.replace("package/", f"{words['name']}/").replace("test_game", f"test_{words['name']}")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(source.read_text("utf-8")).substitute(words), "utf-8")
