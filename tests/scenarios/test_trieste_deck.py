"""Another deck for Trieste, loaded from a file: known titles with other numbers. [T-0.1]"""

import json

import pytest

from tests.scenarios.position import told
from tests.scenarios.trieste_position import Act, M, T, W, captured, choose, coppers, effects, table, treasures
from tripot.core.options import BadOption, as_json, parse, parse_pairs
from tripot.games.trieste import GAME
from tripot.games.trieste.actions import DECLINE, News
from tripot.games.trieste.cards import CARDS, NAMED
from tripot.games.trieste.state import HOUSE_DECK, Options
from tripot.table.record import loads, record_of, replay
from tripot.table.table import Table

OFFICERS = CARDS[NAMED["Patrol Officer"]].copies - 1
MUSTERS = CARDS[NAMED["Muster"]].copies + 1
OTHER = f"""
["Patrol Officer"]
copies = {OFFICERS}
cost = 2
reach = 2
amount = 3

["Muster"]
copies = {MUSTERS}

["Burglar"]
level = 3
amount = 2
"""


@pytest.fixture
def other(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(OTHER, "utf-8")
    return parse_pairs(Options, [f"deck={path}"])


def row(options, title):
    return options.deck[NAMED[title] - 1]


def test_T_0_1_a_deck_file_changes_what_it_names_and_nothing_else(other):
    assert row(other, "Patrol Officer") == (OFFICERS, 2, 1, 2, 3, 0)
    assert row(other, "Burglar") == (3, 4, 3, 0, 2, 2)
    changed = {NAMED[title] - 1 for title in ("Patrol Officer", "Muster", "Burglar")}
    assert all(new == old for i, (new, old) in enumerate(zip(other.deck, HOUSE_DECK, strict=True)) if i not in changed)
    assert parse_pairs(Options, ["deck=house"]) == Options()


def test_T_0_1_the_cards_play_by_the_numbers_of_the_deck(other):
    s = effects(table(options={"deck": other.deck}), watch="Patrol Officer", thief="Pickpocket")
    choose(s, T, Act(DECLINE))
    assert captured(s) == ["Pickpocket"] and len(treasures(s, W)) == 3
    s = effects(table(merchant=coppers(6), options={"deck": other.deck}), thief="Burglar")
    assert treasures(s, T) == coppers(3) and treasures(s, M) == coppers(3) and s.infamy == 3  # half, and level 3


def test_T_0_1_the_record_carries_the_deck_so_a_replay_needs_no_file(other):
    played = Table(GAME, 3, 5, other)
    for _ in range(30):
        offer = played.offer(played.waiting[0])
        played.decide(offer.seat, offer.legal[-1], offer.sequence)
    record = loads(record_of(played).dumps())
    assert json.dumps(record.options["deck"]) == json.dumps([list(r) for r in other.deck])
    again = replay(record, {"trieste": GAME})
    assert again.state_bytes() == played.state_bytes()
    assert parse(Options, as_json(other)) == other


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('["Patrol Offizer"]\ncost = 1\n', "there is no 'Patrol Offizer'"),
        ("[Muster]\nprice = 1\n", "option deck, Muster: there is no 'price'"),
        ("[Muster]\nlevel = 4\n", "option deck, Muster: level = 4 is not a whole number from 0 to 3"),
        ("[Muster]\ncost = -1\n", "option deck, Muster: cost = -1 is not a whole number from 0 to 9"),
        ("[Muster]\ncopies = 3\n", "option deck: the copies of the Watch must be 33, not 34"),
        ("[Banker]\ncopies = 0\n", "option deck: the copies of the Merchant must be 33, not 31"),
        ("[Decoy]\ncopies = 4\n", "option deck: the copies of the Thief must be 33, not 34"),
    ],
)
def test_T_0_1_a_bad_deck_is_refused_with_its_row(tmp_path, text, complaint):
    (tmp_path / "deck.toml").write_text(text, "utf-8")
    with pytest.raises(BadOption, match=complaint):
        parse_pairs(Options, [f"deck={tmp_path / 'deck.toml'}"])


def test_T_0_1_amounts_of_nothing_do_no_harm(tmp_path):
    """With every number of every effect at 0 the cards do as little as possible."""
    lines = [f'["{title}"]\nreach = 0\namount = 0\nmore = 0\n' for title in NAMED if title != "(no card)"]
    (tmp_path / "deck.toml").write_text("\n".join(lines), "utf-8")
    deck = parse_pairs(Options, [f"deck={tmp_path / 'deck.toml'}"]).deck
    s = effects(
        table(merchant=coppers(3), thief=["Forger"], discards=["Forger"], options={"deck": deck}), watch="Magistrate"
    )
    assert not captured(s) and not told(s, News.THREATENED)
    s = effects(table(options={"deck": deck}), merchant="Banker")
    assert not treasures(s, M)


def test_T_0_1_only_a_command_line_may_name_a_file(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(OTHER, "utf-8")
    with pytest.raises(BadOption, match="command line only"):  # as from a browser or from a record
        parse(Options, {"deck": str(path)})
    assert parse(Options, {"deck": "house"}) == Options()
