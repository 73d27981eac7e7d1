"""The wire protocol as types: requests, answers and socket messages.

Only this module uses pydantic. `docs/protocol.md` describes the same protocol for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tripot.table.view_json import GUIDE
from tripot.web.api.names import cleaned

MOST_ACTIONS = 200  # decisions in one choice
MOST_SEATS = 16
MOST_DETAILS = 20
LARGEST = 2**31 - 1
PROTOCOL = 2  # the newest version of the socket's protocol
CHANGES = 2  # the version from which a client understands `changes`

GameName = Annotated[str, Field(max_length=32, pattern=r"^[a-z0-9_]+$")]
Level = Literal["easy", "medium", "hard", "expert"]
Pace = Literal["instant", "quick", "calm"]
Seat = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Actions = Annotated[list[Annotated[int, Field(ge=0, le=LARGEST)]], Field(max_length=MOST_ACTIONS)]
Name = Annotated[str, Field(min_length=1, max_length=24), AfterValidator(cleaned)]
TableId = Annotated[str, Field(max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
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
    """Who takes a seat: a player `here` at this browser, a `friend` who joins later, or a `bot`.

    The name of a friend keeps the seat for them.
    """

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
    listed: bool = False  # the table is listed while it is played, so that everyone can watch
    pace: Pace = "calm"
    seconds: Annotated[int | None, Field(ge=10, le=7 * 24 * 3600)] = None  # for a decision; then a bot takes it
    hints: bool = False  # players may ask for hints among other people; alone against bots they always may
    shuffle_together: bool = False  # the deal waits a moment for what every player's browser adds to the seed


class Join(Incoming):
    """Takes a seat under a name. `seat` picks one of the free seats; else it is the one kept for that name, or any."""

    name: Name
    seat: Seat | None = None


class MySeat(Incoming):
    """A seat whose token this browser holds."""

    table: TableId
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
    kept_for: str | None = None  # the name of the person for whom a free seat is kept


class TableInfo(Outgoing):
    """A table as the lobby shows it."""

    id: str
    game: str
    rules: int
    options: dict[str, Any]
    status: Literal["waiting", "playing", "over", "ended", "outdated", "record"]
    open: bool
    watch: bool
    listed: bool = False
    published: bool = False  # the finished game is listed for everyone
    pace: Pace
    seconds: int | None = None  # for a decision; then a bot takes it
    hints: bool = False  # players may ask for hints: alone against bots, or because the table allows it
    host: int | None = None  # the seat that has the host's rights
    watchers: int = 0
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


class Opened(Outgoing):
    """A new table. `link` is the path to share: whoever opens it may take a free seat."""

    table: TableInfo
    tokens: list[SeatToken]
    link: str


class Joined(Outgoing):
    table: TableInfo
    tokens: list[SeatToken]


class Invited(Outgoing):
    """The table that a link leads to. `seat`: the seat of an older link, which was for one seat."""

    table: TableInfo
    seat: int | None


# --- The host, and one's own seat ---------------------------------------------------------------------------


class OneSeat(Incoming):
    seat: Seat


class Keep(Incoming):
    """Keeps a free seat for a name, or for nobody (null)."""

    seat: Seat
    name: Name | None


class Publish(Incoming):
    public: bool


class NewPass(Incoming):
    """Asks for six words that bring one's seat to another device. `moves`: this device loses it then."""

    moves: bool


class Pass(Outgoing):
    """Six words, and until when they are valid. They can be used once."""

    words: str
    until: str


class TypedWords(Incoming):
    """The six words of a pass, as somebody typed them."""

    words: Annotated[str, Field(max_length=100)]


class NewLink(Outgoing):
    link: str


class Rematch(Outgoing):
    """The next table of the same company. Whoever sat in seat N sits in the next one, with the same token."""

    table: str
    seats: int


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
    value_names: list[Words] | None = None  # how people call these values


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
    primer: bool  # whether it is told in one minute
    lessons: int  # how many it has


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


class SetPieceInfo(Outgoing):
    """Kinds of news that make up one moment: `opens` begin it and are never left out, `joins` can be part of it."""

    opens: list[int]
    joins: list[int]


