"""Guides: what a game tells a player beside the table comes from their own view, fits the rules and is never wrong."""

import importlib
import inspect
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.cases import Case, every_game, play_on, positions, real_cases, real_tables
from tests.scenarios.trok import ANNA, BRUNO, combining
from tripot.core.game import Game, waiting_seats
from tripot.core.guide import Forced, Said, place_of
from tripot.core.layout import SPECTATOR
from tripot.core.speech import LANGUAGES, Phrase, Sentence
from tripot.games.trieste import GAME as TRIESTE
from tripot.games.trieste.actions import CARD, DECLINE
from tripot.games.trieste.cards import (
    CARDS,
    LAST_TURN,
    MERCHANT,
    NAMED,
    THIEF,
    TREASURE_CARD,
    TREASURES,
    WATCH,
    card_at,
)
from tripot.games.trieste.cards import kind_of as trieste_kind
from tripot.games.trieste.guide import effect_sentence, progress
from tripot.games.trieste.quantities import wins
from tripot.games.trieste.state import Phase as TriestePhase
from tripot.games.trieste.state import worth
from tripot.games.trieste.text import EFFECTS, threatened
from tripot.games.trok import GAME as TROK
from tripot.games.trok.actions import DONE as TROK_DONE
from tripot.games.trok.actions import SET
from tripot.games.trok.cards import Gear
from tripot.games.trok.state import Phase as TrokPhase
from tripot.games.verrater import GAME as VERRATER
from tripot.games.verrater.actions import DONE, KEEP
from tripot.games.verrater.cards import ALL_ROLES, LAST_ROUND, Role
from tripot.games.verrater.guide import race
from tripot.games.verrater.state import Phase
from tripot.table.table import Table
from tripot.terminal.guide import GuideText


def view_of(game: Game, s: Any, who: int) -> Any:
    states = np.frombuffer(s.pack(), game.layout.state.dtype)
    return game.layout.view_of(game.layout.observe(states, who).tobytes())


def played(case: Case, seed: int) -> Table:
    table, luck = case.table(seed), random.Random(seed)
    while not table.over:
        seat = table.waiting[0]
        offer = table.offer(seat)
        table.decide(seat, luck.choice(offer.legal), offer.sequence)
    return table


def keys(said: list[Said]) -> list[str]:
    return [one.key for one in said]


# --- Every game ---


@real_tables
def test_at_every_position_everything_can_be_said_in_both_languages(case: Case) -> None:
    game, guide = case.game, case.game.guide
    assert guide is not None
    names = [name.en for name in game.text.SEATS]
    heard: set[str] = set()
    for number, (s, _, _) in enumerate(positions(case, 31)):
        text = GuideText(game, names, LANGUAGES[number % 2])
        for who in (*range(case.seats), SPECTATOR):
            view = view_of(game, s, who)
            said = [*guide.goals(view), *guide.knowledge(view)]
            legal = game.legal_actions(s, who) if who in waiting_seats(s) else []
            said += [one for action in legal for one in guide.hint(view, action)]
            said += [one for action in legal if (one := guide.warning(view, action, legal))]
            assert all("{" not in text.line(one) for one in said)
            heard |= set(keys(said))
            assert guide.goals(view), "no goal"
            if len(legal) == 1:
                assert guide.forced(view, legal[0]) in Forced
    assert len(heard) > 6


@real_tables
def test_the_end_is_told_to_every_seat_and_the_history_ends_with_it(case: Case) -> None:
    table = played(case, 5)
    text = GuideText(case.game, [name.en for name in case.game.text.SEATS], "en")
    for who in (*range(case.seats), SPECTATOR):
        outcome = table.outcome(who)
        assert outcome is not None and (outcome.said is None) == (who == SPECTATOR)
        if outcome.said is not None:
            won = bool(table.result[who])
            assert ("You win" in text.line(outcome.said) or "You share" in text.line(outcome.said)) == won
        assert [list(said.numbers) for said in outcome.reached] == outcome.history[-1].reached
        clocks = [mark.clock for mark in outcome.history]
        assert clocks == list(range(1, clocks[-1] + 1))
        assert clocks[-1] == getattr(table.seen(SPECTATOR), case.game.text.CLOCK)


