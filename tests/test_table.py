"""The table is the authority: it accepts legal decisions, refuses others, and a refusal changes nothing."""

import json
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import tripot
from tests import pennies
from tests.cases import DEFAULTS, Case, every_table, play_on, real_tables
from tripot.core.game import WHOLE_WIN
from tripot.core.layout import SPECTATOR
from tripot.core.news import EVERYONE
from tripot.core.options import BadOption
from tripot.core.rulebook import rule_book
from tripot.table.imagined import Imagined
from tripot.table.refusal import Reason, Refusal
from tripot.table.table import MOMENTS, BadTable, Offer, Table


def everything(table: Table) -> str:
    """Returns everything a table knows and tells, to compare before and after."""
    told = [table.news(who) for who in (*range(table.seats), SPECTATOR)]
    offers = [table.offer(seat) for seat in range(table.seats)]
    state = table.state_bytes().hex()
    return repr((state, told, offers, table.decisions, table.waiting, table.over, table.result, table.sequence))


class TableMachine(RuleBasedStateMachine):
    """A state machine: any seat tries any decision at any time, and the table stays consistent."""

    @initialize(case=st.sampled_from(DEFAULTS), seed=st.integers(0, 2**64 - 1))
    def sit_down(self, case: Case, seed: int) -> None:
        self.case = case
        self.table = case.table(seed)
        self.past: list[tuple[int, int]] = []

    def refused(self, reason: Reason, seat: Any, actions: Any, sequence: Any) -> None:
        """Checks that the table refuses for this reason, in both languages, and does not change."""
        before = everything(self.table)
        with pytest.raises(Refusal) as refusal:
            self.table.decide(seat, actions, sequence)
        assert refusal.value.reason is reason
        assert everything(self.table) == before
        question = self.case.game.text.QUESTIONS[self.table.view(SPECTATOR)["phase"][0]]
        for lang, asked in (("en", question.en), ("fr", question.fr)):
            text = refusal.value.text(lang)
            assert text.endswith(f" [{question.clause}]") and "{" not in text
            assert (asked in text) == (reason is Reason.ILLEGAL)
        assert refusal.value.text("en") != refusal.value.text("fr")

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.table.waiting))
        offer = self.table.offer(seat)
        action = data.draw(st.sampled_from(offer.legal))
        count = self.table.sequence
        self.table.decide(seat, action, offer.sequence)
        self.past.append((seat, action))
        assert self.table.sequence == count + 1 and self.table.decisions == self.past

    @precondition(lambda self: not self.table.over)
    @rule(luck=st.randoms(use_true_random=False), decisions=st.integers(1, 60))
    def time_passes(self, luck: random.Random, decisions: int) -> None:
        play_on(self.table, luck, decisions)
        self.past = list(self.table.decisions)

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data())
    def try_what_is_not_allowed(self, data: st.DataObject) -> None:
        offer = self.table.offer(data.draw(st.sampled_from(self.table.waiting)))
        illegal = sorted(set(range(self.case.game.num_actions)) - set(offer.legal))
        if illegal:
            self.refused(Reason.ILLEGAL, offer.seat, data.draw(st.sampled_from(illegal)), offer.sequence)

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data(), shift=st.sampled_from([-3, -1, 1, 2]))
    def try_an_offer_of_another_time(self, data: st.DataObject, shift: int) -> None:
        offer = self.table.offer(data.draw(st.sampled_from(self.table.waiting)))
        self.refused(Reason.STALE, offer.seat, data.draw(st.sampled_from(offer.legal)), offer.sequence + shift)

    @precondition(lambda self: not self.table.over and len(self.table.waiting) < self.table.seats)
    @rule(data=st.data())
    def try_out_of_turn(self, data: st.DataObject) -> None:
        idle = sorted(set(range(self.table.seats)) - set(self.table.waiting))
        seat = data.draw(st.sampled_from(idle))
        assert self.table.offer(seat).legal == ()
        action = data.draw(st.integers(0, self.case.game.num_actions - 1))
        self.refused(Reason.NOT_WAITED_FOR, seat, action, self.table.offer(seat).sequence)

    @rule(seat=st.sampled_from([-1, 6, 100, SPECTATOR, 2**70, True, False, None, "0", 0.0]), action=st.integers(0, 9))
    def try_from_no_seat(self, seat: Any, action: int) -> None:
        self.refused(Reason.NO_SEAT, seat, action, self.table.sequence)
        for ask in (self.table.offer, self.table.view, self.table.news, self.table.letter):
            if seat != SPECTATOR:
                with pytest.raises(Refusal, match="There is no such seat"):
                    ask(seat)

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data(), what=st.sampled_from([-1, -(2**70), 2**70, True, False, 1.0, None, "DONE"]))
    def try_an_unknown_decision(self, data: st.DataObject, what: Any) -> None:
        offer = self.table.offer(data.draw(st.sampled_from(self.table.waiting)))
        self.refused(Reason.UNKNOWN, offer.seat, [what], offer.sequence)
        self.refused(Reason.UNKNOWN, offer.seat, self.case.game.num_actions, offer.sequence)

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data())
    def try_nothing_at_all(self, data: st.DataObject) -> None:
        offer = self.table.offer(data.draw(st.sampled_from(self.table.waiting)))
        self.refused(Reason.NOTHING, offer.seat, [], offer.sequence)

    @precondition(lambda self: not self.table.over)
    @rule(data=st.data())
    def try_several_with_a_bad_one_last(self, data: st.DataObject) -> None:
        """A choice is accepted as a whole or not at all. A decision beyond its end is stale."""
        offer = self.table.offer(data.draw(st.sampled_from(self.table.waiting)))
        good = [data.draw(st.sampled_from(offer.legal))]
        trial = Table(self.case.game, self.table.seats, self.table.seed)
        for seat, action in self.table.decisions:
            trial.decide(seat, action, trial.offer(seat).sequence)
        phase, waiting = trial.view(SPECTATOR)["phase"][0], trial.waiting
        trial.decide(offer.seat, good, offer.sequence)
        same = trial.view(SPECTATOR)["phase"][0] == phase and trial.waiting == waiting
        next_offer = trial.offer(offer.seat)
        bad = sorted(set(range(self.case.game.num_actions)) - set(next_offer.legal))
        if same and bad and state_of(trial).rng_d == state_of(self.table).rng_d:
            self.refused(Reason.ILLEGAL, offer.seat, [*good, data.draw(st.sampled_from(bad))], offer.sequence)
            self.refused(Reason.UNKNOWN, offer.seat, [*good, -1], offer.sequence)
        else:
            for last in (0, -1, *next_offer.legal[:1]):
                self.refused(Reason.STALE, offer.seat, [*good, last], offer.sequence)

    @precondition(lambda self: self.table.over)
    @rule(seat=st.integers(0, 1), action=st.integers(-1, 9), sequence=st.integers(0, 300))
    def try_after_the_end(self, seat: int, action: int, sequence: int) -> None:
        self.refused(Reason.OVER, seat, action, sequence)
        self.refused(Reason.OVER, seat, action, self.table.sequence)

    @invariant()
    def the_table_is_in_order(self) -> None:
        if not hasattr(self, "table"):
            return
        table = self.table
        assert table.over == (not table.waiting)
        assert sum(table.result) in ((WHOLE_WIN, 0) if table.over else (0,))
        assert table.sequence == len(table.decisions)
        for seat in range(table.seats):
            assert bool(table.offer(seat).legal) == (seat in table.waiting)
        json.dumps([table.letter(who) for who in (*range(table.seats), SPECTATOR)], allow_nan=False)


