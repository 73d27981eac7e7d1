"""House rules: a frozen dataclass of numbers for each game, read from text, checked, and made a record.

Every option says its clause and its range. Interpreted rules get the dataclass itself, native rules a
record with the same names, so a changed option needs no recompiling.
"""

from __future__ import annotations

import dataclasses
import json
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST_SHOWN = 60  # characters of a wrong value in a message
SEATS = -1  # as `highest`: the number of seats at the table


class BadOption(ValueError):
    """An option that does not exist, or a value it does not allow."""


def option(default: Any, clause: str, highest: int = 1, names: type[IntEnum] | None = None) -> Any:
    """One house rule. `default` is a number or a table of numbers (nested tuples) from 0 to `highest`;
    `names` gives the values names."""
    if names is not None:
        highest = max(names)
    return dataclasses.field(default=default, metadata={"clause": clause, "highest": highest, "names": names})


def parse(kind: type, given: dict[str, Any]) -> Any:
    """The options of a game from names and values as typed by a person or read from JSON."""
    fields = {f.name: f for f in dataclasses.fields(kind)}
    values = {}
    for name, value in given.items():
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise BadOption(f"unknown option '{name[:LONGEST_SHOWN]}': this game has {known}")
        values[name] = _value(fields[name], value)
    return kind(**values)


def parse_pairs(kind: type, pairs: list[str]) -> Any:
    """The options given on a command line as `name=value`."""
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"'{pair[:LONGEST_SHOWN]}' is not an option: write name=value")
        given[name.strip()] = value.strip()
    return parse(kind, given)


def check_seats(options: Any, seats: int) -> None:
    """Refuse options that name a seat the table does not have."""
    for f in dataclasses.fields(options):
        if f.metadata["highest"] == SEATS and getattr(options, f.name) > seats:
            raise BadOption(f"option {f.name} = {getattr(options, f.name)}: this table has {seats} seats")


def as_json(options: Any) -> dict[str, Any]:
    """Only what differs from the defaults, by name."""
    found = {}
    for f in dataclasses.fields(options):
        value = getattr(options, f.name)
        if value != f.default:
            names = f.metadata["names"]
            found[f.name] = names(value).name.lower() if names else value
    return found


def as_record(options: Any) -> NDArray[np.void]:
    """The options as an array of one record, for native code."""
    fields = dataclasses.fields(options)
    dtype = np.dtype([(f.name, "i8", shape_of(f)) for f in fields] or [("none", "i8", ())])
    record = np.zeros(1, dtype)
    for f in fields:
        record[f.name] = getattr(options, f.name)
    return record


def shape_of(f: dataclasses.Field[Any]) -> tuple[int, ...]:
    default: Any = f.default
    return np.shape(default)


def _value(f: dataclasses.Field[Any], value: Any) -> Any:
    names: type[IntEnum] | None = f.metadata["names"]
    if names is not None:
        return _named(f.name, names, value)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested without end
            raise BadOption(f"option {f.name} = {value[:LONGEST_SHOWN]}: not a number") from None
    shape = shape_of(f)
    try:
        value = _tuples(value)
        fits = np.shape(value) == shape
    except (ValueError, RecursionError):  # rows of different lengths, or nested without end
        fits = False
    if not fits:
        wanted = f"a table of {' by '.join(map(str, shape))} numbers" if shape else "one number"
        raise BadOption(f"option {f.name} = {_shown(value)}: must be {wanted}")
    highest = 127 if f.metadata["highest"] == SEATS else f.metadata["highest"]
    for number in np.ravel(np.array(value, dtype=object)):
        if isinstance(number, float) or not isinstance(number, int) or not 0 <= int(number) <= highest:
            raise BadOption(f"option {f.name}: {_shown(number)} is not a whole number from 0 to {highest}")
    return _ints(value)


def _named(option_name: str, names: type[IntEnum], value: Any) -> IntEnum:
    for member in names:
        if str(value).lower() == member.name.lower():
            return member
    known = ", ".join(member.name.lower() for member in names)
    raise BadOption(f"option {option_name} = {str(value)[:LONGEST_SHOWN]}: must be one of {known}")


def _shown(value: Any) -> str:
    """A value as JSON in a message, cut short."""
    try:
        return json.dumps(value)[:LONGEST_SHOWN]
    except RecursionError:
        return "…"


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


def _ints(value: Any) -> Any:
    return tuple(map(_ints, value)) if isinstance(value, tuple) else int(value)
