"""What players of Trieste count: captures, treasure, Infamy, who wins. `measure` and `clock` belong to the rules."""

from tripot.core.pile import bag_size
from tripot.core.quantities import Quantities, Quantity, When
from tripot.core.speech import Phrase
from tripot.games.trieste.cards import FACTIONS, MERCHANT, TREASURES
from tripot.games.trieste.state import worth

CAPTURED, PURSE, INFAMY, MONEY, CARDS = range(5)
WINS = 5  # plus the faction
TURN = WINS + FACTIONS


def clock(s):
    return s.turn


def measure(s, seat, out):
    """Writes the quantities of a seat. Its own victories are its chance to win, and are not counted again."""
    hand = s.hand[seat]
    mine = s.faction[seat]
    out[CAPTURED] = bag_size(s.captured)
    out[PURSE] = worth(s.hand[s.seat_of[MERCHANT]])
    out[INFAMY] = s.infamy
    out[MONEY] = worth(hand) if mine != MERCHANT else 0
    cards = 0
    for kind in range(TREASURES, len(hand)):
        cards += hand[kind]
    out[CARDS] = cards
    for faction in range(FACTIONS):
        out[WINS + faction] = 1 if faction != mine and s.result[s.seat_of[faction]] > 0 else 0
    out[TURN] = s.turn


def wins(en: str, fr: str) -> Quantity:
    return Quantity(
        Phrase(
            f"{en} wins in {{often}} games of 10 instead of {{other}}",
            f"{fr} gagne dans {{often}} parties sur 10 au lieu de {{other}}",
        ),
        when=When.GAME,
    )


QUANTITIES = Quantities(
    items=(
        Quantity(
            Phrase("{amount} more {thief|thieves} captured", "{amount} {voleur capturé|voleurs capturés} de plus"),
            Phrase("{amount} fewer {thief|thieves} captured", "{amount} {voleur capturé|voleurs capturés} de moins"),
        ),
        Quantity(
            Phrase("the Merchant's treasure is worth {amount} more", "les Trésors du Marchand valent {amount} de plus"),
            Phrase(
                "the Merchant's treasure is worth {amount} less", "les Trésors du Marchand valent {amount} de moins"
            ),
        ),
        Quantity(
            Phrase("{amount} more Infamy", "{amount} {point|points} d'Infamie de plus"),
            Phrase("{amount} less Infamy", "{amount} {point|points} d'Infamie de moins"),
        ),
        Quantity(
            Phrase("you hold treasure worth {amount} more", "vos Trésors valent {amount} de plus"),
            Phrase("you hold treasure worth {amount} less", "vos Trésors valent {amount} de moins"),
            when=When.ROUND,
        ),
        Quantity(
            Phrase(
                "{amount} more of your faction's cards in hand", "{amount} {carte|cartes} de faction de plus en main"
            ),
            Phrase(
                "{amount} fewer of your faction's cards in hand", "{amount} {carte|cartes} de faction de moins en main"
            ),
            when=When.ROUND,
        ),
        wins("the Watch", "le Gardien"),
        wins("the Merchant", "le Marchand"),
        wins("the Thief", "le Voleur"),
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
