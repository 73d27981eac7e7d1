"""Draws Trieste: the three factions side by side, the piles, the hand and what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tripot.core.grammar import Noun, counted
from tripot.core.news import Item
from tripot.core.speech import Phrase
from tripot.games.trieste.actions import News
from tripot.games.trieste.cards import (
    FACTION_BACK,
    FACTIONS,
    MERCHANT,
    THIEF,
    TREASURE_BACK,
    TREASURES,
    card_at,
)
from tripot.games.trieste.state import Phase, worth
from tripot.games.trieste.text import NAMES

SIDE_BY_SIDE = 80  # columns; narrower terminals get the factions one below the other
WIDEST = 120
SIGN = ("⚔", "⚖", "✦")  # the factions, for those who see no colours …
STYLE = ("bright_blue", "bright_green", "bright_red")  # … and for those who do
ME = "▸"

STAGES = (
    Phrase("", ""),
    Phrase("Draw Phase", "phase Pioche"),
    Phrase("Play Phase", "phase Jeu"),
    Phrase("Payment Phase", "phase Paiement"),
    Phrase("Effect Phase", "phase Effet"),
    Phrase("End Phase", "phase Fin"),
)
TREASURE_PILES = Phrase("treasure deck {deck}, discard {discard}", "paquet des Trésors {deck}, défausse {discard}")
EMPTY = Phrase("empty", "vide")
HOLDS = Phrase("{treasures}, {cards} in hand", "{treasures}, {cards} en main")
TREASURE = Noun("treasure", "Trésor", "m", "treasures", "Trésors")
CARD = Noun("card", "carte", "f", "cards", "cartes")
DECK = Phrase("deck {deck}", "paquet {deck}")
DISCARD = Phrase("discard: {cards}", "défausse : {cards}")
UNDER = Phrase("under the deck: {cards}", "sous le paquet : {cards}")
FACE_DOWN = (
    Phrase("", ""),
    Phrase("a treasure face down", "un Trésor face cachée"),
    Phrase("a card face down", "une carte face cachée"),
)
ON_TABLE = Phrase("plays {card}", "joue {card}")
NEGATED = Phrase("{card} (negated)", "{card} (contrecarrée)")
HERO_UP = Phrase("hero: {hero}", "héros : {hero}")
HERO_DOWN = Phrase("hero hidden", "héros caché")
CAPTURED = Phrase("Captured: {cards}", "Captures : {cards}")
NOBODY = Phrase("nobody", "personne")
LASTING = {
    "bounty": Phrase("Bounty: every capture draws {n}", "Prime : chaque capture fait piocher {n}"),
    "curfew": Phrase(
        "Curfew: the Thief's cards cost {n} more", "Couvre-feu : les cartes du Voleur coûtent {n} de plus"
    ),
    "informed": Phrase("Informer: the Watch plays face up", "Indic : le Gardien joue face visible"),
    "guarded": Phrase("A Bodyguard protects the Merchant", "Un Garde du corps protège le Marchand"),
    "insured": Phrase("Insurance will pay", "L'Assurance paiera"),
    "voyage": Phrase("The Trading Voyage brings {n}", "L'Expédition rapporte {n}"),
}
HAND = Phrase("Your hand", "Votre main")
WORTH = Phrase("worth {worth}", "valeur {worth}")
PLACED = Phrase("Face down", "Face cachée")
ASIDE = Phrase("Just drawn", "Tout juste piochés")
DUE = Phrase("Still to pay", "Reste à payer")
TO = Phrase(": ", " : ")
SCORE = (
    Phrase("faction", "faction"),
    Phrase("player", "joueur"),
    Phrase("reached", "atteint"),
    Phrase("", ""),
)
WINS = Phrase("wins", "gagne")


# --- The table ---


def draw(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    parts: list[RenderableType] = [headline(view, lang)]
    if width < SIDE_BY_SIDE:
        for faction in range(FACTIONS):
            parts += [Text.assemble(title(view, faction, players, lang)), *faction_lines(view, faction, lang)]
    else:
        row = Table.grid(expand=False)
        row.add_row(*[panel(view, faction, players, lang, min(width, WIDEST) // 3) for faction in range(FACTIONS)])
        parts.append(row)
    return Group(*parts, captured_line(view, lang), *lasting_lines(view, lang))


def headline(view: Any, lang: str) -> Text:
    """Phase and treasure piles."""
    piles = TREASURE_PILES(lang).format(deck=view.treasure_size, discard=pile(view.treasure_discard, 0, 0, lang))
    parts = [STAGES[view.stage](lang), piles]
    return Text(" · ".join(part for part in parts if part))


def pile(counts: Sequence[int], faction: int, first: int, lang: str) -> str:
    """Cards of a pile by name; `first` is the kind of the first count."""
    names = []
    for i, count in enumerate(counts):
        if count:
            name = NAMES["card"][card_at(faction, first + i)](lang)
            names.append(name if count == 1 else f"{count} × {name}")
    return ", ".join(names) or EMPTY(lang)


def title(view: Any, faction: int, players: Sequence[str], lang: str) -> tuple[str, str]:
    me = ME if view.seat == view.seat_of[faction] else " "
    name = NAMES["faction"][faction](lang)
    return f"{me}{SIGN[faction]} {name} · {players[view.seat_of[faction]]}", f"bold {STYLE[faction]}"


def panel(view: Any, faction: int, players: Sequence[str], lang: str, width: int) -> Panel:
    active = view.waiting >> view.seat_of[faction] & 1
    return Panel(
        Group(*faction_lines(view, faction, lang)),
        box=box.DOUBLE if active else box.ROUNDED,
        title=Text(*title(view, faction, players, lang)),
        title_align="left",
        border_style=STYLE[faction],
        width=width,
    )


def faction_lines(view: Any, faction: int, lang: str) -> list[Text]:
    """Hand, deck, hero, the card on the table and the discard pile."""
    held = HOLDS(lang).format(
        treasures=counted(view.hand_size[faction][TREASURE_BACK], TREASURE)(lang),
        cards=counted(view.hand_size[faction][FACTION_BACK], CARD)(lang),
    )
    lines = [Text(held), Text(DECK(lang).format(deck=view.deck_size[faction]))]
    if view.hero_up[faction]:
        lines.append(Text(HERO_UP(lang).format(hero=NAMES["hero"][view.hero_up[faction]](lang)), "bold"))
    elif view.hero_hidden[faction]:
        lines.append(Text(HERO_DOWN(lang), "dim"))
    if view.table[faction]:
        card = NAMES["card"][view.table[faction]](lang)
        shown = NEGATED(lang).format(card=card) if view.negated[faction] else card
        lines.append(Text(ON_TABLE(lang).format(card=shown), f"bold {STYLE[faction]}"))
    elif view.face_down[faction]:
        lines.append(Text(FACE_DOWN[view.face_down[faction]](lang), STYLE[faction]))
    lines.append(Text(DISCARD(lang).format(cards=pile(view.discard[faction][:], faction, TREASURES, lang)), "dim"))
    if faction == MERCHANT and view.under_size:
        under = ", ".join(NAMES["card"][card_at(MERCHANT, kind)](lang) for kind in view.under[: view.under_size])
        lines.append(Text(UNDER(lang).format(cards=under), "dim"))
    return lines


def captured_line(view: Any, lang: str) -> Text:
    cards = pile(view.captured, THIEF, TREASURES, lang) if any(view.captured) else NOBODY(lang)
    return Text(CAPTURED(lang).format(cards=cards))


def lasting_lines(view: Any, lang: str) -> list[Text]:
    """Effects that last, of cards played earlier in this turn or in earlier turns."""
    amounts = {
        "bounty": view.bounty[1] + view.bounty[2],
        "curfew": view.curfew[0],
        "informed": view.informed[0],
        "guarded": view.guarded,
        "insured": view.insured,
        "voyage": view.voyage,
    }
    return [Text(LASTING[name](lang).format(n=n), "italic") for name, n in amounts.items() if n]


# --- The hand ---


def hand(view: Any, players: Sequence[str], lang: str) -> RenderableType:
    """The seat's own cards, and what it is paying or sifting."""
    faction = view.faction[view.seat]
    held = pile(view.my_hand, faction, 0, lang)
    line = Text.assemble(HAND(lang), TO(lang), (held, "bold"), f" ({WORTH(lang).format(worth=worth(view.my_hand))})")
    lines = [line]
    if view.my_placed:
        lines.append(Text.assemble(PLACED(lang), TO(lang), (NAMES["card"][view.my_placed](lang), "bold")))
    if view.my_hero and not view.hero_up[faction]:
        lines.append(Text(HERO_UP(lang).format(hero=NAMES["hero"][view.my_hero](lang))))
    if any(view.my_aside):
        lines.append(Text.assemble(ASIDE(lang), TO(lang), (pile(view.my_aside, 0, 0, lang), "bold")))
    if view.phase == Phase.PAY:
        lines.append(Text.assemble(DUE(lang), TO(lang), (str(view.due), "bold")))
    return Group(*lines)


# --- The end ---


def score(view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str) -> RenderableType:
    """Each faction's goal and what it reached. [T-4.1 T-4.2 T-4.3 T-4.4]"""
    table = Table(box=box.SIMPLE)
    for heading in SCORE:
        table.add_column(heading(lang))
    winner = next((item.b for item in news if item.what == News.WON), None)
    for faction in range(FACTIONS):
        table.add_row(
            f"{SIGN[faction]} {NAMES['faction'][faction](lang)}",
            players[view.seat_of[faction]],
            reached[view.seat_of[faction]],
            WINS(lang) if faction == winner else "",
            style="bold" if faction == winner else "",
        )
    return table