def state_of(table: Table) -> Any:
    s = table.game.layout.state.plain()
    s.load(table.state_bytes())
    return s


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=100, stateful_step_count=25)


# --- One at a time ---


@every_table
def test_the_same_decisions_give_the_same_game(case: Case) -> None:
    one, two = case.table(51), case.table(51)
    play_on(one, random.Random(51))
    for seat, action in one.decisions:
        two.decide(seat, action, two.offer(seat).sequence)
    assert everything(one) == everything(two) and one.over


@every_table
def test_news_carries_the_number_of_its_decision(case: Case) -> None:
    table = case.table(52)
    luck = random.Random(52)
    while not table.over:
        before = [table.news(who) for who in range(case.seats)]
        play_on(table, luck, 1)
        for who, old in enumerate(before):
            assert table.news(who)[: len(old)] == old
            assert {story.sequence for story in table.news(who)[len(old) :]} <= {table.sequence}
            assert table.news(who, since=table.sequence) == table.news(who)[len(old) :]


@every_table
def test_a_view_handed_out_cannot_change_the_table(case: Case) -> None:
    table = case.table(53)
    before = table.state_bytes()
    view = table.view(0)
    view["phase"] = 0
    view["result"] = 1
    letter = table.letter(0)
    letter["view"]["phase"] = 99
    letter["legal"].clear()
    letter["news"].clear()
    assert table.state_bytes() == before and table.view(0)["phase"][0] > 0
    assert table.letter(0)["legal"] == list(table.offer(0).legal)


