"""A test class for a game: one method for each thing that any game must keep to."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import pytest

from tripot.core.game import Game
from tripot.core.game_check import BadGame, check_game
from tripot.core.native_cache import BOUNDS_CHECK_VARIABLE
from tripot.core.options import as_json
from tripot.core.speech import LANGUAGES
from tripot.testing import contract, engines, imagination, secrets, subset, texts
from tripot.testing.cases import Case, big, cases_of
from tripot.testing.contract import Conserved

SEEDS = (1, 2)
STEPPED = 100  # games stepped side by side, interpreted and native
MARKS = ("native: compiles rules to native code", "slow: a table of many seats")


def checks_of(game: Game, conserved: Conserved | None, stepped: int = STEPPED) -> type[GameChecks]:
    """The checks of a game as a class that pytest collects, if its name in the module begins with `Test`.

    `conserved(s)` yields (what, counted, wanted) for everything of which a state always has the same number, such as
    ("cards of each suit", [13, 13, 13, 13], [13, 13, 13, 13]); None if the game has nothing of the kind. `stepped`
    games are compared decision by decision between the engines.
    """
    if not isinstance(game, Game):
        raise TypeError(f"checks_of wants a tripot.core.game.Game, not {type(game).__name__}")
    given = {"game": game, "conserved": staticmethod(conserved) if conserved else None, "stepped": stepped}
    return type(f"Checks of {game.name}", (GameChecks,), given)


def _prepare(config: pytest.Config) -> None:
    """Makes the marks known, and lets native code check every index, unless TRIPOT_BOUNDS_CHECK=0 says otherwise."""
    os.environ.setdefault(BOUNDS_CHECK_VARIABLE, "1")  # before anything compiles
    known = {line.partition(":")[0] for line in config.getini("markers")}
    for mark in MARKS:
        if mark.partition(":")[0] not in known:
            config.addinivalue_line("markers", mark)


def _compiles(check: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a check as `native` when it is collected: nobody has declared that mark before."""
    check.compiles = True  # type: ignore[attr-defined]
    return check


