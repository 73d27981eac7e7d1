"""What a seat of Trieste knows about other hands, and that imagined states are as frequent as real ones."""

import pytest

from tests.cases import Case, positions
from tests.scenarios.trieste_position import (
    Act,
    M,
    T,
    W,
    at,
    bag,
    choose,
    coppers,
    deck_with,
    effects,
    kind,
    seen_by,
    table,
)
from tests.unbiased import compare
from tripot.core.game import DEALER
from tripot.core.rng import seed_luck
from tripot.games.trieste import GAME
from tripot.games.trieste.actions import CARD, DECLINE, DRAW_TREASURE, SMOKE
from tripot.games.trieste.cards import COPPER, DIAMOND, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH, Hero
from tripot.games.trieste.phases import ask
from tripot.games.trieste.state import (
    HOUSE_DECK,
    Phase,
    Stage,
    draw_own,
    draw_treasures,
    gain_openly,
    hand_over,
    lose_openly,
    reshuffle,
)

FAR = 6.0  # standard deviations, out of reach of chance alone


def imagined(s, seat, seed):
    return GAME.imagined(seen_by(s, seat), seed)


def few_titles(**copies):
    """Returns options with only these titles in the Thief's deck, so that few hands are possible."""
    rows = [list(row) for row in HOUSE_DECK]
    for row in rows[22:]:
        row[0] = 0
    for title, count in copies.items():
        rows[NAMED[title.replace("_", " ")] - 1][0] = count
    return {"deck": tuple(map(tuple, rows))}


# --- What is known -----------------------------------------------------------


def test_what_one_seat_saw_only_that_seat_remembers():
    s = table(thief=["Decoy", "Burglar", GOLD], merchant=["Banker", SILVER, SILVER, COPPER])
    effects(s, watch="Undercover Agent")
    choose(s, W, "Burglar")
    choose(s, T, Act(DECLINE))
    ask(s, Phase.DRAW, WATCH)
    for seed in range(30):
        assert imagined(s, W, seed).hand[T] == s.hand[T]
    assert len({tuple(imagined(s, M, seed).hand[T]) for seed in range(30)}) > 5


def test_a_card_seen_stays_known_while_it_stays_and_a_card_face_down_makes_it_uncertain():
    s = table(thief=["Decoy", "Fence"])
    effects(s, watch="Search Warrant")  # shows both
    draw_own(s, THIEF, 1)
    assert s.knows[M][THIEF] == bag(["Decoy", "Fence"])
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Fence")
    assert s.knows[M][THIEF] == bag(["Decoy"])  # revealed by now: the other is known again, the drawn one is not


def test_while_a_card_lies_face_down_it_may_be_any_of_those_known():
    s = table(merchant=["Banker", "Bribe"], thief=["Decoy"], watch=["Muster"])
    for card in ("Banker", "Bribe"):
        s.knows[W][MERCHANT][kind(card)] = s.shown[M][WATCH][kind(card)] = 1
    at(s, Stage.PLAY, MERCHANT)
    choose(s, M, "Banker")
    placed = {imagined(s, W, seed).placed[M] for seed in range(40)}
    assert placed == {NAMED["Banker"], NAMED["Bribe"]}


def test_the_starting_coppers_are_known_until_any_treasure_may_have_gone():
    s = GAME.new_state(GAME.options(factions=1), 3, 1)
    assert s.knows[T][MERCHANT][COPPER] == 2
    draw_treasures(s, MERCHANT, 2)
    assert s.knows[T][MERCHANT][COPPER] == 2
    hand_over(s, MERCHANT, WATCH, COPPER)  # the Thief does not see what
    assert s.knows[T][MERCHANT][COPPER] == 1 and s.knows[W][MERCHANT][COPPER] == 1
    lose_openly(s, MERCHANT, COPPER)
    assert s.knows[T][MERCHANT][COPPER] == 0


def test_who_is_seen_by_a_spy_knows_it():
    s = table(merchant=["Banker", SILVER, COPPER, COPPER])
    effects(s, thief="Forger")
    view = GAME.layout.observe_plain(s, M)
    assert list(view.my_shown[THIEF]) == s.hand[M] and not any(view.my_shown[WATCH])
    assert imagined(s, M, 1).knows[T][MERCHANT] == s.hand[M]


