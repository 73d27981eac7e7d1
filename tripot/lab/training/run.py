"""A training run: play, learn, write curves, save checkpoints and weights. It can be stopped and resumed."""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tripot import GAMES
from tripot.bots.network import CRITIC, NetworkWeights
from tripot.core.encoding import Encoder
from tripot.core.game import Game
from tripot.lab.training.curves_page import write_page
from tripot.lab.training.group import Group
from tripot.lab.training.networks import Actor, Critic, ResidualNet
from tripot.lab.training.opponents import RENEWED
from tripot.lab.training.pool import PoolMatches
from tripot.lab.training.ppo import Learner
from tripot.lab.training.settings import Settings, as_json, resumed

CHECKPOINT, CURVES, WEIGHTS = "checkpoint.pt", "curves.csv", "weights.npz"
REPORT_SECONDS, SAVE_SECONDS = 5.0, 120.0
VARIED_SECONDS = 50.0  # between two parts of the outcomes of a run with varied house rules, which are saved too


@dataclass
class Clock:
    """How long a run has learned, over all its parts."""

    before: float = 0.0
    began: float = 0.0

    @property
    def seconds(self) -> float:
        return self.before + time.monotonic() - self.began


class TrainingRun:
    """One folder: settings, curves, the last checkpoint, and weights as they were every two minutes."""

    def __init__(self, folder: Path, asked: Settings, tell: Callable[[str], None]) -> None:
        self.folder, self.group = folder, Group(asked.device)
        self.tell = tell if self.group.leads else lambda text: None
        folder.mkdir(parents=True, exist_ok=True)
        self.matches = PoolMatches(asked.game, asked.evaluated)
        kept = _load(folder / CHECKPOINT)
        self.settings = resumed(kept["settings"], asked) if kept else asked
        self.game = GAMES[self.settings.game]
        self.learner = Learner(self.settings, self.game, self.group)
        self.iteration, self.decisions, self.snapshots = 0, 0, 0
        self.clock = Clock()
        if kept:
            self._restore(kept)

    def _restore(self, kept: dict[str, Any]) -> None:
        learner = self.learner
        learner.actor.load_state_dict(kept["actor"])
        learner.critic.load_state_dict(kept["critic"])
        learner.optimizer.load_state_dict(kept["optimizer"])
        for group in learner.optimizer.param_groups:
            group["lr"] = learner.rate
        self.iteration, self.decisions, self.snapshots = kept["iteration"], kept["decisions"], kept["snapshots"]
        self.clock.before = kept["seconds"]
        if self.learner.varied is not None:
            self.learner.varied.load(self.folder)
        self.tell(
            f"resumed after {self.decisions / 1e6:,.1f} million decisions in {self.clock.before / 60:.1f} minutes"
        )

    def train(self) -> None:
        """Trains until the minutes are over, at least once; compiling does not count."""
        self.prepare()
        limit, first = self.settings.minutes * 60, self.iteration
        while (seconds := self.group.of_the_first(self.clock.seconds)) < limit or self.iteration == first:
            progress = min(1.0, seconds / limit)
            if self.settings.league and seconds > RENEWED * (self.learner.opponents.renewals + 1):
                self.learner.renew_earlier_selves()
            began = time.monotonic()
            self.learner.play()
            self._wait()
            played = time.monotonic()
            metrics = self.learner.learn(progress)
            self._wait()
            self.iteration += 1
            self.decisions += self.settings.steps * self.settings.tables * self.group.size
            if not self.group.leads:
                continue
            if self.clock.seconds - self._reported >= REPORT_SECONDS:
                spent = {"playing": played - began, "learning": time.monotonic() - played}
                self._report(metrics | self.learner.seen() | spent)
            if self.clock.seconds - self._saved >= (VARIED_SECONDS if self.settings.vary else SAVE_SECONDS):
                self.snapshots += 1
                self.save(f"weights-{self.snapshots}.npz")
        if self.group.leads:
            self.matches.finish()
            self.save(WEIGHTS)
            self.matches.finish()
            write_page(self.folder, self.title)

    def prepare(self) -> None:
        """Compiles, and starts the clock."""
        began = time.monotonic()
        self.learner.prepare()
        self._wait()
        if time.monotonic() - began > REPORT_SECONDS:
            self.tell(f"ready after {time.monotonic() - began:.0f} s of compiling")
        self.clock.began = time.monotonic()
        self._reported, self._saved = -math.inf, self.clock.seconds

    def _wait(self) -> None:
        """Times mean something once the device has done its work."""
        if self.settings.device != "cpu":
            torch.cuda.synchronize()

    def _report(self, metrics: dict[str, float]) -> None:
        self._reported = seconds = self.clock.seconds
        row = {"seconds": round(seconds, 1), "iteration": self.iteration, "decisions": self.decisions}
        row |= {name: round(value, 4) for name, value in metrics.items()}
        path = self.folder / CURVES
        new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            if new:
                writer.writeheader()
            writer.writerow(row)
        rate = self.group.size * self.settings.steps * self.settings.tables / (metrics["playing"] + metrics["learning"])
        numbers = " ".join(
            f"{name} {metrics[name]:.3f}" for name in ("entropy", "value", "nobody", "share") if name in metrics
        )
        left = max(0.0, self.settings.minutes - seconds / 60)
        write_page(self.folder, self.title)
        self.tell(
            f"{left:.1f} min left, {self.decisions / 1e6:,.0f} million decisions, {rate / 1e6:.2f} million/s, "
            f"{metrics['length']:.0f} a game, {numbers}"
        )

    def save(self, name: str) -> None:
        """Writes the checkpoint and these weights; an interrupted write leaves the old ones."""
        learner = self.learner
        if learner.varied is not None:
            with learner.in_stream():
                learner.varied.save(self.folder, self.clock.seconds)
        kept = {
            "settings": as_json(self.settings),
            "actor": learner.actor.state_dict(),
            "critic": learner.critic.state_dict(),
            "optimizer": learner.optimizer.state_dict(),
            "iteration": self.iteration,
            "decisions": self.decisions,
            "snapshots": self.snapshots,
            "seconds": self.clock.seconds,
        }
        torch.save(kept, self.folder / f"{CHECKPOINT}.new")
        (self.folder / f"{CHECKPOINT}.new").replace(self.folder / CHECKPOINT)
        weights_of(learner.actor, learner.critic, self.game, self.about()).save(self.folder / name)
        (self.folder / "settings.json").write_text(json.dumps(as_json(self.settings), indent=1) + "\n", "utf-8")
        self._saved = self.clock.seconds
        if self.settings.evaluated:
            known = {"seconds": round(self.clock.seconds, 1), "decisions": self.decisions}
            self.matches.begin((self.folder / name).resolve(), known)

    @property
    def title(self) -> str:
        return f"{self.game.name}: training with seed {self.settings.seed}"

    def about(self) -> dict[str, Any]:
        known = {
            "decisions": self.decisions,
            "seconds": round(self.clock.seconds),
            "made": date.today().isoformat(),
            "settings": as_json(self.settings),
        }
        return known | ({"house_rules": self.learner.varied.learned} if self.learner.varied else {})


