"""Trök in a terminal: every position can be drawn without hidden cards, and the final score adds up."""

import io
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cases import Case, positions
from tests.scenarios.trok import (
    ANNA,
    BRUNO,
    HAMMER,
    PICKAXE,
    RATION,
    STONE,
    card,
    combining,
    decide,
    in_exchange,
    set_of,
)
from tripot.cli.main import run
from tripot.core.game import waiting_seats
from tripot.core.speech import LANGUAGES
from tripot.games.trok import GAME
from tripot.games.trok.actions import COLLECT, IMPROVE, PERFECT, SET
from tripot.games.trok.cards import Upgrade
from tripot.games.trok.state import Phase
from tripot.table.record import loads, replay
from tripot.terminal import trok
from tripot.terminal.guide import GuideText

SAVED = "trok-7.tripot.json"
WIDTHS = (60, 80, 120)
PLAYERS = [seat.en for seat in GAME.text.SEATS]


ENGLISH = GuideText(GAME, PLAYERS, "en")


def printed(drawn: Any, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(drawn)
    written: str = console.file.getvalue()  # type: ignore[attr-defined]
    return written


def view_of(s: Any, seat: int) -> Any:
    return GAME.layout.observe_plain(s, seat)


@pytest.mark.parametrize("seats", [2, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_position_of_a_game_can_be_drawn(seats: int, lang: str) -> None:
    phases, readers = set(), set()
    for number, (s, _, _) in enumerate(positions(Case(GAME, seats, GAME.options()), 71)):
        phases.add(s.phase)
        waiting = waiting_seats(s) or [0]
        for seat in waiting if seats == 2 else [waiting[number % len(waiting)]]:  # at a big table they take turns
            readers.add(seat)
            view = view_of(s, seat)
            width = WIDTHS[number % 3]  # from one position to the next little changes
            lines = printed(trok.draw(view, PLAYERS, lang, width), width).splitlines()
            assert all(len(line) <= width for line in lines)
            assert all(any(PLAYERS[other] in line for line in lines) for other in range(seats))
            assert printed(trok.hand(view, PLAYERS, lang))
            for action in GAME.legal_actions(s, seat):
                words, clauses = GuideText(GAME, PLAYERS, lang).hint(view, action)
                assert bool(words) == bool(clauses)
    assert len(phases) > 5 and readers == set(range(seats))


def test_a_hand_of_another_is_not_drawn() -> None:
    s = in_exchange([HAMMER] * 3, [RATION, RATION, PICKAXE], hands=[(STONE, STONE), (RATION,)], market=[RATION] * 3)
    drawn = printed(trok.draw(view_of(s, BRUNO), PLAYERS, "en", 100))
    assert "arcane stone" not in drawn and "3 × hammer 7" in drawn
    assert "2 × arcane stone" in printed(trok.hand(view_of(s, ANNA), PLAYERS, "en"))


def test_closed_purses_hide_the_aare_of_others() -> None:
    s = combining(RATION, RATION, RATION, aare=[31, 42], open_purses=0)
    mine, theirs = printed(trok.draw(view_of(s, ANNA), PLAYERS, "en", 100)), view_of(s, BRUNO)
    assert "31" in mine and "42" not in mine
    s.open_purses = 1
    assert "31" in printed(trok.draw(view_of(s, BRUNO), PLAYERS, "en", 100))
    theirs.over = 1
    assert "31" in printed(trok.draw(theirs, PLAYERS, "en", 100))  # at the end everyone sees them


def test_hints_tell_what_a_combination_pays() -> None:
    cards = (HAMMER, HAMMER, HAMMER, PICKAXE, RATION, STONE)
    view = view_of(combining(*cards, owned=[Upgrade.KRAAL]), ANNA)
    assert ENGLISH.hint(view, SET + HAMMER) == ("pays 10 Aare or more", "K-4.2 K-4.3")
    assert "first 4" in ENGLISH.hint(view, COLLECT + 1)[0]
    assert GuideText(GAME, PLAYERS, "fr").hint(view, PERFECT)[0] == "gagne à la fin de ce tour"
    s = combining(PICKAXE, RATION, HAMMER, queue=[Upgrade.MINE, Upgrade.GRID])
    decide(s, COLLECT)
    assert s.phase == Phase.IMPROVE
    assert ENGLISH.hint(view_of(s, ANNA), IMPROVE + 1) == ("+3 to every bid, 1 Aare a turn", "K-3.2 K-5.2")


def test_jokers_are_called_jokers() -> None:
    s = combining(HAMMER, HAMMER, HAMMER, STONE, PICKAXE, owned=[Upgrade.VEIN])
    decide(s, set_of(HAMMER), card(HAMMER))
    keys = [GAME.text.decision(view_of(s, ANNA), action)[0] for action in GAME.legal_actions(s, ANNA)]
    assert keys == ["joker", "add", "joker"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_game_and_how_its_score_adds_up(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    answers = islice(cycle(["1", "2", "1", ""]), 3000)
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    assert run(["play", "trok", "--seed", "7", "--lang", lang]) == 0
    out = capsys.readouterr().out
    end = replay(loads((tmp_path / SAVED).read_text()), {"trok": GAME})
    assert end.over
    table = out[out.rindex("The end" if lang == "en" else "Fin de la partie") :]
    for seat, name in enumerate(PLAYERS[:4]):
        row = next(line for line in table.splitlines() if line.split()[:1] == [name])
        market, sets, income, total = map(int, row.split()[1:5])
        assert market + sets + income == total == int(end.view(0)["aare"][0][seat])