class GameChecks:
    """What `checks_of` fills in. `case` is a table size with a house rule or without, `table` one without, `usual`
    the usual one."""

    game: Game
    conserved: Conserved | None = None
    stepped = STEPPED

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        _prepare(metafunc.config)
        every = [case for seats in self.game.seats for case in cases_of(self.game, seats)]
        tables = [case for case in every if not as_json(case.options)]
        usual = [case for case in tables if case.seats == self.game.usual_seats]
        compiles = [pytest.mark.native] if hasattr(metafunc.function, "compiles") else []
        for name, cases in {"case": every, "table": tables, "usual": usual}.items():
            if name in metafunc.fixturenames:
                long = pytest.mark.slow
                marked = [pytest.param(case, marks=[*compiles, *([long] if big(case) else [])]) for case in cases]
                metafunc.parametrize(name, marked, ids=str)
        if "seed" in metafunc.fixturenames:
            metafunc.parametrize("seed", SEEDS)
        if "lang" in metafunc.fixturenames:
            metafunc.parametrize("lang", LANGUAGES)

    # --- What it declares ---

    def test_the_game_is_one(self) -> None:
        try:
            check_game(self.game)
        except BadGame as problem:
            raise AssertionError(f"{self.game.name}: {problem}") from None

    def test_every_field_says_what_it_means(self) -> None:
        silent = [f.name for f in self.game.fields if not f.meaning.strip()]
        assert not silent, f"{self.game.name}: the fields {silent} do not say what they mean"

    def test_the_cases_try_every_option(self) -> None:
        names = {f.name for f in dataclasses.fields(self.game.options)}
        for seats in self.game.seats:
            default, *others = cases_of(self.game, seats)
            changed = {n for case in others for n in names if getattr(case.options, n) != getattr(default.options, n)}
            untried = sorted(names - changed)
            assert not untried, f"{self.game.name}: the option {untried} has no other value at {seats} seats"

    def test_rules_keep_to_the_subset_that_all_engines_take(self) -> None:
        complaints = subset.complaints_about(self.game)
        assert not complaints, f"{self.game.name}: {'; '.join(complaints)}"

    # --- Contract ---

    def test_those_who_are_waited_for_can_decide_and_nobody_else(self, case: Case, seed: int) -> None:
        contract.waits_for_those_who_can_decide(case, seed)

    def test_legal_writes_only_ones(self, case: Case) -> None:
        contract.legal_writes_ones(case)

    def test_stages_come_to_what_apply_does(self, case: Case) -> None:
        contract.stages_come_to_apply(case)

    def test_looking_changes_nothing(self, table: Case) -> None:
        contract.looking_changes_nothing(table)

    def test_listening_changes_nothing(self, table: Case) -> None:
        contract.listening_changes_nothing(table)

    def test_seeds_deal(self, case: Case) -> None:
        contract.seeds_deal(case)

    def test_seeds_deal_differently_for_eyes_too(self, table: Case) -> None:
        contract.seeds_deal_differently_for_eyes(table)

    def test_the_order_of_choices_made_together_does_not_matter(self, case: Case) -> None:
        contract.orders_do_not_matter(case)

    def test_cards_are_conserved(self, case: Case, seed: int) -> None:
        if self.conserved is None:
            pytest.skip(f"nothing is conserved in {self.game.name}")
        contract.cards_are_conserved(case, seed, self.conserved)

    def test_encoded_views_are_numbers_from_0_to_1(self, table: Case) -> None:
        contract.encoded_views_are_features(table)

    # --- Secrets ---

    def test_views_and_legal_decisions_show_nothing_hidden(self, case: Case) -> None:
        secrets.views_show_nothing_hidden(case)

    def test_letters_and_refusals_tell_nothing_hidden(self, table: Case) -> None:
        secrets.letters_tell_nothing_hidden(table)

    def test_refusals_tell_nothing_of_coming_random_numbers(self, table: Case) -> None:
        secrets.refusals_tell_nothing_of_luck(table)

    def test_letters_bring_the_news_of_their_reader(self, case: Case) -> None:
        secrets.letters_bring_their_news(case)

    def test_the_moments_of_news_show_nothing_hidden(self, table: Case) -> None:
        secrets.moments_show_nothing_hidden(table)

    def test_the_moments_of_news_tell_no_more_than_letters(self, table: Case) -> None:
        secrets.moments_tell_no_more_than_letters(table)

    def test_news_tell_nothing_hidden(self, table: Case) -> None:
        secrets.news_tell_nothing_hidden(table)

    def test_spectators_see_nobodys_own(self, table: Case) -> None:
        secrets.spectators_see_nobodys_own(table)

    # --- Imagination ---

    def test_imagined_states_fit_the_view(self, case: Case) -> None:
        imagination.fits_the_view(case, self.conserved)

    def test_imagination_follows_its_seed(self, table: Case) -> None:
        imagination.follows_its_seed(table)

    def test_imagination_varies_secrets(self, table: Case) -> None:
        imagination.varies_secrets(table)

    def test_imagination_draws_its_own_luck(self, table: Case) -> None:
        imagination.draws_its_own_luck(table)

    def test_imagined_games_can_be_played_to_their_end(self, table: Case) -> None:
        imagination.can_be_played_to_the_end(table)

    # --- Texts ---

    def test_every_phase_has_a_question(self) -> None:
        texts.every_phase_has_a_question(self.game)

    def test_names_are_in_both_languages(self) -> None:
        texts.names_are_in_both_languages(self.game)

    def test_sentences_have_the_same_placeholders_in_both_languages(self) -> None:
        texts.placeholders_are_the_same(self.game)

    def test_every_sentence_can_be_said(self, lang: str) -> None:
        texts.every_sentence_can_be_said(self.game, lang)

    def test_cited_clauses_exist(self) -> None:
        texts.cited_clauses_exist(self.game)

    def test_every_option_has_a_clause_and_a_sentence(self) -> None:
        texts.every_option_has_a_clause(self.game)

    def test_news_can_be_told(self, case: Case) -> None:
        texts.news_can_be_told(case)

    def test_decisions_can_be_told_apart(self, table: Case) -> None:
        texts.decisions_can_be_told_apart(table)

    # --- Engines ---

    @_compiles
    def test_native_games_are_the_same_after_every_decision(self, table: Case) -> None:
        engines.native_games_are_the_same(table, self.stepped)

    @_compiles
    def test_native_imagination_is_the_same(self, table: Case) -> None:
        engines.native_imagination_is_the_same(table)

    @_compiles
    def test_native_views_are_the_same(self, table: Case) -> None:
        engines.native_views_are_the_same(table)

    @_compiles
    @pytest.mark.parametrize("bot", ["uniform", "sensible"])
    def test_simulations_have_the_same_checksum_on_both_engines(self, table: Case, bot: str) -> None:
        if bot == "sensible" and self.game.heuristic is None:
            pytest.skip(f"{self.game.name} has no heuristic player")
        engines.simulations_are_the_same(table, bot)

    @_compiles
    def test_the_kernels_of_a_gpu_play_the_same_games(self, usual: Case) -> None:
        if not engines.gpu_can_be_simulated():
            pytest.skip("numba-cuda is not installed: pip install numba-cuda")
        engines.gpu_games_are_the_same(usual.game)
