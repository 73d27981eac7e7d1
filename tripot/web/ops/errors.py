"""API errors: why the server refuses a request, in French and English. Refusals by the rules come from the table."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from tripot.core.speech import Phrase
from tripot.table.refusal import Refusal
from tripot.web.api.messages import Detail, Problem, Words


class ErrorInfo(NamedTuple):
    """The HTTP status of an error and its sentence, in which `{why}` is filled in."""

    status: int
    text: Phrase


class ErrorCode(Enum):
    """Every error of the server itself. The name in lower case is the `reason` on the wire."""

    MALFORMED = ErrorInfo(422, Phrase("This message cannot be understood.", "Ce message est incompréhensible."))
    TOO_LARGE = ErrorInfo(
        413, Phrase("This is too large: at most {why} bytes.", "C'est trop gros : {why} octets au plus.")
    )
    TOO_FAST = ErrorInfo(
        429,
        Phrase("Too much at once: please wait a moment.", "Trop de demandes à la fois : attendez un instant."),
    )
    TOO_MANY_TABLES = ErrorInfo(
        429,
        Phrase(
            "You have opened many tables: please wait before you open another.",
            "Vous avez ouvert beaucoup de tables : attendez avant d'en ouvrir une autre.",
        ),
    )
    TOO_MANY_SOCKETS = ErrorInfo(
        429,
        Phrase("You are connected {why} times already: close a page.", "Déjà {why} connexions : fermez une page."),
    )
    TOO_SLOW = ErrorInfo(408, Phrase("This took too long to arrive.", "Cela a mis trop longtemps à arriver."))
    WRONG_ORIGIN = ErrorInfo(
        403, Phrase("This comes from a page of another site.", "Cela vient d'une page d'un autre site.")
    )
    WRONG_TOKEN = ErrorInfo(
        401, Phrase("You have no seat at this table here.", "Vous n'avez pas de place à cette table ici.")
    )
    NOT_SEATED = ErrorInfo(
        403,
        Phrase("Only those who sit at the table may do this.", "Seuls ceux qui sont assis à la table le peuvent."),
    )
    NO_TABLE = ErrorInfo(404, Phrase("There is no such table.", "Cette table n'existe pas."))
    NO_INVITE = ErrorInfo(404, Phrase("There is no such invitation.", "Cette invitation n'existe pas."))
    NO_GAME = ErrorInfo(404, Phrase("There is no such game.", "Ce jeu n'existe pas."))
    NOT_FOUND = ErrorInfo(404, Phrase("There is nothing here.", "Il n'y a rien ici."))
    INVITE_USED = ErrorInfo(409, Phrase("This invitation has been used already.", "Cette invitation a déjà servi."))
    SEAT_TAKEN = ErrorInfo(409, Phrase("This seat is taken.", "Cette place est prise."))
    BAD_TABLE = ErrorInfo(
        400, Phrase("This table cannot be opened: {why}", "Cette table ne peut pas être ouverte : {why}")
    )
    BAD_OPTION = ErrorInfo(400, Phrase("This house rule cannot be used: {why}", "Règle maison impossible : {why}"))
    UNKNOWN_BOT = ErrorInfo(400, Phrase("There is no such bot: {why}", "Ce robot n'existe pas : {why}"))
    BAD_RECORD = ErrorInfo(400, Phrase("This record cannot be read: {why}", "Partie illisible : {why}"))
    NOT_OVER = ErrorInfo(
        403, Phrase("This can be seen when the game is over.", "Cela se verra quand la partie sera terminée.")
    )
    NOT_STARTED = ErrorInfo(
        409, Phrase("The game starts when all seats are taken.", "La partie commence quand tout le monde est assis.")
    )
    OUTDATED = ErrorInfo(
        409,
        Phrase(
            "This game was begun under rules that this version no longer plays.",
            "Cette partie a commencé avec des règles que cette version ne joue plus.",
        ),
    )
    NOT_ABSENT = ErrorInfo(
        409,
        Phrase("A bot holds only the seat of someone who is away.", "Un robot ne remplace que quelqu'un d'absent."),
    )
    INTERNAL = ErrorInfo(
        500, Phrase("Something went wrong here; it was noted.", "Quelque chose a mal tourné ici ; c'est noté.")
    )
    STORAGE = ErrorInfo(
        503,
        Phrase(
            "This could not be written down, so nothing has changed. Please try again.",
            "Cela n'a pas pu être enregistré, donc rien n'a changé. Veuillez réessayer.",
        ),
    )


class ApiError(Exception):
    """The server refuses a request, and nothing has changed."""

    def __init__(self, code: ErrorCode, why: object = "", details: Iterable[Detail] = ()) -> None:
        self.code = code
        self.why = str(why)
        self.details = list(details)
        super().__init__(f"{code.name.lower()}: {why}")

    @property
    def status(self) -> int:
        return self.code.value.status

    @property
    def problem(self) -> Problem:
        text = self.code.value.text
        words = Words(en=text.en.replace("{why}", self.why), fr=text.fr.replace("{why}", self.why))
        return Problem(reason=self.code.name.lower(), text=words, details=self.details)


def problem_of(refusal: Refusal) -> Problem:
    """Returns a refusal by the rules in wire format."""
    words = Words(en=refusal.text("en"), fr=refusal.text("fr"))
    return Problem(reason=refusal.reason.name.lower(), text=words, clause=refusal.clause)
