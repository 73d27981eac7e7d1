"""Trieste in a terminal: a hint describes a card in a whole sentence, with the numbers of the deck in play."""

import re
from typing import Any

import pytest

from tests.cases import Case, positions
from tests.scenarios.trieste_position import deck_with
from tripot.core.guide import Said
from tripot.core.speech import LANGUAGES
from tripot.games.trieste import GAME
from tripot.games.trieste.cards import CARDS, NAMED
from tripot.games.trieste.guide import effect_numbers
from tripot.terminal.guide import GuideText


def opening(**options: Any) -> Any:
    """Returns the first seat's view of a fresh deal."""
    s, _, _ = next(iter(positions(Case(GAME, 3, GAME.options(**options)), 71)))
    return GAME.layout.observe_plain(s, 0)


def effect_of(view: Any, card: int, lang: str) -> str:
    return GuideText(GAME, (), lang).line(Said(f"card_{card}", effect_numbers(view, card)), plain=True)


VIEW = opening()


@pytest.mark.parametrize(
    ("title", "en", "fr"),
    [
        ("Decoy", "draw 2 treasures;", "piochez 2 Trésors ;"),
        ("Bodyguard", "draw 1 treasure;", "piochez 1 Trésor ;"),
        ("Contraband Checkpoint", "gives you all their treasures or", "donne tous ses Trésors, ou"),
    ],
)
def test_the_amount_of_a_card_is_told_in_words(title: str, en: str, fr: str) -> None:
    assert en in effect_of(VIEW, NAMED[title], "en") and fr in effect_of(VIEW, NAMED[title], "fr")


@pytest.mark.parametrize(
    ("part", "en", "fr"),
    [
        (1, "gives you all their treasures,", "donne tous ses Trésors,"),
        (2, "gives you half their treasures,", "donne la moitié de ses Trésors,"),
        (3, "gives you a third of their treasures,", "donne un tiers de ses Trésors,"),
        (4, "gives you a quarter of their treasures,", "donne le quart de ses Trésors,"),
        (5, "gives you one treasure in 5,", "donne un Trésor sur 5,"),
    ],
)
def test_the_part_that_the_merchant_gives_is_told_in_words(part: int, en: str, fr: str) -> None:
    view = opening(**deck_with("Tax Collector", amount=part))
    assert en in effect_of(view, NAMED["Tax Collector"], "en") and fr in effect_of(view, NAMED["Tax Collector"], "fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_T_0_1_every_number_of_another_deck_can_be_told(lang: str) -> None:
    cards = [(card.copies, 0, 0, 0, kind % 10, kind % 10) for kind, card in enumerate(CARDS[1:], start=1)]
    view = opening(deck=tuple(cards))
    for card in range(1, len(CARDS)):
        told = effect_of(view, card, lang)
        assert not re.search(r"[{}]|\b1 (treasures|Trésors)|\b[2-9] (treasure|Trésor)\b", told), told
