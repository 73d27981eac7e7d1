"""Encoding views inside native code: version 2 of the encoding, for many tables at once. A rule module.

`core.encoding` makes the tables of numbers that these loops read, and says what the columns mean.
"""

NOWHERE = 65535  # a place or a column that a frame does not have


def encode_rows(first, last, raw, seats, finder, amounts, names, sets, encoded):
    """Writes row by row what `seats` see; `raw` has the bytes of views or of states, as the tables were made for."""
    for table in range(first, last):
        data = raw[table]
        row = encoded[table]
        for column in range(len(row)):
            row[column] = 0
        frame = find_frame(data, seats[table], finder)
        write_amounts(data, row, frame, amounts)
        write_names(data, row, frame, names)
        write_sets(data, row, frame, sets)


def find_frame(data, seat, finder):
    """Returns the frame: who sits in which slot, as `seat` sees it."""
    places, factors, seat_factor, frames = finder
    key = seat * seat_factor
    for i in range(len(places)):
        key += data[places[i]] * factors[i]
    return frames[key]


def write_amounts(data, row, frame, amounts):
    """Amounts, looked up on their scale, and the columns "at least 1", "at least 2", …"""
    places, highs, columns, starts, scaled, counts, steps = amounts
    for i in range(len(columns)):
        place = places[frame][i]
        if place != NOWHERE:
            value = data[place] + 0
            if highs[frame][i] != NOWHERE:
                value += data[highs[frame][i]] << 8
            row[columns[i]] = scaled[starts[i] + value]
            for step in range(min(value, counts[i])):
                row[steps[i] + step] = 1


def write_names(data, row, frame, names):
    """A 1 in the column of the name, or of the slot of the seat."""
    places, givens, starts, columns = names
    for i in range(len(starts)):
        place = places[frame][i]
        if place != NOWHERE:
            given = givens[frame][i]
            if given == NOWHERE or data[given] != 0:
                column = columns[frame][starts[i] + data[place]]
                if column != NOWHERE:
                    row[column] = 1


def write_sets(data, row, frame, sets):
    """A 1 in the column of every member."""
    places, starts, counts, columns = sets
    for i in range(len(starts)):
        place = places[frame][i]
        if place != NOWHERE:
            for member in range(counts[i]):
                if data[place] >> member & 1:
                    column = columns[frame][starts[i] + member]
                    if column != NOWHERE:
                        row[column] = 1


def find_frames(first, last, raw, seats, finder, frames):
    """Writes the frame of every table."""
    for table in range(first, last):
        frames[table] = find_frame(raw[table], seats[table], finder)