class StagingInfo(Outgoing):
    """How the news are shown, as in `tripot.core.staging`: kinds of news by number."""

    pieces: dict[str, SetPieceInfo]
    gathered: list[int]
    headings: list[int]
    told_better: dict[int, int]
    actors: dict[str, str]


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
    advice: dict[int, Words]  # by phase, for beginners: what its question decides
    primer: bool  # whether the game is told in one minute
    lessons: int  # how many it has
    guide: dict[str, SentenceInfo]  # goals, knowledge, hints, warnings and the end, by key
    more: dict[str, Any]
    clauses: list[ClauseInfo]
    options: list[OptionInfo]
    fields: list[FieldInfo]
    facts: dict[str, Any]  # what a drawing needs of the rules: the game's `FACTS`
    staging: StagingInfo  # how the news are shown: the game's `STAGING`
    drawing: str  # the module of the page that draws the table; `plain` draws any game


# --- Hints ------------------------------------------------------------------------------------------------


class AskHint(Incoming):
    """Asks for a hint about one's own offer number `sequence`."""

    sequence: Count


class HintChoice(Outgoing):
    """A whole choice: its parts in order, its chance to win with the 95% interval, and why."""

    parts: list[Legal]
    chance: float
    low: float
    high: float
    level: bool  # it cannot be told apart from the best
    reasons: list[Words]  # of the best choice against the next, of the others against the best


class Hint(Outgoing):
    """The choices of a seat, the best first."""

    sequence: int
    choices: list[HintChoice]


class HiddenPlace(Outgoing):
    """A place out of sight: what may lie there by its number in the catalogue's table `names`, the likeliest first."""

    seat: int | None  # whose place it is; None for one of the table
    label: Words
    names: str
    one: bool  # just one of these lies there; otherwise a chance is that of one or more
    chances: list[tuple[int, float]]
    ruled_out: list[int]


class Chances(Outgoing):
    """What a seat can know of hidden cards after decision `sequence`."""

    sequence: int
    weighed: bool  # whether imagined tables count by how likely the others' decisions were, or all alike
    places: list[HiddenPlace]


# --- Replays ----------------------------------------------------------------------------------------------


class Said(Outgoing):
    """A sentence of the game's guide: its key among the catalogue's `guide`, and its numbers or lists of things."""

    key: str
    numbers: list[int | list[int]]


class Legal(Outgoing):
    """A legal decision: its number, and its key among the catalogue's `decisions`."""

    action: int
    key: str
    numbers: list[int]
    ends: bool = False  # in a letter and after a `try`: nothing can be added to it, so that it needs no `try`
    hint: list[Said] = []  # what it costs and does
    warning: Said | None = None  # what a page asks a person before this decision is sent; the server does not insist


class Mark(Outgoing):
    """What every seat had reached at the end of a round: the numbers of its `reached`."""

    clock: int
    reached: list[list[int]]


class Outcome(Outgoing):
    """The end of a game, as one seat is told it."""

    said: Said | None  # to the seat; null for a spectator
    reached: list[Said]  # by seat
    history: list[Mark]  # round by round


class Still(Outgoing):
    """A set piece in the news of a step: its name, its news from `first` to before `end`, and the view at its last one.

    `view` holds only the fields in which it differs from the view after the step.
    """

    piece: str
    first: int
    end: int
    view: dict[str, Any]


class Step(Outgoing):
    """One decision of a replay; step 0 is the deal. `view` holds only the fields that changed."""

    seat: int | None
    decision: Legal | None
    view: dict[str, Any]
    news: list[list[int]]
    stills: list[Still] = []
    draws: list[list[int]] = []  # every roll of this step: (sides, outcome), where the seed can be checked


class SeedInfo(Outgoing):
    """What the luck of a finished game follows from."""

    generator: str
    secret: str  # the server's, whose hash the table showed before the deal
    contributions: list[list[str | None] | None]  # by seat: (hash, value)


class Replay(Outgoing):
    """A finished game as one seat saw it, or with everything open (`seat` null)."""

    table: TableInfo
    seat: int | None
    steps: list[Step]
    outcome: Outcome | None = None
    seed: SeedInfo | None = None  # null where the luck came from sfc32, which nobody can check


