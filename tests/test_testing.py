"""`tripot.testing` finds what is wrong with a game, and says so in a sentence."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests import pennies
from tests.conservation import CONSERVED
from tripot.core.game import IMAGINATION, Game, Stages
from tripot.core.news import tell
from tripot.core.rng import seed_luck
from tripot.core.speech import Phrase, Sentence
from tripot.lab import leduc
from tripot.lab.leduc.actions import CALL, News
from tripot.testing import GameChecks, checks_of, contract, engines, imagination, secrets, subset, texts
from tripot.testing.cases import Case

pytest_plugins = ["pytester"]
TestLeduc = checks_of(leduc.GAME, conserved=CONSERVED["leduc"], stepped=20)


# --- Rules that go wrong ---


def legal_by_the_other_card(s, seat, mask):  # type: ignore[no-untyped-def]
    leduc.GAME.legal(s, seat, mask)
    if s.waiting >> seat & 1:
        mask[2] = s.card[1 - seat] > 3


def legal_of_a_seat_that_waits(s, seat, mask):  # type: ignore[no-untyped-def]
    mask[CALL] = 1


def legal_by_weight(s, seat, mask):  # type: ignore[no-untyped-def]
    if s.waiting >> seat & 1:
        mask[CALL] = 2


def legal_that_writes(s, seat, mask):  # type: ignore[no-untyped-def]
    leduc.GAME.legal(s, seat, mask)
    s.raises = 0


def apply_that_deals_twice(s, seat, action):  # type: ignore[no-untyped-def]
    leduc.GAME.apply(s, seat, action)
    s.card[1] = s.card[0]


def apply_that_waits_for_nobody(s, seat, action):  # type: ignore[no-untyped-def]
    s.waiting = 0


def apply_without_end(s, seat, action):  # type: ignore[no-untyped-def]
    s.waiting = 1 << (1 - seat)


def apply_that_pays_too_much(s, seat, action):  # type: ignore[no-untyped-def]
    leduc.GAME.apply(s, seat, action)
    s.result[0] = 3


def apply_that_listens(s, seat, action):  # type: ignore[no-untyped-def]
    leduc.GAME.apply(s, seat, action)
    if s.news is not None:
        s.raises = 1


def apply_that_tells_the_card(s, seat, action):  # type: ignore[no-untyped-def]
    leduc.GAME.apply(s, seat, action)
    tell(s, News.OPENED, s.card[seat])


def apply_by_a_list(s, seat, action):  # type: ignore[no-untyped-def]
    chips = [s.chips[0], s.chips[1]]
    s.raises = min(s.raises, len(chips))


def apply_that_waits_for_two(s, seat, action):  # type: ignore[no-untyped-def]
    pennies.apply(s, seat, action)
    s.points[0] = min(10, s.points[0] * 2 + seat)


def deal_without_luck(s, options, seats, seed):  # type: ignore[no-untyped-def]
    leduc.GAME.deal(s, options, seats, 7)


def imagine_the_same(view, s, seed):  # type: ignore[no-untyped-def]
    seed_luck(s, seed, IMAGINATION)
    s.card[1 - view.seat] = 1 + view.my_card % 6


def imagine_another_table(view, s, seed):  # type: ignore[no-untyped-def]
    leduc.GAME.imagine(view, s, seed)
    s.raises = 1 - min(view.raises, 1)


def imagine_without_luck(view, s, seed):  # type: ignore[no-untyped-def]
    leduc.GAME.imagine(view, s, 5)


def decide_nothing(s, seat, action):  # type: ignore[no-untyped-def]
    pass


def decide_for_nobody(s, seat, action):  # type: ignore[no-untyped-def]
    s.waiting = 0


def game_with(**changes: Any) -> Game:
    return replace(leduc.GAME, **changes)


def text_with(**changes: Any) -> Any:
    return SimpleNamespace(**{**vars(leduc.text), **changes})


def waits(case: Case) -> None:
    contract.waits_for_those_who_can_decide(case, 1)


def conserves(case: Case) -> None:
    contract.cards_are_conserved(case, 1, CONSERVED["leduc"])


def fits(case: Case) -> None:
    imagination.fits_the_view(case, None)


BAD: dict[str, tuple[Game, Callable[[Case], Any], str]] = {
    "legal of others": (game_with(legal=legal_of_a_seat_that_waits), waits, "seat 1 is not asked, and may decide [1]"),
    "nobody": (game_with(apply=apply_that_waits_for_nobody), waits, "decision 1: nobody is asked"),
    "no end": (game_with(apply=apply_without_end), waits, "goes on after 20000 decisions"),
    "result": (game_with(apply=apply_that_pays_too_much), waits, "the shares of 'result' are [3, 0]"),
    "mask": (game_with(legal=legal_by_weight), contract.legal_writes_ones, "'legal' writes {2} into the mask"),
    "stages": (
        game_with(stages=Stages(decide_nothing)),
        contract.stages_come_to_apply,
        "'decide' and 'settle_step' do not come to what 'apply' does",
    ),
    "stages without end": (
        game_with(stages=Stages(decide_for_nobody)),
        contract.stages_come_to_apply,
        "'settle_step' waits for nobody after 10000 steps",
    ),
    "legal writes": (game_with(legal=legal_that_writes), contract.looking_changes_nothing, "'legal' changes the state"),
    "listens": (
        game_with(apply=apply_that_listens),
        contract.listening_changes_nothing,
        "'apply' does something else where news is collected",
    ),
    "deal": (game_with(deal=deal_without_luck), contract.seeds_deal, "several seeds deal the same table"),
    "order": (
        replace(pennies.GAME, apply=apply_that_waits_for_two),
        contract.orders_do_not_matter,
        "it matters who decides first",
    ),
    "cards": (game_with(apply=apply_that_deals_twice), conserves, "cards dealt once are [1] instead of [2]"),
    "leak": (
        game_with(legal=legal_by_the_other_card),
        secrets.views_show_nothing_hidden,
        "depends on what is hidden from it",
    ),
    "news": (
        game_with(apply=apply_that_tells_the_card),
        secrets.news_tell_nothing_hidden,
        "news tell seat",
    ),
    "imagined view": (game_with(imagine=imagine_another_table), fits, "what the seat sees has changed: raises"),
    "imagined secrets": (game_with(imagine=imagine_the_same), imagination.varies_secrets, "imagine other secrets"),
    "imagined luck": (
        game_with(imagine=imagine_without_luck),
        imagination.draws_its_own_luck,
        "seeds imagine the same generator",
    ),
    "phase": (
        game_with(text=text_with(QUESTIONS={1: leduc.text.QUESTIONS[1]})),
        lambda case: texts.every_phase_has_a_question(case.game),
        "QUESTIONS has no sentence for phase 2",
    ),
    "names": (
        game_with(text=text_with(SEATS=(Phrase("One", "Un"), Phrase("One", "Deux")))),
        lambda case: texts.names_are_in_both_languages(case.game),
        "two seats have one name in en",
    ),
    "placeholders": (
        game_with(text=text_with(NEWS={2: Sentence("L-4", "seat", "{seat} folds", "On se couche")})),
        lambda case: texts.placeholders_are_the_same(case.game),
        "NEWS 2 has ['seat'] in English and [] in French",
    ),
    "untold": (
        game_with(text=text_with(NEWS={})),
        texts.news_can_be_told,
        "NEWS has no sentence for",
    ),
    "alike": (
        game_with(text=text_with(decision=lambda view, action: ("call", ()))),
        texts.decisions_can_be_told_apart,
        "both read 'Check or call' in en",
    ),
    "no decision": (
        game_with(text=text_with(decision=lambda view, action: ("dance", ()))),
        texts.decisions_can_be_told_apart,
        "DECISIONS has no sentence 'dance'",
    ),
    "unknown game": (game_with(name="other"), lambda case: engines.reference_of(case.game), "no module of tripot has"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_check_says_in_a_sentence_what_is_wrong(what: str) -> None:
    game, check, told = BAD[what]
    with pytest.raises(AssertionError) as found:
        check(Case(game, game.seats[0], game.options()))
    assert told in str(found.value) and "\n" not in str(found.value)
    assert str(found.value).startswith(game.name)


def test_rules_outside_the_subset_are_named_by_line() -> None:
    (told,) = subset.complaints_about(game_with(apply=apply_by_a_list))
    line = apply_by_a_list.__code__.co_firstlineno + 1
    assert told == f"tests.test_testing, line {line}: List is not in the shared subset"


def test_a_clause_that_the_rule_book_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "rule_book", lambda game: {"L-1": None})
    with pytest.raises(AssertionError, match=r"leduc: QUESTIONS FIRST_ROUND cites L-2, which RULES\.md does not have"):
        texts.cited_clauses_exist(leduc.GAME)


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(TypeError, match=r"wants .*Game, not int"):
        checks_of(1, conserved=None)  # type: ignore[arg-type]


def test_a_game_is_found_again_by_its_reference() -> None:
    assert engines.reference_of(leduc.GAME) == "tripot.lab.leduc:GAME"


def test_the_order_of_the_checks_is_that_of_the_class() -> None:
    """Nothing of the class is left out: pytest collects what begins with `test_`."""
    checks = [name for name in vars(GameChecks) if name.startswith("test_")]
    assert len(checks) > 35 and TestLeduc.game is leduc.GAME


def test_one_line_runs_the_checks_in_another_package(pytester: pytest.Pytester) -> None:
    """With strict markers and none declared; a game with a fault fails with a sentence, and nothing else does."""
    pytester.makepyfile(
        test_rules="""
        from dataclasses import replace
        from tripot.lab import leduc
        from tripot.testing import checks_of

        TestGood = checks_of(leduc.GAME, conserved=None)
        TestBad = checks_of(replace(leduc.GAME, name="bad", deal=lambda s, options, seats, seed: None), conserved=None)
        """
    )
    picked = "game_is_one or waited_for or conserved"
    alone = ["-p", "no:cacheprovider", "-p", "no:playwright"]  # whose hook does not nest
    done = pytester.inline_run(*alone, "--strict-markers", "-m", "not native", "-k", picked)
    passed, skipped, failed = done.listoutcomes()
    assert {report.nodeid.partition("::")[2].partition("[")[0] for report in passed} == {
        "TestGood::test_the_game_is_one",
        "TestGood::test_those_who_are_waited_for_can_decide_and_nobody_else",
        "TestBad::test_the_game_is_one",
    }
    assert len(skipped) == 4 and all("nothing is conserved" in str(report.longrepr) for report in skipped)
    assert failed and all("nobody is asked and the game is not over" in report.longreprtext for report in failed)
