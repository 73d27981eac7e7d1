"""Everything on the wire as types: requests, answers and the messages of a table's socket.

The only place where pydantic is used. `docs/protocol.md` tells the same story for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

MOST_ACTIONS = 200  # small decisions in one choice
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
    """A display name on one line, without characters that cannot be seen."""
    shown = " ".join(text.split())
    if not shown or not shown.isprintable():
        raise ValueError("a name needs characters that can be seen")
    return shown


Name = Annotated[str, Field(min_length=1, max_length=24), AfterValidator(_name)]
Token = Annotated[str, Field(min_length=20, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Incoming(BaseModel):
    """What comes from outside: nothing unknown, nothing of the wrong type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Outgoing(BaseModel):
    """What we send."""

    model_config = ConfigDict(frozen=True)


class Words(Outgoing):
    """A text in both languages."""

    en: str
    fr: str


# --- Errors -----------------------------------------------------------------------------------------------


class Detail(Outgoing):
    """One thing wrong with a message: where, and what."""

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
    """Who shall sit in a seat: `here` at this browser, a `friend` who is yet to come, or a `bot`."""

    kind: Literal["here", "friend", "bot"]
    name: Name | None = None
    level: Level | None = None


class NewTable(Incoming):
    """A table to open. `options` holds house rules that differ from the defaults, by name."""

    game: GameName
    seats: Annotated[list[NewSeat], Field(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[str, Any], Field(max_length=64)] = {}
    open: bool = False  # strangers may take the friends' seats from the list of open tables
    watch: bool = True  # whoever knows the table's id may watch
    pace: Pace = "calm"


class Join(Incoming):
    """Take a seat: a name is enough. `seat` picks one of several free seats of an open table."""

    name: Name
    seat: Seat | None = None


class MySeat(Incoming):
    """A seat whose token this browser holds."""

    table: Annotated[str, Field(max_length=32)]
    token: Token


class MySeats(Incoming):
    seats: Annotated[list[MySeat], Field(max_length=200)]


class SeatInfo(Outgoing):
    """Who sits where, for everyone to see."""

    seat: int
    kind: Literal["person", "bot"]
    name: str | None  # None: still free
    level: Level | None = None  # of a bot
    here: bool = True  # bots always; a person while one of his pages is connected
    held: Level | None = None  # the bot that holds an absent person's seat


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
    waiting: list[int]  # the seats that owe a decision
    created: str
    updated: str
    result: list[int] | None = None  # shares of the victory in sixtieths, when over
    mine: list[int] | None = None  # only in answers that know who asks


class TableList(Outgoing):
    tables: list[TableInfo]


class SeatToken(Outgoing):
    """The right to a seat. Keep the token; it is shown once."""

    seat: int
    token: str


class Invite(Outgoing):
    """A free seat's invitation: `path` is the link to share."""

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
    """What a difficulty is called, what it means, and the bot behind it."""

    level: Level
    name: Words
    meaning: Words
    bot: str


class OptionInfo(Outgoing):
    """One house rule. `shape` is [] for a number; `values` are names where the choice has names."""

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
    """All games. `share` is the address to put before an invitation's path where the page's own is this machine's."""

    version: str
    share: str | None
    games: list[GameInfo]


class SentenceInfo(Outgoing):
    """A sentence with places for numbers: `args` names them in order, as in `tripot.core.speech`."""

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
    """One field of a view: `my_…` fields are the seat's own."""

    name: str
    shape: list[int]
    highest: int
    meaning: str


class Catalogue(Outgoing):
    """All texts of a game in both languages, and what its views are made of."""

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
    drawing: str  # the module of the page that draws the table; `plain` draws any game


# --- Replays ----------------------------------------------------------------------------------------------


class Legal(Outgoing):
    """A decision that may be taken now: its number, and which of the catalogue's `decisions` it is."""

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
    """A finished game from one seat (`seat`), or open (`seat` null)."""

    table: TableInfo
    seat: int | None
    steps: list[Step]


# --- The socket: what a page says -------------------------------------------------------------------------


class Hello(Incoming):
    """The first message. Without a token the page is a spectator."""

    type: Literal["hello"]
    token: Token | None = None
    heard: Count = 0  # how many news items the page already has


class Try(Incoming):
    """Try decisions out before they are final; `any_order` asks for them to be put in order where that can be done."""

    type: Literal["try"]
    id: Count = 0
    sequence: Count
    actions: Actions
    any_order: bool = False


class Decide(Incoming):
    """Take one choice: all of these decisions or none."""

    type: Literal["decide"]
    id: Count = 0
    sequence: Count
    actions: Actions


class Hold(Incoming):
    """Let a bot play for an absent person until he returns."""

    type: Literal["hold"]
    id: Count = 0
    seat: Seat
    level: Level = "medium"


class Release(Incoming):
    """Take the bot from an absent person's seat again."""

    type: Literal["release"]
    id: Count = 0
    seat: Seat


class Fill(Incoming):
    """Put a bot into a seat that is still free, for good."""

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
    """A message that is not of the form described here."""

    def __init__(self, errors: Iterable[Any]) -> None:
        self.details = details_of(errors)
        super().__init__("; ".join(f"{detail.where}: {detail.what}" for detail in self.details))


def read_client_message(text: str) -> ClientMessage:
    """What a page says. Raises Malformed."""
    try:
        return _CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        raise Malformed(error.errors(include_url=False, include_input=False, include_context=False)) from None


def details_of(errors: Iterable[Any]) -> list[Detail]:
    """What is wrong with a message, without repeating what was sent."""
    return [Detail(where=".".join(map(str, error["loc"])), what=error["msg"]) for error in errors][:MOST_DETAILS]


# --- The socket: what the server says ---------------------------------------------------------------------


class TableMessage(Outgoing):
    """Who sits where and who is here: first after the hello, and whenever it changes."""

    type: Literal["table"] = "table"
    table: TableInfo
    seat: int | None  # yours; None: you watch
    watchers: int
    engine: Literal["interpreted", "compiling", "native"]
    invites: list[Invite]  # only for seated persons


class Letter(Outgoing):
    """All that a seat may know: its view, what it may decide now, and the news it has not heard."""

    type: Literal["letter"] = "letter"
    sequence: int  # comes back with `try` and `decide`
    view: dict[str, Any]
    legal: list[Legal]
    first: int  # the place of the first of these news in all the news this seat was ever told
    news: list[list[int]]  # [decision, kind, a, b, c, d]


class Tried(Outgoing):
    """What follows from the decisions tried: what may be added, and the view so far."""

    type: Literal["tried"] = "tried"
    id: int
    sequence: int
    actions: list[int]
    finished: bool  # nothing can be added: confirm or take back
    legal: list[Legal]
    view: dict[str, Any]
    any_order: bool = False  # the parts of this choice were, and may be, named in any order


class Done(Outgoing):
    """A request was carried out, and is stored."""

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
    """What the server says, read by a client."""
    return _SERVER_MESSAGE.validate_json(text)
