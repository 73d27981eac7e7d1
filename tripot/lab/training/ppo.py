"""Proximal policy optimisation by self-play: the policy that learns plays all seats, or meets frozen opponents."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch import nn

from tripot.core.encoding import encoder_of
from tripot.core.game import Game
from tripot.lab.training.folding import seeing_rules
from tripot.lab.training.group import Group
from tripot.lab.training.networks import Actor, Critic, aligned
from tripot.lab.training.opponents import Opponents, frozen_copy, given_network, given_weights, load_networks, shape_of
from tripot.lab.training.settings import Settings
from tripot.lab.training.tables import CpuTables, GpuTables, sizes_of_tables
from tripot.lab.training.varied_rules import VariedRules
from tripot.lab.vector.returns import lambda_returns

OWN_VALUE = 0.25  # weight of the actor's own value head
LEAST_SPREAD = 0.02  # advantages are divided by their spread, and by no less
MOST_GRADIENT = 0.5
WARM_UP = 3  # steps of the optimizer before it is captured
METRICS = ("policy", "value", "own_value", "entropy", "divergence")


class Rollout:
    """What a run of steps at all tables leaves behind. Rows are kept encoded: they are learned from once more."""

    def __init__(self, settings: Settings, game: Game, actor: Actor, critic: Critic) -> None:
        steps, tables, most, device = settings.steps, settings.tables, max(game.seats), settings.device

        def zeros(*shape: int, kind: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, dtype=kind, device=device)

        encoded = torch.float32 if device == "cpu" else torch.bfloat16
        self.seen = zeros(steps, tables, aligned(actor.net.columns), kind=encoded)
        self.full = zeros(steps, tables, aligned(critic.net.columns), kind=encoded)
        self.masks = zeros(steps, tables, game.num_actions, kind=torch.int8)  # turned
        self.movers = zeros(steps + 1, tables, kind=torch.int64)
        self.frames = zeros(steps, tables, kind=torch.int64)
        self.actions = zeros(steps, tables, kind=torch.int64)  # turned
        self.chances = zeros(steps, tables)  # their log-probabilities when they were chosen
        self.overs = zeros(steps, tables, kind=torch.bool)
        self.results, self.values = zeros(steps, tables, most), zeros(steps + 1, tables, most)
        self.free = zeros(steps, tables, kind=torch.bool)  # decisions between at least two actions
        self.mine = zeros(steps, tables)  # 1: taken by the player that learns, not by a frozen opponent
        self.advantage = zeros(steps, tables)  # the movers', normalised
        self.outcomes = zeros(steps, tables, actor.net.outcomes)  # what each slot, and nobody, should have expected

    @property
    def learned(self) -> tuple[torch.Tensor, ...]:
        """What is learned from, a row a decision."""
        kept = (self.seen, self.full, self.masks, self.actions, self.chances, self.mine, self.advantage, self.outcomes)
        return tuple(part.flatten(0, 1) for part in kept)


class Learner:
    """Plays, and learns from what it played.

    On a GPU a whole rollout is one CUDA graph and a step of the optimizer another: the hundreds of launches of a step
    take the host longer than the device.
    """

    def __init__(self, settings: Settings, game: Game, group: Group | None = None) -> None:
        self.settings, self.game = settings, game
        self.group = Group(settings.device) if group is None else group
        torch.manual_seed(settings.seed)  # every process begins with the same networks …
        torch.set_float32_matmul_precision("high")
        device, on_gpu = settings.device, settings.device != "cpu"
        self.actor, self.critic = networks_of(settings, game)
        both = [*self.actor.parameters(), *self.critic.parameters()]
        self.rate = torch.tensor(settings.rate, device=device)  # of learning
        self.bonus = torch.tensor(settings.entropy, device=device)  # for entropy
        self.optimizer = torch.optim.Adam(both, lr=self.rate, eps=1e-5, fused=on_gpu, capturable=on_gpu)
        self.stream: Any = torch.cuda.Stream() if on_gpu else None
        sizes = sizes_of_tables(settings.tables, settings.sizes(game))
        self.opponents = Opponents(sizes, max(game.seats), device)
        if settings.against:
            self.opponents.seat_given(frozen_copy(self.actor.net))
        elif settings.league or settings.meeting:
            met = [given_network(name, self.actor) for name in settings.met]
            self.opponents.seat_league(self.actor, settings.league, met, settings.meeting)
        self.strangers = (self.opponents.taken & ~self.opponents.mine).to(torch.int8)
        deals = (settings.seed + self.group.rank) * 10**15  # … and plays games of its own
        torch.manual_seed(settings.seed + self.group.rank)
        self.varied = VariedRules(settings, game) if settings.vary else None
        rules = self.varied.sets if self.varied else None
        self.alone = self.opponents.mine.eq(self.opponents.taken).all(1)  # by table: no frozen opponent plays
        self.tables: CpuTables | GpuTables
        if on_gpu:
            with torch.cuda.stream(self.stream):
                self.tables = GpuTables(game, sizes, deals, device, self.stream, rules)
        else:
            self.tables = CpuTables(game, sizes, deals, rules)
        self.rollout = Rollout(settings, game, self.actor, self.critic)
        self.chosen = torch.zeros(settings.batch, dtype=torch.int64, device=device)  # the rows of a batch
        self.metrics = torch.zeros(len(METRICS), device=device)  # of the last batch
        compiled: Callable[[Any], Any] = torch.compile(dynamic=False) if on_gpu else (lambda function: function)
        self._act, self._expect, self._losses = map(compiled, (self._act_, self._expect_, self._losses_))
        self.turned = self.actor.arrays.actions  # [frame, turned action]: the game's
        self.seating = self.actor.arrays.seating
        self._play_all: Callable[[], None] = self._play
        self._improve_once: Callable[[], None] = self._improve

    # --- CUDA graphs ---

    def in_stream(self) -> Any:
        return nullcontext() if self.stream is None else torch.cuda.stream(self.stream)

    def prepare(self) -> None:
        """Compiles, plays a first rollout and learns a little from it; on a GPU, captures both as CUDA graphs."""
        if self.stream is not None:
            torch.cuda.synchronize()  # what was made so far was made in the default stream
        with self.in_stream():
            self._play()
            self.chosen.random_(self.settings.steps * self.settings.tables)
            for _ in range(WARM_UP):
                self._improve()
            if self.stream is not None and self.settings.graphs:
                torch.cuda.synchronize()
                self._play_all = self._captured(self._play)
                self.optimizer.zero_grad(set_to_none=True)
                if self.group.size == 1:  # what processes exchange is not captured
                    self._improve_once = self._captured(self._improve)

    def _captured(self, work: Callable[[], None]) -> Callable[[], None]:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream, capture_error_mode="relaxed"):
            work()
        replay: Callable[[], None] = graph.replay
        return replay

    # --- Play ---

    def _act_(self, views: Any, movers: Any, legal: Any) -> tuple[torch.Tensor, ...]:
        """Samples an action for each table; returns all that is learned from later, and the game's own action."""
        frames = self.actor.arrays.frames(views, movers)
        turned = self.turned[frames]
        masks = legal.gather(1, turned)
        rows = self.actor.rows(views, frames, masks)
        chances, _ = self.actor(rows, masks)
        noise = -torch.log(-torch.log(torch.rand_like(chances).clamp_(1e-9, 1 - 1e-7)))
        actions = (chances + noise).masked_fill(masks == 0, -1e30).argmax(1)
        chosen = turned.gather(1, actions[:, None])[:, 0]
        return frames, masks, rows, actions, chances.gather(1, actions[:, None])[:, 0], chosen

    def _expect_(self, states: Any, movers: Any) -> tuple[torch.Tensor, torch.Tensor]:
        frames = self.critic.arrays.frames(states, movers)
        rows = self.critic.rows(states, frames, self.strangers)
        return rows, self.critic.by_seat(rows, frames)

    def play(self) -> None:
        """Fills the rollout: `steps` decisions at every table."""
        with self.in_stream():
            self._play_all()

    @torch.no_grad()
    def _play(self) -> None:
        r, t, steps = self.rollout, self.tables, self.settings.steps
        for step in range(steps + 1):
            r.movers[step] = t.movers
            rows, r.values[step] = self._expect(t.states, r.movers[step])
            if step == steps:
                break
            r.full[step] = rows
            found = self._act(t.views, r.movers[step], t.masks)
            r.frames[step], r.masks[step], r.seen[step], r.actions[step], r.chances[step], chosen = found
            self._let_opponents_answer(step, chosen)
            noted = self.varied.before_step(t) if self.varied else None
            t.step(chosen)
            r.overs[step], r.results[step] = t.overs, t.results
            if self.varied and noted:
                self.varied.after_step(t, noted, self.alone)
        self._look_back()

    def _let_opponents_answer(self, step: int, chosen: torch.Tensor) -> None:
        """Puts the decisions of frozen opponents in place of the player's, at their tables where it is their turn."""
        r, mine = self.rollout, self.opponents.mine.gather(1, self.rollout.movers[step, :, None])[:, 0]
        r.mine[step] = mine
        for opponent in self.opponents.players:
            tables = opponent.tables
            answers = opponent.answer(r.seen[step, tables], r.masks[step, tables])
            answers = self.turned[r.frames[step, tables]].gather(1, answers[:, None])[:, 0]
            chosen[tables] = torch.where(mine[tables], chosen[tables], answers)

    def _look_back(self) -> None:
        """Which decisions were free, the movers' advantages, and what each slot should have expected."""
        r = self.rollout
        r.free.copy_(r.masks.sum(2, dtype=torch.int16) > 1)
        values, last = r.values[:-1], r.values[-1]
        s = self.settings
        returns = lambda_returns(values, r.results, r.overs, last, s.discount, s.decay, counted=r.free)
        advantage = (returns - values).gather(2, r.movers[:-1, :, None])[..., 0]
        learned = r.free * r.mine
        count = learned.sum().clamp_min(1)
        mean = (advantage * learned).sum() / count
        spread = (((advantage - mean) * learned).square().sum() / count).sqrt()
        r.advantage.copy_((advantage - mean) / spread.clamp_min(LEAST_SPREAD))
        by_slot = returns.gather(2, self.seating[r.frames])
        r.outcomes[..., :-1] = by_slot
        r.outcomes[..., -1] = (1 - by_slot.sum(2)).clamp_min(0)

    # --- Learn ---

    def _losses_(
        self,
        seen: Any,
        full: Any,
        masks: Any,
        actions: Any,
        old: Any,
        mine: Any,
        advantage: Any,
        outcomes: Any,
        bonus: Any,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        chances, own = self.actor(seen, masks)
        now = chances.gather(1, actions[:, None])[:, 0]
        ratio, clip = (now - old).exp(), self.settings.clip
        part = mine / mine.sum().clamp_min(1)  # the critic learns from everybody's decisions, the player from its own
        policy = -(torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage) * part).sum()
        entropy = -((chances.exp() * chances.masked_fill(masks == 0, 0)).sum(1) * part).sum()
        own_value = -((outcomes * torch.log_softmax(own, 1)).sum(1) * part).sum()
        value = -(outcomes * torch.log_softmax(self.critic(full), 1)).sum(1).mean()
        loss = policy - bonus * entropy + OWN_VALUE * own_value + value
        return loss, torch.stack([policy, value, own_value, entropy, ((old - now) * part).sum()]).detach()

    def _improve(self) -> None:
        """One step of the optimizer, from the rows in `chosen`."""
        loss, metrics = self._losses(*(part[self.chosen] for part in self.rollout.learned), self.bonus)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.group.average([*self.actor.parameters(), *self.critic.parameters()])
        for network in (self.actor, self.critic):
            nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
        self.optimizer.step()
        self.metrics.copy_(metrics)

    def learn(self, progress: float) -> dict[str, float]:
        """Learns once from every free decision of the rollout; `progress` runs from 0 to 1 over the training."""
        s = self.settings
        with self.in_stream():
            self.rate.fill_(s.rate + (s.last_rate - s.rate) * progress)
            self.bonus.fill_(s.entropy * (s.last_entropy / s.entropy) ** progress)
            order = self.rollout.free.flatten().nonzero()[:, 0]
            order = order[torch.randperm(len(order), device=s.device)]
            for number in range(self.group.least(len(order) // s.batch)):
                self.chosen.copy_(order[number * s.batch : (number + 1) * s.batch])
                self._improve_once()
            return dict(zip(METRICS, self.metrics.tolist(), strict=True))

    def renew_earlier_selves(self) -> None:
        with self.in_stream(), torch.no_grad():
            self.opponents.renew(self.actor)

    def seen(self) -> dict[str, float]:
        """What the games of the rollout were like: their length, and how many of them nobody won. NaN if none ended."""
        r = self.rollout
        ended, nobody = int(r.overs.sum()), int((r.overs & (r.results.sum(2) == 0)).sum())
        share = {"share": self.opponents.share_ratio(r.overs, r.results)} if self.opponents.players else {}
        if not ended:
            return {"length": math.nan, "nobody": math.nan} | share
        return {"length": r.overs.numel() / ended, "nobody": nobody / ended} | share


def networks_of(settings: Settings, game: Game) -> tuple[Actor, Critic]:
    """The networks that a run begins with: new ones, or those that are given."""
    given = settings.against or settings.start
    weights = given_weights(given, game, as_a_start=not settings.against) if given else None
    rules = bool(settings.vary)
    if weights:
        weights = seeing_rules(weights, game, rules)
    seats = (weights.about["seats"] if weights else settings.seats) or None
    width, blocks = shape_of(weights) if weights else (settings.width, settings.blocks)
    shape = (width, blocks, settings.device)
    actor = Actor(encoder_of(game, seats, rules), *shape)
    critic = Critic(encoder_of(game, seats, rules, full=True), *shape)
    if weights:
        load_networks(weights, actor, critic)
    return actor, critic
