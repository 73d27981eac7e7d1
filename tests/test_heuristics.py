"""Guesses of the heuristic players that games seldom turn on, on views set by hand."""

from typing import Any

import pytest

from tests.scenarios.position import told
from tests.scenarios.trieste_position import at, legal, table
from tripot.games.trieste import GAME, heuristic
from tripot.games.trieste.actions import DECLINE, FOX, SMOKE, News
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    FACTION_BACK,
    FACTIONS,
    KINDS,
    MERCHANT,
    NAMED,
    SMOKE_BOMB,
    THIEF,
    TITLES,
    TREASURE_BACK,
    TREASURE_CARD,
    TREASURES,
    VERB,
    WATCH,
    Hero,
    Verb,
    kind_of,
)
from tripot.games.trieste.state import Stage


def view(faction: int = WATCH, **changes: Any) -> Any:
    """What a faction sees of an empty table, changed here and there."""
    found = GAME.layout.observe_plain(table(), faction)
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def sizes(**held: tuple[int, int]) -> list[list[int]]:
    """Hand sizes by faction: treasures and own cards."""
    return [list(held.get(name, (0, 0))) for name in ("watch", "merchant", "thief")]


@pytest.mark.parametrize(("cards", "chance"), [(0, 0), (1, 0), (2, 55), (3, 75), (4, 88), (9, 88)])
def test_the_more_cards_the_thief_holds_the_likelier_a_character_is_among_them(cards: int, chance: int) -> None:
    assert heuristic.in_hand(view(hand_size=sizes(thief=(0, cards)), clean=0), 1) == chance


def test_a_character_that_the_watch_knows_is_as_good_as_found() -> None:
    knows = [[0] * KINDS for _ in range(FACTIONS)]
    knows[THIEF][kind_of(THIEF, NAMED["Street Urchin"])] = 1
    assert heuristic.in_hand(view(my_knows=knows), 1) == 95
    assert heuristic.in_hand(view(my_knows=knows, hand_size=sizes(thief=(0, 2))), 0) == 55
    assert heuristic.in_hand(view(hand_size=sizes(thief=(0, 5)), clean=2), 1) == 75


@pytest.mark.parametrize(
    ("card", "down", "level", "risk"),
    [
        (0, 0, 1, 0),
        (0, 1 + TREASURE_BACK, 1, 0),
        (0, 1 + FACTION_BACK, 1, 35),
        (0, 1 + FACTION_BACK, 2, 22),
        (0, 1 + FACTION_BACK, 3, 10),
        (TREASURE_CARD, 1 + FACTION_BACK, 1, 0),
        (NAMED["Patrol Officer"], 1 + FACTION_BACK, 1, 100),
        (NAMED["Patrol Officer"], 1 + FACTION_BACK, 2, 0),
        (NAMED["Tax Collector"], 1 + FACTION_BACK, 1, 0),
    ],
)
def test_what_the_thief_fears_of_the_watch(card: int, down: int, level: int, risk: int) -> None:
    shown = [card, 0, 0]
    assert heuristic.danger(view(THIEF, table=shown, face_down=[down, 0, 0]), level) == risk


def test_heroes_and_smoke_bombs_change_what_the_thief_fears() -> None:
    officer = {"table": [NAMED["Patrol Officer"], 0, 0], "face_down": [1 + FACTION_BACK, 0, 0]}
    assert heuristic.danger(view(THIEF, **officer, hero_up=[Hero.ANTONIA, 0, 0]), 2) == 100
    assert heuristic.danger(view(THIEF, **officer, hero_up=[0, 0, Hero.FOX]), 1) == 5
    hand = [0] * KINDS
    hand[SMOKE_BOMB] = 1
    assert heuristic.danger(view(THIEF, **officer, my_hand=hand), 1) == 5


def test_a_thief_of_weight_is_worth_a_smoke_bomb() -> None:
    def weighed(action: int, **changes: Any) -> int:
        return heuristic.weigh_reaction(view(THIEF, resolving=NAMED["Magistrate"], **changes), action)

    def prey(title: str) -> list[int]:
        return [int(number == kind_of(THIEF, NAMED[title]) - TREASURES) for number in range(TITLES)]

    assert weighed(DECLINE) == 0
    assert weighed(FOX) == 10 + 5 and weighed(SMOKE) == 10 - 18, "of a thief nobody knows, the first level is thought"
    assert weighed(SMOKE, prey=prey("Master Thief")) == 30 - 18
    assert weighed(SMOKE, my_target=kind_of(THIEF, NAMED["Burglar"])) == 20 - 18
    assert weighed(SMOKE, captured=[CAPTURES_TO_WIN - 2] + [0] * (TITLES - 1)) == 10 + 40 - 18
    assert weighed(SMOKE, captured=[CAPTURES_TO_WIN - 3] + [0] * (TITLES - 1)) == 10 - 18
    raided = view(THIEF, resolving=NAMED["Raiding Party"], prey=prey("Burglar"))
    assert heuristic.weigh_reaction(raided, SMOKE) == 20 + 20 - 18


def test_what_lies_in_no_purse_cannot_be_taken_from_the_watch() -> None:
    suit = next(card for card, verb in enumerate(VERB) if verb == Verb.SUE)
    rich, poor = (view(MERCHANT, hand_size=sizes(watch=(count, 3))) for count in (1, 0))
    assert heuristic.weigh_merchant_action(rich, suit) == 12 * rich.amount[suit] > 0
    assert heuristic.weigh_merchant_action(poor, suit) == 0


@pytest.mark.parametrize(("amount", "worth"), [(0, 0), (1, 3), (2, 3 + 2), (3, 3 + 2 + 2), (9, 3 + 2 + 2 + 1)])
def test_a_smuggler_is_worth_all_that_it_takes_from_the_discard(amount: int, worth: int) -> None:
    smuggler = NAMED["Smuggler"]
    there = view(MERCHANT, treasure_discard=[1, 2, 1, 0], amount=[amount] * len(VERB))
    assert heuristic.weigh_merchant(there, smuggler) == heuristic.TREASURE * worth


def test_T_3_2_whoever_has_no_card_at_all_passes_and_all_are_told() -> None:
    s = at(table(merchant=["Bodyguard"]), Stage.PLAY, WATCH)
    assert told(s, News.PASSED)[0] == (WATCH, 0, 0, 0)
    assert not legal(s, WATCH)


@pytest.mark.parametrize(("reach", "chance"), [(0, 40), (1, 40), (2, 72), (3, 76)])
def test_how_likely_the_thief_reveals_a_character(reach: int, chance: int) -> None:
    assert heuristic.meets(view(hand_size=sizes(thief=(4, 1))), reach) == chance
    assert heuristic.meets(view(face_down=[0, 0, 1 + FACTION_BACK]), reach) == chance
    assert heuristic.meets(view(hand_size=sizes(thief=(4, 0))), reach) == 0, "without a card of the own deck"
    assert heuristic.meets(view(hand_size=sizes(thief=(4, 1)), face_down=[0, 0, 1 + TREASURE_BACK]), reach) == 0
