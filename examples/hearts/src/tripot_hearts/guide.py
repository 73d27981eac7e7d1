"""What Hearts tells a player beside the table: how far it is, what they know, and how the game went."""

from typing import Any

from tripot.core.guide import Forced, Guide, Said, place_of
from tripot.core.layout import SPECTATOR
from tripot.core.speech import Sentence
from tripot_hearts.cards import MOST_DEALS, PASSED, SEATS
from tripot_hearts.phases import score
from tripot_hearts.state import Phase

SENTENCES = {
    "deal": Sentence("H-5.1", "number:round", "Deal {round}", "Donne {round}"),
    "deal_of": Sentence("H-5.1", "number:round number:last", "Deal {round} of {last}", "Donne {round} sur {last}"),
    "until": Sentence("H-5.1", "number:target", "Until somebody has {target}", "Jusqu'à ce que quelqu'un ait {target}"),
    "lowest": Sentence("H-5.2", "", "The lowest score wins", "Le plus petit score l'emporte"),
    "ahead": Sentence("H-5.2", "number:score", "you have the lowest, {score}", "vous avez le plus petit, {score}"),
    "behind": Sentence(
        "H-5.2",
        "number:score seat number:best",
        "you have {score}, {seat} is ahead with {best}",
        "vous avez {score}, {seat} mène avec {best}",
    ),
    "leader": Sentence("H-5.2", "seat number:best", "{seat} is ahead with {best}", "{seat} mène avec {best}"),
    "gave": Sentence("H-2.1", "seat card*:cards", "You gave {seat} {cards}", "Vous avez donné à {seat} {cards}"),
    "got": Sentence("H-2.3", "seat card*:cards", "{seat} gave you {cards}", "{seat} vous a donné {cards}"),
    "clock": Sentence("H-1.2", "number:clock", "Deal {clock}", "Donne {clock}"),
    "win_by": Sentence(
        "H-5.2", "number:lead", "You win by {lead} {lead|point|points}", "Vous gagnez de {lead} {lead|point|points}"
    ),
    "share": Sentence("H-5.2", "number:score", "You share the victory with {score}", "Victoire partagée, avec {score}"),
    "ranked": Sentence(
        "H-5.2",
        "rank count number:behind seat",
        "{rank} of {count}, {behind} {behind|point|points} more than {seat}",
        "{rank} sur {count}, {behind} {behind|point|points} de plus que {seat}",
    ),
    "score": Sentence("H-4.1", "number:score", "{score} {score|point|points}", "{score} {score|point|points}"),
}


def goals(view: Any) -> list[Said]:
    said = [Said("deal", (view.round,)) if view.deals == MOST_DEALS else Said("deal_of", (view.round, view.deals))]
    if view.target and view.deals > 1:
        said.append(Said("until", (view.target,)))
    said.append(Said("lowest"))
    return said if view.over or view.round < 2 else [*said, race(view)]


def race(view: Any) -> Said:
    """Who is ahead, said to the seat that looks."""
    scores = [score(view, seat) for seat in range(SEATS)]
    best = min(scores)
    leader = scores.index(best)
    if view.seat == SPECTATOR:
        return Said("leader", (leader, best))
    mine = scores[view.seat]
    return Said("ahead", (mine,)) if mine == best else Said("behind", (mine, leader, best))


def knowledge(view: Any) -> list[Said]:
    """Cards passed and received that have not been played yet. [H-2]"""
    if view.seat == SPECTATOR or view.phase != Phase.PLAY or not view.direction:
        return []
    to, giver = (view.seat + view.direction) % SEATS, (view.seat - view.direction) % SEATS
    gave = [view.my_given[i] - 1 for i in range(PASSED) if not view.gone[view.my_given[i] - 1]]
    got = [view.my_received[i] - 1 for i in range(PASSED)]
    return [*([Said("gave", (to, gave))] if gave else []), *([Said("got", (giver, got))] if view.turn < SEATS else [])]


def forced(_: Any, __: int) -> Forced:
    """Nobody asks for the only card that can be played, but playing it at once would show that it is the only one."""
    return Forced.SECRET


def outcome(s: Any, seat: int) -> Said:
    scores = [score(s, other) for other in range(SEATS)]
    place = place_of(s.result, [-total for total in scores], seat)
    if not place.sharing:
        return Said("ranked", (place.place, SEATS, place.behind, place.first))
    if place.sharing > 1:
        return Said("share", (scores[seat],))
    others = min(total for other, total in enumerate(scores) if other != seat)
    return Said("win_by", (others - scores[seat],))


def reached(s: Any, seat: int) -> Said:
    return Said("score", (score(s, seat),))


GUIDE = Guide(SENTENCES, goals, outcome, reached, knowledge=knowledge, forced=forced)
