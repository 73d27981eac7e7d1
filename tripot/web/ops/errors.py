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

    MALFORMED = ErrorInfo(422, Phrase("This message cannot be understood.", "Ce message n'est pas compréhensible."))
    TOO_LARGE = ErrorInfo(
        413, Phrase("This is too large: at most {why} bytes.", "C'est trop gros : {why} octets au plus.")
    )
    TOO_FAST = ErrorInfo(
        429,
        Phrase("Too many requests: please wait a moment.", "Trop de demandes à la fois : attendez un instant."),
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
    NO_ROOM = ErrorInfo(
        503,
        Phrase("This server is full: please try again soon.", "Ce serveur est complet : réessayez bientôt."),
    )
    BAD_REQUEST = ErrorInfo(400, Phrase("This is not an HTTP request.", "Ce n'est pas une requête HTTP."))
    HEADER_TOO_LARGE = ErrorInfo(
        431,
        Phrase(
            "The header of this request is too large: at most {why} bytes.",
            "L'en-tête de cette requête est trop gros : {why} octets au plus.",
        ),
    )
    TOO_SLOW = ErrorInfo(408, Phrase("This took too long to arrive.", "Cela a mis trop longtemps à arriver."))
    WRONG_ORIGIN = ErrorInfo(
        403, Phrase("This comes from a page of another site.", "Cela vient d'une page d'un autre site.")
    )
    WRONG_HOST = ErrorInfo(
        421,
        Phrase(
            "This server does not go by this name. Whoever runs it can add the name to TRIPOT_HOSTS.",
            "Ce serveur ne porte pas ce nom. Qui le fait tourner peut ajouter le nom à TRIPOT_HOSTS.",
        ),
    )
    WRONG_TOKEN = ErrorInfo(
        401, Phrase("You do not have a seat at this table.", "Vous n'avez pas de place à cette table.")
    )
    NOT_SEATED = ErrorInfo(
        403,
        Phrase("Only players at the table may do this.", "Seuls les joueurs de la table peuvent faire cela."),
    )
    NO_TABLE = ErrorInfo(404, Phrase("There is no such table.", "Cette table n'existe pas."))
    NO_INVITE = ErrorInfo(
        404,
        Phrase(
            "This link leads to no table. The host may have renewed it.",
            "Ce lien ne mène à aucune table. L'hôte l'a peut-être renouvelé.",
        ),
    )
    NO_GAME = ErrorInfo(404, Phrase("There is no such game.", "Ce jeu n'existe pas."))
    NOT_FOUND = ErrorInfo(404, Phrase("There is nothing here.", "Il n'y a rien ici."))
    INVITE_USED = ErrorInfo(
        409, Phrase("All seats at this table are taken.", "Toutes les places de cette table sont prises.")
    )
    SEAT_KEPT = ErrorInfo(409, Phrase("This seat is kept for {why}.", "Cette place est réservée à {why}."))
    NOT_HOST = ErrorInfo(
        403, Phrase("Only the host of the table may do this.", "Seul l'hôte de la table peut le faire.")
    )
    WRONG_WORDS = ErrorInfo(
        404,
        Phrase(
            "These six words lead to no seat. They may have been used already, withdrawn, or be too old.",
            "Ces six mots ne mènent à aucune place. Ils ont peut-être déjà servi, été annulés ou expiré.",
        ),
    )
    ENDED = ErrorInfo(409, Phrase("The host has ended this game.", "L'hôte a mis fin à cette partie."))
    GAME_OVER = ErrorInfo(409, Phrase("This game is over.", "Cette partie est terminée."))
    SEAT_TAKEN = ErrorInfo(409, Phrase("This seat is taken.", "Cette place est prise."))
    BAD_TABLE = ErrorInfo(
        400, Phrase("This table cannot be opened: {why}", "Cette table ne peut pas être ouverte : {why}")
    )
    BAD_OPTION = ErrorInfo(
        400, Phrase("This house rule cannot be used: {why}", "Cette règle maison est impossible : {why}")
    )
    UNKNOWN_BOT = ErrorInfo(400, Phrase("There is no such bot: {why}", "Ce robot n'existe pas : {why}"))
    BAD_RECORD = ErrorInfo(
        400, Phrase("This saved game cannot be read: {why}", "Cette partie enregistrée est illisible : {why}")
    )
    NOT_OVER = ErrorInfo(
        403, Phrase("This can be seen when the game is over.", "Cela ne se voit qu'une fois la partie terminée.")
    )
    NOT_ANNOUNCED = ErrorInfo(
        409,
        Phrase(
            "This is not what your browser announced for the shuffle.",
            "Ce n'est pas ce que votre navigateur avait annoncé pour le mélange.",
        ),
    )
    NOT_READY = ErrorInfo(
        503,
        Phrase(
            "The coach is still being prepared: please try again in a minute.",
            "Le conseiller se prépare encore : réessayez dans une minute.",
        ),
    )
    NO_HINTS = ErrorInfo(
        403,
        Phrase("At this table nobody asks for hints.", "À cette table, on ne demande pas de conseils."),
    )
    NOT_ASKED = ErrorInfo(
        409,
        Phrase("You are not asked for this decision any more.", "Cette décision ne vous est plus demandée."),
    )
    NOT_STARTED = ErrorInfo(
        409,
        Phrase("The game starts when all seats are taken.", "La partie commence quand toutes les places sont prises."),
    )
    OUTDATED = ErrorInfo(
        409,
        Phrase(
            "This game was begun under rules that this version no longer plays.",
            "Cette partie a commencé avec des règles que cette version ne joue plus.",
        ),
    )
    DAMAGED = ErrorInfo(
        410,
        Phrase(
            "This table was damaged on the server's disk; other tables were not.",
            "Cette table a été abîmée sur le disque du serveur ; les autres ne le sont pas.",
        ),
    )
    NOT_ABSENT = ErrorInfo(
        409,
        Phrase("A bot can only play for someone who is away.", "Un robot ne peut jouer que pour une personne absente."),
    )
    INTERNAL = ErrorInfo(
        500,
        Phrase(
            "Something went wrong on the server; it has been logged.",
            "Une erreur s'est produite sur le serveur ; elle a été notée.",
        ),
    )
    STORAGE = ErrorInfo(
        503,
        Phrase(
            "This could not be saved, so nothing has changed. Please try again.",
            "Cela n'a pas pu être enregistré, donc rien n'a changé. Veuillez réessayer.",
        ),
    )


class ApiError(Exception):
    """The server refuses a request, and nothing has changed."""

    def __init__(self, code: ErrorCode, why: object = "", details: Iterable[Detail] = ()) -> None:
        self.code = code
        self.why = str(why).encode(errors="backslashreplace").decode()  # JSON can hold half a character, UTF-8 cannot
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
