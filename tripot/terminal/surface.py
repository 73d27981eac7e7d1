"""A response surface and the house rules it proposes, as tables of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from tripot.lab.balance.hooks import side_names
from tripot.lab.balance.rule_search import Proposal
from tripot.lab.balance.surface import Floats, Surface
from tripot.terminal.standings import new_table


def show_surface(surface: Surface) -> RenderableType:
    """What is expected of the usual rules, and what a step of every number does to that; the largest effects first."""
    usual = surface.variation.usual
    table = new_table("one step of", *sides_of(surface), "turns")
    for effect in sorted(surface.effects(), key=lambda one: -float(np.abs(one.shares).max())):
        found = zip(effect.shares, effect.shares_error, strict=True)
        shares = [f"{100 * share:+.1f}±{100 * off:.1f}" for share, off in found]
        turns = f"{100 * (effect.turns - 1):+.1f}%±{100 * effect.turns_error:.1f}"
        name = effect.name.partition("/")[2] or effect.name
        table.add_row(f"{name} {effect.step:+d}", *shares, turns)
    about = (
        f"{surface.games:,} games of {surface.sets:,} sets of house rules; nobody won {100 * surface.nobody:.2f}%\n"
        f"the usual rules: {shares_text(surface, surface.shares(usual)[0])}, {surface.turns(usual)[0]:.1f} turns\n"
        f"a set is off the surface by {100 * surface.share_error:.1f} points of a share and "
        f"{100 * surface.turn_error:.0f}% of the turns\n"
    )
    return Group(Text(about), table)


def show_proposals(surface: Surface, proposals: list[Proposal], folder: Path) -> RenderableType:
    if not proposals:
        return Text("\nno set of house rules in these ranges is expected to be as wanted")
    lines = []
    for number, proposal in enumerate(proposals, 1):
        lines.append(f"\n{folder / f'proposal-{number}.toml'}: {expected_text(surface, proposal)}")
        lines += [f"  {change}" for change in changes_of(surface, proposal)]
    return Text("\n".join(lines))


def proposal_file(surface: Surface, proposal: Proposal) -> str:
    """The table of a proposal as an option of a command names it."""
    return f"# expected: {expected_text(surface, proposal)}\n\n{surface.variation.table_file(proposal.row)}"


def expected_text(surface: Surface, proposal: Proposal) -> str:
    return f"{shares_text(surface, proposal.shares)}, {proposal.turns:.1f} turns"


def changes_of(surface: Surface, proposal: Proposal) -> list[str]:
    numbers = zip(surface.variation.numbers, proposal.row.tolist(), strict=True)
    return [f"{number.name}: {value} instead of {number.usual}" for number, value in numbers if value != number.usual]


def shares_text(surface: Surface, shares: Floats) -> str:
    return ", ".join(f"{name} {100 * share:.1f}%" for name, share in zip(sides_of(surface), shares, strict=True))


def sides_of(surface: Surface) -> list[str]:
    count = surface.share_weights.shape[1] + 1
    names = [name.en for name in side_names(surface.variation.game)]
    return names or [f"seat {seat}" for seat in range(count)]
