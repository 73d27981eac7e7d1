"""The stable import paths, the parameters and methods behind them, and the page that lists them."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import tripot

PAGE = (Path(__file__).parent.parent / "docs/public-interface.md").read_text("utf-8")
CLIENT = "games catalogue open_table table tables mine invitation accept join replay record upload sit watch"

# Import path: parameters that callers may name, then attributes and methods that they may use. Additions are free.
PROMISED: dict[str, tuple[str, str]] = {
    "tripot.GAMES": ("", "keys values items"),
    "tripot.add_game": ("reference", ""),
    "tripot.core.game.Game": (
        "name seats rules_version fields options num_actions deal legal apply imagine text heuristic board page",
        "layout legal_actions imagined",
    ),
    "tripot.testing.checks_of": ("game conserved stepped", ""),
    "tripot.__version__": ("", ""),
    "tripot.vector.SeatVectorEnv": (
        "game num_envs seats seat opponents options encoding threads",
        "reset step action_masks",
    ),
    "tripot.vector.SelfPlay": ("game tables seats house_rules seed rules keep_last threads device", "reset step"),
    "tripot.vector.Turn": ("observations masks movers frames rewards done finished last_observations", ""),
    "tripot.vector.turn_advantages": ("values movers rewards done last_values discount decay counted", ""),
    "tripot.vector.lambda_returns": ("values rewards done last_values discount decay counted", ""),
    "tripot.vector.Encoder": (
        "game seats rules full",
        "version notation columns encode on actions turned_actions seating",
    ),
    "tripot.lab.batch.Batch": (
        "game tables seats house_rules seeds observations again threads encoding",
        "reset step pick choose observe save restore arrays seeds columns numbers",
    ),
    "tripot.lab.batch.Arrays": ("masks movers rewards done observations", "__getitem__"),
    "tripot.lab.batch.IllegalAction": ("", "args"),
    "tripot.lab.gpu.VectorTables": ("game tables seats house_rules seed", "reset step pick masks views"),
    "tripot.lab.env.verrater_v1": ("", "env raw_env"),
    "tripot.lab.env.trok_v1": ("", "env raw_env"),
    "tripot.lab.env.trieste_v5": ("", "env raw_env"),
    "tripot.lab.env.aec.TableEnv": ("game seats options render_mode lang encoding", "reset step last agent_iter"),
    "tripot.lab.env.gymnasium": ("", "SeatEnv"),
    "tripot.lab.env.openspiel": ("", ""),
    "tripot.web.client.Client": ("address origin", CLIENT),
    "tripot.web.client.SeatClient": ("", "close over await_letter await_turn ask attempt decide"),
    "tripot.web.client.Refused": ("problem status", ""),
}


def find(path: str) -> Any:
    """Imports what the path names: a module, or something inside one."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("path", PROMISED)
def test_a_promised_import_path_leads_to_what_it_promises(path: str) -> None:
    parameters, attributes = (set(names.split()) for names in PROMISED[path])
    found = find(path)
    if parameters:
        assert parameters <= set(inspect.signature(found).parameters)
    assert attributes <= set(dir(found))


def test_the_page_lists_what_is_promised() -> None:
    imports = PAGE.partition("## Imports")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w.]+)`", imports, re.MULTILINE) == list(PROMISED)


def test_what_authors_of_games_import_is_there() -> None:
    authors = PAGE.partition("## For authors of games")[2].partition("\n## ")[0]
    promised = {
        module: re.findall(r"`(\w+)`", names) for module, names in re.findall(r"^\| `([\w.]+)` \| (.+)", authors, re.M)
    }
    assert {"tripot.core.game", "tripot.core.layout", "tripot.core.speech"} <= set(promised)
    for module, names in promised.items():
        assert [name for name in names if not hasattr(importlib.import_module(module), name)] == [], module


def test_the_games_keep_their_names_and_environments() -> None:
    gymnasium, pyspiel = importlib.import_module("gymnasium"), importlib.import_module("pyspiel")
    for module in ("tripot.lab.env.gymnasium", "tripot.lab.env.openspiel"):
        importlib.import_module(module)
    assert list(tripot.GAMES) == ["verrater", "trok", "trieste"]
    listed = re.findall(r"`(tripot[/_]\w[\w-]*)`", PAGE)
    assert len(listed) == 6
    known = {*gymnasium.registry, *pyspiel.registered_names()}
    assert set(listed) <= known
