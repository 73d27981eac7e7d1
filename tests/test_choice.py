"""Compound choices: parts can be tried and taken back, and a choice equals its decisions one by one."""

import json
import random
from typing import Any

import numpy as np
import pytest

from tests import pennies
from tests.cases import Case, every_table, play_on
from tripot.core.game import Game
from tripot.core.rng import FIELDS as LUCK
from tripot.lab import leduc
from tripot.table.choice import Choice
from tripot.table.table import Table
from tripot.testing.hidden import loaded, twin
from tripot.testing.secrets import readers


def choice_at(table: Table, seat: int) -> Choice:
    return Choice(table.game, table.view(seat), table.offer(seat).legal)


def tables(case: Case, seeds: range) -> Any:
    """Yields tables at many points of random games, each with a seat that must decide."""
    luck = random.Random(f"choices of {case}")
    for seed in seeds:
        table = case.table(seed)
        while not table.over:
            yield table, luck.choice(table.waiting), luck
            play_on(table, luck, luck.randint(1, 3))


def snapshot(choice: Choice) -> Any:
    return list(choice.decisions), list(choice.legal), choice.finished, choice.view.pack()


@every_table
def test_a_choice_begins_with_the_offer(case: Case) -> None:
    for table, seat, _ in tables(case, range(2)):
        choice = choice_at(table, seat)
        assert choice.legal == list(table.offer(seat).legal) and not choice.finished
        assert choice.decisions == [] and choice.seat == seat
        assert choice.view.pack() == table.view(seat).tobytes()
        plain = Choice(table.game, table.seen(seat), table.offer(seat).legal)
        assert snapshot(plain) == snapshot(choice) and plain.outcome == choice.outcome
        assert plain.seen.tobytes() == choice.seen.tobytes()


@every_table
def test_a_decision_ends_a_choice_that_is_finished_with_it(case: Case) -> None:
    for table, seat, luck in tables(case, range(1)):
        choice = choice_at(table, seat)
        while not choice.finished:
            before = snapshot(choice)
            ending = {action: choice.ends(action) for action in choice.legal}
            assert snapshot(choice) == before
            action = luck.choice(choice.legal)
            choice.add(action)
            assert ending[action] is choice.finished


@every_table
def test_a_guide_that_says_whether_a_decision_ends_its_choice_is_right(case: Case) -> None:
    guide = case.game.guide
    for table, seat, _ in tables(case, range(3)) if guide is not None and guide.ends is not None else ():
        choice = choice_at(table, seat)
        for action in choice.legal:
            said = choice.ends(action)
            choice.add(action)
            assert choice.finished is said
            choice.undo()


@every_table
def test_what_is_taken_can_be_taken_back(case: Case) -> None:
    longest = 0
    for table, seat, luck in tables(case, range(3)):
        before = table.state_bytes()
        choice = choice_at(table, seat)
        trail = [snapshot(choice)]
        while not choice.finished:
            choice.add(luck.choice(choice.legal))
            trail.append(snapshot(choice))
        longest = max(longest, len(trail) - 1)
        for expected in reversed(trail[:-1]):
            assert choice.undo() is True
            assert snapshot(choice) == expected
        assert choice.undo() is False and snapshot(choice) == trail[0]
        assert table.state_bytes() == before, "trying things out changed the table"
    assert longest > 1 or case.game is leduc.GAME, "no choice of several decisions came up"


@every_table
def test_a_decision_that_is_not_open_is_refused_and_changes_nothing(case: Case) -> None:
    for table, seat, luck in tables(case, range(2)):
        choice = choice_at(table, seat)
        closed = sorted(set(range(-1, case.game.num_actions + 1)) - set(choice.legal))
        before = snapshot(choice)
        with pytest.raises(ValueError, match=f"is not among the {len(choice.legal)} legal ones"):
            choice.add(luck.choice(closed))
        assert snapshot(choice) == before
        while not choice.finished:
            choice.add(luck.choice(choice.legal))
        with pytest.raises(ValueError, match="is not among the 0 legal ones"):
            choice.add(choice.decisions[0])


