"""House rules: a frozen dataclass of numbers for each game, parsed from text, checked and packed into a record.

Every option states its clause and its range. Interpreted rules get the dataclass itself, native rules a record with the
same names, so a changed option needs no recompiling.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST_SHOWN = 60  # characters of a wrong value in a message
SEATS = -1  # as `highest`: the number of seats at the table


class BadOption(ValueError):
    """An option that does not exist, or a value it does not allow."""


class Sum(NamedTuple):
    """The total that one column must have over some rows."""

    name: str
    column: str
    rows: range
    total: int


@dataclasses.dataclass(frozen=True)
class Table:
    """Names for a table of numbers. People write it as a TOML file that states only what differs from the default: a
    section for each row, with its columns by name."""

    default: str  # what the default table is called
    rows: tuple[str, ...]
    columns: Mapping[str, tuple[int, int]]  # by name, the lowest and the highest number
    sums: tuple[Sum, ...] = ()


def option(
    default: Any, clause: str, highest: int = 1, names: type[IntEnum] | None = None, table: Table | None = None
) -> Any:
    """Declares one house rule. `default` is a number or a table of numbers (nested tuples) from 0 to `highest`;
    `names` names the values, `table` the rows and columns."""
    if names is not None:
        highest = max(names)
    metadata = {"clause": clause, "highest": highest, "names": names, "table": table}
    return dataclasses.field(default=default, metadata=metadata)


def parse(kind: type, given: dict[str, Any], files: bool = False) -> Any:
    """The options of a game from names and values as typed by a person or read from JSON.

    Only with `files` may a table be the name of a file: what comes over a wire or in a record may not.
    """
    fields = {f.name: f for f in dataclasses.fields(kind)}
    values = {}
    for name, value in given.items():
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise BadOption(f"unknown option '{name[:LONGEST_SHOWN]}': this game has {known}")
        values[name] = _value(fields[name], value, files)
    return kind(**values)


def parse_pairs(kind: type, pairs: list[str]) -> Any:
    """The options given on a command line as `name=value`."""
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"'{pair[:LONGEST_SHOWN]}' is not an option: write name=value")
        given[name.strip()] = value.strip()
    return parse(kind, given, files=True)


def check_seats(options: Any, seats: int) -> None:
    """Raises BadOption for an option that names a seat the table does not have."""
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


def as_record(house_rules: Any) -> NDArray[np.void]:
    """The options as an array of one record, a list of them as an array of as many, for native code."""
    sets = house_rules if isinstance(house_rules, list) else [house_rules]
    fields = dataclasses.fields(sets[0])
    dtype = np.dtype([(f.name, "i8", shape_of(f)) for f in fields] or [("none", "i8", ())])
    records = np.zeros(len(sets), dtype)
    for f in fields:
        records[f.name] = [getattr(options, f.name) for options in sets]
    return records


def shape_of(f: dataclasses.Field[Any]) -> tuple[int, ...]:
    default: Any = f.default
    return np.shape(default)


def _value(f: dataclasses.Field[Any], value: Any, files: bool) -> Any:
    names: type[IntEnum] | None = f.metadata["names"]
    table: Table | None = f.metadata["table"]
    if names is not None:
        return _named(f.name, names, value)
    if table is not None and isinstance(value, str) and not value.startswith("["):
        if value != table.default and not files:
            raise BadOption(f"option {f.name}: give the numbers themselves; a file is read on a command line only")
        value = _read_table(f, table, value)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):  # not JSON, a number of thousands of digits, or nested too deeply
            raise BadOption(f"option {f.name} = {value[:LONGEST_SHOWN]}: not a number") from None
    shape = shape_of(f)
    try:
        value = _tuples(value)
        fits = np.shape(value) == shape
    except (ValueError, RecursionError):  # rows of different lengths, or nested too deeply
        fits = False
    if not fits:
        wanted = f"a table of {' by '.join(map(str, shape))} numbers" if shape else "one number"
        raise BadOption(f"option {f.name} = {_shown(value)}: must be {wanted}")
    highest = 127 if f.metadata["highest"] == SEATS else f.metadata["highest"]
    for number in np.ravel(np.array(value, dtype=object)):
        if isinstance(number, float) or not isinstance(number, int) or not 0 <= int(number) <= highest:
            raise BadOption(f"option {f.name}: {_shown(number)} is not a whole number from 0 to {highest}")
    if table is not None:
        _check_table(f.name, table, value)
    return _ints(value)


def _read_table(f: dataclasses.Field[Any], table: Table, name: str) -> Any:
    """The default table with the changes that a TOML file makes to it."""
    if name == table.default:
        return f.default
    try:
        changes = tomllib.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise BadOption(f"option {f.name} = {name}: cannot read this file ({error.strerror})") from None
    except ValueError as error:
        raise BadOption(f"option {f.name} = {name}: not a TOML file ({error})") from None
    except RecursionError:
        raise BadOption(f"option {f.name} = {name}: a table of numbers is not nested like this") from None
    default: Any = f.default
    rows = [list(row) for row in default]
    columns = list(table.columns)
    for row, numbers in changes.items():
        if row not in table.rows:
            raise BadOption(f"option {f.name}: there is no '{row}'; the rows are {', '.join(table.rows)}")
        if not isinstance(numbers, dict):
            raise BadOption(f"option {f.name}, {row}: write its numbers in a section of its own, [{json.dumps(row)}]")
        for column, number in numbers.items():
            if column not in columns:
                raise BadOption(f"option {f.name}, {row}: there is no '{column}'; there are {', '.join(columns)}")
            _check_number(f.name, table, row, column, number)
            rows[table.rows.index(row)][columns.index(column)] = number
    return rows


def _check_number(option_name: str, table: Table, row: str, column: str, number: Any) -> None:
    lowest, highest = table.columns[column]
    if isinstance(number, bool) or not isinstance(number, int) or not lowest <= number <= highest:
        raise BadOption(
            f"option {option_name}, {row}: {column} = {_shown(number)} is not a whole number from {lowest} to {highest}"
        )


def _check_table(option_name: str, table: Table, value: Any) -> None:
    columns = list(table.columns)
    for row, numbers in zip(table.rows, value, strict=True):
        for column, number in zip(columns, numbers, strict=True):
            _check_number(option_name, table, row, column, number)
    for name, column, rows, total in table.sums:
        found = sum(value[row][columns.index(column)] for row in rows)
        if found != total:
            raise BadOption(f"option {option_name}: {name} must be {total}, not {found}")


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
    except (RecursionError, TypeError):  # too deep, or not a JSON type (a date)
        return "…"


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


def _ints(value: Any) -> Any:
    return tuple(map(_ints, value)) if isinstance(value, tuple) else int(value)
