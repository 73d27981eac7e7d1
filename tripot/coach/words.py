"""The sentences of a review, in French and English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tripot.coach.reasons import Reason, in_words
from tripot.coach.review import Account, Decision, Moment, Review
from tripot.core.game import Game
from tripot.core.speech import Phrase, say

TITLE = Phrase("Review", "Analyse")
CHANCES = Phrase("Chance to win", "Chances de gagner")
HOW = Phrase(
    "Sensible players play the game on from every moment, all cards as they really lay. Decisions are judged only by "
    "what their player could see, by a network that has learned the game where there is one.",
    "Des joueurs sensés prolongent la partie depuis chaque moment, cartes telles qu'elles étaient vraiment. Une "
    "décision n'est jugée que sur ce que son joueur pouvait voir, par un réseau qui a appris le jeu s'il y en a un.",
)
START = Phrase("Chance at the start", "Chances au départ")
DECISIONS = Phrase("Your decisions", "Vos décisions")
CARDS = Phrase("The cards", "Les cartes")
OTHERS = Phrase("The others' decisions", "Les décisions des autres")
RESULT = Phrase("Result", "Résultat")
MISSED = Phrase(
    "What better choices would have been worth in all, each judged by itself: {missed}.",
    "Ce que de meilleurs choix auraient rapporté en tout, chacun jugé à part : {missed}.",
)
SET_UP = Phrase("Set-up", "Mise en place")
SEAT_TITLE = Phrase("{name}: {words}", "{name} : {words}")
ACCURACY = Phrase("Accuracy {number} of 100: {words}", "Précision {number} sur 100 : {words}")
NO_ACCURACY = Phrase("No decision to judge", "Aucune décision à juger")
GRADES = (
    (90, Phrase("hardly a better choice to be found", "presque rien à redire")),
    (75, Phrase("strong play", "un jeu solide")),
    (50, Phrase("good sense, some chances missed", "du bon sens, quelques occasions manquées")),
    (25, Phrase("many chances missed", "beaucoup d'occasions manquées")),
    (0, Phrase("luck decided more than you did", "le hasard a plus décidé que vous")),
)
MOMENTS = Phrase("Three moments that mattered", "Trois moments décisifs")
ALL_DECISIONS = Phrase("Decision by decision", "Décision par décision")
AT = Phrase("{clock}, decision {number}", "{clock}, décision {number}")
CHOSE_BEST = Phrase("{name}: {choice}. Nothing better was in sight.", "{name} : {choice}. Rien de mieux en vue.")
CHOSE = Phrase(
    "{name}: {choice}. Better by {missed}: {best}.",
    "{name} : {choice}. Mieux valait, de {missed} : {best}.",
)
CARDS_DID = Phrase("The cards then changed {name}'s chance by {change}.", "Les cartes : {change} pour {name}.")
OTHERS_DID = Phrase(
    "{other}: {choice}. It changed {name}'s chance by {change}.",
    "{other} : {choice}. Pour {name} : {change}.",
)
AGAINST_NEXT = Phrase("Against the next best choice: {reasons}", "Face au choix suivant : {reasons}")
IT_BRINGS = Phrase("That one brings more: {reasons}", "Ce qu'il apporte : {reasons}")
COLUMNS = (
    Phrase("No.", "N°"),
    Phrase("Choice", "Choix"),
    Phrase("Missed", "Manqué"),
    Phrase("The choices", "Les choix possibles"),
)
THE_END = Phrase("end", "fin")


def grade_of(accuracy: int) -> Phrase:
    """An accuracy in words."""
    return next(words for least, words in GRADES if accuracy >= least)


def percent(units: int, whole: int, lang: str, signed: bool = False) -> str:
    """A share of a victory with one digit.

    >>> percent(1, 8, "en"), percent(-1, 8, "fr", signed=True)
    ('12.5%', '−12,5\\u202f%')
    """
    tenths = round(1000 * abs(units) / whole)
    sign = "−" if units < 0 and tenths else "+" if signed and tenths else ""
    text = f"{sign}{tenths // 10}.{tenths % 10}%"
    return text.replace(".", ",").replace("%", "\u202f%") if lang == "fr" else text


@dataclass(frozen=True)
class Teller:
    """Says what happened in a game that is reviewed."""

    review: Review
    moments: Sequence[Moment]
    names: Sequence[str]
    lang: str

    @property
    def game(self) -> Game:
        return self.review.game

    def of(self, units: int, signed: bool = False) -> str:
        return percent(units, self.review.whole, self.lang, signed)

    def choice(self, step: int, action: int) -> str:
        """A decision in words."""
        moment = self.moments[step]
        view: Any = self.game.layout.view_of(moment.view.tobytes())
        key, numbers = self.game.text.decision(view, action)
        return say(self.game.text.DECISIONS[key], numbers, self.game.text.NAMES, self.names, self.lang)

    def clock(self, number: int) -> str:
        """A round or turn; before the first one the game is set up."""
        if not number:
            return SET_UP(self.lang)
        assert self.game.guide is not None
        return say(self.game.guide.sentences["clock"], (number,), self.game.text.NAMES, self.names, self.lang)

    def accuracy(self, account: Account) -> str:
        if account.accuracy is None:
            return NO_ACCURACY(self.lang)
        words = grade_of(account.accuracy)(self.lang)
        return ACCURACY(self.lang).format(number=account.accuracy, words=words)

    def sum(self, account: Account) -> list[tuple[str, str]]:
        """The account of a seat, line by line; the lines add up."""
        return [
            (START(self.lang), self.of(account.start)),
            (DECISIONS(self.lang), self.of(account.decisions, signed=True)),
            (CARDS(self.lang), self.of(account.cards, signed=True)),
            (OTHERS(self.lang), self.of(account.others, signed=True)),
            (RESULT(self.lang), self.of(account.result)),
        ]

    def missed(self, account: Account) -> str:
        """What a seat missed, counted by those who judge single choices: no part of the sum."""
        return MISSED(self.lang).format(missed=self.of(account.missed))

    def heading(self, step: int) -> str:
        decision = self.review.decisions[step]
        return AT(self.lang).format(clock=self.clock(decision.clock), number=decision.number)

    def moment(self, step: int, seat: int) -> str:
        """What a step did to a seat's chance, in words."""
        decision, change = self.review.decisions[step], self.review.changes[step][seat]
        told = self.judged(step) if decision.seat == seat else self.done(step, seat, change.others)
        told += self.why(step, seat)
        if abs(change.cards) > abs(change.others) and change.cards:
            told += " " + CARDS_DID(self.lang).format(name=self.names[seat], change=self.of(change.cards, signed=True))
            told += self.reasons(self.review.causes[step][seat].cards)
        return told

    def why(self, step: int, seat: int) -> str:
        """The reasons of a decision: its own seat's as the seat could see them, another's as it came out."""
        decision = self.review.decisions[step]
        if decision.seat != seat:
            return self.reasons(self.review.causes[step][seat].decision)
        told = self.reasons(decision.reasons).strip()
        opening = IT_BRINGS if self.review.told_miss(decision) else AGAINST_NEXT
        return f" {opening(self.lang).format(reasons=told)}" if told else ""

    def reasons(self, told: list[Reason]) -> str:
        return "".join(f" {sentence}" for sentence in in_words(self.game, told, self.lang))

    def done(self, step: int, seat: int, change: int) -> str:
        decision = self.review.decisions[step]
        return OTHERS_DID(self.lang).format(
            other=self.names[decision.seat],
            choice=self.choice(step, decision.action),
            name=self.names[seat],
            change=self.of(change, signed=True),
        )

    def judged(self, step: int) -> str:
        """A decision and whether a better one was in sight."""
        decision = self.review.decisions[step]
        name, choice = self.names[decision.seat], self.choice(step, decision.action)
        if not self.review.told_miss(decision):
            return CHOSE_BEST(self.lang).format(name=name, choice=choice)
        best = self.choice(step, decision.best)
        return CHOSE(self.lang).format(name=name, choice=choice, best=best, missed=self.of(decision.missed))

    def alternatives(self, decision: Decision) -> list[tuple[str, str, bool]]:
        """Every choice of a decision with its chance, the best first, and whether it was taken."""
        return [
            (self.choice(decision.number - 1, one.action), self.of(one.value), one.action == decision.action)
            for one in decision.choices
        ]
