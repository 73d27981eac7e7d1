"""Aspects of whole games, each as one hash: what the heuristic weighs, what the guide says, how views are encoded.

Fingerprints hash what happens in a game. This hashes what is thought and said of it, and says only that it changed:
`python -m tests.regen` writes the file anew after a change that is meant to be one.
"""

import hashlib
import importlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import tripot
from tests.cases import GAMES, LONGEST, Case, positions
from tests.written_positions import BY_HAND
from tripot.core import rule_search
from tripot.core.defaults import NO_WAY_BACK
from tripot.core.encoding import Encoder
from tripot.core.game import waiting_seats
from tripot.core.layout import SPECTATOR, Layout
from tripot.core.position import BadPosition, read_position, write_position
from tripot.core.rule_search import QUESTIONS, fold, search
from tripot.core.speech import LANGUAGES, say

FILE = Path(__file__).parent / "aspects.json"
BLUNDERS = 0.4  # the share of random decisions, so that games come where good players never do
EVERY = 9  # decisions between two looks at what all seats are told; the guides of waiting seats are always asked
SEEN = 23  # decisions between two states that are laid out and encoded
WRITTEN = 150  # decisions between two positions that are written down
HOUSE_RULES: dict[str, list[dict[str, Any]]] = {
    "trieste": [{"heroes": 1}],
    "trok": [{"open_purses": 0}],
}  # that change what is thought or said
PLAYED = {"verrater": 30, "trok": 16, "trieste": 40}  # games of each case


ARRAYS = ("layout", "encoding")  # how the names of those aspects begin that `arrays` finds


def cases() -> list[Case]:
    """The two smallest tables of every game, and house rules that matter here."""
    found = []
    for game in GAMES:
        found += [Case(game, seats, game.options()) for seats in game.seats[:2]]
        found += [Case(game, game.seats[0], game.options(**rules)) for rules in HOUSE_RULES.get(game.name, [])]
    return found


def weighed(game: Any, view: Any, legal: list[int]) -> list[int]:
    """What the heuristic player thinks of each decision."""
    heuristic = importlib.import_module(f"tripot.games.{game.name}.heuristic")
    given: tuple[Any, ...] = ()
    if game.name == "verrater":
        given = (heuristic.case_of(view),)
    elif game.name == "trok":
        given = (heuristic.best_prize(view), heuristic.survey(view))
    return [heuristic.weigh(view, action, *given) for action in legal]


class Game:
    """One game between the heuristic player and chance, and what is thought and said of it."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case, self.game, self.guide = case, case.game, case.game.guide
        self.luck = random.Random(f"{case} {seed}")
        self.s = case.deal(seed)

    def aspects(self) -> Iterator[tuple[str, Any]]:
        """Pairs of an aspect and something that belongs to it."""
        s = self.s
        for number in range(LONGEST):
            if number % WRITTEN == 0 or s.over:
                yield "position", write_position(self.game, self.case.options, s)
            if number % EVERY == 0 or s.over:
                for seat in (*range(self.case.seats), SPECTATOR):
                    view = self.game.layout.observe_plain(s, seat)
                    yield "goals", self.guide.goals(view)
                    yield "knowledge", self.guide.knowledge(view)
                    if seat != SPECTATOR and not s.over:
                        yield "imagined", self.game.imagined_from(view, number).pack().hex()
                yield "hidden", list(self.hidden())
                yield "standing", self.game.text.standing(s)
                yield "counted", [self.counted(seat) for seat in range(self.case.seats)]
            if s.over:
                break
            seat = self.luck.choice(waiting_seats(s))
            yield from self.decision(seat)
        for seat in range(self.case.seats):
            yield "outcome", [self.guide.outcome(s, seat), self.guide.reached(s, seat)]

    def hidden(self) -> Iterator[Any]:
        """What lies out of each seat's sight, and how far a coach finds back."""
        hidden, seats = self.game.hidden, max(self.game.seats)
        for seat in range(self.case.seats):
            out = [[[0] * hidden.most for _ in range(seats)] for _ in hidden.places]
            hidden.read(self.s, seat, out)
            yield out
            before = self.s.copy()
            while (found := hidden.turn_back(before, seat)) != NO_WAY_BACK:
                yield found, before.pack().hex()

    def counted(self, seat: int) -> list[int]:
        quantities = self.game.quantities
        out = [0] * len(quantities.items)
        quantities.measure(self.s, seat, out)
        return out

    def decision(self, seat: int) -> Iterator[tuple[str, Any]]:
        s, guide = self.s, self.guide
        view, legal = self.game.layout.observe_plain(s, seat), self.game.legal_actions(s, seat)
        worth = weighed(self.game, view, legal)
        yield "weighed", worth
        for action in legal:
            yield "decision", self.game.text.decision(view, action)
            yield "hint", guide.hint(view, action)
            yield "warning", [said for said in [guide.warning(view, action, legal)] if said]
            yield "choice", [int(guide.forced(view, action)), guide.ends and guide.ends(view, action)]
        best = legal[worth.index(max(worth))]
        action = self.luck.choice(legal) if self.luck.random() < BLUNDERS else best
        yield "steps", list(self.steps(seat, action))
        self.game.apply(s, seat, action)

    def steps(self, seat: int, action: int) -> Iterator[int]:
        """The kinds of the steps that follow a decision, for machines that take them one at a time."""
        stages, after = self.game.stages, self.s.copy()
        if stages is not None:
            stages.decide(after, seat, action)
            while not after.waiting and not after.over:
                yield stages.step_kind(after)
                stages.settle_step(after)


