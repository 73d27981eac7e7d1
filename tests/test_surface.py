"""The response surface of varied house rules: it finds what numbers do, and proposes house rules that are balanced."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tripot import GAMES
from tripot.cli.main import run
from tripot.core import options
from tripot.core.game import WHOLE_WIN
from tripot.lab.balance.outcomes import Outcomes, load_outcomes
from tripot.lab.balance.rule_search import Wanted, propose
from tripot.lab.balance.surface import Surface, softmax
from tripot.lab.varied import Variation

GAME = GAMES["trieste"]
RANGES = """
[deck."Informer"]
copies = [1, 3]
[deck."Street Urchin"]
copies = [7, 11]
amount = [1, 3]
[deck."Fence"]
copies = [1, 4]
amount = [3, 5]
[deck."Spice Trader"]
amount = [3, 5]
cost = [1, 3]
"""
INFORMER, _, URCHIN, _, FENCE, TRADER, COST = range(7)
COPIES = (0, 1, 3)


def truth(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """Shares and turns of an invented game: informers help the Thief, traders the Merchant and make games shorter."""
    off = rows - Variation(GAME, RANGES).usual
    watch = -0.8 - 0.5 * off[:, INFORMER] - 0.25 * off[:, URCHIN]
    merchant = -0.6 - 0.3 * off[:, INFORMER] + 0.3 * off[:, TRADER] - 0.05 * off[:, TRADER] ** 2
    turns = np.exp(np.log(16) - 0.2 * off[:, TRADER] - 0.1 * off[:, FENCE] + 0.03 * off[:, COST])
    return softmax(np.stack([watch, merchant], 1)), turns


def outcomes_of(sets: int, games: int) -> Outcomes:
    variation, luck = Variation(GAME, RANGES), np.random.default_rng(1)
    found = Outcomes(variation, variation.draw(sets, 1))
    shares, turns = truth(found.rows)
    for part in range(3):
        won = np.stack([luck.multinomial(games, share) for share in (shares if part else shares[:, ::-1])])
        clock = luck.normal(games * turns, 3 * np.sqrt(games)).round()
        found.add(np.column_stack([np.full(sets, games), clock, WHOLE_WIN * won]).astype(np.int64), 50.0 * part)
    return found


@pytest.fixture(scope="module")
def surface() -> Surface:
    return Surface(outcomes_of(800, 500), parts=2)


def test_the_surface_is_that_of_the_games(surface: Surface) -> None:
    rows = Variation(GAME, RANGES).draw(200, 9)
    shares, turns = truth(rows)
    assert np.abs(surface.shares(rows) - shares).max() < 0.01
    assert np.abs(np.log(surface.turns(rows) / turns)).max() < 0.02
    assert surface.games == 2 * 800 * 500 and surface.sets == 800 and surface.nobody == 0
    assert surface.share_error < 0.004 and surface.turn_error < 0.02


def test_effects_have_intervals_that_hold_the_truth(surface: Surface) -> None:
    usual, inside, all_of_them = surface.variation.usual, 0, 0
    for place, effect in enumerate(surface.effects()):
        row = usual.astype(float)
        if place in COPIES:  # their sum stays: the other two titles have half a copy less each
            row[list(COPIES)] -= effect.step / 2
        row[place] = usual[place] + effect.step
        (before, turns), (after, later) = truth(usual[None]), truth(row[None])
        inside += int((np.abs(effect.shares - (after - before)[0]) < effect.shares_error).sum())
        inside += abs(effect.turns - float((later / turns)[0])) < effect.turns_error
        all_of_them += 4
    assert inside >= all_of_them - 2
    assert surface.effects()[COST].step == 1 and surface.effects()[TRADER].step == 1


def test_proposals_are_as_wanted_and_keep_their_sums(surface: Surface) -> None:
    proposals = propose(surface, Wanted(0.02, 8.5, 12.5), 3)
    assert len(proposals) == 2 and [p.cost for p in proposals] == sorted(p.cost for p in proposals)
    for proposal in proposals:
        shares, turns = truth(proposal.row[None])
        assert np.abs(shares - 1 / 3).max() < 0.03 and 8.2 < turns[0] < 12.8
        rules = surface.variation.options_of(proposal.row)
        assert options.parse(GAME.options, options.as_json(rules)) == rules
    apart = np.abs(proposals[0].row - proposals[1].row).sum()
    assert apart >= 4
    assert propose(surface, Wanted(0.02, 1, 2), 3) == []


def test_the_command_writes_tables_that_options_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes_of(300, 400).save(tmp_path)
    assert len(load_outcomes(tmp_path).parts) == 3
    words = ["surface", str(tmp_path), "-o", str(tmp_path / "found"), "--longest", "12.5", "--count", "2"]
    assert run([*words, "--parts", "2"]) == 0
    told = capsys.readouterr().out
    assert "240,000 games of 300 sets" in told and "deck/Informer/copies: 1 instead of 2" in told
    found = options.parse_pairs(GAME.options, [f"deck={tmp_path}/found/proposal-1.toml"])
    assert found.deck != GAME.options().deck
    assert run([*words, "--changed", "0"]) == 2
    assert "too few for a surface" in capsys.readouterr().err
    assert run(["surface", str(tmp_path / "nowhere"), "-o", str(tmp_path / "found")]) == 2
    assert "no outcomes of a training with --vary" in capsys.readouterr().err