def test_the_third_player_imagines_that_the_spy_knows_what_the_spy_saw():
    s = table(merchant=["Banker", SILVER, COPPER, COPPER])
    effects(s, thief="Forger")
    for seed in range(10):
        t = imagined(s, W, seed)
        assert t.knows[T][MERCHANT] == t.hand[M] == t.shown[M][THIEF]


def test_who_overpays_has_no_copper_left():
    s = table(thief=["Pickpocket", SILVER, SILVER])
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Pickpocket")  # one silver for a cost of 1
    assert s.dear[THIEF] == 1
    for seed in range(30):
        assert imagined(s, W, seed).hand[T][COPPER] == 0


def test_who_pays_three_with_a_diamond_may_have_two_coppers_at_most():
    s = table(thief=["Burglar", DIAMOND, COPPER, COPPER, *coppers(0)], options=deck_with("Burglar", cost=3))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar")
    assert s.dear[THIEF] == 0  # two cards are left, and both may be coppers
    s = table(thief=["Burglar", DIAMOND, SILVER, SILVER], options=deck_with("Burglar", cost=3))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar", DIAMOND)  # or two silvers
    assert s.dear[THIEF] == 0


def test_cards_under_the_merchants_deck_are_where_they_are():
    s = table(watch=[COPPER], discards=["Lawsuit", "Insurance"])
    effects(s, merchant="Grand Bargain")
    choose(s, M, "Lawsuit")
    ask(s, Phase.DRAW, WATCH)
    for seed in range(10):
        t = imagined(s, T, seed)
        assert t.under == s.under and sum(t.deck[MERCHANT]) == s.deck_size[MERCHANT] - 2


# --- How likely it is --------------------------------------------------------


def drawn(seed, count, **copies):
    """The Thief draws cards from a small deck."""
    s = table(options=few_titles(**copies))
    seed_luck(s, seed, DEALER)
    draw_own(s, THIEF, count)
    ask(s, Phase.DRAW, WATCH)
    return s


def thiefs_cards(s):
    return tuple(s.hand[T][4:]), s.placed[T]


def test_unseen_cards_lie_in_hand_or_deck_all_alike():
    def real(seed):
        return drawn(seed, 3, Street_Urchin=20, Pickpocket=10, Smoke_Bomb=3)

    assert compare(GAME, W, real, thiefs_cards, games=3000) < FAR


def test_a_card_that_left_the_hand_by_chance_says_nothing_of_the_rest():
    def by_lot(seed):
        s = drawn(seed, 3, Street_Urchin=16, Pickpocket=15, Smoke_Bomb=2)
        left = next(k for k in range(4, 15) if s.hand[T][k] and (seed % 3) < sum(s.hand[T][4 : k + 1]))
        lose_openly(s, THIEF, left)
        s.discard[THIEF][left - 4] += 1
        return s

    assert compare(GAME, W, by_lot, thiefs_cards, games=4000) < FAR


def test_the_merchant_imagines_what_undercover_agent_found_or_did_not():
    def real(seed):
        s = drawn(seed, 2, Street_Urchin=9, Decoy=20, Smoke_Bomb=4)
        s.waiting = 0
        effects(s, watch="Undercover Agent")
        if s.phase != Phase.SEIZE:
            ask(s, Phase.DRAW, WATCH)
        return s

    assert compare(GAME, M, real, lambda s: tuple(s.hand[T][4:]), games=3000) < FAR


def test_the_hidden_target_is_any_thief_of_the_hand():
    def real(seed):
        s = table(
            thief=["Forger", "Burglar", "Pickpocket", "Smoke Bomb"],
            options=few_titles(Forger=1, Burglar=1, Pickpocket=1, Smoke_Bomb=30),
        )
        s.hand[T][:] = bag(["Forger", "Burglar", "Pickpocket"])
        s.hand_size[THIEF][1] = 3
        s.deck[THIEF][:] = [0] * 11
        s.deck[THIEF][kind("Smoke Bomb") - 4] = 30
        s.deck_size[THIEF] = 30
        s.knows[M][THIEF][:] = s.shown[T][MERCHANT][:] = s.open[THIEF][:] = s.hand[T]
        s.knows[W][THIEF][:] = s.shown[T][WATCH][:] = s.hand[T]
        effects(s, watch="Undercover Agent")
        choose(s, W, ("Forger", "Burglar", "Pickpocket")[seed % 3])
        return s

    assert compare(GAME, M, real, lambda s: tuple(s.target), games=900) < FAR


