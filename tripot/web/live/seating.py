"""Who sits where, and what the host may change: each function returns a table as it is after one change.

They raise ApiError where a change is not allowed, and leave the table they are given alone. A room writes the result.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

from tripot import GAMES
from tripot.bots.bot import UnknownBot
from tripot.bots.levels import bot_of
from tripot.core.game import Game
from tripot.core.options import as_json, parse
from tripot.core.shared_seed import new_secret
from tripot.store.models import BOT, ENDED, OVER, PERSON, PLAYING, StoredSeat, StoredTable, now
from tripot.web.api.names import distinct
from tripot.web.live import shuffling
from tripot.web.live.table_info import game_of, outdated
from tripot.web.ops import tokens
from tripot.web.ops.errors import ApiError, ErrorCode

# Names for bots: short, easy to tell apart, the same in both languages. The page has a face for each.
BOT_NAMES = ("Ada", "Basil", "Clio", "Darius", "Elsa", "Fausto", "Greta", "Hugo", "Ines", "Livia", "Otto", "Zeno")


# --- Sitting down ---


def joined(stored: StoredTable, seat: int | None, name: str, token: str) -> StoredTable:
    """A person takes a free seat: the one they ask for, the one kept for them, or the first that is not kept."""
    require_current(stored)
    free = {place.seat: place for place in stored.free_seats}
    if seat is None:
        own = [place.seat for place in free.values() if same_name(place.kept_for, name)]
        others = [place.seat for place in free.values() if place.kept_for is None]
        seat = next(iter(own + others), None)
        if seat is None and free:
            raise ApiError(ErrorCode.SEAT_KEPT, next(iter(free.values())).kept_for)
    if seat is None or seat not in free:
        raise ApiError(ErrorCode.SEAT_TAKEN)
    place = free[seat]
    if place.kept_for is not None and not same_name(place.kept_for, name):
        raise ApiError(ErrorCode.SEAT_KEPT, place.kept_for)
    stored = shuffling.with_part(stored, seat, None)
    shown = distinct(name, [other.name for other in stored.seats])
    return _with_seat(stored, replace(place, name=shown, kept_for=None, held=None, tokens=[tokens.token_hash(token)]))


def same_name(kept_for: str | None, name: str) -> bool:
    return kept_for is not None and kept_for.casefold() == name.casefold()


def filled(stored: StoredTable, seat: int, level: str) -> StoredTable:
    """A bot takes a free seat for the rest of the game."""
    require_current(stored)
    place = next((place for place in stored.free_seats if place.seat == seat), None)
    if place is None:
        raise ApiError(ErrorCode.SEAT_TAKEN)
    bot = bot_seat(game_of(stored), seat, level, [other.name for other in stored.seats])
    return _with_seat(stored, replace(bot, invite=place.invite))


def held(stored: StoredTable, seat: int, level: str | None) -> StoredTable:
    """A bot plays for an absent person, or for nobody where a seat is free in the middle of a game; None: it stops."""
    place = _place(stored, seat)
    if place.kind != PERSON or (place.free and stored.status != PLAYING):
        raise ApiError(ErrorCode.NOT_ABSENT)
    if level is not None:
        bot_of_level(game_of(stored), level)
    return _with_seat(stored, replace(place, held=level))


def freed(stored: StoredTable, seat: int) -> StoredTable:
    """A person gives their seat back, or the host gives it back for them: whoever has the link may take it."""
    require_current(stored)
    place = _place(stored, seat)
    if place.kind != PERSON or place.free:
        raise ApiError(ErrorCode.NOT_SEATED)
    if shuffling.phase(stored) == "showing":  # some have shown what they add: the game begins, and goes on without them
        stored = shuffling.dealt(stored)
    empty = StoredSeat(seat, PERSON, held=place.held, invite=place.invite)
    return _with_seat(shuffling.with_part(stored, seat, None), empty)


def kept(stored: StoredTable, seat: int, name: str | None) -> StoredTable:
    """The host keeps a free seat for somebody; None: for nobody."""
    require_current(stored)
    place = _place(stored, seat)
    if not place.free:
        raise ApiError(ErrorCode.SEAT_TAKEN)
    return _with_seat(stored, replace(place, kept_for=name))


def _place(stored: StoredTable, seat: int) -> StoredSeat:
    if seat >= len(stored.seats):
        raise ApiError(ErrorCode.NOT_ABSENT)
    return stored.seats[seat]


def _with_seat(stored: StoredTable, place: StoredSeat) -> StoredTable:
    """Changes one seat. When the last free seat of a waiting table is taken, the game starts."""
    places = [place if other.seat == place.seat else other for other in stored.seats]
    return shuffling.started(replace(stored, seats=places))


def require_current(stored: StoredTable) -> None:
    if outdated(stored):
        raise ApiError(ErrorCode.OUTDATED)
    if stored.status == ENDED:
        raise ApiError(ErrorCode.ENDED)
    if stored.finished:
        raise ApiError(ErrorCode.GAME_OVER)


# --- A seat on another device ---


def passed(stored: StoredTable, seat: int, words: str, moves: bool, until: int) -> StoredTable:
    """Six words now bring this seat to another device. Earlier words are no longer valid."""
    place = replace(_place(stored, seat), pass_hash=tokens.token_hash(words), pass_moves=moves, pass_until=until)
    return _with_seat(stored, place)


def redeemed(stored: StoredTable, seat: int, words: str, token: str) -> StoredTable:
    """Another device takes the seat. Where the seat moves, the devices that held it lose it."""
    place = _place(stored, seat)
    if place.pass_hash != tokens.token_hash(words) or (place.pass_until or 0) < now():
        raise ApiError(ErrorCode.WRONG_WORDS)
    others = [] if place.pass_moves else place.tokens[-(MOST_DEVICES - 1) :]
    return _with_seat(stored, _without_pass(replace(place, tokens=[*others, tokens.token_hash(token)])))


MOST_DEVICES = 5  # that hold one seat; the oldest loses it


def withdrawn(stored: StoredTable, seat: int, token: str) -> StoredTable:
    """The words are no longer valid, and only the device with this token holds the seat."""
    own = [stored_hash for stored_hash in stored.seats[seat].tokens if tokens.matches(token, stored_hash)]
    return _with_seat(stored, _without_pass(replace(stored.seats[seat], tokens=own)))


def rotated(stored: StoredTable, seat: int, token: str, new: str) -> StoredTable:
    """The device with this token gets another one for its seat; the old one opens nothing any more."""
    hashes = [
        tokens.token_hash(new) if tokens.matches(token, stored_hash) else stored_hash
        for stored_hash in stored.seats[seat].tokens
    ]
    return _with_seat(stored, replace(stored.seats[seat], tokens=hashes))


def _without_pass(place: StoredSeat) -> StoredSeat:
    return replace(place, pass_hash=None, pass_moves=False, pass_until=None)


# --- The table ---


def renewed(stored: StoredTable) -> StoredTable:
    """The table gets a new link. The old one, and those of single seats, lead nowhere."""
    require_current(stored)
    places = [replace(place, invite=None) for place in stored.seats]
    return replace(stored, link=tokens.new_link(stored.id), seats=places)


def ended(stored: StoredTable) -> StoredTable:
    """The host ends a game before its end. Nobody wins."""
    require_current(stored)
    return replace(stored, status=ENDED, waiting=0)


def published(stored: StoredTable, public: bool) -> StoredTable:
    """The host shows a finished game to everyone, or hides it again."""
    if stored.status != OVER:
        raise ApiError(ErrorCode.NOT_OVER)
    return replace(stored, published=public)


def rematch(stored: StoredTable, present: Collection[int], host: int) -> StoredTable:
    """The next table of the same company, seats turned by one.

    Those who stayed sit down at once: their devices hold the tokens already. For others a seat is kept.
    """
    game = GAMES.get(stored.game)
    if game is None:
        raise ApiError(ErrorCode.OUTDATED)
    if not stored.finished:
        raise ApiError(ErrorCode.NOT_OVER)
    count = len(stored.seats)
    table_id = tokens.new_table_id()
    turned = sorted((_next_seat(game, place, count, present) for place in stored.seats), key=lambda place: place.seat)
    try:
        options = as_json(parse(game.options, stored.options))
    except ValueError as error:
        raise ApiError(ErrorCode.BAD_OPTION, str(error)[:200]) from None
    after = StoredTable(
        id=table_id,
        game=game.name,
        rules=game.rules_version,
        seed=0,
        secret=new_secret(),
        contributions=None if stored.contributions is None else [None] * count,
        seats=turned,
        options=options,
        open=stored.open,
        watch=stored.watch,
        pace=stored.pace,
        link=tokens.new_link(table_id),
        host=(host + 1) % count,
        listed=stored.listed,
        seconds=stored.seconds,
        hints=stored.hints,
    )
    return shuffling.started(after)


def _next_seat(game: Game, place: StoredSeat, count: int, present: Collection[int]) -> StoredSeat:
    seat = (place.seat + 1) % count
    if place.kind == BOT:
        again = bot_seat(game, seat, place.level or "medium", [])
        return replace(again, name=place.name)
    if place.seat in present:
        return StoredSeat(seat, PERSON, name=place.name, tokens=place.tokens)
    return StoredSeat(seat, PERSON, kept_for=place.name)


# --- Bots ---


def bot_seat(game: Game, seat: int, level: str, taken: Collection[str | None] = ()) -> StoredSeat:
    """Returns a seat with a bot of this level. Raises ApiError if the game has no such level."""
    name = random.choice([name for name in BOT_NAMES if distinct(name, taken) == name])
    return StoredSeat(seat, BOT, name=name, level=level, bot=bot_of_level(game, level))


def bot_of_level(game: Game, level: str) -> str:
    """Returns the notation of the bot that plays a level. Raises ApiError if the game has no such level."""
    try:
        return bot_of(level, game)
    except UnknownBot as error:
        raise ApiError(ErrorCode.UNKNOWN_BOT, error) from None
