"""Several processes that learn one network, each with tables of its own, as `torchrun` starts them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import torch
from torch import distributed


class Group:
    """The processes of a run. Without `torchrun` there is one, and nothing is exchanged."""

    def __init__(self, device: str) -> None:
        self.size, self.rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
        self._device = device
        if self.size > 1 and not distributed.is_initialized():
            distributed.init_process_group("gloo" if device == "cpu" else "nccl")

    @property
    def leads(self) -> bool:
        """Whether this process writes the files of the run."""
        return self.rank == 0

    def average(self, parameters: Iterable[Any]) -> None:
        """Makes every gradient the mean of all processes'."""
        if self.size == 1:
            return
        found = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in found])
        distributed.all_reduce(flat)
        flat /= self.size
        start = 0
        for gradient in found:
            gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient))
            start += gradient.numel()

    def least(self, number: int) -> int:
        """Returns the smallest of all processes' numbers: every process has at least that many batches."""
        return int(self._agreed(number, distributed.ReduceOp.MIN)) if self.size > 1 else number

    def of_the_first(self, number: float) -> float:
        """The first process's number: clocks differ, and all must stop after the same iteration."""
        if self.size == 1:
            return number
        told = torch.tensor(number, dtype=torch.float64, device=self._device)
        distributed.broadcast(told, 0)
        return float(told)

    def _agreed(self, number: float, how: Any) -> float:
        told = torch.tensor(number, dtype=torch.float64, device=self._device)
        distributed.all_reduce(told, how)
        return float(told)
