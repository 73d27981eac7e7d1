"""Names and sentences of Leduc poker for people, French and English."""

from typing import Any

from tripot.core.speech import Phrase, Sentence
from tripot.lab.leduc.actions import CALL, FOLD, News
from tripot.lab.leduc.state import Phase

TITLE = Phrase("Leduc poker", "Poker de Leduc")
TAGLINE = Phrase("Six cards for two", "Six cartes à deux")
SEATS = (Phrase("First", "Un"), Phrase("Second", "Deux"))
NAMES: dict[str, tuple[Phrase, ...]] = {
    "card": (
        Phrase("no card", "aucune carte"),
        Phrase("jack of spades", "valet de pique"),
        Phrase("jack of hearts", "valet de cœur"),
        Phrase("queen of spades", "dame de pique"),
        Phrase("queen of hearts", "dame de cœur"),
        Phrase("king of spades", "roi de pique"),
        Phrase("king of hearts", "roi de cœur"),
    )
}
QUESTIONS: dict[int, Sentence] = {
    Phase.FIRST_ROUND: Sentence("L-2", "", "What do you bet?", "Que misez-vous ?"),
    Phase.SECOND_ROUND: Sentence("L-2", "", "What do you bet?", "Que misez-vous ?"),
    Phase.OVER: Sentence("L-4", "", "It is over.", "C'est fini."),
}
DECISIONS: dict[str, Sentence] = {
    "fold": Sentence("L-2", "", "Fold", "Se coucher"),
    "call": Sentence("L-2", "", "Check or call", "Suivre ou passer"),
    "raise": Sentence("L-2", "", "Raise", "Relancer"),
}
NEWS: dict[int, Sentence] = {
    News.YOUR_CARD: Sentence("L-1", "seat card", "{seat} holds the {card}", "{seat} reçoit : {card}"),
    News.FOLDED: Sentence("L-4", "seat", "{seat} folds", "{seat} se couche"),
    News.CALLED: Sentence(
        "L-2",
        "seat number:chips",
        "{seat} checks or calls at {chips} {chips|chip|chips}",
        "{seat} suit ou passe à {chips} {chips|jeton|jetons}",
    ),
    News.RAISED: Sentence("L-2", "seat number:chips", "{seat} raises to {chips}", "{seat} relance à {chips}"),
    News.OPENED: Sentence("L-3", "card", "The {card} is turned up", "On retourne : {card}"),
    News.WON: Sentence(
        "L-4",
        "number:first number:second",
        "Of sixty parts of the pot the first seat gets {first}, the second {second}",
        "Sur soixante parts du pot, la première place en reçoit {first}, la seconde {second}",
    ),
}


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    """The name and the numbers of a decision."""
    return ("fold" if action == FOLD else "call" if action == CALL else "raise"), ()
