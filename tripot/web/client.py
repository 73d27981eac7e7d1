"""A small Python client: opens tables, takes seats and plays over the wire.

with Client("http://127.0.0.1:8000") as tripot:
    opened = tripot.open_table("GAME", ["here", "easy", "easy", "easy"], pace="instant")
    with tripot.sit(opened.table.id, opened.tokens[0].token) as seat:
        while (letter := seat.await_turn()).legal:
            seat.decide([letter.legal[0].action])
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Literal, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tripot.core.shared_seed import hash_of, new_secret
from tripot.web.api.messages import (
    PROTOCOL,
    Catalogue,
    Changes,
    ErrorMessage,
    Failure,
    GameList,
    Invited,
    Joined,
    Letter,
    NewLink,
    Opened,
    Outgoing,
    Pass,
    Problem,
    Rematch,
    Replay,
    SeatToken,
    ServerMessage,
    TableInfo,
    TableList,
    TableMessage,
    Tried,
    read_server_message,
)

SECONDS = 30.0  # how long to wait for an answer
Model = TypeVar("Model", bound=Outgoing)


class Refused(Exception):
    """The server refused a request. `problem` says why."""

    def __init__(self, problem: Problem, status: int = 0) -> None:
        self.problem = problem
        self.status = status
        super().__init__(f"{problem.reason}: {problem.text.en}")


class Client:
    """A client of one server."""

    def __init__(self, address: str, origin: str | None = None) -> None:
        self.address = address.rstrip("/")
        self.origin = origin
        self.added: dict[tuple[str, str], str] = {}  # by table and token, what this program adds to the shuffle

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    # --- Requests ---

    def fetch(self, path: str, body: Any = None, token: str | None = None) -> bytes:
        """Sends a GET request, or a POST if there is a body (text is sent unchanged). Raises Refused."""
        data = None if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        headers = {"content-type": "application/json"} if data is not None else {}
        if self.origin is not None:
            headers["origin"] = self.origin
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        try:
            with urlopen(Request(self.address + path, data, headers), timeout=SECONDS) as answer:
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            with error:
                raise Refused(Failure.model_validate_json(error.read()).error, error.code) from None

    def _ask(self, kind: type[Model], path: str, body: Any = None, token: str | None = None) -> Model:
        return kind.model_validate_json(self.fetch(path, body, token))

    def games(self) -> GameList:
        return self._ask(GameList, "/api/games")

    def catalogue(self, game: str) -> Catalogue:
        return self._ask(Catalogue, f"/api/catalogue/{game}")

    def open_table(self, game: str, seats: Sequence[str | dict[str, Any]], **more: Any) -> Opened:
        """Opens a table. A seat is `here`, `friend` or a bot's level, or a dictionary as in the protocol."""
        return self._ask(Opened, "/api/tables", {"game": game, "seats": [_seat(seat) for seat in seats], **more})

    def table(self, table: str, token: str | None = None) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}", token=token)

    def tables(self, which: Literal["open", "running", "finished"] = "open", more: str = "") -> list[TableInfo]:
        return self._ask(TableList, f"/api/tables?list={which}{more}").tables

    def mine(self, seats: Sequence[tuple[str, str]]) -> list[TableInfo]:
        """Returns the tables of these (table, token) pairs."""
        held = [{"table": table, "token": token} for table, token in seats]
        return self._ask(TableList, "/api/mine", {"seats": held}).tables

    def invitation(self, link: str) -> Invited:
        """Returns what a link (a path, or its code) leads to."""
        return self._ask(Invited, f"/api/invites/{_code(link)}")

    def accept(self, link: str, name: str, seat: int | None = None) -> Joined:
        return self._ask(Joined, f"/api/invites/{_code(link)}", {"name": name, "seat": seat})

    def join(self, table: str, name: str, seat: int | None = None) -> Joined:
        return self._ask(Joined, f"/api/tables/{table}/join", {"name": name, "seat": seat})

    def replay(self, table: str, seat: int | None = None, token: str | None = None) -> Replay:
        which = "" if seat is None else f"?seat={seat}"
        return self._ask(Replay, f"/api/tables/{table}/replay{which}", token=token)

    def record(self, table: str, token: str | None = None) -> str:
        return self.fetch(f"/api/tables/{table}/record", token=token).decode()

    def upload(self, record: str) -> TableInfo:
        return self._ask(TableInfo, "/api/records", record)

    # --- The host, and one's own seat ---

    def renew_link(self, table: str, token: str) -> str:
        return self._ask(NewLink, f"/api/tables/{table}/link", {}, token).link

    def keep_seat(self, table: str, token: str, seat: int, name: str | None) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}/keep", {"seat": seat, "name": name}, token)

    def free_seat(self, table: str, token: str, seat: int) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}/free", {"seat": seat}, token)

    def end_table(self, table: str, token: str) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}/end", {}, token)

    def publish(self, table: str, token: str, public: bool = True) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}/publish", {"public": public}, token)

    def rematch(self, table: str, token: str) -> Rematch:
        return self._ask(Rematch, f"/api/tables/{table}/rematch", {}, token)

    def new_pass(self, table: str, token: str, moves: bool) -> Pass:
        return self._ask(Pass, f"/api/tables/{table}/pass", {"moves": moves}, token)

    def withdraw(self, table: str, token: str) -> TableInfo:
        return self._ask(TableInfo, f"/api/tables/{table}/withdraw", {}, token)

    def rotate(self, table: str, token: str) -> SeatToken:
        """Gets another token for a seat. The old one is withdrawn."""
        return self._ask(SeatToken, f"/api/tables/{table}/rotate", {}, token)

    def redeem(self, words: str) -> Joined:
        return self._ask(Joined, "/api/passes", {"words": words})

    # --- Tables ---

    def sit(self, table: str, token: str, heard: int = 0) -> SeatClient:
        """Connects to a seat. `heard` is the number of news items the caller already has."""
        return SeatClient(self, table, token, heard)

    def watch(self, table: str, heard: int = 0, protocol: int = PROTOCOL) -> SeatClient:
        """Connects as a spectator. `protocol` is the newest version that the server may speak."""
        return SeatClient(self, table, None, heard, protocol)


