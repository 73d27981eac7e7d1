"""Draws Trök: market, queue and players in tables, the hand and the final score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tripot.core.news import Item
from tripot.core.speech import Phrase
from tripot.games.trok.actions import News
from tripot.games.trok.cards import COLOUR, GEARS, UPGRADES, Upgrade
from tripot.games.trok.state import PLAN_COLLECTION, Phase
from tripot.games.trok.text import NAMES
from tripot.terminal.initials import initials

NARROW = 80  # columns; narrower terminals get a list
STYLE = ("bright_yellow", "bright_green", "bright_red")  # no colour, green, red; the values say the same
STONE_STYLE = "bright_magenta"
MASTER, ME = "★", "▸"

MASTER_IS = Phrase("{sign} trade master {player}", "{sign} Maître du commerce {player}")
YOUNGEST_IS = Phrase("youngest {player}", "le plus jeune : {player}")
PILES = Phrase("deck {deck}, discard pile {discard}", "paquet {deck}, défausse {discard}")
MARKET = Phrase("Market", "Marché")
QUEUE = Phrase("Queue", "File")
EMPTY = Phrase("empty", "vide")
HEADINGS = (
    Phrase("Aare", "Aare"),
    Phrase("hand", "main"),
    Phrase("open cards", "cartes visibles"),
    Phrase("seen in hand", "vu en main"),
    Phrase("carts", "chariots"),
    Phrase("improvements", "Améliorations"),
)
CLOSED = "?"
BID = Phrase(" (bid {bid})", " (offre {bid})")
FACE_DOWN = Phrase("face down", "face cachée")
HAND = Phrase("Your hand", "Votre main")
CHOSEN = Phrase("chosen", "choisi")
TAKEN = Phrase("just taken", "tout juste pris")
VEINS = Phrase("jokers by vein left", "jokers par filon restants")
GIFT = Phrase("given in secret", "donné en secret")
IN_ORDER = Phrase(
    "Name the cards from the pickaxe up to the arcane stone.", "Nommez les cartes de la pioche à la Pierre d'arcane."
)
SET_IN_ORDER = Phrase(
    "Name its own cards first, then the jokers.", "Nommez d'abord ses propres cartes, puis les jokers."
)
TO = Phrase(": ", " : ")
SCORE = (
    Phrase("player", "joueur"),
    Phrase("market", "marché"),
    Phrase("sets", "lots"),
    Phrase("income", "revenus"),
    Phrase("Aare", "Aare"),
    Phrase("improvements", "Améliorations"),
    Phrase("", ""),
)
PERFECTLY = Phrase("perfect combination", "combinaison parfaite")
WINS = Phrase("wins", "gagne")
SHARES = Phrase("shares the victory", "partage la victoire")


# --- The table ---


def draw(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    lines = [headline(view, players, lang), market_line(view, lang), queue_line(view, lang)]
    if width < NARROW:
        return Group(*lines, *seat_lines(view, players, lang))
    return Group(*lines, seats_table(view, players, lang))


def headline(view: Any, players: Sequence[str], lang: str) -> Text:
    """Trade master and piles."""
    parts = [PILES(lang).format(deck=view.deck_size, discard=sum(view.discard))]
    if has_master(view):
        parts.insert(0, MASTER_IS(lang).format(sign=MASTER, player=players[view.master]))
    else:
        parts.insert(0, YOUNGEST_IS(lang).format(player=players[view.youngest]))
    return Text(" · ".join(parts))


def has_master(view: Any) -> bool:
    """Nobody is trade master before the first bids."""
    return bool(view.turn > 1 or view.phase != Phase.COMMIT)


def market_line(view: Any, lang: str) -> Text:
    return Text.assemble((MARKET(lang), "bold"), TO(lang), cards(view.market, lang))


def queue_line(view: Any, lang: str) -> Text:
    places = [f"{place + 1} {NAMES['upgrade'][view.queue[place]](lang)}" for place in range(view.queue_size)]
    return Text.assemble((QUEUE(lang), "bold"), TO(lang), " · ".join(places) or EMPTY(lang))


def cards(bag: Sequence[int], lang: str) -> Text:
    """Cards with value and name, the coloured ones in their colour."""
    line = Text()
    for kind, count in enumerate(bag):
        if count:
            line.append(", " if line else "")
            line.append(f"{count} × " if count > 1 else "").append(card_name(kind, lang), card_style(kind))
    return line or Text("–")


def card_name(kind: int, lang: str) -> str:
    name: str = NAMES["gear"][kind](lang)
    return f"{name} {kind + 1}" if kind < GEARS - 1 else name


def card_style(kind: int) -> str:
    return STYLE[COLOUR[kind]] if kind < GEARS - 1 else STONE_STYLE


def seats_table(view: Any, players: Sequence[str], lang: str) -> Table:
    """A line for each player."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="dim", collapse_padding=True)
    table.add_column("", width=2)
    table.add_column("", max_width=10, no_wrap=True)
    for column, heading in enumerate(HEADINGS):
        last = column == len(HEADINGS) - 1
        table.add_column(heading(lang), justify="right" if column <= 1 else "left", min_width=13 if last else None)
    for seat in range(view.seats):
        table.add_row(*seat_cells(view, seat, players, lang), style="bold" if seat == view.seat else "")
    return table