def hands_and_deck(*factions):
    return lambda s: tuple(tuple(s.hand[faction][:4]) for faction in factions)


def test_treasure_drawn_unseen_is_any_of_what_the_deck_held():
    def real(seed):
        s = table(thief=[SILVER], treasure_deck=[COPPER, COPPER, SILVER, GOLD, DIAMOND])
        seed_luck(s, seed, DEALER)
        draw_treasures(s, MERCHANT, 2)
        draw_treasures(s, WATCH, 1)
        ask(s, Phase.DRAW, WATCH)
        take_out(s, [COPPER, COPPER, SILVER, SILVER, GOLD, DIAMOND])
        return s

    assert compare(GAME, T, real, hands_and_deck(M, W), games=4000) < FAR


def take_out(s, treasure):
    """Leaves only this treasure in the game; the rest lies face up in the discard."""
    rest = [39, 12, 4, 1]
    for kind_, count in enumerate(bag(treasure, 4)):
        rest[kind_] -= count
    s.treasure_discard[:] = rest
    for seat in range(3):
        s.older[seat][:] = [0] * 4


def test_what_hands_held_when_the_discard_was_shuffled_did_not_come_from_the_new_deck():
    """Merchant and Watch hold three old treasures, the Watch draws a fresh one: it is not the Merchant's."""

    def real(seed):
        s = table(treasure_deck=[COPPER, SILVER, GOLD], treasure_discard=[COPPER, SILVER, SILVER])
        seed_luck(s, seed, DEALER)
        take_out(s, [COPPER, SILVER, GOLD])  # the rest is the discard
        draw_treasures(s, MERCHANT, 2)
        draw_treasures(s, WATCH, 1)  # the last one: 53 treasures are shuffled
        draw_treasures(s, WATCH, 1)
        ask(s, Phase.DRAW, WATCH)
        return s

    assert compare(GAME, T, real, hands_and_deck(M, W), games=4000) < FAR


def test_a_treasure_taken_unseen_may_be_old_or_fresh():
    """As before, and then the Thief takes one of the Watch's two; the Merchant wonders what is left."""

    def real(seed):
        s = table(treasure_deck=[SILVER, GOLD])
        seed_luck(s, seed, DEALER)
        take_out(s, [SILVER, GOLD])
        draw_treasures(s, WATCH, 1)
        draw_treasures(s, THIEF, 1)
        draw_treasures(s, WATCH, 1)
        hand = s.hand[W]
        pick = seed % 2
        taken = next(k for k in range(4) if sum(hand[: k + 1]) > pick)
        hand_over(s, WATCH, THIEF, taken)
        ask(s, Phase.DRAW, WATCH)
        return s

    assert compare(GAME, M, real, hands_and_deck(W, T), games=4000) < FAR


def test_the_merchants_cards_aside_are_imagined_as_fresh_ones():
    def real(seed):
        s = table(treasure_deck=[COPPER, SILVER, GOLD, GOLD])
        seed_luck(s, seed, DEALER)
        take_out(s, [COPPER, SILVER, GOLD, GOLD])
        effects(s, merchant="Business as Usual")
        return s

    assert compare(GAME, W, real, lambda s: tuple(s.aside[M]), games=2000) < FAR


def test_a_hidden_hero_is_any_of_three():
    def real(seed):
        s = table(heroes=(Hero.ANTONIA, Hero.JACOPO))
        s.hero[T] = Hero.NINE_TAILS + seed % 3
        ask(s, Phase.DRAW, WATCH)
        return s

    assert compare(GAME, W, real, lambda s: s.hero[T], games=900) < FAR


