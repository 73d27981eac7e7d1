"""The games for OpenSpiel. Importing this registers `tripot_verrater`, `tripot_trok` and `tripot_trieste`.

    game = pyspiel.load_game("tripot_verrater", {"players": 3, "options": "first:2;tie_break:supply"})

With `opening`, chance takes that many first decisions, and the rest can be small enough to solve. Seats that choose in
secret at the same time move one after the other, lowest first, and none sees what another chose. `encoding` is the
version of observation tensors.

`tripot_verrater_small`, `tripot_trok_small` and `tripot_trieste_small` are small enough for whole trees: the rules of
the game after a deal of few rounds and cards; their `options` say how few. Their information states have tensors.
"""

from __future__ import annotations

from copy import copy
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.core.encoding import VERSION
from tripot.core.game import Game
from tripot.core.options import BadOption, check_seats, parse
from tripot.core.speech import say
from tripot.lab.env import extra
from tripot.lab.env.chance import CACHED, DIGEST_BITS, Position
from tripot.lab.env.observation import SeatEncoding

with extra("pyspiel"):
    import pyspiel

PREFIX, SMALL = "tripot_", "_small"
MOST_SIDES = 256  # outcomes of one roll
MOST_DECISIONS = 20_000  # of a game, under any house rules
MOST_ROLLS = 20_000


def game_type(game: Game, small: bool = False) -> Any:
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=PREFIX + game.name + (SMALL if small else ""),
        long_name=f"{game.text.TITLE.en}: {game.text.TAGLINE.en}" + (" (small)" if small else ""),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.CONSTANT_SUM if game.decisive else utility.GENERAL_SUM,  # it may end with no winner
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=small,  # elsewhere the encoded view forgets: only the string recalls
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            "players": min(game.seats) if small else game.usual_seats,
            "options": "",
            "opening": 0,
            "encoding": VERSION if small else 1,
        },
    )


def read_options(kind: type, text: str) -> Any:
    """Parses house rules from `name:value;name:value`: OpenSpiel reserves `=`, `,` and brackets."""
    given = {}
    for pair in filter(None, (pair.strip() for pair in text.split(";"))):
        name, colon, value = pair.partition(":")
        if not colon:
            raise BadOption(f"'{pair}' is not an option: write name:value")
        given[name.strip()] = value.strip()
    return parse(kind, given)


