"""Hearts: its clauses, its secrets, all engines alike, and OpenSpiel's hearts beside it."""

import ast
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tripot_hearts
from tripot_hearts import GAME
from tripot_hearts.actions import News
from tripot_hearts.cards import ALL_POINTS, CARDS, FIRST_HEART, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, SEATS
from tripot_hearts.phases import score
from tripot_hearts.short import SHORT
from tripot_hearts.state import Direction, Phase
from tripot_hearts.text import NAMES

from tripot.core.game import waiting_seats
from tripot.core.options import parse
from tripot.testing import checks_of

SOURCE = Path(tripot_hearts.__file__).parent
PUBLIC = SOURCE.parents[3] / "docs" / "public-interface.md"
CARD = {name.en: number for number, name in enumerate(NAMES["corner"])}


def table(hands: str = "", **options: Any) -> Any:
    """A table at the first lead, without passing; `hands` are cards by seat, `;` between the seats."""
    s = GAME.new_state(parse(GAME.options, {"passing": "none", "deals": 1, **options}), SEATS, 1)
    if hands:
        for seat, cards in enumerate(hands.split(";")):
            s.hand[seat] = [0] * CARDS
            for card in cards.split():
                s.hand[seat][CARD[card]] = 1
    return s


def in_play(hands: str, leader: int = 0, **options: Any) -> Any:
    """The same later: each has as many cards as are given, and everything else has been played."""
    s = table(hands, **options)
    held = [card for card in range(CARDS) if any(hand[card] for hand in s.hand)]
    s.gone = [0 if card in held else 1 for card in range(CARDS)]
    s.turn, s.leader, s.waiting = CARDS - len(held), leader, 1 << leader
    return s


def legal(s: Any, seat: int) -> str:
    return " ".join(NAMES["corner"][card].en for card in GAME.legal_actions(s, seat))


def play(s: Any, *cards: str) -> None:
    for card in cards:
        seat = waiting_seats(s)[0]
        assert CARD[card] in GAME.legal_actions(s, seat), f"{card} is not legal for seat {seat}"
        GAME.apply(s, seat, CARD[card])


# --- Clauses ---


def test_H_2_2_cards_go_left_right_across_and_stay() -> None:
    s = GAME.new_state(parse(GAME.options, {"target": 0, "deals": 5}), SEATS, 3)
    found, luck = [], random.Random(1)
    while not s.over:
        if len(found) < s.round:
            found.append(s.direction)
        seat = waiting_seats(s)[-1]
        GAME.apply(s, seat, luck.choice(GAME.legal_actions(s, seat)))
    assert found == [Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.NONE, Direction.LEFT]


@pytest.mark.parametrize("direction", [Direction.LEFT, Direction.ACROSS, Direction.RIGHT])
def test_H_2_3_three_cards_go_to_one_neighbour_who_alone_learns_them(direction: Direction) -> None:
    s = GAME.new_state(parse(GAME.options, {"passing": direction.name.lower()}), SEATS, 5)
    s.news = []
    chosen = [random.Random(seat).sample(GAME.legal_actions(s, seat), 3) for seat in range(SEATS)]
    for seat in (2, 0, 3, 1):  # in any order
        for card in chosen[seat]:
            GAME.apply(s, seat, card)
    for seat in range(SEATS):
        to = (seat + direction) % SEATS
        assert all(s.hand[to][card] for card in chosen[seat])
        assert s.received[to] == s.given[seat] == sorted(card + 1 for card in chosen[seat])
        assert (to, News.YOU_RECEIVE, to, *sorted(chosen[seat])) in s.news
    assert s.phase == Phase.PLAY and s.hand[s.starter][CARD["2♣"]]


def test_H_3_1_the_two_of_clubs_leads_or_any_club() -> None:
    s = table()
    assert legal(s, s.starter) == "2♣"
    s = table(first_lead="any_club")
    assert legal(s, s.starter).split() == [c for c in CARD if c.endswith("♣") and s.hand[s.starter][CARD[c]]]


FIRST = "2♣ 3♣;4♦ 5♥;Q♠ 6♥;7♥ 8♥"


