"""Draws Verräter: the ring of twelve lands around the players, the hand and the final score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tripot.core.grammar import Noun, counted
from tripot.core.news import Item
from tripot.core.speech import Phrase
from tripot.games.verrater.actions import News
from tripot.games.verrater.cards import (
    CONFLICT_VALUE,
    EAGLE,
    ROSE,
    SLOTS,
    SUPPLY_VALUE,
    Building,
)
from tripot.games.verrater.effects import supply_value
from tripot.games.verrater.state import Phase
from tripot.games.verrater.text import NAMES
from tripot.terminal.initials import initials

RING = 80  # columns; narrower terminals get a list
WIDEST = 100
SIGN = ("▲", "✿")  # the houses, for those who see no colours …
STYLE = ("bright_blue", "bright_red")  # … and for those who do
STAKE = "bold bright_yellow"  # the two lands in the conflict
FIRST, STRATEGY, ME = "★", "◆", "▸"

FIRST_IS = Phrase("{sign} first {player}", "{sign} premier {player}")
STRATEGY_IS = Phrase("{sign} strategy {player}", "{sign} Stratégie {player}")
PILES = Phrase("draw pile {pile}, discard pile {discard}", "pioche {pile}, défausse {discard}")
AT_STAKE = Phrase("conflict", "conflit")
BUILDINGS = (Phrase("", ""), Phrase("estate {owner}", "Grenier {owner}"), Phrase("office {owner}", "Comptoir {owner}"))
HEADINGS = (
    Phrase("house", "camp"),
    Phrase("pts", "pts"),
    Phrase("hand", "main"),
    Phrase("stock", "stock"),  # estate/office cards not yet built
    Phrase("shows", "montre"),
)
HOLDINGS = Phrase("{points}, {hand} in hand, {unbuilt} unbuilt", "{points}, {hand} en main, {unbuilt} à bâtir")
POINT = Noun("point", "point", "m", "points", "points")
HAND = Phrase("Your hand", "Votre main")
EMPTY = Phrase("empty", "vide")
ROLE = Phrase("Your role", "Votre rôle")
SO_FAR = Phrase("Strength so far", "Forces jusqu'ici")
LAST_CONFLICT = Phrase("Last conflict", "Dernier conflit")
UNSHOWN = Phrase("roles not counted", "sans les rôles")
TO = Phrase(": ", " : ")

SCORE = (
    Phrase("player", "joueur"),
    Phrase("lands", "territoires"),
    Phrase("Traitor and Strategist", "Traître et Stratège"),
    Phrase("offices × cards", "Comptoirs × cartes"),
    Phrase("total", "total"),
    Phrase("", ""),
)
WINS = Phrase("wins", "gagne")
SHARES = Phrase("shares the victory", "partage la victoire")


# --- The table ---


def draw(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    if width < RING:
        return Group(headline(view, players, lang), *land_lines(view, players, lang), *seat_lines(view, players, lang))
    return Group(headline(view, players, lang), ring(view, players, lang, min(width, WIDEST) // 5))


def headline(view: Any, players: Sequence[str], lang: str) -> Text:
    """First player, strategy card and piles."""
    parts = [
        FIRST_IS(lang).format(sign=FIRST, player=players[view.first]),
        STRATEGY_IS(lang).format(sign=STRATEGY, player=players[view.strategy]),
        PILES(lang).format(pile=view.pile_size, discard=sum(view.discard)),
    ]
    return Text(" · ".join(parts))


def ring(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    """Four lands above, two on either side, four below, in the order of the circle; the players in the middle."""
    tiles = [tile(view, slot, players, lang, width) for slot in range(SLOTS)]
    middle = Table.grid()
    middle.add_column(width=width)
    middle.add_column(width=3 * width)
    middle.add_column(width=width)
    seats = Align.center(seats_table(view, players, lang), vertical="middle", height=6)
    middle.add_row(Group(tiles[11], tiles[10]), seats, Group(*tiles[4:6]))
    return Group(row_of(tiles[:4], width // 2), middle, row_of(tiles[9:5:-1], width // 2))


def row_of(tiles: Sequence[RenderableType], indent: int) -> RenderableType:
    row = Table.grid()
    row.add_row(*tiles)
    return Padding(row, (0, 0, 0, indent))


def tile(view: Any, slot: int, players: Sequence[str], lang: str, width: int) -> Panel:
    """One land: its place and house above, its name and conflict value, the building under it."""
    house, staked = view.holder[slot], at_stake(view, slot)
    name = NAMES["land"][view.land[slot]](lang)
    value = str(CONFLICT_VALUE[view.land[slot]])
    inside = f"{SIGN[house]} {name:<{width - 9}}{value:>3}"
    return Panel(
        Text(inside, f"bold {STYLE[house]}"),
        box=box.DOUBLE if staked else box.ROUNDED,
        title=Text(f"{slot + 1} {AT_STAKE(lang)}" if staked else f"{slot + 1}", STAKE if staked else "default"),
        subtitle=building(view, slot, players, lang),
        border_style=STAKE if staked else STYLE[house],
        width=width,
        title_align="left",
        subtitle_align="left",
    )


def building(view: Any, slot: int, players: Sequence[str], lang: str) -> Text | None:
    """Estate or office with its owner's initial, highlighted if the viewer owns it."""
    if view.building[slot] == Building.NONE:
        return None
    owner = view.owner[slot]
    words = BUILDINGS[view.building[slot]](lang).format(owner=initials(players)[owner])
    return Text(words, "bold reverse" if owner == view.seat else "bold")


def at_stake(view: Any, slot: int) -> bool:
    return view.phase in (Phase.DRAFT, Phase.SUPPLY) and slot in view.contested


