"""The wire protocol as types: requests, answers and socket messages.

Only this module uses pydantic. `docs/protocol.md` describes the same protocol for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

MOST_ACTIONS = 200  # decisions in one choice
MOST_SEATS = 16
MOST_DETAILS = 20
LARGEST = 2**31 - 1

GameName = Annotated[str, Field(max_length=32, pattern=r"^[a-z0-9_]+$")]
Level = Literal["easy", "medium", "hard"]
Pace = Literal["instant", "quick", "calm"]
Seat = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Actions = Annotated[list[Annotated[int, Field(ge=0, le=LARGEST)]], Field(max_length=MOST_ACTIONS)]


def _name(text: str) -> str:
    """Returns a display name on one line. Raises ValueError if it has invisible characters."""
    shown = " ".join(text.split())
    if not shown or not shown.isprintable():
        raise ValueError("a name needs characters that can be seen")
    return shown


Name = Annotated[str, Field(min_length=1, max_length=24), AfterValidator(_name)]
Token = Annotated[str, Field(min_length=20, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Incoming(BaseModel):
    """A message from a client: unknown fields and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Outgoing(BaseModel):
    """A message from the server."""

    model_config = ConfigDict(frozen=True)


class Words(Outgoing):
    """A text in both languages."""

    en: str
    fr: str


# --- Errors -----------------------------------------------------------------------------------------------


class Detail(Outgoing):
    """One error in a message: where it is, and what is wrong."""

    where: str
    what: str


class Problem(Outgoing):
    """Why something was refused. `reason` is for programs, `text` for people, `clause` for "why?"."""

    reason: str
    text: Words
    clause: str | None = None
    details: list[Detail] = []


class Failure(Outgoing):
    """The body of every refused request."""

    error: Problem


# --- The lobby --------------------------------------------------------------------------------------------


class NewSeat(Incoming):
    """Who takes a seat: a player `here` at this browser, a `friend` who joins later, or a `bot`."""

    kind: Literal["here", "friend", "bot"]
    name: Name | None = None
    level: Level | None = None


class NewTable(Incoming):
    """A table to open. `options` maps the names of house rules to values that differ from the defaults."""

    game: GameName
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[str, Any], Field(max_length=64)] = {}
    open: bool = False  # anyone may take the free seats from the list of open tables
    watch: bool = True  # everyone who knows the table's id may watch
    pace: Pace = "calm"


class Join(Incoming):
    """Takes a seat under a name. `seat` picks one of the free seats of an open table."""

    name: Name
    seat: Seat | None = None


class MySeat(Incoming):
    """A seat whose token this browser holds."""

    table: Annotated[str, Field(max_length=32)]
    token: Token


class MySeats(Incoming):
    seats: Annotated[list[MySeat], Field(max_length=200)]


class SeatInfo(Outgoing):
    """One seat, as everyone may see it."""

    seat: int
    kind: Literal["person", "bot"]
    name: str | None  # None: still free
    level: Level | None = None  # of a bot
    here: bool = True  # always true for a bot; true for a person while a page of theirs is connected
    held: Level | None = None  # the level of the bot that plays for an absent person


class TableInfo(Outgoing):
    """A table as the lobby shows it."""

    id: str
    game: str
    rules: int
    options: dict[str, Any]
    status: Literal["waiting", "playing", "over", "outdated", "record"]
    open: bool
    watch: bool
    pace: Pace
    seats: list[SeatInfo]
    waiting: list[int]  # the seats that must decide
    created: str
    updated: str
    result: list[int] | None = None  # shares of the victory in sixtieths, when over
    mine: list[int] | None = None  # your seats; null where the request has no token


class TableList(Outgoing):
    tables: list[TableInfo]


class SeatToken(Outgoing):
    """The right to a seat. The token is sent once: store it."""

    seat: int
    token: str


class Invite(Outgoing):
    """The invitation to a free seat. `path` is the link to share."""

    seat: int
    code: str
    path: str


class Opened(Outgoing):
    table: TableInfo
    tokens: list[SeatToken]
    invites: list[Invite]


class Joined(Outgoing):
    table: TableInfo
    tokens: list[SeatToken]


class Invited(Outgoing):
    table: TableInfo
    seat: int


# --- Games and their catalogue ----------------------------------------------------------------------------


class LevelInfo(Outgoing):
    """A level: its name, what it means, and its bot."""

    level: Level
    name: Words
    meaning: Words
    bot: str


class OptionInfo(Outgoing):
    """One house rule. `shape` is [] for a single number; `values` lists the names where the values have names."""

    name: str
    clause: str
    text: Words
    default: Any
    shape: list[int]
    highest: int | None  # None: the number of seats
    values: list[str] | None = None


class GameInfo(Outgoing):
    name: str
    title: Words
    tagline: Words
    rules: int
    seats: list[int]
    seat_names: list[Words]
    options: list[OptionInfo]
    levels: list[LevelInfo]
    engine: Literal["interpreted", "compiling", "native"]


class GameList(Outgoing):
    """All games. `share` is the address to put before an invitation's path where the page runs on localhost."""

    version: str
    share: str | None
    games: list[GameInfo]


class SentenceInfo(Outgoing):
    """A sentence with placeholders: `args` names them in order, as in `tripot.core.speech`."""

    name: str
    clause: str
    args: str
    en: str
    fr: str


class ClauseInfo(Outgoing):
    number: str
    section: Words
    title: Words
    sources: list[str]
    options: list[str]
    text: Words


