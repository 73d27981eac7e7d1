"""What players of Verräter count: points, cards, estates and offices, the strategy card.

`measure` and `clock` are written in the subset of the rules.
"""

from tripot.core.quantities import Quantities, Quantity, When
from tripot.core.speech import Phrase
from tripot.games.verrater.cards import SLOTS

POINTS, RIVAL, LEAD, CARDS, BUILDINGS, STRATEGY = range(6)


def clock(s):
    return s.round


def measure(s, seat, out):
    """Writes the quantities of a seat."""
    rival = 0
    for other in range(s.seats):
        if other != seat:
            rival = max(rival, s.points[other])
    buildings = 0
    for slot in range(SLOTS):
        if s.building[slot] > 0 and s.owner[slot] == seat:
            buildings += 1
    out[POINTS] = s.points[seat]
    out[RIVAL] = rival
    out[LEAD] = 1 if s.points[seat] >= rival else 0
    out[CARDS] = s.hand_size[seat]
    out[BUILDINGS] = buildings
    out[STRATEGY] = 1 if s.strategy == seat else 0


QUANTITIES = Quantities(
    items=(
        Quantity(
            Phrase("{amount} more {point|points}", "{amount} {point|points} de plus"),
            Phrase("{amount} fewer {point|points}", "{amount} {point|points} de moins"),
        ),
        Quantity(
            Phrase(
                "your strongest rival has {amount} more {point|points}",
                "votre premier rival a {amount} {point|points} de plus",
            ),
            Phrase(
                "your strongest rival has {amount} fewer {point|points}",
                "votre premier rival a {amount} {point|points} de moins",
            ),
        ),
        Quantity(
            Phrase(
                "nobody is ahead of you in {often} games of 10 instead of {other}",
                "personne ne vous devance dans {often} parties sur 10 au lieu de {other}",
            ),
            when=When.ROUND,
        ),
        Quantity(
            Phrase("{amount} more supply {card|cards} in hand", "{amount} {Richesse|Richesses} de plus en main"),
            Phrase("{amount} fewer supply {card|cards} in hand", "{amount} {Richesse|Richesses} de moins en main"),
            when=When.ROUND,
        ),
        Quantity(
            Phrase(
                "{amount} more {estate or office|estates or offices}",
                "{amount} {Grenier ou Comptoir|Greniers ou Comptoirs} de plus",
            ),
            Phrase(
                "{amount} fewer {estate or office|estates or offices}",
                "{amount} {Grenier ou Comptoir|Greniers ou Comptoirs} de moins",
            ),
        ),
        Quantity(
            Phrase(
                "you hold the strategy card in {often} games of 10 instead of {other}",
                "vous tenez la carte Stratégie dans {often} parties sur 10 au lieu de {other}",
            ),
            when=When.ROUND,
        ),
    ),
    measure=measure,
    clock=clock,
    round_end=Phrase("By the end of the round", "À la fin du tour"),
)
