"""Draws Hearts in a terminal: the trick around the table, the hand by suits, and the score."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tripot.core.news import Item
from tripot.core.speech import Phrase
from tripot_hearts.actions import News
from tripot_hearts.cards import DEALT, RANKS, SEATS
from tripot_hearts.phases import score as score_of
from tripot_hearts.text import FACTS, NAMES, SIGNS

WIDE = 80  # columns; narrower terminals get a list
STYLE = ("bold", "bold bright_blue", "bold bright_red", "bold")  # by suit: four colours, beside the signs
ME, LED, TAKES = "▸", "→", "★"

DEAL = Phrase("Deal {round}", "Donne {round}")
BROKEN = Phrase("hearts are broken", "les cœurs sont ouverts")
WHOLE = Phrase("hearts are not broken", "les cœurs ne sont pas ouverts")
LAST = Phrase("Last trick", "Dernière levée")
HAND = Phrase("Your hand", "Votre main")
TO = Phrase(": ", " : ")
HEADINGS = (Phrase("score", "score"), Phrase("tricks", "levées"), Phrase("points", "points"), Phrase("cards", "cartes"))
SCORE = (Phrase("player", "joueur"), Phrase("by deal", "par donne"), Phrase("total", "total"), Phrase("", ""))
WINS, SHARES = Phrase("wins", "gagne"), Phrase("shares the victory", "partage la victoire")


def draw(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    cards = view.trick if any(view.trick) else view.last_trick
    if width < WIDE:
        return Group(headline(view, lang), *trick_lines(view, cards, players, lang), seats_table(view, players, lang))
    sides = Table.grid(padding=(0, 3))
    sides.add_row(trick_picture(view, cards, players, lang), Align(seats_table(view, players, lang), vertical="middle"))
    return Group(headline(view, lang), sides)


def headline(view: Any, lang: str) -> Text:
    broken = (BROKEN if view.broken else WHOLE)(lang)
    return Text(" · ".join([DEAL(lang).format(round=view.round), NAMES["direction"][view.direction](lang), broken]))


def trick_picture(view: Any, cards: Sequence[int], players: Sequence[str], lang: str) -> Panel:
    """The four cards as they lie, the viewer's own below."""
    me = view.seat if view.seat < SEATS else 0
    below, left, above, right = [(me + step) % SEATS for step in range(SEATS)]
    grid = Table.grid(padding=(0, 1))
    for _ in range(3):
        grid.add_column(width=11, justify="center", no_wrap=True)
    grid.add_row("", played(view, cards, above, players, lang), "")
    grid.add_row(played(view, cards, left, players, lang), "", played(view, cards, right, players, lang))
    grid.add_row("", played(view, cards, below, players, lang), "")
    return Panel(grid, box=box.ROUNDED, title=None if any(view.trick) or not any(cards) else LAST(lang), width=41)


def played(view: Any, cards: Sequence[int], seat: int, players: Sequence[str], lang: str) -> Text:
    return Text.assemble(players[seat][:10], "\n", face(cards[seat] - 1, lang) if cards[seat] else "·")


def trick_lines(view: Any, cards: Sequence[int], players: Sequence[str], lang: str) -> list[Text]:
    title = [] if any(view.trick) or not any(cards) else [Text(LAST(lang) + TO(lang).rstrip())]
    return title + [
        Text.assemble(f"{players[seat]}{TO(lang)}", face(cards[seat] - 1, lang)) for seat in range(SEATS) if cards[seat]
    ]


def face(card: int, lang: str) -> Text:
    return Text(NAMES["corner"][card](lang), STYLE[card // RANKS])


def seats_table(view: Any, players: Sequence[str], lang: str) -> Table:
    """A line for each player; → leads, ★ took the last trick."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("", width=3)
    table.add_column("", max_width=12, no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading(lang), justify="right")
    for seat in range(SEATS):
        marks = ME if seat == view.seat else " "
        marks += LED if seat == view.leader and view.turn else " "
        marks += TAKES if view.last_winner == seat + 1 else " "
        cards = DEALT - sum(who == seat + 1 for who in view.gone)
        numbers = (score_of(view, seat), view.tricks[seat], view.taken[seat], cards)
        table.add_row(marks, players[seat], *map(str, numbers), style="bold" if seat == view.seat else "")
    return table


def hand(view: Any, players: Sequence[str], lang: str) -> RenderableType:
    """The own cards, suit by suit; cards chosen to pass are no longer among them."""
    line = Text(HAND(lang) + TO(lang))
    for suit in FACTS["order"]:
        cards = [rank for rank in range(RANKS) if view.my_hand[suit * RANKS + rank]]
        if cards:
            line.append(SIGNS[suit] + " ", STYLE[suit])
            line.append(" ".join(NAMES["rank_name"][rank](lang) for rank in cards) + "   ", "bold")
    return line


def score(view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str) -> RenderableType:
    """Deal by deal, added up. [H-4.1 H-5.2]"""
    table = Table(box=box.SIMPLE)
    for column, heading in enumerate(SCORE):
        table.add_column(heading(lang), justify="right" if column == 2 else "left")
    winners = [seat for seat in range(SEATS) if view.result[seat]]
    for seat in sorted(range(SEATS), key=lambda seat: score_of(view, seat)):
        deals = [str(item.b) for item in news if item.what == News.SCORED and item.a == seat]
        won = (WINS if len(winners) == 1 else SHARES)(lang) if seat in winners else ""
        total = str(score_of(view, seat))
        table.add_row(players[seat], " + ".join(deals), total, won, style="bold" if won else "")
    return table