def test_there_is_no_outcome_before_the_end() -> None:
    assert Table(VERRATER, 4, 1).outcome(0) is None


@every_game
def test_the_sentences_of_a_guide_are_all_used(game: Game) -> None:
    """A sentence that nothing says is a leftover."""
    source = inspect.getsource(importlib.import_module(f"tripot.games.{game.name}.guide"))
    assert game.guide is not None
    for key in game.guide.sentences:
        numbered = key.rstrip("0123456789") != key
        assert numbered or source.count(f'"{key}"') > 1 or key == "clock", key


def test_places_count_winners_first_and_equals_share() -> None:
    assert place_of([0, 30, 30], [7, 7, 7], 0).place == 2
    assert place_of([30, 30, 0], [9, 9, 9], 1).sharing == 2
    assert place_of([0, 0, 0], [1, 2, 3], 0).behind == 0  # nobody has won


# --- Verräter ---


def draft(seat_to_move: int) -> Table:
    """A table of four in the draft of the first round, at the seat that chooses after this many others."""
    table = Table(VERRATER, 4, 3)
    luck = random.Random(3)
    while table.seen(SPECTATOR).phase != Phase.DRAFT:
        seat = table.waiting[0]
        table.decide(seat, luck.choice(table.offer(seat).legal), table.offer(seat).sequence)
    for _ in range(seat_to_move):
        seat = table.waiting[0]
        table.decide(seat, table.offer(seat).legal[0], table.offer(seat).sequence)
    return table


def test_V_2_2_a_seat_is_told_what_it_passed_on_and_what_it_never_saw() -> None:
    table = draft(1)
    seat = table.waiting[0]
    handed = [role for role in range(1, 7) if KEEP + role in table.offer(seat).legal]
    before = {one.key: one.numbers for one in VERRATER.guide.knowledge(table.seen(seat))}
    assert before["never_seen"] == (tuple(role for role in range(1, 7) if role not in handed),)
    table.decide(seat, KEEP + handed[0], table.offer(seat).sequence)
    after = {one.key: one.numbers for one in VERRATER.guide.knowledge(table.seen(seat))}
    assert after["passed_on"] == (tuple(handed[1:]),) and after["never_seen"] == before["never_seen"]


def test_V_2_2_the_first_player_knows_the_role_set_aside() -> None:
    table = draft(0)
    view = table.seen(table.waiting[0])
    aside = next(role for role in Role if role and not view.my_handed >> role & 1)
    assert view.my_handed == ALL_ROLES - (1 << aside)
    assert Said("set_aside", (aside,)) in VERRATER.guide.knowledge(view)


def test_V_1_4_starting_cards_are_known_until_one_of_that_value_is_played() -> None:
    view = draft(0).seen(0)
    held = {one.numbers[0]: one.numbers[1] for one in VERRATER.guide.knowledge(view) if one.key == "still_holds"}
    assert held == {seat: (1, 2, 3) for seat in (1, 2, 3)}


def test_V_3_1_the_goal_counts_the_rounds() -> None:
    table = draft(0)
    assert Said("round", (1, LAST_ROUND[4])) in VERRATER.guide.goals(table.seen(0))