class PlayOn(Incoming):
    """Opens a moment of a finished game as a table: after `step` decisions, one seat against bots.

    `anew` changes what the seat could not see: other cards lie hidden, and others will come.
    """

    step: Count
    seat: Seat
    name: Name | None = None
    level: Level = "medium"
    anew: bool = False


class Valued(Outgoing):
    """A choice, and what it was worth to its seat as far as the seat could see."""

    decision: Legal
    value: int


class Judged(Outgoing):
    """One decision of a review. `choices` is empty where there was only one; else the best comes first."""

    seat: int
    clock: int
    chosen: Legal
    choices: list[Valued]
    missed: int  # what the best choice would have brought more; 0 where that is not worth a word


class Account(Outgoing):
    """A seat's game in one sum: `start + decisions + cards + others = result`, exactly."""

    seat: int
    start: int
    result: int
    missed: int
    decisions: int
    cards: int
    others: int
    counted: int
    accuracy: int | None
    grade: Words | None  # the accuracy in words


class MomentReasons(Outgoing):
    """Why a moment mattered to a seat: what the decision brings or would have brought, and what the cards did."""

    decision: list[Words]
    cards: list[Words]


class ReviewContent(Outgoing):
    """The review of a finished game. All numbers but `accuracy` are in units, of which `whole` are a victory."""

    whole: int
    playouts: int
    chances: list[list[int]]  # by moment and seat, from the deal to the end
    decisions: list[Judged]
    changes: list[list[list[int]]]  # by decision and seat: by the seat's own decision, the cards, the others
    accounts: list[Account]
    moments: list[list[int]]  # by seat, the decisions (from 0) that changed most
    reasons: list[list[MomentReasons]]  # by seat and moment


class ReviewState(Outgoing):
    """How far a review is, and the review once it is there."""

    done: int
    of: int
    review: ReviewContent | None = None


class LessonChoice(Outgoing):
    """A decision that a learner may take, and what they are told about it. `after` is the table once it is solved."""

    decision: Legal
    right: bool
    clause: str
    told: Words
    after: dict[str, Any] | None


class LessonQuestion(Outgoing):
    """A question of a lesson: the table as the learner sees it."""

    seat: int
    view: dict[str, Any]
    choices: list[LessonChoice]


class LessonInfo(Outgoing):
    """A lesson of a game."""

    key: str
    title: Words
    idea: Words
    questions: list[LessonQuestion]


class Lessons(Outgoing):
    """The lessons of a game, in the order in which they are taught."""

    game: str
    lessons: list[LessonInfo]


class PanelInfo(Outgoing):
    """A picture of a part of the table and what it says. `news` are what the seat heard since its position."""

    title: Words
    text: Words
    shows: str
    seat: int
    view: dict[str, Any]
    news: list[list[int]]


class ChapterInfo(Outgoing):
    """A part of the rules page before the clauses."""

    title: Words
    text: Words


class TeachingInfo(Outgoing):
    """A game in one minute, the chapters of its rules page, and a worked example; empty where a game brings none."""

    game: str
    primer: list[PanelInfo]
    chapters: list[ChapterInfo]
    example: list[PanelInfo]


class Answers(Outgoing):
    """The numbers of the clauses that answer a question, the best first."""

    game: str
    clauses: list[str]


# --- The socket: messages of the client -------------------------------------------------------------------


class Hello(Incoming):
    """The first message. Without a token the client is a spectator."""

    type: Literal["hello"]
    token: Token | None = None
    heard: Count = 0  # the number of news items that the client already has
    shown: Count | None = None  # how many it has shown to its person, who wants to see the moments of the others
    commitment: Hash | None = None  # the SHA-256 of what this browser adds to the shuffle; without it, it adds nothing
    protocol: Count = 1  # the newest version that it understands: a page may be older or newer than the server

    # a newer page may say more than this server knows
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


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


Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "moment",
    "hurry",
    "sorry",
    "again",
    "goodbye",
    "laugh",
    "wow",
    "applause",
]


