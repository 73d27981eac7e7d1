"""Secret unless declared: what a seat may not know changes not one byte of what it receives."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import LONGEST, WITH_TOY, Case, every_case, every_table, play_on, positions
from tests.hidden import loaded, scrambled, smeared, twin
from tripot.core.game import Game
from tripot.core.layout import HIDDEN, I16, OWNER, PUBLIC, SPECTATOR, Field, Layout
from tripot.core.news import EVERYONE, Item
from tripot.core.rng import FIELDS as LUCK
from tripot.table.refusal import Refusal
from tripot.table.table import Table


def everyone(case: Case) -> tuple[int, ...]:
    return (*range(case.seats), SPECTATOR)


# --- Views, offers and refusals ---


@every_case
def test_views_and_legal_decisions_do_not_depend_on_what_is_hidden(case: Case) -> None:
    luck = random.Random(f"secrets of {case}")
    layout = case.game.layout
    for s, _, _ in positions(case, 21):
        data = s.pack()
        for who in everyone(case):
            view = layout.observe(np.frombuffer(data, layout.state.dtype), who).tobytes()
            other = scrambled(layout, data, who, luck)
            assert other != data
            assert layout.observe(np.frombuffer(other, layout.state.dtype), who).tobytes() == view
            assert layout.observe(smeared(layout, data, who, luck), who).tobytes() == view
            if who != SPECTATOR:
                legal = case.game.legal_actions(s, who)
                assert case.game.legal_actions(loaded(layout, other), who) == legal, f"seat {who}"


@every_table
def test_letters_and_refusals_do_not_depend_on_what_is_hidden(case: Case) -> None:
    luck = random.Random(f"letters of {case}")
    for seed in range(3):
        table = case.table(seed)
        while not table.over:
            play_on(table, luck, decisions=3)
            for who in everyone(case):
                other = twin(table, scrambled(case.game.layout, table.state_bytes(), who, luck))
                assert json.dumps(other.letter(who)) == json.dumps(table.letter(who))
                if who != SPECTATOR:
                    action = luck.randrange(case.game.num_actions)
                    possible = case.game.imagined(table.view(who), luck.randrange(1 << 30))  # the rules need real cards
                    assert attempt(twin(table, possible.pack()), who, [action]) == attempt(table, who, [action])


def attempt(table: Table, seat: int, actions: list[int]) -> str:
    """Returns what a seat is told when it tries this: 'taken', or the refusal. The table does not change."""
    tried = twin(table, table.state_bytes())
    try:
        tried.decide(seat, actions, tried.offer(seat).sequence)
    except Refusal as refusal:
        return refusal.text("en") + refusal.text("fr")
    return "taken"


@every_table
def test_a_refused_choice_reveals_nothing_about_coming_random_numbers(case: Case) -> None:
    """Several decisions sent together are accepted or refused whatever the generator would draw and whatever
    the others hold. Otherwise a seat could learn something from a refusal and try something else."""
    luck = random.Random(f"luck of {case}")
    crossed = 0
    for seed in range(4):
        table = case.table(seed)
        while not table.over:
            seat = luck.choice(table.waiting)
            other = loaded(case.game.layout, table.state_bytes())
            for word in LUCK:
                setattr(other, word.name, luck.randint(0, word.highest))
            group = [luck.choice(table.offer(seat).legal)]
            group.append(luck.choice(next_decisions(table, seat, group[0])))
            said = attempt(table, seat, group)
            assert attempt(twin(table, other.pack()), seat, group) == said
            assert attempt(twin(table, case.game.imagined(table.view(seat), 1).pack()), seat, group) == said
            crossed += said != "taken"
            play_on(table, luck, decisions=1)
    assert crossed


def next_decisions(table: Table, seat: int, action: int) -> list[int]:
    """Returns what the seat may decide after its decision, or any action if it may decide nothing."""
    after = twin(table, table.state_bytes())
    after.decide(seat, action, after.offer(seat).sequence)
    return list(after.offer(seat).legal) or list(range(table.game.num_actions))


# --- News ---


@every_case
def test_a_letter_brings_the_news_told_to_all_and_to_its_reader_and_no_other(case: Case) -> None:
    table = case.table(22)
    play_on(table, random.Random(str(case)))
    told = everything_told(table)
    for who in everyone(case):
        heard = [[at, *item[1:]] for at, item in told if item.to in (EVERYONE, who)]
        assert table.letter(who)["news"] == heard
        assert table.letter(who, since=3)["news"] == [line for line in heard if line[0] >= 3]
    assert all(item.to == EVERYONE or item.to < case.seats for _, item in told)
    whispered = [item for _, item in told if item.to != EVERYONE]
    assert whispered, "no whisper was put to the test"


@every_table
def test_the_moment_of_a_piece_of_news_shows_nothing_that_is_hidden(case: Case) -> None:
    """The states kept from the middle of a decision are filtered as the present one is."""
    luck = random.Random(f"moments of {case}")
    layout = case.game.layout
    table, changed = case.table(23), 0
    table.keeps_moments = True
    while not table.over:
        play_on(table, luck, decisions=20)
        for who in everyone(case):
            seen = table.moments(who, table.sequence)
            assert len(seen) == len(table.news(who, table.sequence))
            changed += sum(map(bool, seen))
            other = twin(table, scrambled(layout, table.state_bytes(), who, luck))
            other._moments.extend([scrambled(layout, kept, who, luck) for kept in table._moments])
            assert json.dumps(other.moments(who, table.sequence)) == json.dumps(seen)
    assert changed, "nothing was different at any moment"


@every_table
def test_the_moment_of_a_piece_of_news_tells_no_more_than_the_letter(case: Case) -> None:
    """Two positions that a seat cannot tell apart, and that bring it the same view and the same news, look alike to it
    at every piece of that news: what passes through public fields in the middle of a decision tells nothing more."""
    luck = random.Random(f"passing moments of {case}")
    compared = 0
    for seed in range(50):
        if compared > 20:
            break
        table = case.table(seed)
        table.keeps_moments = True
        while not table.over:
            seat = luck.choice(table.waiting)
            action = luck.choice(table.offer(seat).legal)
            who = luck.randrange(case.seats)
            other = twin(table, case.game.imagined(table.view(who), luck.randrange(1 << 30)).pack())
            table.decide(seat, action, table.offer(seat).sequence)
            if action in other.offer(seat).legal:
                other.decide(seat, action, other.offer(seat).sequence)
                if other.letter(who, table.sequence) == table.letter(who, table.sequence):
                    moments = table.moments(who, table.sequence)
                    assert other.moments(who, table.sequence) == moments, f"seat {who} after {table.decisions[-1]}"
                    compared += len(moments)
    assert compared > 20


def everything_told(table: Table) -> list[tuple[int, Item]]:
    """Returns all news of a table's game with decision numbers, by replaying it without a table."""
    game = table.game
    s = game.layout.state.plain()
    s.news = []
    game.deal(s, table.options, table.seats, table.seed)
    told = [(0, item) for item in s.news]
    for number, (seat, action) in enumerate(table.decisions, start=1):
        s.news = []
        game.apply(s, seat, action)
        told += [(number, item) for item in s.news]
    return told


