"""The worked example of Trieste's sheets, card by card: Cynthia is the Watch, Mark the Merchant, Theodore the Thief."""

from tests.scenarios.position import told
from tests.scenarios.trieste_position import (
    Act,
    M,
    T,
    W,
    at,
    captured,
    cards_offered,
    choose,
    deck_with,
    discard,
    hand,
    kind,
    table,
    treasures,
)
from tripot.core.game import waiting_seats
from tripot.games.trieste.actions import DECLINE, DRAW_OWN, DRAW_TREASURE, News
from tripot.games.trieste.cards import COPPER, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH
from tripot.games.trieste.state import Phase, Stage, worth

TREASURE, OWN, LET_GO, NO_MORE = Act(DRAW_TREASURE), Act(DRAW_OWN), Act(DECLINE), Act(DECLINE)


def test_the_example_of_play_card_by_card():
    """In the middle of a game, Mark holds silvers and coppers worth 4 and will draw a silver and a copper."""
    s = table(
        watch=["Patrol Officer", COPPER],
        merchant=["Business as Usual", SILVER, COPPER, COPPER],
        thief=["Street Urchin"],
        infamy=4,
        captured=["Pickpocket", "Pickpocket"],
        options=deck_with("Patrol Officer", amount=2),
    )

    # Cynthia draws a card of her deck, then a treasure; Mark two treasures; Theodore two cards of his deck
    at(s, Stage.DRAW)
    choose(s, W, OWN, TREASURE)
    s.treasure_deck[:] = [30, 0, 0, 0]  # from here on the cards are those of the example
    s.treasure_size = 30
    choose(s, M, TREASURE, TREASURE)
    choose(s, T, OWN, OWN)
    assert treasures(s, M) == [COPPER] * 4 + [SILVER]  # worth 6

    # each places a card face down
    choose(s, W, "Patrol Officer")
    choose(s, M, "Business as Usual")
    s.treasure_deck[:] = [1, 0, 1, 0]
    s.treasure_size = 2
    before = [sum(hand) for hand in s.hand]
    choose(s, T, "Street Urchin")

    # Cynthia pays a copper; the other cards cost nothing
    assert [card for card in told(s, News.SHOWN)] == [
        (WATCH, NAMED["Patrol Officer"], 0, 0),
        (MERCHANT, NAMED["Business as Usual"], 0, 0),
        (THIEF, NAMED["Street Urchin"], 0, 0),
    ]
    assert told(s, News.PAID) == [(WATCH, 33 + COPPER, 0, 0)]
    assert before[W] == sum(s.hand[W]) + 1 and sum(s.treasure_discard) == 1

    # the Street Urchin, of level 1, is captured: Theodore is asked, and has nothing to save it with
    assert s.phase == Phase.REACT and waiting_seats(s) == [T]
    s.treasure_deck[:] = [1, 0, 1, 0]
    choose(s, T, LET_GO)
    assert captured(s) == ["Street Urchin", "Pickpocket", "Pickpocket"]
    assert discard(s, W) == ["Patrol Officer"]

    # the example in the sheet draws no treasure for the capture; the designer's answers do, and we follow them
    assert (WATCH, 2, 0, 0) in told(s, News.DREW_TREASURE)


def test_the_example_goes_on_mark_keeps_a_gold_discards_a_copper_and_stands_at_nine():
    s = table(merchant=[COPPER, COPPER, SILVER, SILVER], captured=["Street Urchin"], treasure_deck=[GOLD, COPPER])
    s.table[MERCHANT] = NAMED["Business as Usual"]
    s.deck[MERCHANT][kind("Business as Usual") - 4] -= 1
    s.deck_size[MERCHANT] -= 1
    at(s, Stage.EFFECT, MERCHANT)
    assert s.phase == Phase.SIFT and cards_offered(s, M) == [COPPER, GOLD]
    choose(s, M, COPPER)
    assert worth(s.hand[M]) == 9 and not s.over  # 11 and the level of the captured thief would win
    assert (MERCHANT, 33 + COPPER, 0, 0) in told(s, News.DISCARDED)
    assert discard(s, M) == ["Business as Usual"]


def test_the_example_ends_nobody_has_won_and_characters_may_be_bought_back():
    s = table(
        watch=[COPPER, COPPER],
        merchant=[COPPER, COPPER, SILVER, SILVER, GOLD],
        infamy=4,
        captured=["Street Urchin"],
        discards=["Patrol Officer"],
    )
    at(s, Stage.END)
    assert not s.over and waiting_seats(s) == [W]
    choose(s, W, "Patrol Officer")  # at its standard cost
    assert told(s, News.PAID) == [(WATCH, 33 + COPPER, 0, 0)] and "Patrol Officer" in hand(s, W)
    assert s.turn == 5 and s.phase == Phase.DRAW  # a new turn's Draw Phase
