"""Golden playthroughs: whole games between bots as text that a person can read and review.

The text shows every decision with its number, phase, question, legal actions and the action taken, and all news
with its clauses; private news names the seat that heard it. Every round starts with the public state.
`python -m tests.regen` regenerates the files. Read every change in them before you commit it.
"""

import hashlib
import importlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tripot
from tripot.bots.bot import Bot, find_bot
from tripot.bots.memory import new_memory
from tripot.core.game import Game, waiting_seats
from tripot.core.layout import PUBLIC
from tripot.core.news import EVERYONE
from tripot.core.options import as_json, check_seats, parse
from tripot.core.speech import Sentence, say

FOLDER = Path(__file__).parent / "playthroughs"
WIDTH = 118

ROUNDS = ("round", "turn")  # the field that counts rounds, under the name the game uses
FRENCH = {
    "seats": "places",
    "seed": "graine",
    "rules": "règles",
    "also to decide": "ont aussi à décider",
    "the end": "la fin",
    "round": "tour",
    "turn": "tour",
    "first": "premier",
    "strategy": "Stratégie",
    "pile": "pioche",
    "hand": "main",
    "unbuilt": "à bâtir",
    "trade master": "Maître du commerce",
    "deck": "paquet",
    "discard pile": "défausse",
    "market": "marché",
    "queue": "file",
    "carts": "chariots",
}


@dataclass(frozen=True)
class Playthrough:
    """One golden game: its players, its seed and its language."""

    game: str
    seats: int
    seed: int
    lang: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return FOLDER / ("-".join([self.game, str(self.seats), *self.options, self.lang]) + ".txt")

    def __str__(self) -> str:
        return self.path.stem

    def bots(self, game: Game) -> list[Bot]:
        """Alternates heuristic and uniform bots; only uniform bots if the game has no heuristic."""
        even = "uniform" if game.heuristic is None else "sensible"
        names = ["uniform" if seat % 2 else even for seat in range(self.seats)]
        return [find_bot(name, game) for name in names]


REQUIRED = [
    Playthrough("verrater", 3, 7, "en"),
    Playthrough("verrater", 4, 11, "fr"),
    Playthrough("trok", 2, 14, "en"),
    Playthrough("trok", 4, 7, "fr"),
    Playthrough("trok", 6, 7, "en"),
    Playthrough("trieste", 3, 21, "en"),
    Playthrough("trieste", 3, 125, "fr", {"heroes": 1}),
]
GOLDEN = [golden for golden in REQUIRED if golden.game in tripot.GAMES]


def render(golden: Playthrough) -> str:
    """Returns the whole game as text."""
    return "\n".join(line.rstrip() for line in Teller(golden).tell()) + "\n"


class Teller:
    """Plays one golden game and writes it down."""

    def __init__(self, golden: Playthrough) -> None:
        self.game = tripot.GAMES[golden.game]
        self.golden, self.lang, self.text = golden, golden.lang, self.game.text
        self.options = parse(self.game.options, golden.options)
        check_seats(self.options, golden.seats)
        self.phases = importlib.import_module(f"tripot.games.{golden.game}.state").Phase
        self.players = [seat(golden.lang) for seat in self.text.SEATS]
        self.bots = golden.bots(self.game)
        self.memories = [new_memory(golden.seed, seat) for seat in range(golden.seats)]
        self.counter = next((f.name for f in self.game.fields if f.name in ROUNDS), None)

    def tell(self) -> Iterator[str]:
        golden, word = self.golden, self.word
        rules = [f"{name} = {value}" for name, value in as_json(self.options).items()]
        head = [golden.game, f"{golden.seats} {word('seats')}", f"{word('seed')} {golden.seed}"]
        yield " · ".join([*head, f"{word('rules')} {self.game.rules_version}", *rules])
        yield " · ".join(f"{player} {bot.name}" for player, bot in zip(self.players, self.bots, strict=False))
        yield ""
        s = self.game.layout.state.plain()
        s.news = []
        self.game.deal(s, self.options, golden.seats, golden.seed)
        yield from self.news(s)
        counted, number = None, 0
        while not s.over:
            if self.counter and getattr(s, self.counter) != counted:
                counted = getattr(s, self.counter)
                yield from ["", f"=== {word(self.counter)} {counted} " + "=" * 60, *self.public(s)]
            number += 1
            yield from ["", *self.decision(s, number)]
        yield from ["", f"=== {word('the end')} " + "=" * 60, *self.public(s)]
        yield "  result " + " ".join(map(str, s.result[: golden.seats]))
        yield "  sha256 " + digest(self.game, s)

    def decision(self, s: Any, number: int) -> Iterator[str]:
        """Takes one decision of the lowest waiting seat and writes question, offers, choice and news."""
        seat, *others = waiting_seats(s)
        layout = self.game.layout
        view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
        legal = self.game.legal_actions(s, seat)
        question = self.text.QUESTIONS[s.phase]
        phase = self.phases(s.phase).name.lower()
        yield f"{number} · {phase} · {self.players[seat]} · {self.say(question, ())} [{question.clause}]"
        if others:
            yield f"    ({self.word('also to decide')} {', '.join(self.players[other] for other in others)})"
        yield from lines_of("    ", [f"{action} {self.name(view, action)}" for action in legal])
        action = self.bots[seat].decide(view, legal, self.memories[seat])
        yield f"  > {action} {self.name(view, action)}"
        s.news = []
        self.game.apply(s, seat, action)
        yield from self.news(s)

    def news(self, s: Any) -> Iterator[str]:
        for item in s.news:
            sentence = self.text.NEWS[item.what]
            to = "" if item.to == EVERYONE else f"({self.players[item.to]}) "
            yield f"  - {to}{self.say(sentence, item[2:])} [{sentence.clause}]"

    def public(self, s: Any) -> Iterator[str]:
        """Writes the part of the public state that a reader needs."""
        yield from HEADS.get(self.game.name, every_public_field)(self, s)

    def name(self, view: Any, action: int) -> str:
        which, numbers = self.text.decision(self.game.layout.view_of(view.tobytes()), action)
        return self.say(self.text.DECISIONS[which], numbers)

    def say(self, sentence: Sentence, numbers: tuple[int, ...]) -> str:
        return say(sentence, numbers, self.text.NAMES, self.players, self.lang)

    def word(self, english: str) -> str:
        return FRENCH.get(english, english) if self.lang == "fr" else english

    def named(self, table: str, number: int) -> str:
        return str(self.text.NAMES[table][number](self.lang))