@every_table
def test_news_tells_a_seat_nothing_that_its_view_keeps_from_it(case: Case) -> None:
    """A seat hears the same news in two positions that it cannot tell apart before and after a decision.

    The other position is the same one with another secret decision of another seat, or one the seat
    imagines. Decisions that draw random numbers or end a phase are skipped: they may show something for a
    moment (roles shown and returned) that the view afterwards rightly omits.
    """
    compared = 0
    for s, seat, action in itertools.chain(positions(case, 23), positions(case, 24)):
        if seat < 0:
            continue
        after = outcome(case.game, s, seat, action)
        for who in everyone(case):
            for before, other in lookalikes(case, s, seat, action, who):
                alike = view_bytes(case, after, who) == view_bytes(case, other, who)
                if alike and quiet(s, after) and quiet(before, other):
                    assert heard(after, who) == heard(other, who)
                    compared += other.pack() != after.pack()
    assert compared, "no two positions that look alike came up"


def lookalikes(case: Case, s: Any, seat: int, action: int, who: int) -> Iterator[tuple[Any, Any]]:
    """Yields positions before and after a decision of `seat` that `who` cannot tell from the real ones."""
    if who != seat:
        for secret in case.game.legal_actions(s, seat):
            yield s, outcome(case.game, s, seat, secret)
    if who != SPECTATOR:
        imagined = case.game.imagined(observed(case, s, who), 5)
        if action in case.game.legal_actions(imagined, seat):
            yield imagined, outcome(case.game, imagined, seat, action)


