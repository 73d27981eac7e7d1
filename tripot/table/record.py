"""Saved games: rules version, options, seats, seed and decisions in one JSON document, and their replay."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tripot.core.game import Game
from tripot.core.options import BadOption, as_json, parse
from tripot.core.shared_seed import HMAC_SHA256, SFC32, BadSeed, Draw, Seed, SharedSeed, contributions_of
from tripot.table.imagined import Imagined
from tripot.table.refusal import Refusal
from tripot.table.table import BadTable, Table

FORMAT, EARLIER = "tripot record 2", "tripot record 1"  # the earlier format does not name its generator: it is sfc32
FORMAT_IMAGINED = "tripot record 3"  # of a table that plays on with hidden cards imagined anew; others need only 2
EARLIER_KEYS = {"format", "game", "rules", "options", "seats", "seed", "players", "decisions", "result", "seal"}
KEYS = EARLIER_KEYS | {"generator", "contributions"}
KEYS_OF = {EARLIER: EARLIER_KEYS, FORMAT: KEYS, FORMAT_IMAGINED: KEYS | {"imagined"}}


class BadRecord(ValueError):
    """A record that cannot be read or trusted; the message says what is wrong and where."""


@dataclass
class Record:
    """A game as it was played, or as far as it has been played."""

    game: str
    rules: int
    seats: int
    seed: Seed
    options: dict[str, Any] = field(default_factory=dict)
    players: list[str] = field(default_factory=list)  # by seat: a bot's notation, or a person's name after "person:"
    decisions: list[tuple[int, int]] = field(default_factory=list)
    result: list[int] | None = None  # shares of the victory; None while the game goes on
    imagined: list[Imagined] = field(default_factory=list)  # when hidden cards were imagined anew

    def dumps(self) -> str:
        """The record as JSON, sealed with a hash of its content."""
        content = self._content()
        content["seal"] = _seal(content)
        rows = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
        return "{\n" + ",\n".join(rows) + "\n}\n"

    def _content(self) -> dict[str, Any]:
        imagined = [{"after": one.after, "seat": one.seat, "seed": str(one.seed)} for one in self.imagined]
        return {
            "format": FORMAT_IMAGINED if imagined else FORMAT,
            "game": self.game,
            "rules": self.rules,
            "options": self.options,
            "seats": self.seats,
            "generator": SFC32 if isinstance(self.seed, int) else HMAC_SHA256,
            "seed": str(self.seed),
            "contributions": [] if isinstance(self.seed, int) else list(self.seed.contributions),
            "players": self.players,
            "decisions": [list(pair) for pair in self.decisions],
            "result": self.result,
            **({"imagined": imagined} if imagined else {}),
        }


def record_of(table: Table, players: list[str] | None = None) -> Record:
    """The record of a table so far."""
    return Record(
        game=table.game.name,
        rules=table.game.rules_version,
        seats=table.seats,
        seed=table.seed,
        options=as_json(table.options),
        players=players or [],
        decisions=list(table.decisions),
        result=table.result if table.over else None,
        imagined=list(table.imagined),
    )


def loads(text: str) -> Record:
    """Parses a record; raises BadRecord if it is truncated, altered or not a record at all."""
    try:
        return _read(text)
    except RecursionError:
        raise BadRecord("not a record: nested too deeply") from None


def _read(text: str) -> Record:
    try:
        content = json.loads(text)
    except ValueError as error:
        at = f"line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else "its numbers"
        hint = (
            "the file is cut off" if text.lstrip().startswith("{") and not text.rstrip().endswith("}") else "not JSON"
        )
        raise BadRecord(f"not a record: {hint} (at {at})") from None
    if not isinstance(content, dict) or content.get("format") not in tuple(KEYS_OF):
        found = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise BadRecord(f"not a record of this program: its format is {json.dumps(found)}, not {json.dumps(FORMAT)}")
    keys = KEYS_OF[content["format"]]
    missing, foreign = sorted(keys - set(content)), sorted(set(content) - keys)
    if missing or foreign:
        raise BadRecord(f"the record is damaged: missing {missing or 'nothing'}, unexpected {foreign or 'nothing'}")
    record = _checked(content)
    if content["seal"] != _seal({key: value for key, value in content.items() if key != "seal"}):
        raise BadRecord("the record was altered: its seal does not fit its content")
    return record


def replay(
    record: Record,
    games: Mapping[str, Game],
    older: Mapping[tuple[str, int], Game] = MappingProxyType({}),
    draws: list[Draw] | None = None,
) -> Table:
    """Replays a record from the deal; raises BadRecord where it departs from the rules.

    `games` holds the newest rules by name, `older` earlier versions that are still shipped; `draws` hears every roll of
    a shared seed.
    """
    game = older.get((record.game, record.rules)) or games.get(record.game)
    if game is None:
        raise BadRecord(f"game: there is no game '{record.game}' here, only {', '.join(games)}")
    if record.rules != game.rules_version:
        raise BadRecord(
            f"rules: the record was played by version {record.rules} of the rules of {game.name}; "
            f"this program knows version {game.rules_version}"
        )
    try:
        options = parse(game.options, record.options)
        table = Table(game, record.seats, record.seed, options, draws, record.imagined)
    except (BadOption, BadTable) as error:
        raise BadRecord(f"the table cannot be set: {error}") from None
    for number, (seat, action) in enumerate(record.decisions, start=1):
        try:
            table.decide(seat, action, table.offer(seat).sequence)
        except Refusal as refusal:
            raise BadRecord(f"decision {number} of {len(record.decisions)} (seat {seat + 1}): {refusal}") from None
    played = table.result if table.over else None
    if played != record.result:
        raise BadRecord(f"result: the record says {record.result}, playing it again gives {played}")
    return table


def _seal(content: dict[str, Any]) -> str:
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(plain.encode()).hexdigest()


def _checked(content: dict[str, Any]) -> Record:
    """The record, if every part has the right type; raises BadRecord otherwise."""

    def wanted(name: str, right: bool, what: str) -> None:
        if not right:
            raise BadRecord(f"{name}: must be {what}, not {json.dumps(content[name])[:60]}")

    wanted("game", isinstance(content["game"], str), "a name")
    wanted("rules", _whole(content["rules"]), "a number")
    wanted("options", isinstance(content["options"], dict), "options by name")
    wanted("seats", _whole(content["seats"]), "a number")
    seed = _seed(content, wanted)
    players = content["players"]
    wanted("players", isinstance(players, list) and all(isinstance(p, str) for p in players), "a list of names")
    result = content["result"]
    wanted(
        "result", result is None or (isinstance(result, list) and all(map(_whole, result))), "shares by seat, or null"
    )
    wanted("decisions", isinstance(content["decisions"], list), "a list")
    for number, pair in enumerate(content["decisions"], start=1):
        if not (isinstance(pair, list) and len(pair) == 2 and all(map(_whole, pair))):
            raise BadRecord(f"decisions: number {number} must be [seat, decision], not {json.dumps(pair)[:60]}")
    return Record(
        game=content["game"],
        rules=content["rules"],
        seats=content["seats"],
        seed=seed,
        options=content["options"],
        players=players,
        decisions=[(seat, action) for seat, action in content["decisions"]],
        result=result,
        imagined=_imagined(content, wanted),
    )


def _imagined(content: dict[str, Any], wanted: Callable[[str, bool, str], None]) -> list[Imagined]:
    told = content.get("imagined", [])
    last = len(content["decisions"])
    right = isinstance(told, list) and all(isinstance(one, dict) and _is_moment(one, last) for one in told)
    if not right:
        wanted("imagined", False, "a list of moments: after how many decisions, a seat, and a seed as digits in quotes")
    return [Imagined(one["after"], one["seat"], int(one["seed"])) for one in told]


def _is_moment(told: dict[str, Any], last: int) -> bool:
    if set(told) != {"after", "seat", "seed"} or not (_whole(told["after"]) and _whole(told["seat"])):
        return False
    return 0 <= told["after"] <= last and _digits(told["seed"])


def _digits(written: Any) -> bool:
    return isinstance(written, str) and written.isascii() and written.isdigit() and len(written) < 30


def _seed(content: dict[str, Any], wanted: Callable[[str, bool, str], None]) -> Seed:
    written = content["seed"]
    generator = content.get("generator", SFC32)
    wanted("generator", generator in (SFC32, HMAC_SHA256), f"{SFC32} or {HMAC_SHA256}")
    if generator == SFC32:
        wanted("seed", _digits(written), "digits in quotes")
        wanted("contributions", content.get("contributions", []) == [], f"[]: {SFC32} has none")
        return int(written)
    wanted("contributions", isinstance(content["contributions"], list), "a list by seat")
    try:
        seed = SharedSeed(written, contributions_of(content["contributions"]))
        seed.check()
    except BadSeed as error:
        raise BadRecord(f"seed: {error}") from None
    return seed


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
