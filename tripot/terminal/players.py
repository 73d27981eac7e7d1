"""The players of a table: the person at the keyboard and the bots, from the command line or from a record."""

from __future__ import annotations

from dataclasses import dataclass

from tripot.bots.bot import Bot, find_bot
from tripot.core.game import Game
from tripot.table.record import BadRecord, Record

PERSON = "person"
LONGEST_NAME = 20


class BadSeating(ValueError):
    """Players that do not fit the table; the message says what is allowed."""


@dataclass(frozen=True)
class Player:
    """A person or a bot in a seat."""

    name: str
    notation: str  # as in a record: a bot's notation, `person` or `person:Ada`
    bot: Bot | None = None


def seat_players(game: Game, seats: int, seat: int, bots: str, name: str | None, lang: str) -> list[Player]:
    """Seats a person in `seat` (counted from 1) and bots in the others: one for all, or one for each in order."""
    if not 1 <= seat <= seats:
        raise BadSeating(f"there is no seat {seat}: choose 1 to {seats}")
    notations = [notation.strip() for notation in bots.split(",")]
    if len(notations) == 1:
        notations *= seats - 1
    if len(notations) != seats - 1:
        raise BadSeating(f"{len(notations)} bots for {seats - 1} seats: name one for all, or {seats - 1}")
    if name is not None and (not name or name != clean(name)):
        raise BadSeating(
            f"the name {name!r} is not allowed: use 1 to {LONGEST_NAME} printable characters, no spaces around"
        )
    others = [phrase for place, phrase in enumerate(game.text.SEATS, start=1) if place != seat]
    if name is not None and any(name in phrase for phrase in others):
        raise BadSeating(f"the name {name!r} is another seat's name: choose a different one")
    notations.insert(seat - 1, PERSON if name is None else f"{PERSON}:{name}")
    return _players(game, notations, lang)


def players_of(record: Record, game: Game, lang: str) -> list[Player]:
    """Returns the players of a saved game. Raises BadRecord unless exactly one is a person."""
    people = [notation for notation in record.players if is_person(notation)]
    if len(record.players) != record.seats or len(people) != 1:
        raise BadRecord(
            f"{len(people)} people and {len(record.players)} players for {record.seats} seats: "
            "a game to resume has one person and a player in every seat"
        )
    return _players(game, record.players, lang)


def names_of(record: Record, game: Game, lang: str) -> list[str]:
    """Returns the names to show for the players of a record."""
    notations = record.players if len(record.players) == record.seats else [""] * record.seats
    return [_name(notation, game, seat, lang) for seat, notation in enumerate(notations)]


def is_person(notation: str) -> bool:
    return notation.partition(":")[0] == PERSON


def clean(name: str) -> str:
    """Returns the name cut to what can be shown: printable, not too long, no spaces around."""
    return "".join(c for c in name if c.isprintable()).strip()[:LONGEST_NAME].strip()


def _players(game: Game, notations: list[str], lang: str) -> list[Player]:
    players = []
    for seat, notation in enumerate(notations):
        bot = None if is_person(notation) else find_bot(notation, game)
        players.append(Player(_name(notation, game, seat, lang), notation, bot))
    return players


def _name(notation: str, game: Game, seat: int, lang: str) -> str:
    """Returns the name a person gave, or the name of the seat."""
    given = clean(notation.partition(":")[2]) if is_person(notation) else ""
    names: list[str] = [phrase(lang) for phrase in game.text.SEATS]
    return given or names[seat]