@every_table
def test_a_finished_choice_equals_deciding_one_by_one(case: Case) -> None:
    """Decisions sent together lead to the same bytes and the same news as one after the other."""
    for number, (table, seat, luck) in enumerate(tables(case, range(3))):
        choice = choice_at(table, seat)
        while not choice.finished:
            choice.add(luck.choice(choice.legal))
            if luck.random() < 0.2:
                choice.undo()
        together, apart = twin(table, table.state_bytes()), twin(table, table.state_bytes())
        together.decide(seat, choice.decisions, together.offer(seat).sequence)
        for action in choice.decisions:
            apart.decide(seat, action, apart.offer(seat).sequence)
        assert together.state_bytes() == apart.state_bytes() and together.decisions == apart.decisions
        for who in readers(case, number):
            assert json.dumps(together.letter(who)) == json.dumps(apart.letter(who))


@every_table
def test_a_choice_shows_what_the_real_table_would_and_stops_at_chance_or_at_another_question(case: Case) -> None:
    """Steps beside the real state: the same legal actions, the same view, no random numbers drawn."""
    layout = case.game.layout
    for table, seat, luck in tables(case, range(3)):
        choice, real = choice_at(table, seat), loaded(layout, table.state_bytes())
        start = (question(real), luck_of(real))
        while not choice.finished:
            assert (question(real), luck_of(real)) == start
            assert choice.legal == case.game.legal_actions(real, seat)
            seen = layout.observe(np.frombuffer(real.pack(), layout.state.dtype), seat)
            assert choice.view.pack() == seen.tobytes()
            action = luck.choice(choice.legal)
            choice.add(action)
            case.game.apply(real, seat, action)
        assert (question(real), luck_of(real)) != start or not case.game.legal_actions(real, seat)


def question(s: Any) -> tuple[int, int]:
    return s.phase, s.waiting


def luck_of(s: Any) -> list[int]:
    return [getattr(s, word.name) for word in LUCK]


@every_table
def test_the_tree_of_choices_is_the_same_from_the_real_and_from_any_imagined_state(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a seat can try out depends on its view alone, so it shows nothing hidden."""
    layout = case.game.layout
    imagined = Game.imagined
    for table, seat, luck in tables(case, range(2)):
        real = table.state_bytes()
        monkeypatch.setattr(Game, "imagined", lambda *_, data=real: loaded(layout, data))
        expected = tree(choice_at(table, seat), random.Random(1))
        for seed in (0, 1, luck.getrandbits(30)):
            monkeypatch.setattr(Game, "imagined", lambda game, view, _, seed=seed: imagined(game, view, seed))
            assert tree(choice_at(table, seat), random.Random(1)) == expected


def tree(choice: Choice, luck: random.Random, depth: int = 3, width: int = 4) -> Any:
    """Returns what a choice shows along some of its branches."""
    branches = {}
    for action in luck.sample(choice.legal, min(width, len(choice.legal))) if depth else []:
        choice.add(action)
        branches[action] = tree(choice, luck, depth - 1, width)
        choice.undo()
    return snapshot(choice), branches


def test_simultaneous_secret_choices_do_not_affect_each_other() -> None:
    table = Table(pennies.GAME, 3, 5)
    first, second = choice_at(table, 0), choice_at(table, 1)
    lay = first.legal[1]
    first.add(lay)
    assert not first.finished and first.view.my_laid[lay - pennies.LAY] == 1
    assert second.view.pack() == table.view(1).tobytes()
    second.add(pennies.DONE)
    assert second.finished
    table.decide(1, second.decisions, table.offer(1).sequence)
    first.add(pennies.DONE)
    table.decide(0, first.decisions, table.offer(0).sequence)
    assert table.waiting == [2] and table.decisions == [(1, 0), (0, lay), (0, 0)]


@every_table
def test_a_finished_choice_still_shows_what_was_seen_before_its_last_part(case: Case) -> None:
    for table, seat, luck in tables(case, range(1)):
        choice = choice_at(table, seat)
        while not choice.finished:
            before, action = choice.seen.tobytes(), luck.choice(choice.legal)
            further = choice.followed_by(action)
            assert choice.decisions == further.decisions[:-1] and further.decisions[-1] == action
            assert further.seat == seat and further.game is case.game
            choice.add(action)
            assert snapshot(further) == snapshot(choice) and further.outcome == choice.outcome
        assert choice.seen.tobytes() == before