@pytest.mark.parametrize(
    ("seats", "seed", "complaint"),
    [
        (1, 0, "pennies is for 2 or 3 players, not 1"),
        (4, 0, "pennies is for 2 or 3 players, not 4"),
        (2, -1, "the seed -1 is not a number from 0 to 2"),
        (2, 2**64, "the seed 18446744073709551616 is not"),
    ],
)
def test_a_table_that_cannot_be_opened_says_why(seats: int, seed: int, complaint: str) -> None:
    with pytest.raises(BadTable, match=complaint):
        Table(pennies.GAME, seats, seed)
    with pytest.raises(BadOption, match="option lucky = 3: this table has 2 seats"):
        Table(pennies.GAME, 2, 0, pennies.Options(lucky=3))


@real_tables
def test_refusals_cite_a_clause_that_exists(case: Case) -> None:
    table, luck = case.table(54), random.Random(54)
    cited = set()
    while True:
        for seat in range(case.seats):
            with pytest.raises(Refusal) as refusal:
                table.decide(seat, -1, table.offer(seat).sequence)
            cited.add(refusal.value.clause)
        if table.over:
            break
        play_on(table, luck, 2)
    assert len(cited) > 2 and all(clause in rule_book(case.game) for clause in cited)


def test_every_reason_is_given_in_both_languages() -> None:
    for reason in Reason:
        assert reason.value.en and reason.value.fr and reason.value.en != reason.value.fr
        assert ("{question}" in reason.value.en) == ("{question}" in reason.value.fr)


def test_a_refusal_names_the_seat_that_it_answers() -> None:
    table = Table(pennies.GAME, 3, 1)
    table.decide(1, pennies.DONE, 0)
    tries: list[tuple[Reason, int, Any, int]] = [
        (Reason.NO_SEAT, 7, 0, 1),
        (Reason.NOT_WAITED_FOR, 1, 0, 1),
        (Reason.STALE, 2, pennies.DONE, 1),
        (Reason.UNKNOWN, 2, -1, 0),
        (Reason.NOTHING, 2, [], 0),
        (Reason.ILLEGAL, 2, next(a for a in range(pennies.NUM_ACTIONS) if a not in table.offer(2).legal), 0),
    ]
    for reason, seat, actions, sequence in tries:
        with pytest.raises(Refusal) as refusal:
            table.decide(seat, actions, sequence)
        assert (refusal.value.reason, refusal.value.seat) == (reason, seat)
        assert str(refusal.value) == refusal.value.text("en") and refusal.value.clause == "P-1.1"
        if reason is not Reason.NOTHING:  # a choice may begin with nothing
            with pytest.raises(Refusal) as refusal:
                table.choice(seat, [actions], sequence)
            assert refusal.value.seat == seat
    for ask in (table.offer, table.view, table.news, table.letter):
        with pytest.raises(Refusal) as refusal:
            ask(7)
        assert (refusal.value.reason, refusal.value.seat) == (Reason.NO_SEAT, 7)


