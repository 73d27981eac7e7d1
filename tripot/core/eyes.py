"""Observing inside native code: the allow-list of `record.byte_map`, copied stretch by stretch. A rule module."""


def look(s, seat, eyes):
    """The view of the one table that `eyes` watch, from `seat`."""
    raw, raw_view, views, own_from, own_to, own_size, common, seat_at = eyes
    for byte in range(common):
        raw_view[byte] = raw[byte]  # what is public lies alike in states and views
    for stretch in range(len(own_to)):
        there, here = own_from[seat][stretch], own_to[stretch]
        for byte in range(own_size[stretch]):
            raw_view[here + byte] = raw[there + byte]
    raw_view[seat_at] = seat
    return views[0]


def put_back(raw_view, raw, seat, eyes):
    """What a view of `seat` says of the table, in an otherwise empty state."""
    _, _, _, own_from, own_to, own_size, common, _ = eyes
    for byte in range(len(raw)):
        raw[byte] = raw_view[byte] if byte < common else 0
    for stretch in range(len(own_to)):
        there, here = own_from[seat][stretch], own_to[stretch]
        for byte in range(own_size[stretch]):
            raw[there + byte] = raw_view[here + byte]