def seat_cells(view: Any, seat: int, players: Sequence[str], lang: str) -> list[Text | str]:
    return [
        marks(view, seat),
        Text.assemble((initials(players)[seat], "bold"), " ", players[seat]),
        purse(view, seat),
        str(view.hand_size[seat]),
        open_cards(view, seat, lang),
        seen(view, seat, lang),
        cards(view.stored[seat], lang),
        improvements(view.owned[seat], lang),
    ]


def marks(view: Any, seat: int) -> str:
    return (ME if seat == view.seat else " ") + (MASTER if has_master(view) and seat == view.master else " ")


def purse(view: Any, seat: int) -> str:
    """A seat's Aare; with closed purses only the viewer's own, until the end. [K-0.3]"""
    shown = view.open_purses or seat == view.seat or view.over
    return str(view.aare[seat]) if shown else CLOSED


def open_cards(view: Any, seat: int, lang: str) -> Text:
    if view.phase == Phase.COMMIT:
        return Text("–" if view.waiting >> seat & 1 else FACE_DOWN(lang))
    if view.phase not in (Phase.NAME, Phase.TAKE, Phase.PLACE, Phase.OWN, Phase.SWAP_OWN):
        return Text("–")
    return cards(view.offer[seat], lang).append(BID(lang).format(bid=view.bid[seat]), "dim")


def seen(view: Any, seat: int, lang: str) -> Text:
    """Cards that everyone saw enter a hand; the giver may have given one away since. [K-3.10]"""
    if not view.hand_size[seat] or not any(view.known[seat]):
        return Text("–")
    line = cards(view.known[seat], lang)
    return line.append(" (−1 ?)", "dim") if view.receiver and seat == view.master else line


def improvements(owned: Sequence[int], lang: str) -> Text:
    names = []
    for upgrade in range(1, UPGRADES + 1):
        if owned[upgrade]:
            count = f"{owned[upgrade]} × " if owned[upgrade] > 1 else ""
            names.append(count + NAMES["upgrade"][upgrade](lang))
    return Text(", ".join(names) or "–")


# --- The table as a list, for narrow terminals ---


def seat_lines(view: Any, players: Sequence[str], lang: str) -> list[Text]:
    lines = []
    for seat in range(view.seats):
        sign, name, *cells = seat_cells(view, seat, players, lang)
        line = Text.assemble(sign, name)
        for heading, cell in zip(HEADINGS, cells, strict=True):
            if str(cell) != "–":
                line.append(f" · {heading(lang)} ").append(cell)
        lines.append(line)
    return lines


# --- The hand ---


def hand(view: Any, players: Sequence[str], lang: str) -> RenderableType:
    """Cards in hand, cards chosen so far, and what else matters for the question."""
    line = Text.assemble((HAND(lang), "bold"), TO(lang), cards(view.my_hand, lang))
    if any(view.my_chosen):
        line.append(f" · {CHOSEN(lang)}{TO(lang)}").append(cards(view.my_chosen, lang))
    if view.taken and view.waiting >> view.seat & 1:
        line.append(f" · {TAKEN(lang)}{TO(lang)}").append(card_name(view.taken - 1, lang), card_style(view.taken - 1))
    if view.my_gift:
        line.append(f" · {GIFT(lang)}{TO(lang)}").append(card_name(view.my_gift - 1, lang), "dim")
    veins = view.owned[view.seat][Upgrade.VEIN]
    if veins and view.phase == Phase.COMBINE:
        line.append(f" · {VEINS(lang)}{TO(lang)}{veins - view.veins_used}")
    if view.phase in (Phase.COMMIT, Phase.STORE) or view.my_plan >= PLAN_COLLECTION:
        line.append("\n" + IN_ORDER(lang), "dim")
    elif view.my_plan:
        line.append("\n" + SET_IN_ORDER(lang), "dim")
    return line


# --- The end ---


def score(view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str) -> RenderableType:
    """Aare from the market, from sets and as income, added up. [K-3.7 K-3.8 K-4.2 K-5.2 K-6.2]"""
    table = Table(box=box.SIMPLE)
    for column, heading in enumerate(SCORE):
        table.add_column(heading(lang), justify="right" if 1 <= column <= 4 else "left")
    winners = [item.a for item in news if item.what == News.WON]
    for seat in sorted(range(view.seats), key=lambda seat: (seat not in winners, -view.aare[seat])):
        won = (WINS if len(winners) == 1 else SHARES)(lang) if seat in winners else ""
        if view.perfect >> seat & 1:
            won = f"{won} ({PERFECTLY(lang)})".strip()
        market = earned(news, News.RENEWED, seat, "c") + earned(news, News.THRUD_PAID, seat, "b")
        table.add_row(
            players[seat],
            str(market),
            str(earned(news, News.SET_SHOWN, seat, "d")),
            str(earned(news, News.INCOME, seat, "b")),
            str(view.aare[seat]),
            improvements(view.owned[seat], lang),
            won,
            style="bold" if seat in winners else "",
        )
    return table


def earned(news: Sequence[Item], what: int, seat: int, place: str) -> int:
    """Sums the Aare that a seat gained in news of one kind."""
    return sum(getattr(item, place) for item in news if item.what == what and item.a == seat)
