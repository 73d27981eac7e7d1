"""What players of Trök count: Aare, improvements, cards. `measure` and `clock` belong to the rules."""

from tripot.core.quantities import Quantities, Quantity, When
from tripot.core.speech import Phrase
from tripot.games.trok.cards import UPGRADES

AARE, RIVAL, IMPROVEMENTS, MASTER, LEAD, PERFECT, TURN = range(7)


def clock(s):
    return s.turn


def measure(s, seat, out):
    """Writes the quantities of a seat."""
    rival = 0
    for other in range(s.seats):
        if other != seat:
            rival = max(rival, s.aare[other])
    improvements = 0
    for upgrade in range(1, UPGRADES + 1):
        improvements += s.owned[seat][upgrade]
    out[AARE] = s.aare[seat]
    out[RIVAL] = rival
    out[IMPROVEMENTS] = improvements
    out[MASTER] = 1 if s.master == seat else 0
    out[LEAD] = 1 if s.aare[seat] >= rival else 0
    out[PERFECT] = s.perfect >> seat & 1
    out[TURN] = s.turn


QUANTITIES = Quantities(
    items=(
        Quantity(
            Phrase("{amount} more Aare", "{amount} Aare de plus"),
            Phrase("{amount} fewer Aare", "{amount} Aare de moins"),
        ),
        Quantity(
            Phrase("your richest rival has {amount} more Aare", "votre rival le plus riche a {amount} Aare de plus"),
            Phrase("your richest rival has {amount} fewer Aare", "votre rival le plus riche a {amount} Aare de moins"),
        ),
        Quantity(
            Phrase("{amount} more {improvement|improvements}", "{amount} {Amélioration|Améliorations} de plus"),
            Phrase("{amount} fewer {improvement|improvements}", "{amount} {Amélioration|Améliorations} de moins"),
        ),
        Quantity(
            Phrase(
                "you are trade master in {often} games of 10 instead of {other}",
                "vous êtes Maître du commerce dans {often} parties sur 10 au lieu de {other}",
            ),
            when=When.ROUND,
        ),
        Quantity(
            Phrase(
                "nobody is richer than you in {often} games of 10 instead of {other}",
                "personne n'est plus riche que vous dans {often} parties sur 10 au lieu de {other}",
            ),
            when=When.ROUND,
        ),
        Quantity(
            Phrase(
                "you show the perfect combination in {often} games of 10 instead of {other}",
                "vous montrez la combinaison parfaite dans {often} parties sur 10 au lieu de {other}",
            ),
        ),
        Quantity(
            Phrase("the game lasts {amount} {turn|turns} longer", "la partie dure {amount} {tour|tours} de plus"),
            Phrase("the game is {amount} {turn|turns} shorter", "la partie dure {amount} {tour|tours} de moins"),
            when=When.GAME,
        ),
    ),
    measure=measure,
    clock=clock,
    round_end=Phrase("By the end of the turn", "À la fin du tour"),
)