class Say(Incoming):
    """Says one of the ready phrases to everyone at the table."""

    type: Literal["say"]
    id: Count = 0
    phrase: Phrase


class Shuffle(Incoming):
    """Shows what this browser adds to the seed: 32 random bytes, whose hash its hello announced."""

    type: Literal["shuffle"]
    id: Count = 0
    value: Hash


class Ping(Incoming):
    type: Literal["ping"]
    id: Count = 0


ClientMessage = Hello | Try | Decide | Hold | Release | Fill | Say | Shuffle | Ping
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


class DealInfo(Outgoing):
    """What everyone may know of the seed while the game is played."""

    hash: str  # the SHA-256 of the server's secret
    commitments: list[str | None]  # by seat, the hash of what its browser adds; [] where browsers are not asked
    contributions: list[str | None] = []  # by seat, what they added: after the deal
    show: bool = False  # nobody can announce any more: every browser now shows what it announced


class TableMessage(Outgoing):
    """Who sits where and who is connected: sent after the hello, and whenever it changes."""

    type: Literal["table"] = "table"
    table: TableInfo
    seat: int | None  # your seat; null for a spectator
    watchers: int
    engine: Literal["interpreted", "compiling", "native"]
    link: str | None  # the path to share, for players
    rematch: str | None  # the id of the table where they play again, for players
    deal: DealInfo | None = None  # null at a table whose seed is not made together
    protocol: int = PROTOCOL  # the newest version that the server understands


class Spoken(Outgoing):
    """Somebody at the table said something."""

    type: Literal["said"] = "said"
    seat: int
    phrase: Phrase


class Clock(Outgoing):
    """How many milliseconds are left to each person who must decide. `overdue`: a bot now decides for this seat."""

    type: Literal["clock"] = "clock"
    left: dict[int, int]
    overdue: int | None = None


class Letter(Outgoing):
    """All that a seat may know: its view, its legal decisions, and the news since the last letter."""

    type: Literal["letter"] = "letter"
    sequence: int  # the client returns it with `try` and `decide`
    view: dict[str, Any]
    legal: list[Legal]
    first: int  # the index of the first of these news among all news of this seat
    news: list[list[int]]  # [decision, kind, a, b, c, d]
    # for each of these news, the fields of `view` as they were when it was told, where they were different;
    # null where that is not known, [] in the first letter to a client that has shown nothing yet
    moments: list[dict[str, Any] | None] = []
    outcome: Outcome | None = None  # when the game is over


class Changes(Outgoing):
    """A letter to a client that has the one before: only what has changed. Sent to clients of protocol 2."""

    type: Literal["changes"] = "changes"
    sequence: int
    view: dict[str, Any]  # the fields that changed, as they are now
    legal: list[Legal] | None = None  # null: as before
    first: int
    news: list[list[int]]
    moments: list[dict[str, Any] | None] = []  # without what the guide said, which changes after the news
    outcome: Outcome | None = None

    def applied_to(self, letter: Letter) -> Letter:
        """Returns the whole letter, from the one before."""
        guide = {name: letter.view[name] for name in (GUIDE,) if name in letter.view}
        return Letter(
            sequence=self.sequence,
            view=letter.view | self.view,
            legal=letter.legal if self.legal is None else self.legal,
            first=self.first,
            news=self.news,
            moments=[None if moment is None else guide | moment for moment in self.moments],
            outcome=self.outcome,
        )


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


ServerMessage = TableMessage | Letter | Changes | Tried | Done | Spoken | Clock | ErrorMessage | Pong
_SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


def read_server_message(text: str) -> ServerMessage:
    """Parses a message of the server."""
    return _SERVER_MESSAGE.validate_json(text)


def done(request: int) -> bytes:
    """`Done` as JSON: there is one for every decision."""
    return encode({"type": "done", "id": request})


def encode(message: dict[str, Any] | list[Any]) -> bytes:
    """Writes a message of plain values, or a part of one, as JSON. Much faster than to build and dump its model."""
    return orjson.dumps(message)


def written(part: bytes) -> Any:
    """A part of a message that is JSON already."""
    return orjson.Fragment(part)