def weights_of(actor: Actor, critic: Critic | None, game: Game, about: dict[str, Any]) -> NetworkWeights:
    """What bots need of a run, as 16-bit numbers: the player, and the critic that weighs the states it imagines."""
    encoder: Encoder = actor.encoder
    known = {
        "game": game.name,
        "rules": game.rules_version,
        "seats": encoder.seats or 0,
        "encoding": encoder.notation,
        "columns": encoder.width,
    }
    layers = layers_of(actor.net, actor.net.columns)
    if critic is not None:
        weighs = layers_of(critic.net, critic.encoder.width)  # no opponents: bots imagine everybody like themselves
        layers |= {CRITIC + name: layer for name, layer in weighs.items() if "policy" not in name}
    return NetworkWeights(known | about, layers)


def layers_of(net: ResidualNet, columns: int) -> dict[str, Any]:
    """The layers of a network by input: as many as there are columns, without what pads them."""

    def by_input(*layers: Any) -> Any:
        found = np.stack([layer.weight.detach().float().cpu().numpy().T for layer in layers])
        return found.astype(np.float16)

    def biases(*layers: Any) -> Any:
        return np.stack([layer.bias.detach().float().cpu().numpy() for layer in layers]).astype(np.float16)

    heads, head_biases = by_input(net.heads)[0], biases(net.heads)[0]
    policy, value = slice(net.actions), slice(net.actions, net.actions + net.outcomes)
    return {
        "inputs": by_input(net.inputs)[0][:columns],
        "inputs_bias": biases(net.inputs)[0],
        "policy": heads[:, policy],
        "policy_bias": head_biases[policy],
        "value": heads[:, value],
        "value_bias": head_biases[value],
        "first": by_input(*net.first),
        "first_bias": biases(*net.first),
        "second": by_input(*net.second),
        "second_bias": biases(*net.second),
    }


def _load(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        kept: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        return kept
    except Exception as error:
        raise ValueError(f"{path} is no checkpoint: {error}") from None
