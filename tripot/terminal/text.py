"""The sentences of the terminal itself, in French and English. A game's own sentences are in its `text.py`."""

from __future__ import annotations

from dataclasses import dataclass

from tripot.core.speech import Phrase


@dataclass(frozen=True)
class Command:
    """A command a person can type instead of a decision: its words, of which the first is shown, and its help."""

    words: tuple[str, ...]
    help: Phrase


EXPLAIN = Command(
    ("?",),
    Phrase(
        "explains the question and its clauses; ? 3 explains decision 3",
        "explique la question et ses clauses ; ? 3 explique le choix 3",
    ),
)
UNDO = Command(
    ("u", "undo", "annuler"),
    Phrase("takes back the last part of an unfinished choice", "reprend la dernière partie d'un choix inachevé"),
)
TABLE = Command(("t", "table"), Phrase("shows the table again", "montre de nouveau la table"))
LOG = Command(("log", "journal"), Phrase("tells all that happened so far", "raconte toute la partie"))
RULES = Command(
    ("rules", "regles"),
    Phrase(
        "lists the clauses; rules 2.3 shows one, rules 2 a section",
        "liste les clauses ; rules 2.3 en montre une, rules 2 une section",
    ),
)
SAVE = Command(("save", "sauver"), Phrase("saves the game and goes on", "enregistre la partie et continue"))
QUIT = Command(("q", "quit", "quitter"), Phrase("saves the game and leaves", "enregistre la partie et quitte"))
HELP = Command(("h", "help", "aide"), Phrase("shows this list", "montre cette liste"))
COMMANDS = (EXPLAIN, UNDO, TABLE, LOG, RULES, SAVE, QUIT, HELP)

NUMBER_OR_WORDS = Phrase(
    "A decision is taken by its number or by words of it (case and accents do not matter).",
    "Un choix se prend par son numéro ou par des mots qu'il contient (majuscules et accents ne comptent pas).",
)
WELCOME = Phrase(
    "You are {name}, seat {seat} of {seats}. Type h for the commands.",
    "Vous êtes {name}, place {seat} sur {seats}. Tapez h pour les commandes.",
)
AGAINST = Phrase("Your opponents: {bots}", "Vos adversaires : {bots}")
RESUMED = Phrase("The game goes on after {count} decisions.", "La partie reprend après {count} décisions.")
THINKS_FIRST = Phrase(
    "{name} is thinking … (on a new machine this takes a minute, once)",
    "{name} réfléchit … (sur une machine neuve, une minute, une seule fois)",
)
THINKS_AGAIN = Phrase("{name} is thinking …", "{name} réfléchit …")
CONFIRM = Phrase("Enter confirms, u takes back", "Entrée confirme, u reprend")
SO_FAR = Phrase("So far: {made}", "Jusqu'ici : {made}")
YOUR_CHOICE = Phrase("Your choice", "Votre choix")

NO_SUCH_NUMBER = Phrase("There is no decision {number}: choose 1 to {last}.", "Pas de choix {number} : de 1 à {last}.")
NO_MATCH = Phrase(
    "No decision says “{typed}”. Type its number or words of it; h lists the commands.",
    "Aucun choix ne dit « {typed} ». Tapez son numéro ou ses mots ; h liste les commandes.",
)
SEVERAL_MATCH = Phrase("“{typed}” fits several decisions:", "« {typed} » convient à plusieurs choix :")
NOTHING_TO_UNDO = Phrase("There is nothing to take back.", "Il n'y a rien à reprendre.")
NO_SUCH_CLAUSE = Phrase(
    "There is no clause {number}. The sections are {sections}.",
    "Il n'y a pas de clause {number}. Les sections sont {sections}.",
)

THE_END = Phrase("The end", "Fin de la partie")
SEED = Phrase("Seed {seed}", "Graine {seed}")
SAVED = Phrase("Saved in {file}", "Enregistré dans {file}")
TO_RESUME = Phrase("Go on with: {command}", "Pour reprendre : {command}")
TO_REPLAY = Phrase("Read it again with: {command}", "Pour la relire : {command}")
NOT_SAVED = Phrase("The game could not be saved: {reason}", "La partie n'a pas pu être enregistrée : {reason}")

# --- Replays ---

VERIFIED = Phrase(
    "{title}, {seats} seats, seed {seed}: {count} decisions, all as the rules have it.",
    "{title}, {seats} places, graine {seed} : {count} décisions, toutes selon les règles.",
)
HOUSE_RULES = Phrase("House rules: {options}", "Règles maison : {options}")
SITS = Phrase("{name}: {who}", "{name} : {who}")
A_PERSON = Phrase("a person", "une personne")
FOR_ONE = Phrase("told to {player} alone", "dit à {player} seul")
AS_SEEN = Phrase("As {name} saw it:", "Telle que {name} l'a vue :")
GOES_ON = Phrase("The game is not finished.", "La partie n'est pas terminée.")