def aspects(case: Case) -> dict[str, str]:
    """A hash of each aspect of some games."""
    found: dict[str, Any] = {}
    spoken, seats, text = set(), [name("en") for name in case.game.text.SEATS], case.game.text
    for seed in range(PLAYED[case.game.name]):
        for aspect, told in Game(case, seed).aspects():
            found.setdefault(aspect, hashlib.sha256()).update(f"{told}\n".encode())
            if aspect in ("goals", "knowledge", "hint", "warning", "outcome"):
                spoken.update((said.key, tuple(map(_hashable, said.numbers))) for said in told)
    sentences = case.game.guide.sentences
    lines = [
        say(sentences[key], numbers, text.NAMES, seats, lang)
        for key, numbers in sorted(spoken, key=str)
        for lang in LANGUAGES
    ]
    found["words"] = hashlib.sha256("\n".join(lines).encode())
    return {aspect: digest.hexdigest()[:12] for aspect, digest in found.items()}


def arrays(case: Case) -> dict[str, str]:
    """A hash of how states and views lie in memory, and of how they are encoded, from layouts made anew."""
    game = case.game
    layout = Layout(game.fields, max(game.seats))
    states = [s.pack() for s, _, _ in positions(case, 5)]
    states = [*states[::SEEN], states[-1]]
    found = {"layout": _digest([*_layout(layout), *_looks(layout, case.seats, states)])}
    for given in ({}, {"seats": case.seats}, {"rules": True}, {"full": True}):
        encoder = Encoder(game, **given)  # type: ignore[arg-type]
        found[f"encoding {encoder.notation}"] = _digest([*_tables(encoder), *_encoded(encoder, layout, case, states)])
    return found


def _layout(layout: Layout) -> Iterator[Any]:
    """Where every field lies."""
    for record in (layout.state, layout.view):
        yield record.dtype.descr, record.packing.format, record.names, record.highest, list(record.elements())
    yield layout.source, layout.target, layout.shown, layout.seat_at, layout.encoding
    for seat in (*range(layout.seats), SPECTATOR):
        yield layout.places(None, seat), layout.places(["phase", "my_hand"], seat)


def _looks(layout: Layout, seats: int, states: list[bytes]) -> Iterator[Any]:
    """What is seen of states in each of the ways there are, and what changes from one to the next."""
    for data, other in pairwise(states):
        s, state = layout.state.plain.loaded(data), np.frombuffer(data, layout.state.dtype)
        for seat in (*range(seats), SPECTATOR):
            views = layout.observe(state, seat)
            seen = layout.observe_plain(s, seat)
            yield views.tobytes(), layout.encode(views), seen.pack() == views.tobytes()
            yield layout.share_plain(s, seat).pack() == seen.pack()
            back = layout.states(1)
            layout.unobserve(views, back)
            yield back.tobytes(), layout.unobserve_plain(seen).pack() == back.tobytes()
        changes = layout.changes(other, data)
        yield changes.public, changes.own


