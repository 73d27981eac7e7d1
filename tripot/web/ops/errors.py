"""Faults: why the server refuses something, in French and English. What the rules refuse comes from the table."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from tripot.core.speech import Phrase
from tripot.table.refusal import Refusal
from tripot.web.api.messages import Detail, Problem, Words


class Kind(NamedTuple):
    """The status of an answer and its sentence; `{why}` is filled in."""

    status: int
    text: Phrase


class ErrorCode(Enum):
    """Everything that the server itself refuses."""

    MALFORMED = Kind(422, Phrase("This message cannot be understood.", "Ce message est incompréhensible."))
    TOO_LARGE = Kind(413, Phrase("This is too large: at most {why} bytes.", "C'est trop gros : {why} octets au plus."))
    TOO_FAST = Kind(
        429,
        Phrase("Too much at once: please wait a moment.", "Trop de demandes à la fois : attendez un instant."),
    )
    TOO_MANY_TABLES = Kind(
        429,
        Phrase(
            "You have opened many tables: please wait until you open another.",
            "Vous avez ouvert beaucoup de tables : attendez avant d'en ouvrir une autre.",
        ),
    )
    TOO_MANY_SOCKETS = Kind(
        429,
        Phrase("You are connected {why} times already: close a page.", "Déjà {why} connexions : fermez une page."),
    )
    TOO_SLOW = Kind(408, Phrase("This took too long to arrive.", "Cela a mis trop longtemps à arriver."))
    WRONG_ORIGIN = Kind(
        403, Phrase("This comes from a page of another site.", "Cela vient d'une page d'un autre site.")
    )
    WRONG_TOKEN = Kind(
        401, Phrase("You have no seat at this table here.", "Vous n'avez pas de place à cette table ici.")
    )
    NOT_SEATED = Kind(
        403,
        Phrase("Only those who sit at the table may do this.", "Seuls ceux qui sont assis à la table le peuvent."),
    )
    NO_TABLE = Kind(404, Phrase("There is no such table.", "Cette table n'existe pas."))
    NO_INVITE = Kind(404, Phrase("There is no such invitation.", "Cette invitation n'existe pas."))
    NO_GAME = Kind(404, Phrase("There is no such game.", "Ce jeu n'existe pas."))
    NOT_FOUND = Kind(404, Phrase("There is nothing here.", "Il n'y a rien ici."))
    INVITE_USED = Kind(409, Phrase("This invitation has been used already.", "Cette invitation a déjà servi."))
    SEAT_TAKEN = Kind(409, Phrase("This seat is taken.", "Cette place est prise."))
    BAD_TABLE = Kind(400, Phrase("This table cannot be opened: {why}", "Cette table ne peut pas être ouverte : {why}"))
    BAD_OPTION = Kind(400, Phrase("This house rule cannot be used: {why}", "Règle maison impossible : {why}"))
    UNKNOWN_BOT = Kind(400, Phrase("There is no such bot: {why}", "Ce robot n'existe pas : {why}"))
    BAD_RECORD = Kind(400, Phrase("This record cannot be read: {why}", "Partie illisible : {why}"))
    NOT_OVER = Kind(
        403, Phrase("This can be seen when the game is over.", "Cela se verra quand la partie sera terminée.")
    )
    NOT_STARTED = Kind(
        409, Phrase("The game starts when all seats are taken.", "La partie commence quand tout le monde est assis.")
    )
    OUTDATED = Kind(
        409,
        Phrase(
            "This game was begun under rules that this version no longer plays.",
            "Cette partie a commencé avec des règles que cette version ne joue plus.",
        ),
    )
    NOT_ABSENT = Kind(
        409,
        Phrase("A bot holds only the seat of someone who is away.", "Un robot ne remplace que quelqu'un d'absent."),
    )
    INTERNAL = Kind(
        500, Phrase("Something went wrong here; it was noted.", "Quelque chose a mal tourné ici ; c'est noté.")
    )
    STORAGE = Kind(
        503,
        Phrase(
            "This could not be written down, so nothing has changed. Please try again.",
            "Cela n'a pas pu être enregistré, donc rien n'a changé. Veuillez réessayer.",
        ),
    )


class ApiError(Exception):
    """Something was refused; nothing has changed."""

    def __init__(self, cause: ErrorCode, why: object = "", details: Iterable[Detail] = ()) -> None:
        self.cause = cause
        self.why = str(why)
        self.details = list(details)
        super().__init__(f"{cause.name.lower()}: {why}")

    @property
    def status(self) -> int:
        return self.cause.value.status

    @property
    def problem(self) -> Problem:
        text = self.cause.value.text
        said = Words(en=text.en.replace("{why}", self.why), fr=text.fr.replace("{why}", self.why))
        return Problem(reason=self.cause.name.lower(), text=said, details=self.details)


def problem_of(refusal: Refusal) -> Problem:
    """A refusal of the rules as it goes over the wire."""
    said = Words(en=refusal.text("en"), fr=refusal.text("fr"))
    return Problem(reason=refusal.reason.name.lower(), text=said, clause=refusal.clause)
