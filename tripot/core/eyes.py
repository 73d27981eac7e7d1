"""Observing inside native code: the allow-list of `record.byte_map`, walked byte by byte. A rule module."""


def look(s, seat, eyes):
    """The view of the one table that `eyes` watch, from `seat`."""
    raw, raw_view, views, source, target = eyes
    for i in range(len(target)):
        raw_view[target[i]] = raw[source[seat][i]]
    raw_view[0] = seat
    return views[0]
