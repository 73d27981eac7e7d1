"""Refusals: why a decision was not taken, in French and English, with the clause that stands behind it."""

from __future__ import annotations

from enum import Enum

from tripot.core.speech import Phrase


class Reason(Enum):
    """Why a table says no; `{question}` is what the table is waiting for."""

    NO_SEAT = Phrase("There is no such seat at this table.", "Cette place n'existe pas à cette table.")
    OVER = Phrase(
        "The game is over: nothing is left to decide.", "La partie est terminée : il n'y a plus rien à décider."
    )
    NOT_WAITED_FOR = Phrase("It is not your turn to decide.", "Ce n'est pas à vous de décider.")
    STALE = Phrase(
        "The game has moved on since this decision was offered.",
        "La partie a avancé depuis que ce choix vous a été proposé.",
    )
    UNKNOWN = Phrase("There is no such decision in this game.", "Cette décision n'existe pas dans ce jeu.")
    ILLEGAL = Phrase(
        "The rules do not allow this decision now: {question}",
        "Les règles ne permettent pas cette décision maintenant : {question}",
    )
    NOTHING = Phrase("No decision was given.", "Aucune décision n'a été donnée.")


class Refusal(Exception):
    """A decision that was not taken. Nothing has changed at the table."""

    def __init__(self, reason: Reason, seat: int, question: Phrase, clause: str) -> None:
        self.reason = reason
        self.seat = seat
        self.question = question
        self.clause = clause
        super().__init__(self.text("en"))

    def text(self, lang: str) -> str:
        return f"{self.reason.value(lang).replace('{question}', self.question(lang))} [{self.clause}]"