def test_H_3_4_no_points_fall_on_the_first_trick_unless_there_is_nothing_else() -> None:
    s = table(FIRST)
    s.waiting = 1
    play(s, "2♣")
    assert legal(s, 1) == "4♦"
    play(s, "4♦")
    assert legal(s, 2) == "6♥ Q♠"
    s = table(FIRST, first_trick_points=1)
    s.waiting = 1
    play(s, "2♣")
    assert legal(s, 1) == "4♦ 5♥"


def test_H_3_2_suit_is_followed_and_who_cannot_shows_it() -> None:
    s = in_play("2♦ 3♦;9♦ 4♠;5♠ 6♠;K♦ A♦")
    play(s, "2♦")
    assert legal(s, 1) == "9♦"
    play(s, "9♦", "5♠")
    assert s.void == [0, 0, 0b0010, 0] and legal(s, 3) == "K♦ A♦"


@pytest.mark.parametrize(
    ("options", "hand", "wanted"),
    [
        ({}, "2♦ 3♥", "2♦"),
        ({}, "2♥ 3♥", "2♥ 3♥"),
        ({"breaking": 0}, "2♦ 3♥", "2♦ 3♥"),
        ({}, "3♥ Q♠", "Q♠"),
        ({"hearts_for_queen": 1}, "3♥ Q♠", "3♥ Q♠"),
        ({"hearts_for_queen": 1}, "3♥ J♠", "J♠"),
    ],
)
def test_H_3_5_H_3_6_what_may_be_led_before_hearts_are_broken(options: Any, hand: str, wanted: str) -> None:
    assert legal(in_play(f"{hand};4♣ 5♣;6♣ 7♣;8♣ 9♣", **options), 0) == wanted


@pytest.mark.parametrize(("thrown", "queen_breaks", "broken"), [("2♥", 0, 1), ("Q♠", 0, 0), ("Q♠", 1, 1), ("2♠", 1, 0)])
def test_H_3_5_a_heart_breaks_hearts_and_the_queen_by_house_rule(thrown: str, queen_breaks: int, broken: int) -> None:
    s = in_play(f"2♦ 3♦;{thrown} 4♣;6♣ 7♣;8♣ 9♣", queen_breaks=queen_breaks)
    play(s, "2♦", thrown)
    assert s.broken == broken


def test_H_3_7_the_highest_of_the_suit_led_takes_the_trick_with_its_points() -> None:
    s = in_play("2♦ 3♦;9♦ 4♠;A♥ Q♠;10♦ A♦", breaking=0)
    play(s, "2♦", "9♦", "Q♠", "10♦")
    assert s.taken == [0, 0, 0, 13] and s.tricks == [0, 0, 0, 1] and waiting_seats(s) == [3]


LAST = {"plain": "2♦;3♦;A♥;4♦", "moon": "2♦;3♦;A♥;4♦", "jack": "2♦;3♦;5♥;J♦"}


def end(kind: str, taken: list[int], tricks: list[int], **options: Any) -> list[int]:
    """The scores after the last trick, which seat 3 takes."""
    s = in_play(LAST[kind], **options)
    s.taken, s.tricks = taken, tricks
    play(s, *LAST[kind].split(";"))
    assert s.over
    return [score(s, seat) for seat in range(SEATS)]


def test_H_4_1_to_H_4_4_what_a_deal_costs() -> None:
    assert end("plain", [5, 0, 10, 10], [4, 0, 4, 4]) == [5, 0, 10, 11]
    assert end("plain", [5, 0, 10, 10], [4, 0, 4, 4], no_tricks=1) == [5, -5, 10, 11]
    assert end("moon", [0, 0, 0, 25], [2, 0, 0, 10]) == [26, 26, 26, 0]
    assert end("moon", [0, 0, 0, 25], [2, 0, 0, 10], no_tricks=1) == [26, 26, 26, 0]
    assert end("moon", [0, 0, 0, 25], [2, 0, 0, 10], moon="self") == [0, 0, 0, -26]
    assert end("jack", [5, 0, 10, 10], [4, 0, 4, 4], jack=1) == [5, 0, 10, 1]
    assert end("jack", [0, 0, 0, 25], [4, 0, 4, 4], jack=1) == [26, 26, 26, -10]