class FieldInfo(Outgoing):
    """One field of a view. Fields named `my_…` belong to the seat."""

    name: str
    shape: list[int]
    highest: int
    meaning: str


class Catalogue(Outgoing):
    """All texts of a game in both languages, and the fields of its views."""

    game: str
    rules: int
    title: Words
    tagline: Words
    seat_names: list[Words]
    names: dict[str, list[Words]]
    questions: dict[int, SentenceInfo]
    decisions: dict[str, SentenceInfo]
    news: dict[int, SentenceInfo]
    more: dict[str, Any]
    clauses: list[ClauseInfo]
    options: list[OptionInfo]
    fields: list[FieldInfo]
    facts: dict[str, Any]  # what a drawing needs of the rules: the game's `FACTS`
    drawing: str  # the module of the page that draws the table; `plain` draws any game


# --- Replays ----------------------------------------------------------------------------------------------


class Legal(Outgoing):
    """A legal decision: its number, and its key among the catalogue's `decisions`."""

    action: int
    key: str
    numbers: list[int]


class Step(Outgoing):
    """One decision of a replay; step 0 is the deal. `view` holds only the fields that changed."""

    seat: int | None
    decision: Legal | None
    view: dict[str, Any]
    news: list[list[int]]


class Replay(Outgoing):
    """A finished game as one seat saw it, or with everything open (`seat` null)."""

    table: TableInfo
    seat: int | None
    steps: list[Step]


# --- The socket: messages of the client -------------------------------------------------------------------


class Hello(Incoming):
    """The first message. Without a token the client is a spectator."""

    type: Literal["hello"]
    token: Token | None = None
    heard: Count = 0  # the number of news items that the client already has


class Try(Incoming):
    """Tries decisions out before they are final. `any_order` asks the server to put them in order where it can."""

    type: Literal["try"]
    id: Count = 0
    sequence: Count
    actions: Actions
    any_order: bool = False


class Decide(Incoming):
    """Plays one choice: all of these decisions or none."""

    type: Literal["decide"]
    id: Count = 0
    sequence: Count
    actions: Actions


class Hold(Incoming):
    """Lets a bot play for an absent person until they return."""

    type: Literal["hold"]
    id: Count = 0
    seat: Seat
    level: Level = "medium"


class Release(Incoming):
    """Stops the bot that plays for an absent person."""

    type: Literal["release"]
    id: Count = 0
    seat: Seat


class Fill(Incoming):
    """Gives a free seat to a bot for the whole game."""

    type: Literal["fill"]
    id: Count = 0
    seat: Seat
    level: Level = "medium"


class Ping(Incoming):
    type: Literal["ping"]
    id: Count = 0


ClientMessage = Hello | Try | Decide | Hold | Release | Fill | Ping
_CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


class Malformed(ValueError):
    """A message does not have the form described here."""

    def __init__(self, errors: Iterable[Any]) -> None:
        self.details = details_of(errors)
        super().__init__("; ".join(f"{detail.where}: {detail.what}" for detail in self.details))


def read_client_message(text: str) -> ClientMessage:
    """Parses a message of a client. Raises Malformed."""
    try:
        return _CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        raise Malformed(error.errors(include_url=False, include_input=False, include_context=False)) from None


def details_of(errors: Iterable[Any]) -> list[Detail]:
    """Returns what is wrong with a message, without repeating its content."""
    return [Detail(where=".".join(map(str, error["loc"])), what=error["msg"]) for error in errors][:MOST_DETAILS]


# --- The socket: messages of the server -------------------------------------------------------------------


class TableMessage(Outgoing):
    """Who sits where and who is connected: sent after the hello, and whenever it changes."""

    type: Literal["table"] = "table"
    table: TableInfo
    seat: int | None  # your seat; null for a spectator
    watchers: int
    engine: Literal["interpreted", "compiling", "native"]
    invites: list[Invite]  # only for players


class Letter(Outgoing):
    """All that a seat may know: its view, its legal decisions, and the news since the last letter."""

    type: Literal["letter"] = "letter"
    sequence: int  # the client returns it with `try` and `decide`
    view: dict[str, Any]
    legal: list[Legal]
    first: int  # the index of the first of these news among all news of this seat
    news: list[list[int]]  # [decision, kind, a, b, c, d]
    # for each of these news, the fields of `view` as they were when it was told, where they were different;
    # null where that is not known, [] in the first letter of a connection
    moments: list[dict[str, Any] | None] = []


class Tried(Outgoing):
    """What follows from the decisions tried: the legal next decisions, and the view so far."""

    type: Literal["tried"] = "tried"
    id: int
    sequence: int
    actions: list[int]
    finished: bool  # nothing can be added: decide or undo
    legal: list[Legal]
    view: dict[str, Any]
    any_order: bool = False  # the decisions of this choice may be given in any order


class Done(Outgoing):
    """A request was carried out and stored."""

    type: Literal["done"] = "done"
    id: int


class ErrorMessage(Outgoing):
    type: Literal["error"] = "error"
    id: int | None
    error: Problem


class Pong(Outgoing):
    type: Literal["pong"] = "pong"
    id: int


ServerMessage = TableMessage | Letter | Tried | Done | ErrorMessage | Pong
_SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def read_server_message(text: str) -> ServerMessage:
    """Parses a message of the server."""
    return _SERVER_MESSAGE.validate_json(text)
