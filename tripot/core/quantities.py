"""The quantities that players of a game speak of: what a coach counts to say why one choice is better than another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

from tripot.core.speech import Phrase

GAME_END = Phrase("By the end of the game", "À la fin de la partie")
_FORMS = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


class When(IntFlag):
    """When a quantity is worth a word."""

    ROUND = 1  # at the end of the round or turn
    GAME = 2  # at the end of the game
    BOTH = 3


@dataclass(frozen=True)
class Quantity:
    """A number of things, or an event that happens (1) or not (0), as it stands for one seat.

    `more` and `less` say the difference of an amount: `{amount}`, and `{point|points}` for one and for several. An
    event has `more` alone: it happens in `{often}` of ten games, after the other choice in `{other}`.
    """

    more: Phrase
    less: Phrase | None = None
    when: When = When.BOTH

    @property
    def event(self) -> bool:
        return self.less is None

    def say(self, mine: float, other: float, lang: str) -> str:
        """What one choice brings against another.

        >>> coins = Quantity(Phrase("{amount} more {coin|coins}", "{amount} {pièce|pièces} de plus"), Phrase("", ""))
        >>> coins.say(5.5, 4.5, "en"), coins.say(5.5, 4, "fr")
        ('1 more coin', '1,5 pièce de plus')
        """
        if self.less is None:
            return self.more(lang).format(often=round(10 * mine), other=round(10 * other))
        amount = round(abs(mine - other), 1)
        phrase = self.more if mine > other else self.less
        single = amount < 2 if lang == "fr" else amount == 1
        said = _FORMS.sub(lambda form: form[1] if single else form[2], phrase(lang))
        number = f"{amount:.1f}".removesuffix(".0")
        return said.format(amount=number.replace(".", ",") if lang == "fr" else number)


@dataclass(frozen=True)
class Quantities:
    """The quantities of a game. The functions are written in the subset of the rules."""

    items: tuple[Quantity, ...]
    measure: Callable[[Any, int, Any], None]  # (s, seat, out): writes every quantity of a seat into `out`
    clock: Callable[[Any], int]  # (s): the round or turn, from 1
    round_end: Phrase  # how a sentence begins about the end of the round or turn …
    game_end: Phrase = GAME_END  # … and of the game
