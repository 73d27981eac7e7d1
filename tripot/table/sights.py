"""What each seat sees of a state, worked out once for all that is sent after a decision.

A state is known by its bytes. What changed between two of them is found by comparing bytes: only that is unpacked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tripot.core.game import Game
from tripot.core.guide import Said
from tripot.table.view_json import GUIDE, concealed, own_only, said_json, view_json


class Part(NamedTuple):
    """A part of what a guide says to a seat: the goals, or what the seat knows."""

    read: bytes  # what it follows from
    said: list[Said]
    written: list[dict[str, Any]]  # the same as JSON takes it


class Guidance(NamedTuple):
    """What a guide says to a seat."""

    goals: Part
    knowledge: Part


class Sights:
    """The views of some states of one game: the present one, and those that are compared with it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._conceals = hasattr(game.text, "concealed")
        self._present = b""
        self._states: dict[bytes, Any] = {}
        self._views: dict[tuple[bytes, int], Any] = {}
        self._public: dict[tuple[bytes, bytes], dict[str, Any]] = {}  # what is public of the differences
        self._differences: dict[tuple[bytes, bytes, int, bool], dict[str, Any]] = {}
        self._guides: dict[bytes, dict[int, Guidance]] = {}  # by state and seat
        self._parts: dict[tuple[int, int, bytes], Part] = {}  # by number, seat and what was read

    def begin(self, data: bytes, state: Any) -> None:
        """Goes on to another present state, whose plain object is at hand."""
        if self._views or self._differences:
            self.rest()
        self._present, self._states = data, {data: state}

    def rest(self) -> None:
        """Keeps only what the next decision needs: what guides say of the present state."""
        self._states, self._views, self._public, self._differences, self._parts = {}, {}, {}, {}, {}
        self._guides = {self._present: self._guides.get(self._present, {})}

    def view(self, data: bytes, who: int) -> Any:
        """What `who` sees of the state `data`, as a plain object. It shares lists with that state."""
        found = self._views.get((data, who))
        if found is None:
            found = self._views[data, who] = self._game.layout.share_plain(self._state(data), who)
        return found

    def fields(self, data: bytes, who: int) -> dict[str, Any]:
        """The same as JSON takes it."""
        return view_json(self._game, self._game.layout.share_plain(self._loaded(data), who))

    def differences(self, data: bytes, other: bytes, who: int, guided: bool = True) -> dict[str, Any]:
        """The fields of the state `data` that `who` does not see to be the same in the state `other`.

        What the guide says is one of them, if it is asked for.
        """
        if data == other:
            return {}
        key = data, other, who, guided
        found = self._differences.get(key)
        if found is None:
            found = self._differences[key] = self._compared(data, other, who, guided)
        return found

    def _compared(self, data: bytes, other: bytes, who: int, guided: bool) -> dict[str, Any]:
        layout = self._game.layout
        shared = self._public.get((data, other))
        if shared is None:
            shared = self._public[data, other] = layout.public_changes(data, other)
        found = {**shared, **layout.own_changes(data, other, who)}
        guide = self._guide_compared(data, other, who, found) if guided else None
        if self._conceals and shared:
            self._conceal(found, data, other, who)
        if guide is not None:
            found[GUIDE] = guide
        return found

    def _guide_compared(self, data: bytes, other: bytes, who: int, found: dict[str, Any]) -> dict[str, Any] | None:
        """What the guide says to `who` of the state `data`; None if it says the same of the state `other`."""
        guide = self._game.guide
        if guide is None:
            return None
        before = self._guide(other, who)
        known = self._guides.setdefault(data, {})
        said = known.get(who)
        if said is None:
            goals, knowledge = before
            if guide.goals_read is None or not guide.goals_read.isdisjoint(found):
                goals = self._part(0, data, who, goals)
            if guide.knowledge_reads is None or not guide.knowledge_reads.isdisjoint(found):
                knowledge = self._part(1, data, who, knowledge)
            unchanged = goals is before.goals and knowledge is before.knowledge
            said = known[who] = before if unchanged else Guidance(goals, knowledge)
        if said is before or (said.goals.said == before.goals.said and said.knowledge.said == before.knowledge.said):
            return None
        return {"goals": said.goals.written, "knowledge": said.knowledge.written}

    def _conceal(self, found: dict[str, Any], data: bytes, other: bytes, who: int) -> None:
        """Takes out of what changed in public fields what people do not see of them."""
        view, before = self.view(data, who), self.view(other, who)
        now, then = concealed(self._game, view), concealed(self._game, before)
        for name in {*now, *then}:
            value = own_only(getattr(view, name), who) if name in now else getattr(view, name)
            known = own_only(getattr(before, name), who) if name in then else getattr(before, name)
            found.pop(name, None)
            if value != known:
                found[name] = value

    def _guide(self, data: bytes, who: int) -> Guidance:
        """What the guide says to `who`."""
        known = self._guides.setdefault(data, {})
        if who not in known:
            known[who] = Guidance(self._part(0, data, who, None), self._part(1, data, who, None))
        return known[who]

    def _part(self, number: int, data: bytes, who: int, before: Part | None) -> Part:
        """One part of it. It is mostly what the guide says of another state: `before`, or one that was asked for."""
        read = b"".join([data[place] for place in self._game.guide_places[who][number]])
        if before is not None and before.read == read:
            return before
        key = number, who, read
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = self._said(number, self.view(data, who), read, before)
        return found

    def _said(self, number: int, view: Any, read: bytes, before: Part | None) -> Part:
        guide = self._game.guide
        assert guide is not None
        said = guide.knowledge(view) if number else guide.goals(view)
        if before is not None and before.said == said:
            return Part(read, said, before.written)
        return Part(read, said, [said_json(one) for one in said])

    def _state(self, data: bytes) -> Any:
        found = self._states.get(data)
        if found is None:
            found = self._states[data] = self._loaded(data)
        return found

    def _loaded(self, data: bytes) -> Any:
        return self._game.layout.state.plain.loaded(data)
