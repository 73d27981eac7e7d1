"""Secret unless declared: what a seat may not know changes not one byte of what it receives."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tripot.core.game import Game
from tripot.core.layout import SPECTATOR
from tripot.core.news import EVERYONE, Item
from tripot.core.rng import FIELDS as LUCK
from tripot.table.refusal import Refusal
from tripot.table.table import Table
from tripot.testing.cases import LONGEST, Case, big, play_on, positions
from tripot.testing.hidden import loaded, scrambled, smeared, twin
from tripot.testing.imagination import seen_by


def everyone(case: Case) -> tuple[int, ...]:
    """All who look at a table."""
    return (*range(case.seats), SPECTATOR)


def readers(case: Case, number: int) -> tuple[int, ...]:
    """Who looks at position `number` of a game: everyone, and at a big table one reader after the other.

    One position differs from the next by one decision, and there is one reader more than seats, so that everyone comes
    to look in every phase and at everybody's turn.
    """
    all_readers = everyone(case)
    return (all_readers[number % len(all_readers)],) if big(case) else all_readers


def reader(who: int) -> str:
    return "a spectator" if who == SPECTATOR else f"seat {who}"


# --- Views, offers and refusals ---


def views_show_nothing_hidden(case: Case, seed: int = 21) -> None:
    """Views and legal decisions do not depend on what is hidden."""
    luck = random.Random(f"secrets of {case}")
    layout = case.game.layout
    for number, (s, _, _) in enumerate(positions(case, seed)):
        data = s.pack()
        for who in readers(case, number):
            at = f"{case}, seed {seed}, decision {number}"
            view = seen_by(case, s, who).tobytes()
            other = scrambled(layout, data, who, luck)
            assert other != data, f"{at}: nothing is hidden from {reader(who)}"
            for changed in (np.frombuffer(other, layout.state.dtype), smeared(layout, data, who, luck)):
                assert layout.observe(changed, who).tobytes() == view, f"{at}: {reader(who)} sees what is hidden"
            if who != SPECTATOR:
                legal, told = case.game.legal_actions(s, who), case.game.legal_actions(loaded(layout, other), who)
                assert told == legal, f"{at}: 'legal' of seat {who} depends on what is hidden from it"


def letters_tell_nothing_hidden(case: Case) -> None:
    """Letters and refusals do not depend on what is hidden."""
    luck = random.Random(f"letters of {case}")
    for seed in range(3):
        table = case.table(seed)
        while not table.over:
            since = table.sequence + 1  # earlier news were compared before
            play_on(table, luck, decisions=3)
            for who in readers(case, table.sequence // 3):
                at = f"{case}, seed {seed}, decision {table.sequence}"
                other = twin(table, scrambled(case.game.layout, table.state_bytes(), who, luck))
                same = json.dumps(other.letter(who, since)) == json.dumps(table.letter(who, since))
                assert same, f"{at}: the letter of {reader(who)} depends on what is hidden"
                if who != SPECTATOR:
                    action = luck.randrange(case.game.num_actions)
                    possible = case.game.imagined(table.view(who), luck.randrange(1 << 30))  # the rules need real cards
                    told = attempt(twin(table, possible.pack()), who, [action]), attempt(table, who, [action])
                    assert told[0] == told[1], f"{at}: whether seat {who} may decide {action} depends on what is hidden"


def attempt(table: Table, seat: int, actions: list[int]) -> str:
    """Returns what a seat is told when it tries this: 'taken', or the refusal. The table does not change."""
    tried = twin(table, table.state_bytes())
    try:
        tried.decide(seat, actions, tried.offer(seat).sequence)
    except Refusal as refusal:
        return refusal.text("en") + refusal.text("fr")
    return "taken"


def refusals_tell_nothing_of_luck(case: Case) -> int:
    """Several decisions sent together are accepted or refused whatever the generator would draw and whatever
    the others hold. Otherwise a seat could learn something from a refusal and try something else.

    Returns how many were refused.
    """
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
            group.append(luck.choice(_next_decisions(table, seat, group[0])))
            said = attempt(table, seat, group)
            at = f"{case}, seed {seed}, decision {table.sequence}: whether seat {seat} may decide {group} together"
            imagined = case.game.imagined(table.view(seat), 1).pack()
            assert attempt(twin(table, other.pack()), seat, group) == said, f"{at} depends on luck"
            assert attempt(twin(table, imagined), seat, group) == said, f"{at} depends on what others hold"
            crossed += said != "taken"
            play_on(table, luck, decisions=1)
    return crossed


def _next_decisions(table: Table, seat: int, action: int) -> list[int]:
    """Returns what the seat may decide after its decision, or any action if it may decide nothing."""
    after = twin(table, table.state_bytes())
    after.decide(seat, action, after.offer(seat).sequence)
    return list(after.offer(seat).legal) or list(range(table.game.num_actions))


# --- News ---


def letters_bring_their_news(case: Case, seed: int = 22) -> int:
    """A letter brings the news told to all and to its reader, and no other. Returns how many were whispered."""
    table = case.table(seed)
    play_on(table, random.Random(str(case)))
    told = everything_told(table)
    for who in everyone(case):
        heard = [[at, *item[1:]] for at, item in told if item.to in (EVERYONE, who)]
        assert table.letter(who)["news"] == heard, f"{case}: the letter of {reader(who)} has other news than were told"
        assert table.letter(who, since=3)["news"] == [line for line in heard if line[0] >= 3]
    for at, item in told:
        known = item.to == EVERYONE or item.to < case.seats
        assert known, f"{case}, decision {at}: news are whispered to seat {item.to}, which the table has not"
    return sum(item.to != EVERYONE for _, item in told)


def moments_show_nothing_hidden(case: Case, seed: int = 23) -> int:
    """The states kept from the middle of a decision are filtered as the present one is. Returns how many differed."""
    luck = random.Random(f"moments of {case}")
    layout = case.game.layout
    table, changed = case.table(seed), 0
    table.keeps_moments = True
    while not table.over:
        play_on(table, luck, decisions=20)
        for who in everyone(case):
            seen = table.moments(who, table.sequence)
            assert len(seen) == len(table.news(who, table.sequence)), f"{case}: a piece of news has no moment"
            changed += sum(map(bool, seen))
            other = twin(table, scrambled(layout, table.state_bytes(), who, luck))
            other._moments.extend([scrambled(layout, kept, who, luck) for kept in table._moments])
            same = json.dumps(other.moments(who, table.sequence)) == json.dumps(seen)
            assert same, f"{case}, decision {table.sequence}: {reader(who)} sees at a piece of news what is hidden"
    return changed


def moments_tell_no_more_than_letters(case: Case) -> int:
    """Two positions that a seat cannot tell apart, and that bring it the same view and the same news, look alike to it
    at every piece of that news: what passes through public fields in the middle of a decision tells nothing more.

    Returns how many moments were compared.
    """
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
                    at = f"{case}, seed {seed}, decision {table.sequence}"
                    same = other.moments(who, table.sequence) == moments
                    assert same, f"{at}: public fields show seat {who} for a moment what its letter does not tell"
                    compared += len(moments)
    return compared


def everything_told(table: Table) -> list[tuple[int, Item]]:
    """Returns all news of a table's game with decision numbers, by replaying it without a table."""
    game = table.game
    s = game.new_state(table.options, table.seats, table.seed, news=[])
    told: list[tuple[int, Item]] = [(0, item) for item in s.news]
    for number, (seat, action) in enumerate(table.decisions, start=1):
        s.news = []
        game.apply(s, seat, action)
        told += [(number, item) for item in s.news]
    return told


