"""What changed for a seat is what differs in its whole views; what is known already is not worked out again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tests.cases import GAMES as PLAYED
from tests.cases import Case, every_game, over, positions
from tripot.core.game import Game
from tripot.core.guide import Guide, Said
from tripot.core.layout import SPECTATOR
from tripot.games.trok import GAME as TROK
from tripot.games.trok.cards import Upgrade
from tripot.table.sights import Sights
from tripot.table.view_json import GUIDE, own_only, plain, said_json, view_json

CASES = [Case(game, game.seats[0], game.options()) for game in PLAYED]
CASES += [Case(TROK, 2, TROK.options(open_purses=0))]  # people see only their own Aare
some_cases = over(CASES)
EVERY = 7


def moments(case: Case) -> list[bytes]:
    states = [s.pack() for s, _, _ in positions(case, 11)]
    return [*states[::EVERY], states[-1]]


def state_of(game: Game, data: bytes) -> Any:
    return game.layout.state.plain.loaded(data)


def whole(game: Game, data: bytes, who: int) -> dict[str, Any]:
    return view_json(game, game.layout.observe_plain(state_of(game, data), who))


def watching(case: Case) -> Iterator[int]:
    yield from (*range(case.seats), SPECTATOR)


@some_cases
def test_differences_are_those_of_whole_views(case: Case) -> None:
    sights = Sights(case.game)
    for other, data in pairwise(moments(case)):
        sights.begin(data, state_of(case.game, data))
        for who in watching(case):
            now, then = whole(case.game, data, who), whole(case.game, other, who)
            differing = {name: value for name, value in now.items() if value != then[name]}
            assert sights.differences(data, other, who) == differing
            differing.pop(GUIDE, None)
            assert sights.differences(data, other, who, guided=False) == differing
            assert sights.differences(data, data, who) == {}
            back = {name: value for name, value in then.items() if value != now[name]}
            assert sights.differences(other, data, who) == back, "as it was, seen from now"
            assert sights.fields(data, who) == now
            assert view_json(case.game, sights.view(data, who)) == now
        sights.rest()


class Asked:
    """A guide that counts how often it is asked for what."""

    def __init__(self, guide: Guide) -> None:
        self.counts = Counter[str]()
        goals, knowledge = guide.goals, guide.knowledge

        def ask_goals(view: Any) -> list[Said]:
            self.counts["goals"] += 1
            return goals(view)

        def ask_knowledge(view: Any) -> list[Said]:
            self.counts["knowledge"] += 1
            return knowledge(view)

        self.guide = replace(guide, goals=ask_goals, knowledge=ask_knowledge)


@every_game
def test_a_guide_is_asked_once_for_what_it_reads(game: Game) -> None:
    case = Case(game, game.seats[0], game.options())
    assert game.guide is not None
    asked = Asked(game.guide)
    guided = replace(game, guide=asked.guide)
    sights, states = Sights(guided), moments(case)
    first, second = states[2], states[3]

    def ask(data: bytes, other: bytes) -> dict[str, Any]:
        return {who: sights.differences(data, other, who) for who in watching(case)}

    def bytes_read(data: bytes, who: int, number: int) -> tuple[bytes, ...]:
        assert game.guide is not None
        names = (game.guide.goals_read, game.guide.knowledge_reads)[number]
        return tuple(data[place] for place in game.layout.places(names, who))

    sights.begin(first, state_of(game, first))
    expected = Counter[str]()
    for number, name in enumerate(("goals", "knowledge")):
        for who in watching(case):
            expected[name] += len({bytes_read(data, who, number) for data in (first, second)})
    told = ask(second, first)
    assert asked.counts == expected
    assert ask(second, first) == told and asked.counts == expected, "the same question again"
    sights.begin(second, state_of(game, second))
    for who in watching(case):
        told, counted = sights.differences(first, second, who), asked.counts.copy()
        assert sights.differences(first, second, who) == told and asked.counts == counted, "the same question again"
        assert sights.view(first, who) is sights.view(first, who)
    for name in expected:  # of the present state all is known, of the other one nothing is kept
        assert asked.counts[name] - expected[name] <= case.seats + 1


def test_a_game_without_a_guide_has_fields_alone() -> None:
    case = CASES[0]
    silent = replace(case.game, guide=None)
    sights, (data, other, *_) = Sights(silent), moments(case)
    for who in watching(case):
        now, then = whole(silent, data, who), whole(silent, other, who)
        assert GUIDE not in now
        assert sights.differences(data, other, who) == {n: v for n, v in now.items() if v != then[n]}


def test_a_guide_that_does_not_say_what_it_reads_is_asked_each_time() -> None:
    case = CASES[0]
    assert case.game.guide is not None
    game = replace(case.game, guide=replace(case.game.guide, goals_read=None, knowledge_reads=None))
    sights = Sights(game)
    for other, data in pairwise(moments(case)):
        sights.begin(data, state_of(game, data))
        for who in watching(case):
            now, then = whole(game, data, who), whole(game, other, who)
            assert sights.differences(data, other, who) == {n: v for n, v in now.items() if v != then[n]}


def test_numbers_of_a_guide_are_plain() -> None:
    said = said_json(Said("owns", (Upgrade.MINE, [Upgrade.MINE, 2], 7)))
    assert said == {"key": "owns", "numbers": [1, [1, 2], 7]}
    assert type(said["numbers"][0]) is int and type(said["numbers"][1][0]) is int
    assert plain((3, Upgrade.VEIN)) == [3, 2]
    assert own_only([4, 5, 6], 1) == [None, 5, None] and own_only([4, 5], SPECTATOR) == [None, None]
