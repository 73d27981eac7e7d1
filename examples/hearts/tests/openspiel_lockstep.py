"""Plays deals here and in OpenSpiel's `hearts` at once: the same cards, legal actions, turns and returns at every step.

    python examples/hearts/tests/openspiel_lockstep.py 5000

Every deal has house rules of its own, drawn from all that OpenSpiel can be told. What differs and is translated:

- OpenSpiel numbers cards rank by rank, and this game suit by suit.
- OpenSpiel always plays one deal, draws the direction of the pass as its first chance node, and gives the points of the
  deal as 26 less; here that is `deals=1`, `passing=drawn` (or `none`), and the score.
- The moon always costs the others 26 there; `moon=self` and `target` have no counterpart.
"""

import random
import sys
from typing import Any

import pyspiel
from tripot_hearts import GAME
from tripot_hearts.cards import ALL_POINTS, CARDS, RANKS, SEATS, SUITS
from tripot_hearts.phases import score

from tripot.core.game import waiting_seats
from tripot.core.options import parse

OPTIONS = {  # OpenSpiel's parameter: the option, and its values for no and yes
    "pass_cards": ("passing", "none", "drawn"),
    "no_pts_on_first_trick": ("first_trick_points", 1, 0),
    "can_lead_any_club": ("first_lead", "two_of_clubs", "any_club"),
    "jd_bonus": ("jack", 0, 1),
    "avoid_all_tricks_bonus": ("no_tricks", 0, 1),
    "must_break_hearts": ("breaking", 0, 1),
    "qs_breaks_hearts": ("queen_breaks", 0, 1),
    "can_lead_hearts_instead_of_qs": ("hearts_for_queen", 0, 1),
}


def theirs(card: int) -> int:
    """OpenSpiel's number of a card."""
    return card % RANKS * SUITS + card // RANKS


def ours(card: int) -> int:
    return card % SUITS * RANKS + card // SUITS


def begin(luck: random.Random, seed: int) -> tuple[Any, Any]:
    """The same deal, here and there."""
    told = {name: luck.random() < 0.5 for name in OPTIONS}
    given = {option: (no, yes)[told[name]] for name, (option, no, yes) in OPTIONS.items()}
    s = GAME.new_state(parse(GAME.options, {**given, "deals": 1}), SEATS, seed)
    state = pyspiel.load_game("hearts", told).new_initial_state()
    state.apply_action(s.direction)
    hands = [[card for card in range(CARDS) if hand[card]] for hand in s.hand]
    for number in range(CARDS):
        state.apply_action(theirs(hands[number % SEATS][number // SEATS]))
    return s, state


def play(luck: random.Random, seed: int) -> int:
    """Plays one deal of random cards in both. Returns how many decisions it took."""
    s, state = begin(luck, seed)
    decisions = 0
    while not s.over:
        seat = waiting_seats(s)[0]
        legal = GAME.legal_actions(s, seat)
        assert seat == state.current_player(), (seed, decisions)
        assert legal == sorted(map(ours, state.legal_actions())), (seed, decisions)
        action = luck.choice(legal)
        GAME.apply(s, seat, action)
        state.apply_action(theirs(action))
        decisions += 1
    assert state.is_terminal()
    assert state.returns() == [ALL_POINTS - score(s, seat) for seat in range(SEATS)], seed
    return decisions


def main(deals: int) -> None:
    luck = random.Random(deals)
    decisions = sum(play(luck, seed) for seed in range(deals))
    print(f"{deals:,} deals, {decisions:,} decisions: the same legal actions at each, the same returns")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
