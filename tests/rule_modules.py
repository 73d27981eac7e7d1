"""The rule modules of the package, for the lint that holds them to the language of the rules."""

import importlib
from pathlib import Path

import tripot
from tripot.core.game import Game, standard_fields
from tripot.testing.subset import complaints, dimensions

PACKAGE = Path(tripot.__file__).parent

MODULES = (
    "games/*/cards.py games/*/state.py games/*/actions.py games/*/phases.py games/*/effects.py games/*/heuristic.py "
    "games/*/__init__.py "
    "core/sfc32.py core/pile.py core/observe.py core/encode.py core/defaults.py bots/uniform.py lab/playout.py "
    "lab/batch/loops.py lab/vector/loops.py lab/one_seat.py "
    "lab/leduc/state.py lab/leduc/actions.py lab/leduc/phases.py lab/leduc/__init__.py"
)


def rule_modules(package: Path = PACKAGE) -> list[Path]:
    return sorted(path for pattern in MODULES.split() for path in package.glob(pattern))


def lint_module(path: Path) -> list[str]:
    """Returns all complaints about one rule module of the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    name = ".".join(["tripot", *(part for part in parts if part != "__init__")])
    fields = standard_fields(2, 2)
    for part in parts:
        home = "lab" if part == "leduc" else "games"
        if part in tripot.GAMES:
            fields = tripot.GAMES[part].fields
        elif part != "older" and parts[0] == home and (PACKAGE / home / part / "__init__.py").exists():
            game: Game = importlib.import_module(f"tripot.{home}.{part}").GAME
            fields = game.fields
    space = vars(importlib.import_module(name))
    return [f"{'/'.join(parts)}.py, {c}" for c in complaints(path.read_text("utf-8"), space, dimensions(fields))]