def test_V_3_4_who_leads_is_said_to_each_as_they_stand() -> None:
    at_the_draft = draft(0).seen(0)
    assert race(at_the_draft) in VERRATER.guide.goals(at_the_draft)
    view = SimpleNamespace(seats=3, seat=SPECTATOR, points=[7, 12, 9, 50])  # nobody sits in the last seat
    assert race(view) == Said("leader", (1, 12))
    view.points[2] = 12
    assert race(view) == Said("no_leader", (12,))
    for seat, points, said in (
        (0, [7, 12, 9], Said("behind", (7, 1, 12))),
        (2, [7, 12, 9], Said("behind", (9, 1, 12))),
        (1, [7, 12, 9], Said("ahead", (12, 3))),
        (1, [12, 12, 9], Said("level", (12,))),
    ):
        view.seat, view.points = seat, points
        assert race(view) == said


def test_V_2_10_a_builder_who_builds_nothing_is_asked_once_more() -> None:
    luck = random.Random(8)
    table = Table(VERRATER, 4, 8)
    while table.seen(SPECTATOR).phase != Phase.BUILD:
        seat = table.waiting[0]
        table.decide(seat, luck.choice(table.offer(seat).legal), table.offer(seat).sequence)
    seat = table.waiting[0]
    view, legal = table.seen(seat), table.offer(seat).legal
    assert VERRATER.guide.warning(view, DONE, legal) == Said("builder_idle")
    assert VERRATER.guide.warning(view, legal[1], legal) is None
    assert VERRATER.guide.warning(view, DONE, [DONE]) is None


# --- Trök ---


def test_K_0_3_closed_purses_stay_closed_in_the_goal() -> None:
    s = combining(Gear.RATION, Gear.RATION, Gear.RATION, aare=[31, 42], open_purses=0)
    said = TROK.guide.goals(view_of(TROK, s, ANNA))
    assert Said("purse", (31, 50)) in said and "richest" not in keys(said)
    s.open_purses = 1
    assert Said("richest", (BRUNO, 42)) in TROK.guide.goals(view_of(TROK, s, ANNA))


def test_K_4_1_a_combination_left_in_the_hand_is_worth_a_word() -> None:
    s = combining(Gear.RATION, Gear.RATION, Gear.RATION)
    view, legal = view_of(TROK, s, ANNA), TROK.legal_actions(s, ANNA)
    assert TROK.guide.warning(view, TROK_DONE, legal) == Said("could_combine")
    assert TROK.guide.warning(view, SET + Gear.RATION, legal) is None
    assert TROK.guide.warning(view, TROK_DONE, [TROK_DONE]) is None
    assert TROK.guide.forced(view, TROK_DONE) is Forced.SECRET


def test_K_4_1_what_a_combination_brings_is_said_while_one_is_chosen_and_nothing_is_planned() -> None:
    s = combining(Gear.RATION, Gear.RATION, Gear.RATION)
    view = view_of(TROK, s, ANNA)
    assert keys(TROK.guide.hint(view, SET + Gear.RATION)) == ["pays"]
    assert TROK.guide.hint(view, TROK_DONE) == []
    view.my_plan = 1
    assert TROK.guide.hint(view, SET + Gear.RATION) == []
    view.my_plan, view.phase = 0, TrokPhase.STORE
    assert TROK.guide.hint(view, SET + Gear.RATION) == []


# --- Trieste ---


def asked_to_play(faction: int) -> tuple[Any, Any]:
    """A state in which a faction is asked for its card, and its view."""
    table = Table(TRIESTE, 3, 2)
    luck = random.Random(2)
    while True:
        seat = table.waiting[0]
        view = table.seen(seat)
        if view.phase == TriestePhase.PLAY and view.faction[seat] == faction:
            s = TRIESTE.layout.state.plain()
            s.load(table.state_bytes())
            return s, seat
        table.decide(seat, luck.choice(table.offer(seat).legal), table.offer(seat).sequence)