def _tables(encoder: Encoder) -> Iterator[Any]:
    yield encoder.notation, encoder.columns, encoder.width, encoder.highest, encoder.slots
    yield [(name, kind, code, field.name) for name, kind, code, field in encoder.numbered]
    yield encoder.seating, encoder.slot_of, encoder.actions, encoder.turned_actions
    yield encoder.finder, encoder.plan, encoder.native_tables
    if not encoder.full:
        yield encoder.native_tables_of_states


def _encoded(encoder: Encoder, layout: Layout, case: Case, states: list[bytes]) -> Iterator[Any]:
    for number, data in enumerate(states):
        state, seat = np.frombuffer(data, layout.state.dtype), number % case.seats
        rows = state if encoder.full else layout.observe(state, seat)
        yield encoder.encode(rows, np.array([seat]) if encoder.full else None)


def small_deals(game: Any) -> dict[str, str]:
    """A hash of small games as they are dealt, and of what is told of the deal."""
    found, small = [], game.small
    chosen = [small.options(), *(small.options(**{f.name: 2}) for f in fields(small.options))]
    for options in chosen:
        for seats, seed in ((game.seats[0], 1), (game.seats[-1], 2)):
            s = game.layout.state.plain()
            s.news = []
            small.deal(s, options, seats, seed)
            found.append([s.pack().hex(), s.news])
    return {"small deals": _digest(found)}


def left_out(game: Any) -> dict[str, str]:
    """A hash of what each position by hand gives without one of its lines: it follows from the rest, or is missed."""
    lines = BY_HAND[game.name].strip().splitlines()
    texts = ["\n".join(lines[:at] + lines[at + 1 :]) for at in range(1, len(lines))]
    return {"left out": _digest(map(_read_or_refused, texts))}


def _read_or_refused(text: str) -> str:
    try:
        return read_position(text, tripot.GAMES).s.pack().hex()
    except BadPosition as error:
        return str(error)


def answers(game: Any) -> dict[str, str]:
    """A hash of what is found in the rule book for many questions, and of how well each clause fits them."""
    rule_search._index.cache_clear()
    found = []
    for lang in LANGUAGES:
        asked = [word for patterns in QUESTIONS.values() for word in re.split("[|; ]+", patterns(lang))]
        asked = [*asked[::4], *(f"{one} {other}" for one, other in pairwise(asked))][::2]
        asked += ["Who winns the gaem?", "Égalité ?", "carrtes en mian", "x", "2.1", "and 1.1 or 3.2", "can't pay"]
        for question in dict.fromkeys(asked):
            folded = fold(question)
            scores = rule_search._by_text(game, folded, lang), rule_search._by_topic(game, folded)
            found.append([question, [[(number, round(score, 9)) for number, score in part.items()] for part in scores]])
            found.append([clause.number for clause in search(game, question, lang)])
    return {"answers": _digest(found)}


def _digest(things: Any) -> str:
    """A hash of anything made of numbers, texts and arrays; an array with its type and shape."""
    found = hashlib.sha256()

    def add(thing: Any) -> None:
        if isinstance(thing, np.ndarray):
            found.update(f"{thing.dtype} {thing.shape}".encode() + thing.tobytes())
        elif isinstance(thing, list | tuple):
            found.update(f"{len(thing)}".encode())
            for part in thing:
                add(part)
        elif isinstance(thing, dict):
            add(list(thing.items()))
        else:
            found.update(f"{thing} ".encode())

    add(list(things))
    return found.hexdigest()[:12]


def _hashable(number: Any) -> Any:
    return number if isinstance(number, int) else tuple(number)


def kept() -> dict[str, dict[str, str]]:
    """The hashes on file, by case and aspect."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return found


def write() -> None:
    found = {str(case): aspects(case) | arrays(case) for case in cases()}
    found |= {game.name: answers(game) | small_deals(game) | left_out(game) for game in GAMES}
    FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
