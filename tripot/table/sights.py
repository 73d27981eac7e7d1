"""What each seat sees of a state, worked out once for all that is sent after a decision."""

from __future__ import annotations

from itertools import compress
from operator import ne
from typing import Any

from tripot.core.game import Game
from tripot.core.guide import Said
from tripot.table.view_json import GUIDE, fields_json, guidance, told_json

GUIDES = 4  # of each seat that are remembered as JSON: before a decision, at its news and after it
Guidance = tuple[list[Said], list[Said]]


class Sights:
    """The views of some states of one game. They are keyed by the bytes of a state: the news of a decision is often
    told several times in the same one."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._states: dict[bytes, Any] = {}
        self._views: dict[tuple[bytes, int], Any] = {}
        self._fields: dict[tuple[bytes, int], dict[str, Any]] = {}
        self._guides: dict[int, list[tuple[Guidance, dict[str, Any]]]] = {}  # by seat, the latest first

    def clear(self) -> None:
        """Forgets all states: others are asked for from now on."""
        self._states, self._views, self._fields = {}, {}, {}

    def view(self, data: bytes, who: int) -> Any:
        """What `who` sees of the state `data`, as a plain object."""
        found = self._views.get((data, who))
        if found is None:
            found = self._views[data, who] = self._game.layout.share_plain(self._state(data), who)
        return found

    def fields(self, data: bytes, who: int) -> dict[str, Any]:
        """The same as JSON takes it."""
        found = self._fields.get((data, who))
        if found is None:
            view = self.view(data, who)
            found = self._fields[data, who] = fields_json(self._game, view)
            if self._game.guide is not None:
                found[GUIDE] = self._guide(view, who)
        return found

    def _guide(self, view: Any, who: int) -> dict[str, Any]:
        """What the guide says to `who`. It mostly says what it said before."""
        said, known = guidance(self._game, view), self._guides.setdefault(who, [])
        for before, written in known:
            if before == said:
                return written
        written = told_json(*said)
        known.insert(0, (said, written))
        del known[GUIDES:]
        return written

    def differences(self, data: bytes, other: bytes, who: int) -> dict[str, Any]:
        """The fields of the state `data` that `who` does not see to be the same in the state `other`."""
        if data == other or self._game.layout.same_sight(data, other, who):
            return {}
        return changed(self.fields(other, who), self.fields(data, who))

    def _state(self, data: bytes) -> Any:
        found = self._states.get(data)
        if found is None:
            found = self._states[data] = self._game.layout.state.plain.loaded(data)
        return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The fields of one view that are not the same in another of the same game: both name them in the same order.

    >>> changed({"round": 1, "hand": [2, 3]}, {"round": 2, "hand": [2, 3]})
    {'round': 2}
    """
    return {name: after[name] for name in compress(after, map(ne, before.values(), after.values()))}