def seats_table(view: Any, players: Sequence[str], lang: str) -> Table:
    """A line for each player."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", collapse_padding=True)
    table.add_column("", width=3)
    table.add_column("", max_width=8, no_wrap=True)
    for column, heading in enumerate(HEADINGS):
        table.add_column(heading(lang), justify="right" if 1 <= column <= 3 else "left", no_wrap=True)
    for seat in range(view.seats):
        table.add_row(
            marks(view, seat),
            Text.assemble((initials(players)[seat], "bold"), " ", players[seat]),
            Text(SIGN[view.house[seat]] + " " + NAMES["house"][view.house[seat]](lang), STYLE[view.house[seat]]),
            str(view.points[seat]),
            str(view.hand_size[seat]),
            str(view.unbuilt[seat]),
            shown(view, seat, lang),
            style="bold" if seat == view.seat else "",
        )
    return table


def marks(view: Any, seat: int) -> str:
    me = ME if seat == view.seat else " "
    return me + (FIRST if seat == view.first else " ") + (STRATEGY if seat == view.strategy else " ")


def shown(view: Any, seat: int, lang: str) -> str:
    """The role face up before a seat, or else the supply cards it has added."""
    if view.role_shown[seat]:
        role: Phrase = NAMES["role"][view.role_shown[seat]]
        return role(lang)
    return " ".join(cards(view.played[seat]))


def cards(bag: Sequence[int]) -> list[str]:
    return [str(value) for kind, value in enumerate(SUPPLY_VALUE) for _ in range(bag[kind])]


# --- The table as a list, for narrow terminals ---


def land_lines(view: Any, players: Sequence[str], lang: str) -> list[Text]:
    lines = []
    for slot in range(SLOTS):
        house, land = view.holder[slot], view.land[slot]
        line = Text(f"{slot + 1:>2} {SIGN[house]} ", STYLE[house])
        line.append(f"{NAMES['land'][land](lang)} {CONFLICT_VALUE[land]}", f"bold {STYLE[house]}")
        if under := building(view, slot, players, lang):
            line.append("  ").append(under)
        if at_stake(view, slot):
            line.append(f"  ✕ {AT_STAKE(lang)}", STAKE)
        lines.append(line)
    return lines


def seat_lines(view: Any, players: Sequence[str], lang: str) -> list[Text]:
    lines = []
    for seat in range(view.seats):
        house = view.house[seat]
        holdings = HOLDINGS(lang).format(
            points=counted(view.points[seat], POINT)(lang), hand=view.hand_size[seat], unbuilt=view.unbuilt[seat]
        )
        line = Text.assemble(marks(view, seat), (initials(players)[seat], "bold"), f" {players[seat]} ")
        line.append(f"{SIGN[house]} {NAMES['house'][house](lang)}", STYLE[house])
        lines.append(line.append(f" {holdings}  {shown(view, seat, lang)}".rstrip()))
    return lines


# --- The hand ---


def hand(view: Any, players: Sequence[str], lang: str) -> RenderableType:
    """Supply cards and role, and the state of the conflict."""
    held = " ".join(f"[{card}]" for card in cards(view.my_hand)) or EMPTY(lang)
    line = Text.assemble(HAND(lang), TO(lang), (held, "bold"))
    if view.my_role_kept:
        line.append(f" · {ROLE(lang)}{TO(lang)}").append(NAMES["role"][view.my_role_kept](lang), "bold")
    lines = [line]
    if view.phase in (Phase.DRAFT, Phase.SUPPLY):
        lines.append(strength_line(view, lang))
    elif view.phase in (Phase.BUILD, Phase.DISCARD):
        sides = [f"{SIGN[house]} {NAMES['house'][house](lang)} {view.strength[house]}" for house in (EAGLE, ROSE)]
        lines.append(Text(LAST_CONFLICT(lang) + TO(lang) + ", ".join(sides)))
    return Group(*lines)


def strength_line(view: Any, lang: str) -> Text:
    """Strength of land and supply cards of each house; roles are still face down. [V-2.5]"""
    line = Text(f"{SO_FAR(lang)}{TO(lang)}")
    for house in (EAGLE, ROSE):
        land = CONFLICT_VALUE[view.land[view.contested[house]]]
        added = sum(supply_value(view.played[seat]) for seat in range(view.seats) if view.house[seat] == house)
        name = f"{SIGN[house]} {NAMES['house'][house](lang)} "
        line.append(name, STYLE[house]).append(f"{land} + {added} = ").append(f"{land + added}", "bold")
        line.append(", " if house == EAGLE else "")
    return line.append(f" ({UNSHOWN(lang)})", "dim")


# --- The end ---


def score(view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str) -> RenderableType:
    """Points for lands, for roles and for offices, added up. [V-2.6 V-2.8 V-3.3 V-3.4]"""
    table = Table(box=box.SIMPLE)
    for column, heading in enumerate(SCORE):
        table.add_column(heading(lang), justify="right" if 1 <= column <= 4 else "left")
    winners = [item.a for item in news if item.what == News.WON]
    for seat in sorted(range(view.seats), key=lambda seat: -view.points[seat]):
        offices = next(item for item in news if item.what == News.OFFICES_SCORED and item.a == seat)
        won = (WINS if len(winners) == 1 else SHARES)(lang) if seat in winners else ""
        table.add_row(
            players[seat],
            str(scored(news, News.LAND_SCORED, seat)),
            str(scored(news, News.ROLE_SCORED, seat)),
            f"{offices.c} × {offices.d} = {offices.b}",
            str(view.points[seat]),
            won,
            style="bold" if seat in winners else "",
        )
    return table


def scored(news: Sequence[Item], what: int, seat: int) -> int:
    """Sums the points that a seat scored in news of one kind."""
    return sum(item.b for item in news if item.what == what and item.a == seat)