def outcome(game: Game, s: Any, seat: int, action: int) -> Any:
    """Returns a copy of the state after the decision, with its news."""
    after = s.copy()
    after.news = []
    game.apply(after, seat, action)
    return after


def quiet(before: Any, after: Any) -> bool:
    """Whether no phase ended and no random number was drawn."""
    same_luck = all(getattr(before, word.name) == getattr(after, word.name) for word in LUCK)
    return same_luck and after.phase == before.phase


def observed(case: Case, s: Any, who: int) -> NDArray[np.void]:
    layout = case.game.layout
    return layout.observe(np.frombuffer(s.pack(), layout.state.dtype), who)


def view_bytes(case: Case, s: Any, who: int) -> bytes:
    return observed(case, s, who).tobytes()


def heard(s: Any, who: int) -> list[Item]:
    return [item for item in s.news if item.to in (EVERYONE, who)]


# --- Spectators and new fields ---


@every_table
def test_a_spectator_gets_nobodys_own_values_and_no_decisions(case: Case) -> None:
    layout = case.game.layout
    table = case.table(25)
    luck = random.Random(25)
    for _ in range(LONGEST):
        letter = table.letter(SPECTATOR)
        own = {name: value for name, value in letter["view"].items() if name.startswith("my_")}
        assert not np.any([np.any(value) for value in own.values()]), own
        assert letter["legal"] == [] and letter["view"]["seat"] == SPECTATOR
        if table.over:
            break
        play_on(table, luck, decisions=5)
    assert {f.name for f in layout.view.fields} == {"seat", *shown_names(layout.state.fields)}


def shown_names(fields: list[Field]) -> set[str]:
    public = {f.name for f in fields if f.sight is PUBLIC}
    return public | {"my_" + f.name for f in fields if f.sight is OWNER}


@pytest.mark.parametrize("game", WITH_TOY, ids=lambda game: game.name)
def test_a_new_hidden_field_shows_in_no_view(game: Game) -> None:
    """A new HIDDEN field leaves every view byte for byte the same."""
    old = game.layout
    for at in range(len(game.fields) + 1):
        mole = Field("mole", I16, (3, 5), HIDDEN, 999, "what nobody may know")
        new = Layout([*game.fields[:at], mole, *game.fields[at:]], max(game.seats))
        assert new.view.dtype == old.view.dtype and new.encoding == old.encoding
        s = game.new_state(game.options(), max(game.seats), 1)
        states = np.zeros(1, new.state.dtype)
        for f in game.fields:
            states[f.name] = np.array(getattr(s, f.name))
        states["mole"] = 777
        for who in (*range(max(game.seats)), SPECTATOR):
            expected = old.observe(np.frombuffer(s.pack(), old.state.dtype), who)
            assert new.observe(states, who).tobytes() == expected.tobytes()


def test_a_field_cannot_be_declared_without_saying_who_sees_it() -> None:
    with pytest.raises(TypeError, match="sight"):
        Field("mole", I16, (), highest=9, meaning="whose?")  # type: ignore[call-arg]
