"""What each seat sees of a state, worked out once for all that is sent after a decision.

A state is known by its bytes. What changed between two of them is found by comparing bytes: only that is unpacked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tripot.core.game import Game
from tripot.core.guide import Said
from tripot.core.layout import Changes
from tripot.table.view_json import GUIDE, all_json, concealed, own_only, view_json

UNCHANGED = Changes({}, {})


class Part(NamedTuple):
    """A part of what a guide says to a seat: the goals, or what the seat knows."""

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
        self.conceals = hasattr(game.text, "concealed")  # whether a public field may look different to some
        self._present = b""
        self._states: dict[bytes, Any] = {}
        self._views: dict[tuple[bytes, int], Any] = {}
        self._changes: dict[tuple[bytes, bytes], Changes] = {}
        self._guides: dict[bytes, dict[int, Guidance]] = {}  # by state and seat

    def begin(self, data: bytes, state: Any) -> None:
        """Goes on to another present state, whose plain object is at hand."""
        if self._views or self._changes:
            self.rest()
        self._present, self._states = data, {data: state}

    def rest(self) -> None:
        """Keeps only what the next decision needs: what guides say of the present state."""
        self._states, self._views, self._changes = {}, {}, {}
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
        """Returns the fields of the state `data` that look different to `who` in the state `other`. Only to be read.

        What the guide says is one of them, if it is asked for.
        """
        if data == other:
            return {}
        found, own = changes = self.compared(data, other)
        if who in own:
            found = {**found, **own[who]}
        guide = self._guide_compared(data, other, who, found) if guided else None
        if self.conceals and changes.public:
            found = self._concealed(found, data, other, who)
        return found if guide is None else {**found, GUIDE: guide}

    def compared(self, data: bytes, other: bytes) -> Changes:
        """The fields of the state `data` that are different in the state `other`, whoever sees them."""
        found = self._changes.get((data, other))
        if found is None:
            found = UNCHANGED if data == other else self._game.layout.changes(data, other)
            self._changes[data, other] = found
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
                goals = part(guide.goals(self.view(data, who)), goals)
            if guide.knowledge_reads is None or not guide.knowledge_reads.isdisjoint(found):
                knowledge = part(guide.knowledge(self.view(data, who)), knowledge)
            unchanged = goals is before.goals and knowledge is before.knowledge
            said = known[who] = before if unchanged else Guidance(goals, knowledge)
        if said is before or (said.goals.said == before.goals.said and said.knowledge.said == before.knowledge.said):
            return None
        return {"goals": said.goals.written, "knowledge": said.knowledge.written}

    def _concealed(self, found: dict[str, Any], data: bytes, other: bytes, who: int) -> dict[str, Any]:
        """What changed, without what people do not see of public fields."""
        found = dict(found)
        view, before = self.view(data, who), self.view(other, who)
        now, then = concealed(self._game, view), concealed(self._game, before)
        for name in {*now, *then}:
            value = own_only(getattr(view, name), who) if name in now else getattr(view, name)
            known = own_only(getattr(before, name), who) if name in then else getattr(before, name)
            found.pop(name, None)
            if value != known:
                found[name] = value
        return found

    def _guide(self, data: bytes, who: int) -> Guidance:
        """What the guide says to `who`."""
        known = self._guides.setdefault(data, {})
        found = known.get(who)
        if found is None:
            assert self._game.guide is not None
            view = self.view(data, who)
            found = known[who] = Guidance(part(self._game.guide.goals(view)), part(self._game.guide.knowledge(view)))
        return found

    def _state(self, data: bytes) -> Any:
        found = self._states.get(data)
        if found is None:
            found = self._states[data] = self._loaded(data)
        return found

    def _loaded(self, data: bytes) -> Any:
        return self._game.layout.state.plain.loaded(data)


def part(said: list[Said], before: Part | None = None) -> Part:
    """What a guide says, written only if it is not what it said `before`."""
    return before if before is not None and before.said == said else Part(said, all_json(said))
