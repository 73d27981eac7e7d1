"""Trieste for PettingZoo: `env(seats=…, options={…}, render_mode=…)`, and `raw_env` without the wrappers."""

from __future__ import annotations

from typing import Any

from tripot.lab.env.aec import TableEnv, wrapped


def raw_env(**settings: Any) -> TableEnv:
    return TableEnv("trieste", **settings)


def env(**settings: Any) -> Any:
    return wrapped(raw_env(**settings))
