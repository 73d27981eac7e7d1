"""Matches between bots: whole games in native code, which calls Python only for bots that search."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import PolicyBot
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.bots.own import AnyBot, find_any_bot
from tripot.bots.uniform import choose_uniform
from tripot.core import jit, observe
from tripot.core.game import Game, signed
from tripot.core.options import as_record
from tripot.lab import playout
from tripot.lab.arena.contest import Played
from tripot.lab.arena.schedule import Lineup
from tripot.lab.balance.hooks import side_field

LONGEST = 20_000  # decisions: the limit for a game

Player = AnyBot


class EndlessGame(RuntimeError):
    """A game did not end, which is a fault in its rules."""


class Match:
    """One native table with its own arrays, at which a set of bots plays game after game."""

    def __init__(self, game: Game, options: Any, bots: Sequence[str]) -> None:
        layout, most = game.layout, max(game.seats)
        self.game, self.options, self._record = game, options, as_record(options)
        self.players = [find_any_bot(bot, game) for bot in bots]
        self.states = layout.states(1)
        self.raw = self.states.view(np.uint8)
        self.observer = layout.observer(self.states)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.memories = np.zeros(most, BOT_MEMORY.dtype)
        self.log = np.zeros((LONGEST, 2), np.int64)
        self.taken = 0
        heuristic = game.heuristic or choose_uniform
        bound = {**game.functions, "choose": heuristic, "observe_seat": observe.observe_seat}
        self._set_table = jit.native(playout.set_table, **bound)
        self._take_turns = jit.native(playout.take_turns, **bound)
        self._answer = jit.native(playout.answer, **bound)

    def warm_up(self, seats: int) -> None:
        """Compiles all that these bots need, or loads it from the cache, so that no game waits for it."""
        searches = any(kind_of(player) == playout.OUTSIDE for player in self.players)
        quick = Match(self.game, self.options, ["search:1"]) if searches else self
        quick.play(0, (0,) * seats)

    def play(self, deal: int, lineup: Lineup) -> Played:
        """Plays one game. Equal deals and line-ups give equal games unless a bot searches for a fixed time."""
        seats = len(lineup)
        players = [self.players[bot] for bot in lineup]
        kinds = np.array([kind_of(player) for player in players], np.int64)
        thinking = [new_memory(deal, seat) for seat in range(seats)]
        for seat, memory in enumerate(thinking):
            self.memories[seat] = np.frombuffer(memory.pack(), BOT_MEMORY.dtype)[0]
        self._set_table(self.states, self.raw, self._record, seats, signed(deal))
        sides = self._sides(seats)
        choices, seconds = np.zeros(seats, np.int64), [0.0] * seats
        self.taken = 0
        while not self.states["over"][0]:
            self._advance(players, kinds, thinking, choices, seconds)
        result = tuple(int(share) for share in self.states["result"][0, :seats])
        return Played(deal, lineup, result, sides, tuple(choices.tolist()), tuple(round(t, 6) for t in seconds))

    @property
    def decisions(self) -> list[tuple[int, int]]:
        """(seat, action) of every decision of the last game."""
        return [(int(seat), int(action)) for seat, action in self.log[: self.taken]]

    def _advance(
        self,
        players: Sequence[Player],
        kinds: NDArray[np.int64],
        thinking: Sequence[Any],
        choices: NDArray[np.int64],
        seconds: list[float],
    ) -> None:
        """Lets native bots decide until a bot of another kind is to move, or takes one decision of a bot in Python."""
        before, start = self.taken, time.perf_counter()
        self.taken = self._take_turns(
            self.states, kinds, self.mask, self.memories, self.observer, self.log, choices, before
        )
        if self.taken == LONGEST:
            raise EndlessGame(f"{self.game.name}: a game did not end after {LONGEST} decisions")
        if self.taken > before:
            share = (time.perf_counter() - start) / (self.taken - before)
            for seat in self.log[before : self.taken, 0]:
                seconds[seat] += share
            return
        seat = lowest_bit(int(self.states["waiting"][0]))
        legal = np.flatnonzero(self.mask).tolist()
        action = legal[0]
        if len(legal) > 1:
            start = time.perf_counter()
            action = players[seat].decide(self.game.layout.observe(self.states, seat), legal, thinking[seat])
            seconds[seat] += time.perf_counter() - start
            choices[seat] += 1
        self.taken = self._answer(self.states, seat, action, self.log, before)

    def _sides(self, seats: int) -> tuple[int, ...]:
        """By seat, the side that the deal gave it; empty if the game has no sides."""
        field = side_field(self.game)
        return tuple(int(side) for side in self.states[field][0, :seats]) if field else ()


def kind_of(player: Player) -> int:
    """The kind of a bot: uniform and sensible bots are compiled into the loop, others decide in Python."""
    if isinstance(player, PolicyBot) and player.name == "uniform":
        return playout.UNIFORM
    if isinstance(player, PolicyBot) and player.name == "sensible":
        return playout.SENSIBLE
    return playout.OUTSIDE


def lowest_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