def test_a_letter_holds_the_view_the_legal_decisions_the_news_and_the_number_to_answer_with() -> None:
    table = Table(pennies.GAME, 3, 1)
    table.decide(1, pennies.DONE, 0)
    for who, sequence in ((0, 0), (1, 1), (2, 0), (SPECTATOR, 1)):
        letter = table.letter(who)
        assert list(letter) == ["sequence", "view", "legal", "news"] and letter["sequence"] == sequence
        assert letter["view"] == {f.name: getattr(table.seen(who), f.name) for f in pennies.GAME.layout.view.fields}
        assert letter["legal"] == ([] if who in (1, SPECTATOR) else list(table.offer(who).legal))
        assert letter["news"] == [[story.sequence, *story.item[1:]] for story in table.news(who)]
    assert table.offer(1) == Offer(1, 1, ()) and table.offer(0).sequence == 0


def test_a_choice_at_the_table_starts_with_the_decisions_given() -> None:
    table = Table(pennies.GAME, 3, 1)
    lay = next(action for action in table.offer(0).legal if action != pennies.DONE)
    assert table.choice(0, [], 0).seen.tobytes() == table.view(0).tobytes()
    choice = table.choice(0, [lay], 0)
    assert choice.decisions == [lay] and choice.seat == 0 and pennies.DONE in choice.legal
    assert choice.seen.tobytes() == choice.view.pack()
    assert choice.seen.tobytes() != table.view(0).tobytes()
    assert table.sequence == 0


@real_tables
def test_the_moments_of_the_last_pieces_of_news_are_kept(case: Case) -> None:
    table, luck = case.table(55), random.Random(55)
    table.keeps_moments = True
    while not table.over:
        play_on(table, luck, 5)
        everything_told = table.all_news()
        kept = min(len(everything_told), MOMENTS) if table.sequence else 0
        dealt = sum(story.sequence == 0 for story in everything_told)
        oldest = max(len(everything_told) - MOMENTS, dealt)
        for who in (0, SPECTATOR):
            heard = [i for i, story in enumerate(everything_told) if story.item.to in (EVERYONE, who)]
            assert [moment is None for moment in table.moments(who)] == [i < oldest for i in heard]
        assert len(table._moments) == min(kept, len(everything_told) - dealt)


@every_table
def test_what_is_worked_out_once_for_several_is_what_each_of_them_heard_and_saw(case: Case) -> None:
    table = Table(case.game, case.seats, 9, case.options)
    table.keeps_moments = True
    rng, told, shared = random.Random(9), 0, False
    while not table.over and table.sequence < 60:
        before = table.state_bytes()
        seat = rng.choice(table.waiting)
        offer = table.offer(seat)
        table.decide(seat, rng.choice(offer.legal), offer.sequence)
        since = max(1, table.sequence - rng.choice([0, 0, 3]))
        found = {who: table.update(who, since, before) for who in (*range(case.seats), SPECTATOR)}
        for who, update in found.items():
            assert update.moments == table.moments(who, since, guided=False)
            assert update.news == [[story.sequence, *story.item[1:]] for story in table.news(who, since)]
            told += len(update.news)
        shared = shared or found[0].moments is found[1].moments
        table.rest()
    assert told and (shared or hasattr(case.game.text, "concealed"))


# --- Simultaneous secret choices, with the toy game ---


