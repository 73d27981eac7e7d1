"""Names and sentences of Hearts for people, French and English. The clause behind each stands with it."""

from typing import Any

from tripot.core.grammar import Noun, the
from tripot.core.guide import COUNTS, RANKS
from tripot.core.speech import Phrase, Sentence
from tripot.core.staging import SetPiece, Staging
from tripot_hearts.actions import News
from tripot_hearts.cards import CLUBS, DIAMONDS, HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, SPADES
from tripot_hearts.state import Phase

TITLE = Phrase("Hearts", "La Dame de pique")
TAGLINE = Phrase("Tricks to avoid, for four", "Des levées à éviter, à quatre")

# The game in one minute.
PRIMER = (
    Phrase(
        "Goal: the lowest score when somebody reaches 100. Every heart costs 1 point, the queen of spades 13.",
        "Le but : le plus petit score quand quelqu'un atteint 100. Chaque cœur coûte 1 point, la dame de pique 13.",
    ),
    Phrase(
        "Everyone passes three cards on, then thirteen tricks are played. Whoever holds the two of clubs leads it. "
        "Follow suit if you can; the highest card of the suit led takes the trick.",
        "Chacun passe trois cartes, puis on joue treize levées. Le deux de trèfle entame. On fournit si l'on peut ; "
        "la plus forte carte de la couleur demandée remporte la levée.",
    ),
    Phrase(
        "Hearts may be led once a heart has been thrown on another suit.",
        "On peut attaquer à cœur dès qu'un cœur a été défaussé.",
    ),
    Phrase(
        "Take all 26 points and you shoot the moon: the others get 26 each.",
        "Qui prend les 26 points réussit le grand chelem : les autres en reçoivent 26 chacun.",
    ),
)

SEATS = (Phrase("North", "Nord"), Phrase("East", "Est"), Phrase("South", "Sud"), Phrase("West", "Ouest"))

OPTION_VALUES = {
    "passing": (
        Phrase("left, right, across, none", "gauche, droite, en face, rien"),
        Phrase("always to the left", "toujours à gauche"),
        Phrase("always across", "toujours en face"),
        Phrase("always to the right", "toujours à droite"),
        Phrase("no passing", "sans passe"),
        Phrase("drawn for each deal", "tirée au sort à chaque donne"),
    ),
    "first_lead": (Phrase("the two of clubs", "le deux de trèfle"), Phrase("any club", "n'importe quel trèfle")),
    "moon": (Phrase("26 for each of the others", "26 à chacun des autres"), Phrase("26 off one's own", "26 de moins")),
}

SUITS = (Phrase("clubs", "trèfle"), Phrase("diamonds", "carreau"), Phrase("hearts", "cœur"), Phrase("spades", "pique"))
SIGNS = ("♣", "♦", "♥", "♠")
NUMBERS = tuple(Noun(str(n), str(n), "m") for n in range(2, 11))
FIGURES = (Noun("jack", "valet", "m"), Noun("queen", "dame", "f"), Noun("king", "roi", "m"), Noun("ace", "as", "m"))
CORNERS = (*(Phrase(str(n), str(n)) for n in range(2, 11)), *(Phrase(*pair) for pair in ("JV", "QD", "KR", "AA")))


def card_names() -> tuple[Phrase, ...]:
    """The queen of spades, la dame de pique, by card."""
    ranks = [the(rank) for rank in (*NUMBERS, *FIGURES)]
    return tuple(Phrase(f"{rank.en} of {suit.en}", f"{rank.fr} de {suit.fr}") for suit in SUITS for rank in ranks)


NAMES: dict[str, tuple[Phrase, ...]] = {
    "card": card_names(),
    "corner": tuple(Phrase(c.en + sign, c.fr + sign) for sign in SIGNS for c in CORNERS),  # Q♠, D♠
    "rank_name": CORNERS,
    "suit": SUITS,
    "direction": (
        Phrase("nobody passes", "personne ne passe"),
        Phrase("pass to the left", "on passe à gauche"),
        Phrase("pass across", "on passe en face"),
        Phrase("pass to the right", "on passe à droite"),
    ),
    "rank": RANKS,
    "count": COUNTS,
}

