"""Draws Trieste: the three factions side by side, the piles, the hand and what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tripot.core.news import Item
from tripot.core.speech import Phrase
from tripot.games.trieste.actions import CARD, HERO, REVEAL, News
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    FACTION_BACK,
    FACTIONS,
    HEROES,
    LAST_TURN,
    MERCHANT,
    MOST_INFAMY,
    RICHES,
    THIEF,
    TREASURE_BACK,
    TREASURES,
    WATCH,
    card_at,
)
from tripot.games.trieste.phases import price, prison_cost
from tripot.games.trieste.state import Phase, worth
from tripot.games.trieste.text import ABOUT, EFFECTS, HERO_EFFECTS, NAMES

SIDE_BY_SIDE = 80  # columns; narrower terminals get the factions one below the other
WIDEST = 120
SIGN = ("⚔", "⚖", "✦")  # the factions, for those who see no colours …
STYLE = ("bright_blue", "bright_green", "bright_red")  # … and for those who do
ME = "▸"

TURN = Phrase("Turn {turn} of {last}", "Tour {turn} sur {last}")
SET_UP = Phrase("Set-up", "Mise en place")
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
HOLDS = Phrase("{treasures} treasures, {cards} cards in hand", "{treasures} Trésors, {cards} cartes en main")
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
GOALS = (
    Phrase("{count} of {goal} captured", "{count} captures sur {goal}"),
    Phrase("wins with {goal} in treasure", "gagne avec {goal} en Trésors"),
    Phrase("{count} of {goal} Infamy", "{count} Infamies sur {goal}"),
)
CAPTURED = Phrase("Captured: {cards}", "Captures : {cards}")
NOBODY = Phrase("nobody", "personne")
LASTING = {
    "bounty": Phrase("Bounty: every capture draws {n}", "Prime : chaque capture fait piocher {n}"),
    "curfew": Phrase(
        "Curfew: the Thief's cards cost {n} more", "Couvre-feu : les cartes du Voleur coûtent {n} de plus"
    ),
    "informed": Phrase("Informer: the Watch plays face up", "Indic : le Gardien joue face visible"),
    "guarded": Phrase("Bodyguard protects the Merchant", "Garde du corps protège le Marchand"),
    "insured": Phrase("Insurance will pay", "Assurance versera"),
    "voyage": Phrase("Trading Voyage brings {n}", "Expédition rapporte {n}"),
}
HAND = Phrase("Your hand", "Votre main")
WORTH = Phrase("worth {worth}", "valeur {worth}")
PLACED = Phrase("Face down", "Face cachée")
ASIDE = Phrase("Just drawn", "Tout juste piochés")
DUE = Phrase("Still to pay", "Reste à payer")
KNOWN = Phrase("You know in the hand {of_faction}", "Vous connaissez dans la main {of_faction}")
TO = Phrase(": ", " : ")
COST_AND_LEVEL = Phrase("costs {cost}, level {level}: {effect}", "coûte {cost}, niveau {level} : {effect}")
SCORE = (
    Phrase("faction", "faction"),
    Phrase("player", "joueur"),
    Phrase("goal", "but"),
    Phrase("reached", "atteint"),
    Phrase("", ""),
)
REACHED = (
    Phrase("{n} captured", "{n} captures"),
    Phrase("{n} in treasure", "{n} en Trésors"),
    Phrase("{n} Infamy", "{n} Infamies"),
)
UNKNOWN = Phrase("{n} treasures, unseen", "{n} Trésors, non vus")
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
    """Turn, phase and treasure piles."""
    now = TURN(lang).format(turn=view.turn, last=LAST_TURN) if view.turn else SET_UP(lang)
    piles = TREASURE_PILES(lang).format(deck=view.treasure_size, discard=pile(view.treasure_discard, 0, 0, lang))
    parts = [STAGES[view.stage](lang), piles]
    return Text.assemble((now, "bold"), *[f" · {part}" for part in parts if part])


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
    """Goal, hand, deck, hero, the card on the table and the discard pile."""
    held = HOLDS(lang).format(
        treasures=view.hand_size[faction][TREASURE_BACK], cards=view.hand_size[faction][FACTION_BACK]
    )
    lines = [Text(goal(view, faction, lang), "bold"), Text(held), Text(DECK(lang).format(deck=view.deck_size[faction]))]
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


def goal(view: Any, faction: int, lang: str) -> str:
    """How close a faction is to its goal. [T-4.1 T-4.2 T-4.3]"""
    counts = (sum(view.captured), 0, view.infamy)
    goals = (CAPTURES_TO_WIN, RICHES + prison_cost(view), MOST_INFAMY)
    return GOALS[faction](lang).format(count=counts[faction], goal=goals[faction])


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
    """The seat's own cards, what it is paying or sifting, and what it knows of other hands."""
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
    for other in range(FACTIONS):
        if other != faction and any(view.my_knows[other]):
            whose = KNOWN(lang).format(of_faction=NAMES["of_faction"][other](lang))
            lines.append(Text(f"{whose}{TO(lang)}{pile(view.my_knows[other], other, 0, lang)}", "dim"))
    return Group(*lines)


def effect_of(view: Any, card: int, lang: str) -> str:
    """What a card does, with the numbers of the deck in play."""
    amount = view.amount[card]
    in_words = {table: NAMES[table][amount](lang) for table in ("treasures", "share")}
    return EFFECTS[card](lang).format(reach=view.reach[card], amount=amount, more=view.more[card], **in_words)


def hint(view: Any, action: int, lang: str) -> tuple[str, str]:
    """What a card or a hero does, with the numbers of the deck in play."""
    faction = view.faction[view.seat]
    if view.phase == Phase.HERO:
        return HERO_EFFECTS[1 + HEROES * faction + action - HERO](lang), "T-6.4"
    if view.phase == Phase.REVEAL:
        return (HERO_EFFECTS[view.my_hero](lang), "T-6.4") if action == REVEAL else ("", "")
    if action < CARD + TREASURES or view.phase == Phase.PAY:
        return "", ""
    card = card_at(ABOUT.get(view.phase, faction), action - CARD)
    effect = effect_of(view, card, lang)
    if view.phase not in (Phase.PLAY, Phase.BUY):
        return effect, "T-5.8"
    cost = price(view, faction, card)
    return COST_AND_LEVEL(lang).format(cost=cost, level=view.level[card], effect=effect), "T-5.8"


# --- The end ---


def score(view: Any, news: Sequence[Item], players: Sequence[str], lang: str) -> RenderableType:
    """Each faction's goal and what it reached. [T-4.1 T-4.2 T-4.3 T-4.4]"""
    table = Table(box=box.SIMPLE)
    for heading in SCORE:
        table.add_column(heading(lang))
    winner = next((item.b for item in news if item.what == News.WON), None)
    for faction in range(FACTIONS):
        table.add_row(
            f"{SIGN[faction]} {NAMES['faction'][faction](lang)}",
            players[view.seat_of[faction]],
            str((CAPTURES_TO_WIN, RICHES + prison_cost(view), MOST_INFAMY)[faction]),
            reached(view, faction, lang),
            WINS(lang) if faction == winner else "",
            style="bold" if faction == winner else "",
        )
    return table


def reached(view: Any, faction: int, lang: str) -> str:
    if faction != MERCHANT:
        return REACHED[faction](lang).format(n=sum(view.captured) if faction == WATCH else view.infamy)
    if view.faction[view.seat] == MERCHANT:
        return REACHED[MERCHANT](lang).format(n=worth(view.my_hand))
    return UNKNOWN(lang).format(n=view.hand_size[MERCHANT][TREASURE_BACK])