def test_H_5_1_H_5_2_somebody_reaches_the_target_and_the_lowest_share() -> None:
    s = in_play(LAST["plain"], deals=0, target=60)
    s.penalty, s.taken = [20, 20, 50, 30], [0, 0, 10, 15]
    play(s, *LAST["plain"].split(";"))
    assert s.over and s.result == [30, 30, 0, 0]
    s = in_play(LAST["plain"], deals=0, target=61)
    s.penalty, s.taken = [20, 20, 50, 30], [0, 0, 10, 15]
    play(s, *LAST["plain"].split(";"))
    assert not s.over and s.round == 2 and sum(map(sum, s.hand)) == CARDS


# --- What any game must keep to ---


def cards(s: Any) -> Iterator[tuple[str, list[int], list[int]]]:
    """Every card is in one hand, set aside to be passed, or played."""
    aside = [card for given in s.given for card in given] if s.phase == Phase.PASS else []
    places = [sum(hand[card] for hand in s.hand) + (s.gone[card] > 0) + aside.count(card + 1) for card in range(CARDS)]
    yield "of every card", places, [1] * CARDS


TestHearts = checks_of(SHORT, conserved=cards)


def test_cards_have_their_names_and_points() -> None:
    assert sum(tripot_hearts.phases.points_of(card) for card in range(CARDS)) == ALL_POINTS
    assert NAMES["card"][QUEEN_OF_SPADES].fr == "la dame de pique" and NAMES["corner"][JACK_OF_DIAMONDS].fr == "V♦"
    assert NAMES["card"][FIRST_HEART].en == "the 2 of hearts"


def test_it_imports_only_the_public_interface() -> None:
    if not PUBLIC.exists():
        pytest.skip("only in Tripot's repository")
    lines = re.findall(r"^\| `(tripot[\w.]*)` \| (`.+)", PUBLIC.read_text("utf-8"), re.MULTILINE)
    promised = {f"{module}.{name}" for module, names in lines for name in re.findall(r"`(\w+)`", names)}
    used = set()
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "tripot":
                used |= {f"{node.module}.{alias.name}" for alias in node.names}
    assert used and used <= promised


ENVIRONMENTS = """
import gymnasium, numpy, pyspiel, tripot, tripot.lab.env.openspiel, tripot.lab.env.gymnasium
from tripot.lab.env.aec import TableEnv

env = gymnasium.make("tripot/Hearts-v1", opponents="uniform", options={"deals": 1})
_, info = env.reset(seed=1)
done = False
while not done:
    _, reward, done, _, info = env.step(int(numpy.flatnonzero(info["action_mask"])[0]))
zoo = TableEnv("hearts", options={"deals": 1})
zoo.reset(seed=2)
for _ in zoo.agent_iter():
    seen, _, ended, _, _ = zoo.last()
    zoo.step(None if ended else int(numpy.flatnonzero(seen["action_mask"])[-1]))
state = pyspiel.load_game("tripot_hearts", {"options": "deals:1"}).new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
print(reward, len(zoo.agents), sum(state.returns()))
"""


@pytest.mark.process
def test_it_is_played_in_the_standard_environments() -> None:
    pytest.importorskip("pyspiel")
    path = os.pathsep.join([str(SOURCE.parent), *filter(None, sys.path)])
    there = {**os.environ, "TRIPOT_GAMES": "tripot_hearts:GAME", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", ENVIRONMENTS], capture_output=True, text=True, env=there, check=False)
    assert done.returncode == 0, done.stderr
    reward, agents, returns = map(float, done.stdout.split())
    assert 0 <= reward <= 1 and agents == 0 and returns == pytest.approx(1)


def test_every_deal_is_openspiels_too() -> None:
    pytest.importorskip("pyspiel")
    from openspiel_lockstep import play as play_both

    luck = random.Random(1)
    assert sum(play_both(luck, seed) for seed in range(200)) > 10_000