def test_an_offer_stays_valid_while_others_choose_at_the_same_time() -> None:
    table = Table(pennies.GAME, 3, 1)
    offers = [table.offer(seat) for seat in range(3)]
    assert [offer.sequence for offer in offers] == [0, 0, 0]
    table.decide(1, pennies.DONE, offers[1].sequence)
    assert table.waiting == [0, 2] and table.offer(0) == offers[0] and table.offer(2) == offers[2]
    assert table.offer(1).legal == ()
    table.decide(2, pennies.DONE, offers[2].sequence)
    table.decide(0, pennies.DONE, offers[0].sequence)
    assert [table.offer(seat).sequence for seat in range(3)] == [3, 3, 3]
    with pytest.raises(Refusal, match="moved on"):
        table.decide(0, pennies.DONE, offers[0].sequence)


def test_a_decision_makes_only_the_offer_of_its_own_seat_stale() -> None:
    table = Table(pennies.GAME, 3, 1)
    offers = [table.offer(seat) for seat in range(3)]
    lay = offers[0].legal[1]
    table.decide(0, lay, 0)
    assert table.offer(0).sequence == 1 and table.waiting == [0, 1, 2]
    assert table.offer(1) == offers[1] and table.offer(2) == offers[2]
    with pytest.raises(Refusal, match="moved on"):
        table.decide(0, lay, 0)
    table.decide(1, pennies.DONE, 0)
    table.decide(0, pennies.DONE, 1)


def test_two_decisions_make_one_choice_and_a_third_is_beyond_it() -> None:
    table = Table(pennies.GAME, 2, 1)
    lay = next(action for action in table.offer(0).legal if action != pennies.DONE)
    before = everything(table)
    with pytest.raises(Refusal, match="moved on"):
        table.decide(0, [pennies.DONE, pennies.DONE], 0)
    assert everything(table) == before
    table.decide(0, [lay, pennies.DONE], 0)
    assert table.decisions == [(0, lay), (0, pennies.DONE)] and table.waiting == [1]


def test_a_game_can_be_over_when_it_is_dealt() -> None:
    table = Table(pennies.GAME, 2, 1, pennies.Options(rounds=0))
    assert table.over and table.waiting == [] and sum(table.result) == WHOLE_WIN
    with pytest.raises(Refusal, match=r"The game is over.*\[P-1.2\]"):
        table.decide(0, 0, 0)


@pytest.mark.parametrize("one", [Imagined(0, 3, 5), Imagined(0, -1, 5), Imagined(0, 0, 1 << 64), Imagined(0, 0, -1)])
def test_hidden_cards_are_imagined_by_a_seat_of_the_table_from_a_seed(one: Imagined) -> None:
    game = tripot.GAMES["verrater"]
    said = rf"^hidden cards cannot be imagined by seat {one.seat + 1} from seed {one.seed}$"
    with pytest.raises(BadTable, match=said):
        Table(game, 3, 1, imagined=[one])
    Table(game, 3, 1, imagined=[Imagined(0, 2, (1 << 64) - 1), Imagined(0, 0, 0)])


def test_a_seat_that_is_not_asked_is_offered_nothing_and_a_refusal_names_its_seat() -> None:
    """The Merchant's step: the others could play too, if it were theirs."""
    for game in tripot.GAMES.values():
        table = Table(game, game.seats[0], 3)
        for _ in range(30):
            for seat in range(table.seats):
                assert bool(table.offer(seat).legal) == (seat in table.waiting)
                assert table.offer(seat) is table.offer(seat), "worked out once"
            seat = table.waiting[0]
            offer = table.offer(seat)
            with pytest.raises(Refusal) as refused:
                table.decide(seat, [*offer.legal[:1], *[offer.legal[0]] * 9], offer.sequence)
            assert refused.value.seat == seat
            table.decide(seat, offer.legal[0], offer.sequence)