def test_no_copper_where_the_urchin_found_none():
    def real(seed):
        s = table(treasure_deck=[COPPER, COPPER, SILVER, SILVER, GOLD])
        seed_luck(s, seed, DEALER)
        draw_treasures(s, MERCHANT, 2)
        take_out(s, [COPPER, COPPER, SILVER, SILVER, GOLD])
        effects(s, thief="Street Urchin")
        draw_treasures(s, MERCHANT, 1)
        ask(s, Phase.DRAW, WATCH)
        return s

    assert compare(GAME, W, real, hands_and_deck(M), games=3000) < FAR


# --- What stays secret -------------------------------------------------------

SECRET = {Phase.HERO: (W, M, T), Phase.SEIZE: (M,), Phase.GIVE: (T,), Phase.PLAY: (W, M, T)}  # from whom


def test_a_secret_choice_changes_nothing_that_those_see_from_whom_it_is_kept():
    """Any other secret choice leaves view and waiting of the others byte for byte the same."""
    compared = {phase: 0 for phase in SECRET}
    for seed in range(60):
        case = Case(GAME, 3, GAME.options(heroes=seed % 2, factions=1))
        for s, seat, action in positions(case, seed):
            last = (s.phase == Phase.PLAY and seat == T) or (s.phase == Phase.GIVE and s.left == 1)
            if seat < 0 or s.phase not in SECRET or last or s.informed[0]:
                continue  # after the last choice the game continues and may show something
            for other in alternatives(s, seat, action):
                compared[s.phase] += 1
                for who in SECRET[s.phase]:
                    if who != seat:
                        assert after(s, seat, other, who) == after(s, seat, action, who), Phase(s.phase).name
    assert all(compared.values()), compared


def alternatives(s, seat, action):
    """Returns the other possible actions; when a card is placed, those with the same back."""
    others = [other for other in GAME.legal_actions(s, seat) if other != action]
    if s.phase == Phase.PLAY:
        back = [a != DECLINE and a >= CARD + 4 for a in (*others, action)]
        return [o for o, same in zip(others, back, strict=False) if same == back[-1] and DECLINE not in (o, action)]
    return others


def after(s, seat, action, who):
    t = s.copy()
    GAME.apply(t, seat, action)
    return seen_by(t, who).tobytes()


# --- Knowledge is always true ---------------------------------------------------


@pytest.mark.parametrize("smoke", [True, False])
def test_whether_the_thief_has_a_smoke_bomb_stays_open_while_the_thief_is_asked(smoke):
    s = table(thief=["Smoke Bomb" if smoke else "Decoy"])
    effects(s, watch="Patrol Officer", thief="Street Urchin")
    held = {imagined(s, W, seed).hand[T][kind("Smoke Bomb")] for seed in range(60)}
    assert held == {0, 1}


def test_a_bomb_that_was_used_is_gone():
    s = table(thief=["Smoke Bomb", "Smoke Bomb"], options=deck_with("Smoke Bomb", copies=2))
    effects(s, watch="Patrol Officer", thief="Street Urchin")
    choose(s, T, Act(SMOKE))
    assert all(imagined(s, W, seed).hand[T][kind("Smoke Bomb")] <= 1 for seed in range(30))


def test_the_payer_who_is_asked_can_pay_in_more_than_one_way():
    s = table(thief=["Burglar", COPPER, SILVER, GOLD], watch=["Muster"], options=deck_with("Burglar", cost=3))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar")
    assert s.phase == Phase.PAY
    for seed in range(40):
        assert len(GAME.legal_actions(imagined(s, W, seed), T)) > 1


def test_public_gains_are_known_and_reshuffles_too():
    s = table(treasure_deck=[], treasure_discard=[GOLD, COPPER])
    reshuffle(s)
    assert s.stock == bag([GOLD, COPPER], 4) and s.fresh[W] == s.stock
    gain_openly(s, MERCHANT, kind("Banker"))
    assert s.open[MERCHANT][kind("Banker")] == 1


def test_choosing_a_deck_to_draw_from_uses_luck_so_it_is_never_tried_out():
    s = at(table(), Stage.DRAW)
    before = s.rng_a, s.rng_b
    choose(s, W, Act(DRAW_TREASURE))
    assert (s.rng_a, s.rng_b) != before