CLOCK = "round"  # what reports count by

QUESTIONS: dict[int, Sentence] = {
    Phase.PASS: Sentence("H-2.1", "", "Which three cards do you pass on?", "Quelles trois cartes passez-vous ?"),
    Phase.PLAY: Sentence("H-3.2", "", "Which card do you play?", "Quelle carte jouez-vous ?"),
    Phase.OVER: Sentence("H-5.2", "", "The game is over.", "La partie est terminée."),
}

DECISIONS: dict[str, Sentence] = {
    "pass": Sentence("H-2.1", "card", "Pass {card}", "Passer {card}"),
    "play": Sentence("H-3.2", "card", "Play {card}", "Jouer {card}"),
}

NEWS: dict[int, Sentence] = {
    News.DEALT: Sentence("H-1.2", "number:round direction", "Deal {round}: {direction}", "Donne {round} : {direction}"),
    News.PASSED: Sentence("H-2.1", "seat", "{seat} passes three cards", "{seat} passe trois cartes"),
    News.YOU_PASS: Sentence(
        "H-2.1",
        "seat card:first card:second card:third",
        "{seat} passes {first}, {second} and {third}",
        "{seat} passe {first}, {second} et {third}",
    ),
    News.YOU_RECEIVE: Sentence(
        "H-2.3",
        "seat card:first card:second card:third",
        "{seat} receives {first}, {second} and {third}",
        "{seat} reçoit {first}, {second} et {third}",
    ),
    News.STARTS: Sentence(
        "H-3.1", "seat", "{seat} has the two of clubs and leads", "{seat} a le deux de trèfle et entame"
    ),
    News.PLAYED: Sentence("H-3.2", "seat card", "{seat} plays {card}", "{seat} joue {card}"),
    News.BROKEN: Sentence("H-3.5", "seat", "{seat} breaks hearts", "{seat} ouvre les cœurs"),
    News.TOOK: Sentence(
        "H-3.7",
        "seat number:points",
        "{seat} takes the trick: {points} {points|point|points}",
        "{seat} remporte la levée : {points} {points|point|points}",
    ),
    News.TOOK_NOTHING: Sentence("H-3.7", "seat", "{seat} takes the trick", "{seat} remporte la levée"),
    News.MOON: Sentence("H-4.2", "seat", "{seat} shoots the moon", "{seat} réussit le grand chelem"),
    News.SCORED: Sentence(
        "H-4.1",
        "seat number:points number:total",
        "{seat} scores {points}: {total} in all",
        "{seat} marque {points} : {total} en tout",
    ),
    News.WON: Sentence(
        "H-5.2",
        "seat number:total number:winners",
        "{seat} {winners|wins|shares the victory} with {total}",
        "{seat} {winners|gagne|partage la victoire} avec {total}",
    ),
}

FACTS: dict[str, Any] = {  # what a drawing of the table needs of the rules, as JSON takes it
    "ranks": len(CORNERS),
    "signs": SIGNS,
    "order": [CLUBS, DIAMONDS, SPADES, HEARTS],  # in which a hand is sorted: black beside red
    "red": [DIAMONDS, HEARTS],
    "hearts": HEARTS,
    "queen": QUEEN_OF_SPADES,
    "jack": JACK_OF_DIAMONDS,
    "passing": int(Phase.PASS),
    "dealt": 13,
}

STAGING = Staging(
    pieces={"score": SetPiece(opens=(News.MOON, News.SCORED, News.WON))},
    gathered=(News.PASSED, News.YOU_PASS),
    headings=(News.DEALT,),
    told_better={News.PASSED: News.YOU_PASS},
)


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    """Which of DECISIONS an action is for the seat of this view, and the numbers that go with it."""
    return ("pass" if view.phase == Phase.PASS else "play"), (action,)


def standing(s: Any) -> list[int]:
    """By seat, how far it is on its way to victory: the lowest score is ahead."""
    return [s.credit[seat] - s.penalty[seat] - s.taken[seat] for seat in range(s.seats)]
