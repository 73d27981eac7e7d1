"""The settings of a training run: its size, its length and the numbers of the learning rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tripot.core.game import Game


@dataclass(frozen=True)
class Settings:
    """What a run is asked for. A resumed run keeps all but `minutes`, `device`, `graphs` and `evaluated`."""

    game: str
    seats: int = 0  # 0: tables of every size, in equal parts
    minutes: float = 10.0
    device: str = "cuda"
    graphs: bool = True  # whether a GPU replays CUDA graphs
    seed: int = 1
    tables: int = 65_536
    steps: int = 64  # decisions of each table between two updates
    batch: int = 65_536  # decisions in one step of the optimizer
    width: int = 256  # of the networks
    blocks: int = 3
    decay: float = 0.97  # lambda of the returns
    discount: float = 1.0  # a decision; below 1 a late win is worth less than an early one
    clip: float = 0.2
    rate: float = 6e-4  # of learning; it falls linearly …
    last_rate: float = 3e-5
    entropy: float = 0.015  # … and this exponentially
    last_entropy: float = 0.002
    league: float = 0.0  # share of the tables at which earlier selves play all seats but one
    meet: str = ""  # weights of frozen players, with commas between them, …
    meeting: float = 0.0  # … who play all seats but one at another share of the tables
    against: str = ""  # weights of a frozen player in all other seats, to which the run learns a best response
    start: str = ""  # weights to begin with; with `against` they are those
    vary: str = ""  # ranges of house rules (`lab.varied`): every game is dealt other ones, and networks see them
    sets: int = 16_381  # how many sets of house rules there are then; a prime, so that a table plays them all in turn
    evaluated: int = 25  # deals against each bot of the pool, every two minutes and at the end; 0: none

    @property
    def met(self) -> list[str]:
        return [name for name in self.meet.split(",") if name]

    def sizes(self, game: Game) -> tuple[int, ...]:
        return (self.seats,) if self.seats else game.seats


BY_GAME: dict[str, dict[str, Any]] = {  # small records want more tables, games of hundreds of decisions longer returns
    "verrater": {"tables": 131_072},
    "trok": {"tables": 49_152, "steps": 96, "decay": 0.98, "entropy": 0.012, "last_entropy": 0.0015},
}
ON_A_CPU: dict[str, Any] = {
    "tables": 256,
    "steps": 64,
    "batch": 1024,
    "width": 96,
    "blocks": 1,
    "rate": 1e-3,
    "sets": 251,
}


def settings_for(game: str, device: str, **given: Any) -> Settings:
    """The settings of a game on a device; those that are given and not None come first."""
    found = Settings(game, device=device, **(BY_GAME.get(game, {}) | (ON_A_CPU if device == "cpu" else {})))
    return replace(found, **{name: value for name, value in given.items() if value is not None})


def resumed(kept: dict[str, Any], asked: Settings) -> Settings:
    """Returns the settings of an interrupted run, to resume it for the minutes and on the device asked for."""
    known = {field.name for field in fields(Settings)}
    unknown = sorted(set(kept) ^ known)
    if unknown:
        raise ValueError(f"this checkpoint has other settings than this version: {', '.join(unknown)}")
    if kept["game"] != asked.game:
        raise ValueError(f"this checkpoint is of {kept['game']}, not of {asked.game}")
    unkept = ("minutes", "device", "graphs", "evaluated")
    return replace(Settings(**kept), **{name: getattr(asked, name) for name in unkept})


def as_json(settings: Settings) -> dict[str, Any]:
    return asdict(settings)