def digest(game: Game, s: Any) -> str:
    """A digest of every value of a state, hidden ones included; the order of the fields does not matter."""
    values = json.dumps({f.name: getattr(s, f.name) for f in game.fields}, sort_keys=True)
    return hashlib.sha256(values.encode()).hexdigest()[:16]


def lines_of(indent: str, parts: list[str]) -> Iterator[str]:
    """Joins parts with dots, on as many lines as needed, without breaking a part."""
    line = indent
    for part in parts:
        if line != indent and len(line) + len(part) + 3 > WIDTH:
            yield line
            line = indent
        line += (" · " if line != indent else "") + part
    yield line


# --- The head of a round: one function per game, or all public fields ---


def every_public_field(teller: Teller, s: Any) -> Iterator[str]:
    standard = {"seats", "phase", "waiting", "over", "result", *vars(teller.options)}
    for f in teller.game.fields:
        if f.sight is PUBLIC and f.name not in standard:
            value = getattr(s, f.name)
            by_seat = f.shape[:1] == (max(teller.game.seats),)
            yield f"  {f.name} {numbers(value[: teller.golden.seats] if by_seat else value)}"


def numbers(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return (" | " if value and isinstance(value[0], list) else " ").join(map(numbers, value))


def verrater_head(teller: Teller, s: Any) -> Iterator[str]:
    word, players = teller.word, teller.players
    holds = f"{word('first')} {players[s.first]} · {word('strategy')} {players[s.strategy]}"
    yield f"  {holds} · {word('pile')} {s.pile_size}"
    for seat in range(s.seats):
        held = f"{word('hand')} {s.hand_size[seat]} · {word('unbuilt')} {s.unbuilt[seat]}"
        yield f"  {players[seat]} · {teller.named('house', s.house[seat])} · points {s.points[seat]} · {held}"
    lands = []
    for slot, land in enumerate(s.land):
        owner = f", {teller.named('building', s.building[slot])} ({players[s.owner[slot]]})"
        house = teller.named("house", s.holder[slot])
        lands.append(f"{slot + 1} {teller.named('land', land)} {house}{owner if s.building[slot] else ''}")
    yield from lines_of("  ", lands)


def trok_head(teller: Teller, s: Any) -> Iterator[str]:
    word, players = teller.word, teller.players
    piles = f"{word('deck')} {s.deck_size} · {word('discard pile')} {sum(s.discard)}"
    master = f"{word('trade master')} {players[s.master]} · " if s.turn > 1 else ""
    yield f"  {master}{piles} · {word('market')} {trok_bag(teller, 'gear', s.market)}"
    places = [f"{place + 1} {teller.named('upgrade', s.queue[place])}" for place in range(s.queue_size)]
    yield from lines_of(f"  {word('queue')} ", places)
    for seat in range(s.seats):
        held = f"{word('hand')} {s.hand_size[seat]} · {word('carts')} {trok_bag(teller, 'gear', s.stored[seat])}"
        yield f"  {players[seat]} · Aare {s.aare[seat]} · {held} · {trok_bag(teller, 'upgrade', s.owned[seat])}"


def trok_bag(teller: Teller, table: str, bag: list[int]) -> str:
    named = [
        f"{count if count > 1 else ''} {teller.named(table, kind)}".strip() for kind, count in enumerate(bag) if count
    ]
    return ", ".join(named) or "-"


HEADS: dict[str, Callable[[Teller, Any], Iterator[str]]] = {"trok": trok_head, "verrater": verrater_head}
