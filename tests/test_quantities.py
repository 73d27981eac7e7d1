"""What a coach counts: `measure` of each game, on tables where every number is another one."""

from types import SimpleNamespace
from typing import Any

import pytest

from tripot.core.quantities import Quantity
from tripot.core.speech import Phrase
from tripot.games.trieste import quantities as trieste
from tripot.games.trieste.cards import COPPER, FACTIONS, MERCHANT, THIEF, TREASURES, WATCH
from tripot.games.trieste.state import worth
from tripot.games.trok import quantities as trok
from tripot.games.trok.cards import UPGRADES
from tripot.games.verrater import quantities as verrater
from tripot.games.verrater.cards import SLOTS, Building

NOBODY = -1


def measured(game: Any, s: Any, seat: int) -> list[int]:
    out = [99] * len(game.QUANTITIES.items)
    game.measure(s, seat, out)
    return out


def test_verrater_counts_points_cards_buildings_and_the_strategy_card() -> None:
    building, owner = [0] * SLOTS, [NOBODY] * SLOTS
    for slot, seat in ((0, 1), (2, 1), (3, 0), (SLOTS - 1, 1)):
        building[slot], owner[slot] = Building.ESTATE, seat
    owner[4] = 1  # nothing stands there
    s = SimpleNamespace(seats=3, points=[7, 12, 9], hand_size=[2, 5, 4], building=building, owner=owner, strategy=2)
    s.round = 6
    assert measured(verrater, s, 1) == [12, 9, 1, 5, 3, 0]
    assert measured(verrater, s, 2) == [9, 12, 0, 4, 0, 1]
    s.points[2] = 12
    assert measured(verrater, s, 2)[:3] == [12, 12, 1], "who shares the lead leads"
    assert verrater.clock(s) == 6


def test_trok_counts_aare_improvements_the_master_and_the_perfect_combination() -> None:
    owned = [[0] * (UPGRADES + 1) for _ in range(3)]
    owned[1][1] = owned[1][2] = owned[1][UPGRADES] = 1
    owned[1][0] = 1  # the first place stands for no improvement
    s = SimpleNamespace(seats=3, aare=[30, 18, 25], owned=owned, master=2, perfect=0b010, turn=11)
    assert measured(trok, s, 1) == [18, 30, 3, 0, 0, 1, 11]
    assert measured(trok, s, 2) == [25, 30, 0, 1, 0, 0, 11]
    assert measured(trok, s, 0) == [30, 25, 0, 0, 1, 0, 11]
    s.aare[2] = 30
    assert measured(trok, s, 0)[trok.LEAD] == 1, "who shares the lead leads"
    assert trok.clock(s) == 11


def test_trieste_counts_captures_purses_infamy_cards_and_who_wins() -> None:
    hands = [[0] * (TREASURES + 6) for _ in range(FACTIONS)]
    seats = {WATCH: 1, MERCHANT: 2, THIEF: 0}
    faction = [THIEF, WATCH, MERCHANT]
    hands[0][COPPER], hands[2][COPPER], hands[2][TREASURES - 1] = 2, 3, 1
    hands[0][TREASURES], hands[0][TREASURES + 1], hands[0][TREASURES + 5] = 1, 2, 1
    s = SimpleNamespace(hand=hands, faction=faction, seat_of=seats, captured=[1, 0, 2], infamy=4, turn=7)
    s.result = [0, 5, 0]
    purse, money = worth(hands[2]), worth(hands[0])
    assert purse != money > 0
    watch_wins = [int(faction == WATCH) for faction in range(FACTIONS)]
    assert measured(trieste, s, 0) == [3, purse, 4, money, 4, *watch_wins, 7]
    assert measured(trieste, s, 1) == [3, purse, 4, 0, 0, 0, 0, 0, 7], "one's own victory is not counted again"
    assert measured(trieste, s, 2)[trieste.MONEY] == 0, "the Merchant's purse is counted already"
    assert trieste.clock(s) == 7


COINS = Quantity(
    Phrase("{amount} more {coin|coins}", "{amount} {pièce|pièces} de plus"),
    Phrase("{amount} {coin|coins} fewer", "{amount} {pièce|pièces} de moins"),
)


@pytest.mark.parametrize(
    ("mine", "other", "en", "fr"),
    [
        (5.5, 4.5, "1 more coin", "1 pièce de plus"),
        (4, 5.5, "1.5 coins fewer", "1,5 pièce de moins"),
        (6, 4, "2 more coins", "2 pièces de plus"),
        (3.04, 3, "0 more coins", "0 pièce de plus"),
        (3.16, 3, "0.2 more coins", "0,2 pièce de plus"),
        (3, 13, "10 coins fewer", "10 pièces de moins"),
    ],
)
def test_a_difference_is_said_with_one_decimal_in_the_right_number(mine: float, other: float, en: str, fr: str) -> None:
    assert COINS.say(mine, other, "en") == en and COINS.say(mine, other, "fr") == fr


def test_an_event_is_said_in_tenths_of_the_games() -> None:
    wins = Quantity(Phrase("wins {often} of ten games, not {other}", "gagne {often} parties sur dix, pas {other}"))
    assert wins.event and not COINS.event
    assert wins.say(0.46, 0.24, "en") == "wins 5 of ten games, not 2"
    assert wins.say(1, 0.06, "fr") == "gagne 10 parties sur dix, pas 1"