class SpielGame(pyspiel.Game):
    """A game of Tripot for OpenSpiel; `register` makes a subclass for each game."""

    name: str
    small: bool

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.game, kind = GAMES[self.name], game_type(GAMES[self.name], self.small)
        parameters = {**kind.parameter_specification, **(params or {})}
        players, opening = parameters["players"], parameters["opening"]
        if players not in self.game.seats:
            raise ValueError(f"{self.name} is for {' or '.join(map(str, self.game.seats))} players, not {players}")
        self.options = read_options(options_of(self.game, self.small), parameters["options"])
        check_seats(self.options, players)
        if not 0 <= opening <= MOST_DECISIONS:
            raise ValueError(f"an opening of {opening} decisions is not possible: choose 0 to {MOST_DECISIONS}")
        self.encoding = SeatEncoding(self.game, players, parameters["encoding"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=MOST_SIDES,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0 if self.game.decisive else None,
            max_game_length=MOST_DECISIONS,
        )
        super().__init__(kind, info, params or {})
        self.undealt = Position(self.name, self.options, players, opening, self.small)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST_ROLLS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        if params:
            raise ValueError(f"an observer takes no parameters: {params}")
        return SpielObserver(self.game, self.encoding, iig_obs_type is not None and iig_obs_type.perfect_recall)


def options_of(game: Game, small: bool) -> type:
    """The dataclass of a game's house rules, or of how small the small game is."""
    if not small:
        return game.options
    assert game.small is not None
    return game.small.options


class SpielState(pyspiel.State):
    """A state of OpenSpiel: a position; the history is kept by OpenSpiel's base class."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = copy(game.undealt)

    def current_player(self) -> Any:
        if self.position.chance:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.over else self.position.mover

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        return self.position.shares() if self.position.over else [0.0] * self.position.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes that the rules need one of, or the decisions of the opening."""
        outcomes = self.position.chance
        whole = sum(weight for _, weight in outcomes)
        return [(outcome, weight / whole) for outcome, weight in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position.needed:
            return f"outcome {action} of {', '.join(str(outcome) for outcome, _ in self.position.needed)}"
        text, layout = self.position.game.text, self.position.game.layout
        which, numbers = text.decision(layout.view_of(self.position.view(self.position.mover).tobytes()), action)
        players = [name.en for name in text.SEATS]
        return f"{action} {say(text.DECISIONS[which], numbers, text.NAMES, players, 'en')}"

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that `player` cannot tell from this one: what it does not see is imagined anew.

        `sampler` returns random numbers from 0 to 1. The history stays that of this state.
        """
        other: SpielState = self.clone()
        other.position = self.position.imagined(player, int(sampler() * (1 << 53)))
        return other

    def __deepcopy__(self, _: Any) -> SpielState:
        copied: SpielState = self.clone()
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its game and its position; the history comes along."""
        return _unpickle_state, (str(self.get_game()), self.position, self.history())

    def __str__(self) -> str:
        """The whole state with its secrets, for debugging."""
        position, form = self.position, self.position.game.layout.state
        values = named_values(form.fields, position.s)
        waiting = f"chance after {position.taken} {position.known}; " if position.needed else ""
        return f"{position.name}: {waiting}{values}"


class SpielObserver:
    """The observations of a player, computed from its view alone.

    The tensor is the encoded view. An information state adds a digest of all that the player observed and decided
    before: to the string as digits, to the tensor as bits, so that different histories have different ones.
    """

    def __init__(self, game: Game, encoding: SeatEncoding, perfect_recall: bool) -> None:
        self.game, self.encoding, self.perfect_recall = game, encoding, perfect_recall
        width = len(encoding.highest)
        self.tensor: NDArray[np.float32] = np.zeros(width + (DIGEST_BITS if perfect_recall else 0), np.float32)
        self.dict = {"view": self.tensor[:width]}
        if perfect_recall:
            self.dict["history"] = self.tensor[width:]

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["view"][:] = self.encoding.encode(state.position.view(player)) if state.position.state else 0
        if self.perfect_recall:
            digest = state.position.histories[player] or bytes(DIGEST_BITS // 8)
            self.dict["history"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))

    def string_from(self, state: SpielState, player: int) -> str:
        seen = _view_text(self.game.name, state.position.view(player).tobytes())
        return f"{state.position.histories[player].hex()} {seen}" if self.perfect_recall else seen


def state_of_view(game: Game, view: NDArray[np.void], seed: int) -> SpielState:
    """A state that the seat of this view cannot tell from the real one, as if the game had begun there.

    So that algorithms of OpenSpiel can decide at a table: what they get is imagined from the view, and nothing more.
    """
    players = int(view["seats"][0])
    state = SpielState(_loaded(game.name, players))
    state.position = Position.of_view(game.name, view, seed)
    return state


@cache
def _loaded(name: str, players: int) -> Any:
    return pyspiel.load_game(PREFIX + name, {"players": players})


def _unpickle_state(game: str, position: Position, history: list[int]) -> Any:
    """The state after this history; the position is put back, for it may be an imagined one."""
    state = pyspiel.load_game(game).new_initial_state()
    for action in history:
        state.apply_action(action)
    state.position = position
    return state


@lru_cache(CACHED)
def _view_text(name: str, view: bytes) -> str:
    layout = GAMES[name].layout
    return named_values(layout.view.fields, layout.view_of(view))


def named_values(fields: list[Any], record: Any) -> str:
    """All fields with a value other than zero, by name."""
    values = [(f.name, str(getattr(record, f.name)).replace(" ", "")) for f in fields]
    return " ".join(f"{name}={value}" for name, value in values if value.strip("[],0"))


def register() -> None:
    """Registers the games with OpenSpiel, once. It frees them after Python has shut down, which classes survive."""
    for name, game in GAMES.items():
        if PREFIX + name not in pyspiel.registered_names():
            _register(game, small=False)
            if game.small is not None:
                _register(game, small=True)


def _register(game: Game, small: bool) -> None:
    named = f"Spiel{game.name.capitalize()}{'Small' if small else ''}"
    pyspiel.register_game(game_type(game, small), type(named, (SpielGame,), {"name": game.name, "small": small}))


register()
