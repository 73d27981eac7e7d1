"""House rules that vary from game to game: sets drawn in ranges, tables that are dealt them, weights that see them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.test_network import moments, weights
from tripot import GAMES
from tripot.bots.memory import new_memory
from tripot.bots.network import CRITIC, NetworkPlayer, dealt_view, knows_rules
from tripot.bots.own import find_any_bot
from tripot.core import options
from tripot.core.encoding import encoder_of
from tripot.core.options import BadOption
from tripot.games.trieste.cards import CARDS, NAMED
from tripot.lab.batch import BadBatch, Batch
from tripot.lab.training.folding import folded, ranges_of, seeing_rules
from tripot.lab.varied import Variation, draw_with_sum

GAME = GAMES["trieste"]
RANGES = """
any_victim = [0, 1]

[deck."Smoke Bomb"]
copies = [1, 3]

[deck."Street Urchin"]
copies = [6, 11]
amount = [1, 3]

[deck."Tax Collector"]
cost = [0, 2]
"""
USUAL = GAME.options().deck
BOMBS, URCHINS = USUAL[NAMED["Smoke Bomb"] - 1][0], USUAL[NAMED["Street Urchin"] - 1][0]
TRIESTE_RANGES = Path(__file__).parent.parent / "bench" / "trieste_ranges.toml"


def test_sets_stay_in_their_ranges_and_keep_their_sums() -> None:
    variation = Variation(GAME, RANGES)
    rows = variation.draw(400, 1)
    assert (rows[0] == variation.usual).all() and variation.options_of(rows[0]) == GAME.options()
    both = BOMBS + URCHINS
    assert rows.min(0).tolist() == [0, 1, both - 3, 1, 0] and rows.max(0).tolist() == [1, 3, both - 1, 3, 2]
    for row in rows:
        found = variation.options_of(row)
        assert options.parse(GAME.options, options.as_json(found)) == found
    assert (rows == variation.draw(400, 1)).all() and (rows != variation.draw(400, 2)).any()
    changed = (rows[1:] != variation.usual).sum(1)
    assert changed[0::4].mean() < 1 < changed[3::4].mean()  # some lie close to the usual rules, some far away


def test_rows_with_a_sum_are_as_likely_as_their_weights_say() -> None:
    each = [np.array([0.5, 0.25, 0.25]), np.array([0.5, 0.5]), np.array([0.2, 0.3, 0.5])]
    rows = draw_with_sum(each, 2, 200_000, np.random.default_rng(1))
    assert (rows.sum(1) == 2).all()
    likely = {
        (a, b, 2 - a - b): each[0][a] * each[1][b] * each[2][2 - a - b]
        for a in range(3)
        for b in range(2)
        if a + b <= 2
    }
    for row, weight in likely.items():
        assert (rows == row).all(1).mean() == pytest.approx(weight / sum(likely.values()), abs=0.005)


BAD = {
    "no TOML": ("deck = ", "not a TOML file"),
    "nothing": ("", "no number varies"),
    "an unknown option": ("rain = [0, 1]", "unknown option 'rain'"),
    "names": ("factions = [0, 1]", "a range is for a number"),
    "a table as a number": ("deck = [0, 1]", "a range is for a number"),
    "a row that there is not": ("[deck.Rain]\ncost = [0, 1]", "there is no 'Rain'"),
    "a column that there is not": ('[deck."Tax Collector"]\nrain = [0, 1]', "there is no 'rain'"),
    "no range": ("any_victim = 1", r"any_victim = 1: a range is \[lowest, highest\]"),
    "the wrong way round": ("any_victim = [1, 0]", "holds the usual 1"),
    "without the usual number": (
        f'[deck."Smoke Bomb"]\ncopies = [{BOMBS + 1}, {BOMBS + 2}]',
        f"holds the usual {BOMBS}",
    ),
    "too much": ('[deck."Smoke Bomb"]\ncost = [0, 10]', "within 0 to 9"),
}


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=list(BAD))
def test_bad_ranges_are_named(text: str, why: str) -> None:
    with pytest.raises(BadOption, match=why):
        Variation(GAME, text)


def test_the_file_of_a_deck_is_read_back(tmp_path: Path) -> None:
    variation = Variation(GAME, RANGES)
    row = variation.draw(9, 3)[8]
    (tmp_path / "deck.toml").write_text(variation.table_file(row), "utf-8")
    found = options.parse_pairs(GAME.options, [f"deck={tmp_path}/deck.toml"])
    assert found.deck == variation.options_of(row).deck != GAME.options().deck


def test_the_ranges_for_trieste_leave_known_facts_alone() -> None:
    variation = Variation(GAME, TRIESTE_RANGES.read_text("utf-8"))
    varied = {number.name.split("/", 1)[1] for number in variation.numbers}
    assert {name.split("/")[0] for name in varied} == {card.title for card in CARDS[1:]}
    known = {
        "Patrol Officer": ("cost", "reach"),
        "Raiding Party": ("reach", "more"),
        "Search Warrant": ("amount", "more"),
        "Business as Usual": ("cost", "amount", "more"),
        "Grand Bargain": ("reach",),
        "Street Urchin": ("level", "cost"),
    }
    assert not varied & {f"{title}/{column}" for title, columns in known.items() for column in columns}
    assert [len(kept.numbers) for kept in variation.totals] == [11, 11, 10]


# --- Tables ---


@pytest.mark.native
def test_a_seed_says_which_house_rules_its_game_has() -> None:
    variation = Variation(GAME, RANGES)
    sets = [variation.options_of(row) for row in variation.draw(7, 1)]
    batch = Batch(GAME, 5, house_rules=sets, seeds=2**63 - 6)  # they cross the sign of a 64-bit number
    again, ended = Batch(GAME, 5, house_rules=sets, seeds=2**63 - 6), 0
    for _ in range(600):
        for state, seed in zip(batch.states, batch.seeds.view(np.int64), strict=True):
            assert state["copies"][1:].tolist() == [row[0] for row in sets[int(seed) % 7].deck]
            assert state["any_victim"] == sets[int(seed) % 7].any_victim
        ended += int(batch.step(batch.pick()).done.sum())
    assert ended > 10
    seed = int(batch.seeds[0])
    alone = Batch(GAME, 1, house_rules=sets[int(np.uint64(seed).view(np.int64)) % 7], seeds=seed)
    again.reset([seed] * 5)
    for _ in range(50):
        assert alone.states[0].tobytes() == again.states[0].tobytes()
        alone.step(alone.pick())
        again.step(again.pick())
    with pytest.raises(BadBatch, match="at least one set"):
        Batch(GAME, 5, house_rules=[])


# --- Weights ---


def ruled_weights() -> Any:
    """A network that has learned nothing, with columns for the house rules."""
    wide = seeing_rules(weights(GAME), GAME, rules=True)
    luck = np.random.default_rng(5)
    for name in ("inputs", CRITIC + "inputs"):
        wide.layers[name] = luck.normal(0, 0.3, wide.layers[name].shape).astype(np.float16)
    return wide


@pytest.mark.native
def test_a_player_that_sees_the_rules_begins_as_it_was() -> None:
    plain = weights(GAME)
    one, two = NetworkPlayer(GAME, plain), NetworkPlayer(GAME, seeing_rules(plain, GAME, rules=True))
    assert two.encoder.rules and two.encoder.width > one.encoder.width
    for _, _, view, legal in moments(GAME, 3, 1):
        assert one.chances(view, legal) == pytest.approx(two.chances(view, legal), abs=1e-4)
    with pytest.raises(ValueError, match="tripot fold"):
        seeing_rules(ruled_weights(), GAME, rules=False)
    with pytest.raises(ValueError, match="nothing to fold"):
        folded(plain, GAME, GAME.options())


@pytest.mark.native
def test_folded_networks_decide_and_expect_the_same() -> None:
    variation, wide = Variation(GAME, TRIESTE_RANGES.read_text("utf-8")), ruled_weights()
    rules = variation.options_of(variation.draw(9, 1)[8])
    narrow = folded(wide, GAME, rules)
    one, two = NetworkPlayer(GAME, wide), NetworkPlayer(GAME, narrow)
    assert not two.encoder.rules
    batch = Batch(GAME, 64, house_rules=rules)
    for _ in range(40):
        batch.step(batch.pick())
    for table, seat in enumerate(batch.now.movers):
        view = GAME.layout.observe(batch.states[table : table + 1], int(seat))
        legal = np.flatnonzero(batch.now.masks[table]).tolist()
        assert one.chances(view, legal) == pytest.approx(two.chances(view, legal), abs=1e-3)
    full, plain = encoder_of(GAME, rules=True, full=True), encoder_of(GAME, full=True)
    before = (
        batch.encode(full) @ wide.layers[CRITIC + "inputs"].astype(np.float64) + wide.layers[CRITIC + "inputs_bias"]
    )
    after = batch.encode(plain) @ narrow.layers[CRITIC + "inputs"] + narrow.layers[CRITIC + "inputs_bias"]
    assert np.allclose(before, after, atol=1e-3)
    other = folded(wide, GAME, GAME.options())
    assert not np.allclose(other.layers["inputs_bias"], narrow.layers["inputs_bias"], atol=0.1)


@pytest.mark.native
def test_a_network_plays_tables_whose_house_rules_it_has_learned(tmp_path: Path) -> None:
    variation, wide = Variation(GAME, RANGES), ruled_weights()
    sets = [variation.options_of(row) for row in variation.draw(50, 1)]
    wide.about["house_rules"] = ranges_of(GAME, Batch(GAME, 50, house_rules=sets).states)
    wide.save(tmp_path / "weights.npz")
    bot = find_any_bot(f"network:{tmp_path}", GAME)
    for rules in sets[:9]:
        assert bot.player(dealt_view(GAME, rules, 3)) is not None
    foreign = options.parse(GAME.options, {"heroes": 1})
    assert bot.player(dealt_view(GAME, foreign, 3)) is None  # it is searched
    fixed = folded(wide, GAME, sets[8])
    assert knows_rules(fixed, GAME, dealt_view(GAME, sets[8], 3))
    assert not knows_rules(fixed, GAME, dealt_view(GAME, GAME.options(), 3))
    view = dealt_view(GAME, sets[8], 3)
    if int(view["waiting"][0]) & 1:
        s = GAME.new_state(sets[8], 3, 0)
        legal = GAME.legal_actions(s, 0)
        assert bot.decide(view, legal, new_memory(1, 0)) in legal
