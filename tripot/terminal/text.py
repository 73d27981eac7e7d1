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
        "explique la question et ses articles ; ? 3 explique le choix 3",
    ),
)
UNDO = Command(
    ("u", "undo", "annuler"),
    Phrase("undoes the last part of an unfinished choice", "annule la dernière partie d'un choix inachevé"),
)
HINT = Command(
    ("hint", "conseil"),
    Phrase(
        "ranks the choices by your chance to win, as far as you can see",
        "classe les choix selon vos chances de gagner, d'après ce que vous voyez",
    ),
)
TABLE = Command(("t", "table"), Phrase("shows the table again", "montre de nouveau la table"))
LOG = Command(("log", "journal"), Phrase("tells everything that has happened so far", "raconte toute la partie"))
RULES = Command(
    ("rules", "regles"),
    Phrase(
        "lists the clauses; rules 2.3 shows one, rules 2 a section",
        "liste les articles ; rules 2.3 en montre un, rules 2 une section",
    ),
)
SAVE = Command(("save", "sauver"), Phrase("saves the game and goes on", "enregistre la partie et continue"))
QUIT = Command(("q", "quit", "quitter"), Phrase("saves the game and leaves", "enregistre la partie et quitte"))
CHANCES = Command(
    ("chances", "probabilites"),
    Phrase("tells what may lie hidden, and how likely", "dit ce qui peut être caché, et avec quelles chances"),
)
HELP = Command(("h", "help", "aide"), Phrase("shows this list", "montre cette liste"))
COMMANDS = (EXPLAIN, UNDO, HINT, CHANCES, TABLE, LOG, RULES, SAVE, QUIT, HELP)

NUMBER_OR_WORDS = Phrase(
    "Type the number of a choice, or some of its words (case and accents do not matter).",
    "Tapez le numéro d'un choix, ou quelques-uns de ses mots (majuscules et accents ne comptent pas).",
)
WELCOME = Phrase(
    "You are {name}, seat {seat} of {seats}. Type h for the commands.",
    "Vous êtes {name}, place {seat} sur {seats}. Tapez h pour les commandes.",
)
HEADING = Phrase("{title}: {tagline}", "{title} : {tagline}")
AGAINST = Phrase("Your opponents: {bots}", "Vos adversaires : {bots}")
RESUMED = Phrase("The game continues after decision {count}.", "La partie reprend après la décision {count}.")
THINKS_FIRST = Phrase(
    "{name} is thinking … (the first time on a machine this takes some ten seconds)",
    "{name} réfléchit … (la première fois sur une machine, cela prend une dizaine de secondes)",
)
THINKS_AGAIN = Phrase("{name} is thinking …", "{name} réfléchit …")
CONFIRM = Phrase("Enter confirms, u undoes", "Entrée confirme, u annule")
HINTED = Phrase("{chance} ({low} to {high})", "{chance} ({low} à {high})")
AS_GOOD = Phrase("as good as the best, as far as one can tell", "aussi bon que le meilleur, autant qu'on puisse dire")
NOTHING_HIDDEN = Phrase("Nothing that matters lies hidden now.", "Rien d'important n'est caché pour l'instant.")
ON_THE_TABLE = Phrase("On the table", "Sur la table")
AT_LEAST_ONE = Phrase("{label} (at least one)", "{label} (au moins une carte)")
MAY_LIE = Phrase("{name}, {label}: {things}", "{name}, {label} : {things}")
CERTAIN = Phrase("certain", "certain")
RULED_OUT = Phrase("ruled out: {things}", "exclu : {things}")
IMAGINING = Phrase("imagining games …", "parties imaginées …")
SO_FAR = Phrase("So far: {made}", "Jusqu'ici : {made}")
YOUR_CHOICE = Phrase("Your choice", "Votre choix")

NO_SUCH_NUMBER = Phrase(
    "There is no choice {number}: choose 1 to {last}.", "Il n'y a pas de choix {number} : choisissez de 1 à {last}."
)
NO_MATCH = Phrase(
    "No choice says “{typed}”. Type its number or some of its words; h lists the commands.",
    "Aucun choix ne dit « {typed} ». Tapez son numéro ou quelques-uns de ses mots ; h liste les commandes.",
)
SEVERAL_MATCH = Phrase("“{typed}” fits several choices:", "« {typed} » correspond à plusieurs choix :")
NOTHING_TO_UNDO = Phrase("There is nothing to undo.", "Il n'y a rien à annuler.")
NO_SUCH_CLAUSE = Phrase(
    "There is no clause {number}. The sections are {sections}.",
    "Il n'y a pas d'article {number}. Les sections sont {sections}.",
)

THE_END = Phrase("The end", "Fin de la partie")
SEED = Phrase("Seed {seed}", "Graine {seed}")
SEED_HASH = Phrase("Fair deal: the seed has the SHA-256 {hash}", "Donne honnête : la graine a pour SHA-256 {hash}")
SAVED = Phrase("Saved in {file}", "Enregistré dans {file}")
TO_RESUME = Phrase("Continue with: {command}", "Pour reprendre : {command}")
TO_REPLAY = Phrase("Review it with: {command}", "Pour la revoir : {command}")
NOT_SAVED = Phrase("The game could not be saved: {reason}", "La partie n'a pas pu être enregistrée : {reason}")

# --- Replays ---

VERIFIED = Phrase(
    "{title}, {seats} seats, seed {seed}: {count} decisions, all by the rules.",
    "{title}, {seats} places, graine {seed} : {count} décisions, toutes selon les règles.",
)
FAIR = Phrase(
    "Fair deal: the seed has the SHA-256 {hash}; {draws} draws follow from it.",
    "Donne honnête : la graine a pour SHA-256 {hash} ; {draws} tirages en découlent.",
)
ADDED = Phrase(
    "{name} added {value}, as announced by {hash}.",
    "{name} a ajouté {value}, comme annoncé par {hash}.",
)
WITHHELD = Phrase(
    "{name} announced {hash} and never showed what it stands for.",
    "{name} a annoncé {hash} sans jamais montrer ce que c'était.",
)
ADDED_NOTHING = Phrase("{name} added nothing.", "{name} n'a rien ajouté.")
HOUSE_RULES = Phrase("House rules: {options}", "Règles maison : {options}")
SITS = Phrase("{name}: {who}", "{name} : {who}")
A_PERSON = Phrase("a person", "une personne")
FOR_ONE = Phrase("for {player} only", "pour {player} uniquement")
AS_SEEN = Phrase("As {name} saw it:", "Telle que {name} l'a vue :")
GOES_ON = Phrase("The game is not finished.", "La partie n'est pas terminée.")