class SeatClient:
    """A connection to a seat, or of a spectator. `table` and `letter` are the latest messages of their type."""

    def __init__(self, client: Client, table: str, token: str | None, heard: int = 0, protocol: int = PROTOCOL) -> None:
        address = client.address.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        self.table: TableMessage | None = None
        self.letter: Letter | None = None
        self._whole: Letter | None = None  # the last letter: the next one may say only what changes
        self.news: list[list[int]] = []
        self.received: list[str] = []  # every message as received
        self._value = None if token is None else client.added.setdefault((table, token), new_secret())
        self._number = 0
        self._stack = ExitStack()
        headers = {"origin": client.origin} if client.origin else None
        # Without a limit on unread messages, pings are answered also while nobody reads.
        self._socket: ClientConnection = self._stack.enter_context(
            connect(address, additional_headers=headers, max_size=2**22, max_queue=None, ping_interval=None)
        )
        with suppress(ConnectionClosed):  # refused at once: the error message comes first
            commitment = None if self._value is None else hash_of(self._value)
            said = {"token": token, "heard": heard, "protocol": protocol, "commitment": commitment}
            self.say({"type": "hello", **said})
        self.await_message(lambda message: isinstance(message, TableMessage))

    def __enter__(self) -> SeatClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    @property
    def over(self) -> bool:
        """Whether the latest letter says that the game is over."""
        return self.letter is not None and bool(self.letter.view["over"])

    # --- Messages ---

    def say(self, message: dict[str, Any] | str | bytes) -> None:
        """Sends a message, of any form."""
        self._socket.send(json.dumps(message) if isinstance(message, dict) else message)

    def hear(self, seconds: float = SECONDS) -> ServerMessage:
        """Returns the next message, `changes` as a whole letter. Raises TimeoutError or ConnectionClosed."""
        text = self._socket.recv(timeout=seconds, decode=True)
        self.received.append(text)
        message = read_server_message(text)
        if isinstance(message, TableMessage):
            self.table = message
            self._shuffle(message)
        elif isinstance(message, Changes):
            assert self._whole is not None
            message = message.applied_to(self._whole)
        if isinstance(message, Letter):
            self.letter = self._whole = message
            self.news[message.first :] = message.news
        return message

    def _shuffle(self, message: TableMessage) -> None:
        """Shows what this seat adds to the seed, once nobody can announce anything any more."""
        deal, seat = message.deal, message.seat
        if deal is None or not deal.show or self._value is None or seat is None:
            return
        if deal.commitments[seat] == hash_of(self._value):
            self.say({"type": "shuffle", "value": self._value})

    def await_message(self, wanted: Callable[[ServerMessage], bool], seconds: float = SECONDS) -> ServerMessage:
        """Receives until a wanted message arrives. Raises Refused if the server refuses the connection."""
        while True:
            message = self.hear(seconds)
            if wanted(message):
                return message
            if isinstance(message, ErrorMessage) and message.id is None:
                raise Refused(message.error)

    def await_letter(self, seconds: float = SECONDS) -> Letter:
        """Returns the latest letter; waits for the first one."""
        while self.letter is None:
            self.hear(seconds)
        return self.letter

    def await_turn(self, seconds: float = SECONDS) -> Letter:
        """Waits for a letter with legal decisions, or for the last letter of the game."""
        while not (self.letter is not None and (self.letter.legal or self.over)):
            self.hear(seconds)
        return self.letter

    def await_close(self, seconds: float = SECONDS) -> tuple[int, str]:
        """Receives until the server closes the connection. Returns its code and reason."""
        while True:
            try:
                self.hear(seconds)
            except ConnectionClosed as closed:
                return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")

    # --- Requests ---

    def ask(self, kind: str, **content: Any) -> ServerMessage:
        """Sends a request and waits for its answer. Raises Refused."""
        self._number += 1
        number = self._number
        self.say({"type": kind, "id": number, **content})
        answer = self.await_message(lambda message: getattr(message, "id", -1) == number)
        if isinstance(answer, ErrorMessage):
            raise Refused(answer.error)
        return answer

    def attempt(self, actions: Sequence[int], any_order: bool = False) -> Tried:
        """Tries decisions out, in order, or in any order."""
        answer = self.ask("try", sequence=self._sequence(), actions=list(actions), any_order=any_order)
        assert isinstance(answer, Tried)
        return answer

    def decide(self, actions: Sequence[int]) -> None:
        """Plays a choice and waits for the letter that follows: one about somebody else asks the same question."""
        sequence, self.letter = self._sequence(), None
        self.ask("decide", sequence=sequence, actions=list(actions))
        while self.letter is None or (self.letter.legal and self.letter.sequence == sequence):
            self.hear()

    def _sequence(self) -> int:
        return self.await_letter().sequence


def _seat(seat: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(seat, dict):
        return seat
    return {"kind": seat} if seat in ("here", "friend") else {"kind": "bot", "level": seat}


def _code(link: str) -> str:
    return link.rsplit("/", 1)[-1]
