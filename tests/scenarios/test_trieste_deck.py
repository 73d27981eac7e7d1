"""The decks of Trieste: ours as the rule book prints it, and others, loaded from a file. [T-0.1]"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.scenarios.position import told
from tests.scenarios.trieste_position import Act, M, T, W, captured, choose, coppers, effects, table, treasures
from tripot.core.options import BadOption, as_json, parse, parse_pairs
from tripot.games.trieste import GAME, text
from tripot.games.trieste.actions import DECLINE, News
from tripot.games.trieste.cards import CARDS, NAMED
from tripot.games.trieste.state import HOUSE_DECK, Options
from tripot.table.record import loads, record_of, replay
from tripot.table.table import Table

BURGLAR = CARDS[NAMED["Burglar"]]
OFFICERS = CARDS[NAMED["Patrol Officer"]].copies - 1
MUSTERS = CARDS[NAMED["Muster"]].copies + 1
OTHER = f"""
["Patrol Officer"]
copies = {OFFICERS}
cost = 2
reach = 2
amount = 5

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


# --- Our own deck ---

BOOK = (Path(text.__file__).parent / "RULES.md").read_text("utf-8")
IN_WORDS = {  # "half" is one in two; French "un" is often an article, which lets a number 1 pass
    "en": {"all": 1, "one": 1, "two": 2, "half": 2, "three": 3, "third": 3, "four": 4, "quarter": 4, "five": 5},
    "fr": {"tous": 1, "un": 1, "deux": 2, "moitié": 2, "trois": 3, "tiers": 3, "quatre": 4, "quart": 4, "cinq": 5},
}


def printed_rows(lang):
    """Returns the rows of the tables of T-5 in one language: title, type, level, cost, copies, effect."""
    section = BOOK.split("## T-5 ")[1].split("### T-5.1 ")[0].split("**fr** ")[lang == "fr"]
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in section.splitlines() if line[:1] == "|"]
    return [row for row in rows if row[0] not in ("title", "titre", "---")]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_T_0_1_the_rule_book_prints_the_deck_that_is_dealt(lang):
    rows = printed_rows(lang)
    assert [row[0] for row in rows] == [name(lang) for name in text.NAMES["card"][1 : len(CARDS)]]
    for (title, of_type, level, cost, copies, effect), card in zip(rows, CARDS[1:], strict=True):
        assert of_type == text.TYPES[card.type](lang).removesuffix(" card").removeprefix("carte "), title
        assert (int(level), int(cost.replace("–", "0")), int(copies)) == (card.level, card.cost, card.copies), title
        words = re.findall(r"\w+", effect.lower())
        told = Counter(int(word) if word.isdigit() else IN_WORDS[lang].get(word, 0) for word in words)
        reach = card.reach if card.reach < 3 else 0  # "whatever its level"
        missing = Counter((reach, card.amount, card.more)) - told
        assert not set(missing) - {0}, f"{title}: {effect}"


# --- Another deck ---


def test_T_0_1_a_deck_file_changes_what_it_names_and_nothing_else(other):
    assert row(other, "Patrol Officer") == (OFFICERS, 2, 1, 2, 5, 0)
    assert row(other, "Burglar") == (BURGLAR.copies, BURGLAR.cost, 3, 0, 2, BURGLAR.more)
    changed = {NAMED[title] - 1 for title in ("Patrol Officer", "Muster", "Burglar")}
    assert all(new == old for i, (new, old) in enumerate(zip(other.deck, HOUSE_DECK, strict=True)) if i not in changed)
    assert parse_pairs(Options, ["deck=house"]) == Options()


def test_T_0_1_the_cards_play_by_the_numbers_of_the_deck(other):
    s = effects(table(options={"deck": other.deck}), watch="Patrol Officer", thief="Pickpocket")
    choose(s, T, Act(DECLINE))
    assert captured(s) == ["Pickpocket"] and len(treasures(s, W)) == 5
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
    ("toml", "complaint"),
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
def test_T_0_1_a_bad_deck_is_refused_with_its_row(tmp_path, toml, complaint):
    (tmp_path / "deck.toml").write_text(toml, "utf-8")
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