def test_T_3_3_a_card_that_cannot_be_paid_is_warned_of_and_others_are_not() -> None:
    s, seat = asked_to_play(THIEF)
    s.hand[seat][:] = [0] * len(s.hand[seat])
    dear, free = NAMED["Master Thief"], NAMED["Street Urchin"]
    for card in (dear, free):
        s.hand[seat][trieste_kind(THIEF, card)] = 1
    s.hand[seat][0] = 2
    view, legal = view_of(TRIESTE, s, seat), TRIESTE.legal_actions(s, seat)
    cost = s.cost[dear] + s.curfew[0]
    warning = TRIESTE.guide.warning(view, CARD + trieste_kind(THIEF, dear), legal)
    assert cost > 2 and warning == Said("cannot_pay", (dear, cost, 2))
    assert TRIESTE.guide.warning(view, CARD + trieste_kind(THIEF, free), legal) is None
    assert TRIESTE.guide.warning(view, DECLINE, legal) == Said("nothing_played")
    hint = TRIESTE.guide.hint(view, CARD + trieste_kind(THIEF, dear))
    assert hint[0] == Said("too_dear", (cost, s.level[dear], 2)) and hint[1].key == f"card_{dear}"


def test_T_4_2_only_the_merchant_is_told_what_the_purse_is_worth_before_the_end() -> None:
    s, _ = asked_to_play(WATCH)
    merchant = s.seat_of[MERCHANT]
    for who in (0, 1, 2, SPECTATOR):
        said = {one.key: one.numbers for one in TRIESTE.guide.goals(view_of(TRIESTE, s, who))}
        assert ("purse" in said) == (who == merchant) and ("closed_purse" in said) == (who != merchant)
    said = {one.key: one.numbers for one in TRIESTE.guide.goals(view_of(TRIESTE, s, merchant))}
    assert said["purse"] == progress(s, MERCHANT) and said["purse"][0] == worth(s.hand[merchant])


def test_T_4_2_the_result_tells_the_merchant_why_their_goal_has_grown() -> None:
    s, _ = asked_to_play(WATCH)
    seat = s.seat_of[MERCHANT]
    s.hand[seat][:] = [0] * len(s.hand[seat])
    s.hand[seat][0] = 12  # coppers
    assert TRIESTE.guide.reached(s, seat) == Said("purse", (12, 11))
    s.captured[trieste_kind(THIEF, NAMED["Burglar"]) - TREASURES] = 2
    levels = 2 * s.level[NAMED["Burglar"]]
    assert TRIESTE.guide.reached(s, seat) == Said("raised_purse", (12, 11 + levels, 11, levels))
    assert TRIESTE.guide.reached(s, s.seat_of[WATCH]).key == "captures"
    told = {}
    for winner in (MERCHANT, THIEF, None):
        s.result[:] = [int(s.faction[who] == winner) for who in range(3)]
        told[winner] = GuideText(TRIESTE, [], "en").line(TRIESTE.guide.outcome(s, seat))
    because = f"(11 + {levels} for captured thieves)"
    assert told[MERCHANT] == f"You win in turn {s.turn}: treasure worth 12, {11 + levels} needed {because}"
    assert told[THIEF] == f"The Thief wins in turn {s.turn}; you reached 12 of {11 + levels} {because}"
    assert told[None] == f"Nobody wins; you reached 12 of {11 + levels} {because}"


def test_T_4_the_own_goal_comes_first() -> None:
    s, _ = asked_to_play(WATCH)
    for faction, key in ((WATCH, "captures"), (MERCHANT, "purse"), (THIEF, "infamy")):
        said = TRIESTE.guide.goals(view_of(TRIESTE, s, s.seat_of[faction]))
        assert said[1].key == key and len(said) == 4


def test_T_0_4_what_others_know_of_a_hand_is_told_to_its_owner() -> None:
    s, seat = asked_to_play(WATCH)
    for faction, known in ((MERCHANT, 1), (THIEF, 2)):
        s.shown[seat][faction][:] = [0] * len(s.shown[seat][faction])
        s.shown[seat][faction][0] = known
    said = TRIESTE.guide.knowledge(view_of(TRIESTE, s, seat))
    assert Said("they_know", (MERCHANT, [TREASURE_CARD])) in said
    assert Said("they_know", (THIEF, [TREASURE_CARD] * 2)) in said
    s.shown[seat][THIEF][0] = 1
    said = TRIESTE.guide.knowledge(view_of(TRIESTE, s, seat))
    assert said[-1] == Said("others_know", ([TREASURE_CARD],)) and "they_know" not in keys(said)


