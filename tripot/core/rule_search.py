"""Finds the clauses that answer a question: "how do I win", "et si je ne peux pas payer", "V-2.4".

Questions that people ask of any game have patterns in `QUESTIONS`; a game's topics (`core.teaching`) say which clauses
answer them. The words of the question are looked for in the rule book too, without accents and endings. What fits a
pattern comes first.

A pattern is a row of words that must all occur, in any order; `|` parts words of which one is enough, `;` patterns of
which one is enough: `end|finish; many|long round` fits "When does it end?" and "How many rounds are there?".
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from tripot.core.game import Game
from tripot.core.rulebook import Clause, rule_book
from tripot.core.speech import LANGUAGES, Phrase

LONGEST_QUESTION = 200  # characters
MOST_FOUND = 8  # clauses of an answer
WEIGHT = 100.0  # of each word of a pattern; all that the text of a clause can score is less
TITLE = 3  # times that a word of a title counts
ENOUGH = 0.35  # of the best score: what scores less is no answer

QUESTIONS = {
    "win": Phrase(
        "win|winner|victory|victorious|goal|aim|objective|purpose|object",
        "gagner|gagnant|victoire|vainqueur|vaincre|remporter|but|objectif",
    ),
    "end": Phrase(
        "end|finish|over|stop; many|long|number|last round|turn|game|take",
        "fin|finir|finit|termine|arrete; combien|long|duree|dure|dernier tour|manche|partie|temps",
    ),
    "points": Phrase(
        "point|score|earn; get|make|count point|money",
        "point|score|marquer|rapporter; compter|faire point|argent",
    ),
    "tie": Phrase("tie|tied; same|equal", "egalite|aequo; meme|egal|egaux"),
    "turn": Phrase(
        "turn|round|order|sequence|phase|step|play; who|what next",
        "tour|ordre|deroulement|deroule|phase|etape|jouer; qui|que ensuite|apres",
    ),
    "first": Phrase(
        "who|which first|start|begin; first player", "qui|quel premier|premiere|commence|debute; premier joueur"
    ),
    "start": Phrase(
        "start|begin|setup|prepare|deal", "debut|commence|debuter|preparer|preparation|place|distribuer|donne"
    ),
    "cards": Phrase("many|number|count|which|what card", "combien|nombre|quel|quelle carte"),
    "hand": Phrase(
        "hand limit|many|maximum|most|keep|hold|start|size; card keep|hold|limit|maximum|most|hand",
        "main limite|combien|maximum|plus|garder|tenir|depart; carte garder|limite|maximum|main",
    ),
    "players": Phrase("many|number|who player|people|person|seat", "combien|nombre|qui joueur|personne|joue"),
    "pay": Phrase("pay|cost|afford|price|buy", "payer|paie|cout|coute|prix|acheter"),
    "cannot pay": Phrase(
        "not|cannot|cant|without|unable|enough|too|if pay|afford|money|poor|expensive",
        "pas|sans|assez|impossible|trop|si payer|paie|argent|pauvre|cher",
    ),
    "change": Phrase("change|waste|exact|overpay", "monnaie|rendre|rend|gaspiller|exact"),
    "draw": Phrase("draw|drawing|take card; draw|drawing", "piocher|pioche|tirer"),
    "empty": Phrase("empty|out|no|run|left deck|pile|card", "vide|epuise|plus|reste paquet|pioche|pile|carte"),
    "discard": Phrase("discard|throw|lose card; discard|throw", "defausse|defausser|jeter|perdre carte"),
    "secret": Phrase(
        "see|secret|hidden|hide|show|look|know|public|open|reveal",
        "voir|secret|cache|montrer|regarder|savoir|connaitre|public|visible|reveler",
    ),
}

STOP = {
    "en": "a about again an and any are as at be been by can could did do does each every for from get had has "
    "have how i if in into is it its just let may me might mine must my of on one or our out own shall "
    "should so some than that the their them then there these they this to us was we were what when where "
    "which while who whom whose why will with would you your",
    "fr": "a ai alors au aucun aussi aux avec avoir c ce cela ces cet cette ceux chaque comme comment d dans de "
    "des dois doit donc du elle elles en encore est et etre eu fait faire faut il ils j je l la le les "
    "leur leurs lors lui m ma mais me mes moi mon n ne nos notre nous on ont ou par pas peut peux pour "
    "pourquoi qu quand que quel quelle quelles quels qui quoi s sa se ses si son sont suis sur t ta te "
    "tes toi ton tous tout toute toutes tu un une vos votre vous y",
}
ENDINGS = {
    "en": "ings ing ers ies ied er ed es s e y",
    "fr": "ements ement ations ation antes ante ants ant euses euse eurs eur aient erez era ees ee ent ons ait "
    "ez er ir es is it aux al e s x",
}  # the longer ones first
_WORD = re.compile(r"[a-z]{2,}|[0-9]+")  # what stands alone beside an apostrophe says nothing
_NUMBER = re.compile(r"\b(?:([a-z])-?)?(\d+\.\d+)\b")


def search(game: Game, question: str, lang: str) -> list[Clause]:
    """The clauses that answer a question, the best first; none if nothing fits."""
    book, asked = rule_book(game), fold(question[:LONGEST_QUESTION])
    named = [number for number in _numbers(game, asked) if number in book]
    if named:
        return [book[number] for number in named][:MOST_FOUND]
    scores = _by_text(game, asked, lang)
    for number, score in _by_topic(game, asked).items():
        scores[number] = scores.get(number, 0.0) + score
    ranked = sorted(scores, key=lambda number: (-scores[number], list(book).index(number)))
    best = scores[ranked[0]] if ranked else 0.0
    return [book[number] for number in ranked if scores[number] >= ENOUGH * best][:MOST_FOUND]


def fold(text: str) -> str:
    """Small letters without accents.

    >>> fold("L'Égalité")
    "l'egalite"
    """
    plain = unicodedata.normalize("NFD", text.casefold().replace("œ", "oe").replace("can't", "cannot"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def stem(word: str, lang: str) -> str:
    """A folded word without its ending, so that forms of one word are equal.

    >>> stem("winning", "en"), stem("winner", "en"), stem("gagnant", "fr"), stem("gagner", "fr")
    ('win', 'win', 'gagn', 'gagn')
    """
    for ending in ENDINGS[lang].split():
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


# --- By topic ---


def _by_topic(game: Game, asked: str) -> dict[str, float]:
    """Scores of the clauses of topics that the question fits, in either language: the more words the better."""
    scores: dict[str, float] = {}
    words = _WORD.findall(asked)
    for topic in game.teaching.topics if game.teaching else ():
        patterns = QUESTIONS[topic.asked] if isinstance(topic.asked, str) else topic.asked
        weight = max(_fitting(patterns(lang), words, lang) for lang in LANGUAGES)
        for place, number in enumerate(topic.clauses) if weight else ():
            scores[number] = max(scores.get(number, 0.0), WEIGHT * weight * (1 - place / (2 * len(topic.clauses))))
    return scores


def _fitting(patterns: str, words: list[str], lang: str) -> int:
    """How many words the longest fitting pattern has; 0 if none fits."""
    stems = {stem(word, lang) for word in words}
    best = 0
    for pattern in patterns.split(";"):
        groups = [{stem(fold(word), lang) for word in group.split("|")} for group in pattern.split()]
        if all(group & stems for group in groups):
            best = max(best, len(groups))
    return best


# --- By the words of the rule book ---


@dataclass(frozen=True)
class _Index:
    """How often each stem occurs in each clause; titles count more."""

    counts: dict[str, Counter[str]]
    clauses_with: Counter[str]

    def weight(self, word: str) -> float:
        """Rare words say more."""
        return math.log(1 + len(self.counts) / (1 + self.clauses_with[word]))


def _by_text(game: Game, asked: str, lang: str) -> dict[str, float]:
    index = _index(game.name, tuple(rule_book(game).values()), lang)
    words = {_known(word, index) for word in _stems(asked, lang)} - {""}
    scores: dict[str, float] = {}
    for number, counts in index.counts.items():
        score = sum(index.weight(word) * counts[word] / (counts[word] + 1.5) for word in words)
        if score:
            scores[number] = score
    return scores


def _known(word: str, index: _Index) -> str:
    """The word as the rule book has it, or the nearest one: people mistype."""
    if index.clauses_with[word] or len(word) < 4:
        return word
    return next(iter(get_close_matches(word, list(index.clauses_with), 1, 0.8)), "")


@cache
def _index(name: str, clauses: tuple[Clause, ...], lang: str) -> _Index:
    counts = {
        clause.number: Counter(
            [*_stems(fold(clause.title(lang)), lang) * TITLE, *_stems(fold(clause.text(lang)), lang)]
        )
        for clause in clauses
    }
    return _Index(counts, Counter(word for found in counts.values() for word in found))


def _stems(folded: str, lang: str) -> list[str]:
    stop = set(STOP[lang].split())
    return [stem(word, lang) for word in _WORD.findall(folded) if word not in stop]


def _numbers(game: Game, asked: str) -> Iterable[str]:
    """The clauses that the question names; the game's letter is optional."""
    letter = next(iter(rule_book(game)), "?").partition("-")[0]
    return dict.fromkeys(f"{(found[1] or letter).upper()}-{found[2]}" for found in _NUMBER.finditer(asked))