def news_tell_nothing_hidden(case: Case) -> int:
    """A seat hears the same news in two positions that it cannot tell apart before and after a decision.

    The other position is the same one with another secret decision of another seat, or one the seat
    imagines. Decisions that draw random numbers or end a phase are skipped: they may show something for a
    moment (roles shown and returned) that the view afterwards rightly omits. Returns how many were compared.
    """
    compared = 0
    for number, (s, seat, action) in enumerate(itertools.chain(positions(case, 23), positions(case, 24))):
        if seat < 0:
            continue
        after = outcome(case.game, s, seat, action)
        for who in readers(case, number):
            for before, other in _lookalikes(case, s, seat, action, who):
                alike = seen_by(case, after, who).tobytes() == seen_by(case, other, who).tobytes()
                if alike and _quiet(s, after) and _quiet(before, other):
                    said = f"{case}: after seat {seat} decides {action}, news tell {reader(who)} what its view hides"
                    assert _heard(after, who) == _heard(other, who), said
                    compared += other.pack() != after.pack()
    return compared


def _lookalikes(case: Case, s: Any, seat: int, action: int, who: int) -> Iterator[tuple[Any, Any]]:
    """Yields positions before and after a decision of `seat` that `who` cannot tell from the real ones."""
    if who != seat:
        for secret in case.game.legal_actions(s, seat):
            yield s, outcome(case.game, s, seat, secret)
    if who != SPECTATOR:
        imagined = case.game.imagined(seen_by(case, s, who), 5)
        if action in case.game.legal_actions(imagined, seat):
            yield imagined, outcome(case.game, imagined, seat, action)


def outcome(game: Game, s: Any, seat: int, action: int) -> Any:
    """Returns a copy of the state after the decision, with its news."""
    after = s.copy()
    after.news = []
    game.apply(after, seat, action)
    return after


def _quiet(before: Any, after: Any) -> bool:
    """Whether no phase ended and no random number was drawn."""
    same_luck = all(getattr(before, word.name) == getattr(after, word.name) for word in LUCK)
    return same_luck and after.phase == before.phase


def _heard(s: Any, who: int) -> list[Item]:
    return [item for item in s.news if item.to in (EVERYONE, who)]


# --- Spectators ---


def spectators_see_nobodys_own(case: Case, seed: int = 25) -> None:
    """A spectator gets nobody's own values and no decisions."""
    table = case.table(seed)
    luck = random.Random(seed)
    for _ in range(LONGEST):
        letter = table.letter(SPECTATOR)
        own = {name: value for name, value in letter["view"].items() if name.startswith("my_") and np.any(value)}
        assert not own, f"{case}, decision {table.sequence}: a spectator sees {', '.join(own)}"
        assert letter["legal"] == [], f"{case}, decision {table.sequence}: a spectator may decide something"
        assert letter["view"]["seat"] == SPECTATOR
        if table.over:
            return
        play_on(table, luck, decisions=5)