@pytest.mark.parametrize("game", [VERRATER, TROK, TRIESTE], ids=lambda game: game.name)
def test_a_game_knows_the_word_for_its_rounds(game: Game) -> None:
    assert GuideText(game, [], "fr").line(Said("clock", (3,))) == "Tour 3"


@every_game
def test_every_question_is_explained_to_beginners(game: Game) -> None:
    """What nobody is asked (the end, phases without a decision) needs no words."""
    assert game.guide
    waiting = next(field for field in game.fields if field.name == "phase")
    asked = set(game.text.QUESTIONS) - set(waiting.absent)
    assert set(game.guide.advice) == asked
    for said in game.guide.advice.values():
        assert said.en != said.fr and max(len(said.en), len(said.fr)) <= 130


class Watched:
    """A view that remembers which of its fields were read."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self._read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return getattr(self._view, name)


@real_cases
def test_goals_and_knowledge_read_what_the_guide_says_they_read(case: Case) -> None:
    """A letter says them again only when one of these has changed."""
    guide = case.game.guide
    assert guide is not None and guide.goals_read is not None and guide.knowledge_reads is not None
    assert guide.goals_read | guide.knowledge_reads <= {field.name for field in case.game.layout.view.fields}
    for seed in range(3):
        table, luck = case.table(seed), random.Random(seed)
        while not table.over:
            for who in (*range(case.seats), SPECTATOR):
                for speak, reads in ((guide.goals, guide.goals_read), (guide.knowledge, guide.knowledge_reads)):
                    view = Watched(table.seen(who))
                    speak(view)
                    assert view._read - {"seat"} <= reads
            play_on(table, luck, decisions=4)


def test_the_texts_of_cards_and_of_victories_follow_from_their_words() -> None:
    """Made anew: those of the game were made when it was imported."""
    assert TRIESTE.guide is not None and TRIESTE.quantities is not None
    for card, effect in enumerate(EFFECTS):
        if card:
            assert effect_sentence(effect) == TRIESTE.guide.sentences[f"card_{card}"]
    two = Phrase("Draw {treasures}, {more} and {treasures}.", "{more}")
    assert effect_sentence(two) == Sentence("T-5.8", "treasures number:more", *two)
    assert wins("the Watch", "le Gardien") in TRIESTE.quantities.items


def test_places_count_winners_first_and_then_by_total() -> None:
    assert place_of([0, 60, 0], [7, 9, 4], 1) == (0, 2, 1, 1)
    assert place_of([0, 60, 0], [7, 9, 4], 2) == (2, 5, 0, 1)
    assert place_of([30, 0, 30], [7, 9, 7], 2) == (0, -2, 2, 2), "fewer than somebody who did not win"
    assert place_of([0, 0], [3, 5], 0) == (1, 0, 0, 0), "nobody has won"
    assert all(isinstance(number, int) for number in place_of([0, 60, 0], [7, 9, 4], 2))


def test_how_a_game_of_verrater_ended_is_told_to_each() -> None:
    def told(points: list[int], result: list[int]) -> list[Said]:
        s = SimpleNamespace(seats=3, points=points, result=result)
        return [VERRATER.guide.outcome(s, seat) for seat in range(3)]  # type: ignore[union-attr]

    assert told([9, 7, 7], [60, 0, 0]) == [Said("win_by", (2,)), *[Said("ranked", (1, 3, 2, 0))] * 2]
    assert told([9, 9, 7], [60, 0, 0])[:2] == [Said("win_tie_break"), Said("ranked_level", (1, 3))]
    assert told([9, 9, 7], [30, 30, 0]) == [Said("share", (9,)), Said("share", (9,)), Said("ranked", (2, 3, 2, 0))]


def test_how_a_game_of_trok_ended_is_told_to_each() -> None:
    def told(aare: list[int], result: list[int], perfect: int = 0) -> list[Said]:
        s = SimpleNamespace(seats=2, aare=aare, result=result, perfect=perfect)
        return [TROK.guide.outcome(s, seat) for seat in range(2)]  # type: ignore[union-attr]

    assert told([52, 40], [60, 0]) == [Said("win_by", (12,)), Said("ranked", (1, 2, 12, 0))]
    assert told([52, 52], [30, 30]) == [Said("share", (52,))] * 2
    assert told([30, 40], [60, 0], 1) == [Said("win_perfect"), Said("lost_perfect", (1, 2, 0))]


def test_goals_that_are_seldom_near() -> None:
    trok = SimpleNamespace(turn=9, over=0, seats=2, seat=0, aare=[51, 20], goal=50, open_purses=1, perfect=0b10)
    assert TROK.guide.goals(trok) == [  # type: ignore[union-attr]
        Said("turn", (9,)),
        Said("purse", (51, 50)),
        Said("last_turn"),
        Said("perfect_shown"),
        Said("goal", (50,)),
    ]
    s = TRIESTE.new_state(TRIESTE.options(), 3, 5)
    for turn, key in ((1, "turn"), (LAST_TURN - 10, "turn"), (LAST_TURN - 9, "late_turn")):
        s.turn = turn
        said = TRIESTE.guide.goals(view_of(TRIESTE, s, 1))[0]  # type: ignore[union-attr]
        assert said == (Said(key, (turn,)) if key == "turn" else Said(key, (turn, LAST_TURN)))
    s.turn = 0
    assert TRIESTE.guide.goals(view_of(TRIESTE, s, 1))[0] == Said("set_up")  # type: ignore[union-attr]


def test_declining_a_trial_is_a_mistake_only_where_somebody_can_be_captured() -> None:
    view = SimpleNamespace(phase=TriestePhase.TRIAL, faction=[WATCH], seat=0)
    assert TRIESTE.guide.warning(view, DECLINE, [DECLINE, CARD]) == Said("nothing_captured")  # type: ignore[union-attr]
    assert TRIESTE.guide.warning(view, DECLINE, [DECLINE]) is None  # type: ignore[union-attr]
    assert TRIESTE.guide.warning(view, CARD, [DECLINE, CARD]) is None  # type: ignore[union-attr]


def test_whom_the_watch_threatens() -> None:
    none = SimpleNamespace(my_target=0, prey=[0, 0, 0])
    assert threatened(none) == 0
    assert threatened(SimpleNamespace(my_target=0, prey=[0, 2, 1])) == card_at(THIEF, TREASURES + 1)
    assert threatened(SimpleNamespace(my_target=TREASURES, prey=[0, 2, 1])) == card_at(THIEF, TREASURES)


def test_a_curfew_makes_a_card_too_dear_for_the_thief_alone() -> None:
    s = TRIESTE.new_state(TRIESTE.options(), 3, 5)
    seat = s.seat_of[THIEF]
    s.phase, s.hand[seat][:] = TriestePhase.PLAY, [0] * len(s.hand[seat])
    card = next(card for card in NAMED.values() if CARDS[card].faction == THIEF and s.cost[card] == 1)
    play = CARD + trieste_kind(THIEF, card)
    s.hand[seat][0] = 1
    assert TRIESTE.guide.warning(view_of(TRIESTE, s, seat), play, [play]) is None  # type: ignore[union-attr]
    s.curfew[0] = 1
    said = TRIESTE.guide.warning(view_of(TRIESTE, s, seat), play, [play])  # type: ignore[union-attr]
    assert said == Said("cannot_pay", (card, 2, 1))
