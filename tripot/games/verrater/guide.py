"""What Verräter tells a player beside the table: goals, what they know, what decisions do, how the game went."""

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Any

from tripot.core.guide import Guide, Said, place_of
from tripot.core.layout import SPECTATOR
from tripot.core.pile import bag_size
from tripot.core.speech import Phrase, Sentence
from tripot.games.verrater.actions import CONFLICT, DONE, ESTATE, KEEP, PLAY, TURN_OVER
from tripot.games.verrater.cards import (
    CONFLICT_VALUE,
    EAGLE,
    HAND_LIMIT,
    LAST_ROUND,
    MOST_COUNTED,
    MOST_PLAYED,
    ROLES,
    ROSE,
    SLOTS,
    SUPPLY_VALUE,
    Building,
    Role,
)
from tripot.games.verrater.effects import count_buildings
from tripot.games.verrater.state import Phase
from tripot.games.verrater.text import ROLE_HINTS, decision

#                   none  traitor        diplomat 2      diplomat 5  builder   strategist      farmer
ROLE_CLAUSES = ("",   "V-2.4 V-2.8", "V-2.5 V-2.13", "V-2.5",    "V-2.10", "V-2.8 V-2.11", "V-2.13")  # fmt: skip

SENTENCES = {
    # goals
    "set_up": Sentence(
        "V-1.3 V-3.1",
        "number:last",
        "Set-up, then {last} {last|round|rounds}",
        "Mise en place, puis {last} {last|tour|tours}",
    ),
    "round": Sentence("V-3.1", "number:round number:last", "Round {round} of {last}", "Tour {round} sur {last}"),
    "most": Sentence("V-3.4", "", "Most points win", "Le plus de points l'emporte"),
    "ahead": Sentence(
        "V-3.4",
        "number:points number:lead",
        "you lead with {points}, {lead} ahead",
        "vous menez avec {points}, {lead} d'avance",
    ),
    "level": Sentence(
        "V-3.4",
        "number:points",
        "you have {points}, and nobody has more",
        "vous en avez {points}, et personne n'en a davantage",
    ),
    "behind": Sentence(
        "V-3.4",
        "number:points seat number:lead",
        "you have {points}, {seat} leads with {lead}",
        "vous en avez {points}, {seat} mène avec {lead}",
    ),
    "leader": Sentence("V-3.4", "seat number:points", "{seat} leads with {points}", "{seat} mène avec {points}"),
    "no_leader": Sentence("V-3.4", "number:points", "level at {points}", "égalité à {points}"),
    "offices": Sentence(
        "V-3.3",
        "number:points",
        "your offices would add {points} now",
        "vos Comptoirs en ajouteraient {points} maintenant",
    ),
    "nearly_all": Sentence(
        "V-3.2",
        "the_house number:lands",
        "{the_house} holds {lands} of 12 lands: with all 12 the game ends",
        "{the_house} tient {lands} territoires sur 12 : avec les 12, la partie s'arrête",
    ),
    # what the seat knows
    "passed_on": Sentence("V-2.2", "role*:roles", "You passed on: {roles}", "Vous avez passé : {roles}"),
    "never_seen": Sentence("V-2.2", "role*:roles", "You never saw: {roles}", "Vous n'avez pas vu : {roles}"),
    "set_aside": Sentence("V-2.2", "role", "Set aside: {role}", "Écarté : {role}"),
    "still_holds": Sentence(
        "V-1.4",
        "seat supply*:cards",
        "{seat} still holds {cards} (dealt at the start)",
        "{seat} a encore {cards} (cartes de départ)",
    ),
    # what decisions do
    **{
        f"role_{role}": Sentence(ROLE_CLAUSES[role], "", ROLE_HINTS[role].en, ROLE_HINTS[role].fr)
        for role in range(1, ROLES + 1)
        if role != Role.STRATEGIST
    },
    "strategist": Sentence(
        ROLE_CLAUSES[Role.STRATEGIST],
        "number:points",
        "takes the strategy card and scores {points}",
        "prend la carte Stratégie et marque {points}",
    ),
    "lands_against": Sentence(
        "V-2.5 V-0.3",
        "number:eagle number:rose number:eagle_prize number:rose_prize",
        "{eagle} against {rose}; a lone winner scores {eagle_prize} with the Eagle, {rose_prize} with the Rose",
        "{eagle} contre {rose} ; un vainqueur seul marque {eagle_prize} avec l'Aigle, {rose_prize} avec la Rose",
    ),
    "strength_then": Sentence(
        "V-2.5",
        "the_house number:ours number:theirs",
        "{the_house} then has {ours} against {theirs}, roles not counted",
        "{the_house} a alors {ours} contre {theirs}, sans les rôles",
    ),
    "strength_now": Sentence(
        "V-2.5",
        "the_house number:ours number:theirs",
        "{the_house} stays at {ours} against {theirs}, roles not counted",
        "{the_house} reste à {ours} contre {theirs}, sans les rôles",
    ),
    "estate_draws": Sentence(
        "V-2.13",
        "the_house",
        "a card every round while {the_house} holds the land and you serve that house",
        "une carte par tour tant que {the_house} tient le territoire et que vous êtes de ce camp",
    ),
    "office_counts": Sentence(
        "V-3.3",
        "",
        "at the end a point for each card in hand, up to 3; draws no cards",
        "à la fin, un point par carte en main, 3 au plus ; ne fait rien piocher",
    ),
    # words before a mistake
    "builder_idle": Sentence(
        "V-2.10",
        "",
        "Your Builder could still build. Build nothing anyway?",
        "Votre Bâtisseur pourrait encore bâtir. Ne rien bâtir quand même ?",
    ),
    # the end
    "clock": Sentence("V-3.1", "number:clock", "Round {clock}", "Tour {clock}"),
    "win_by": Sentence(
        "V-3.4",
        "number:lead",
        "You win by {lead} {lead|point|points}",
        "Vous gagnez de {lead} {lead|point|points}",
    ),
    "win_tie_break": Sentence(
        "V-3.4", "", "You win: equal points, richer hand", "Vous gagnez : à égalité de points, la main la plus riche"
    ),
    "share": Sentence(
        "V-3.4",
        "number:points",
        "You share the victory with {points} {points|point|points}",
        "Victoire partagée, {points} {points|point|points}",
    ),
    "ranked": Sentence(
        "V-3.4",
        "rank count number:behind seat",
        "{rank} of {count}, {behind} {behind|point|points} behind {seat}",
        "{rank} sur {count}, {behind} {behind|point|points} derrière {seat}",
    ),
    "ranked_level": Sentence(
        "V-3.4",
        "rank count",
        "{rank} of {count}: equal points, poorer hand",
        "{rank} sur {count} : à égalité de points, la main la moins riche",
    ),
    "points": Sentence("V-3.4", "number:points", "{points} {points|point|points}", "{points} {points|point|points}"),
}


# For the first times that a question comes: what it decides, and what good players look at.
ADVICE: dict[int, Phrase] = {
    Phase.ESTATE: Phrase(
        "Estates bring a card every round. A land that is far from the front is fought over late.",
        "Un Grenier apporte une carte par tour. Loin du front, on se bat plus tard pour le territoire.",
    ),
    Phase.CONFLICT: Phrase(
        "This decides what is at stake. Look at the points of the lands, at who would share them, and at your hand.",
        "Vous fixez l'enjeu. Regardez les points des territoires, qui les partagerait, et votre main.",
    ),
    Phase.DRAFT: Phrase(
        "Your role works this round. Look at which house is likely to win, and at what you pass on to the next player.",
        "Votre rôle vaut pour ce tour. Voyez quel camp devrait gagner, et ce que vous passez au suivant.",
    ),
    Phase.SUPPLY: Phrase(
        "Cards make your house stronger, and are spent. Add just enough to win, or nothing if it is lost.",
        "Les cartes renforcent votre camp, et sont dépensées. Juste assez pour gagner, ou rien si c'est perdu.",
    ),
    Phase.BUILD: Phrase(
        "Estates bring cards during the game, offices points at its end: turn them over in the last rounds.",
        "Les Greniers apportent des cartes, les Comptoirs des points à la fin : retournez-les aux derniers tours.",
    ),
    Phase.DISCARD: Phrase(
        "High cards decide conflicts: let the lowest go.",
        "Les fortes cartes décident des conflits : lâchez la plus faible.",
    ),
}


# --- The goal ---------------------------------------------------------------- [V-3]


def goals(view: Any) -> list[Said]:
    last = LAST_ROUND[view.seats]
    said = [Said("round", (view.round, last)) if view.round else Said("set_up", (last,)), Said("most")]
    if view.round and not view.over:
        said.append(race(view))
        said += ending(view)
    return said


def race(view: Any) -> Said:
    """Who leads, said to the seat that looks."""
    points = view.points[: view.seats]
    best = max(points)
    leader = points.index(best)
    if view.seat == SPECTATOR:
        return Said("leader", (leader, best)) if points.count(best) == 1 else Said("no_leader", (best,))
    mine = points[view.seat]
    if mine < best:
        return Said("behind", (mine, leader, best))
    others = max(points[: view.seat] + points[view.seat + 1 :])
    return Said("ahead", (mine, mine - others)) if mine > others else Said("level", (mine,))


def ending(view: Any) -> list[Said]:
    """What else counts at the end, where it is near enough to matter."""
    said = []
    if view.seat != SPECTATOR and Building.OFFICE in view.building:
        offices = count_buildings(view, view.seat, Building.OFFICE)
        if offices:
            said.append(Said("offices", (offices * min(bag_size(view.my_hand), MOST_COUNTED),)))
    rose = sum(view.holder)
    house = ROSE if rose > SLOTS - rose else EAGLE
    if max(rose, SLOTS - rose) >= SLOTS - 2:
        said.append(Said("nearly_all", (house, max(rose, SLOTS - rose))))
    return said


# --- What the seat knows ----------------------------------------------------- [V-2.2]


def knowledge(view: Any) -> list[Said]:
    said = list(roles_known(view.phase, view.my_handed, view.my_role_kept))
    if view.round:
        for seat, cards in enumerate(view.known[: view.seats]):
            if seat != view.seat and any(cards):
                said.append(still_holds(seat, *cards))
    return said


@cache
def roles_known(phase: int, handed: int, kept: int) -> tuple[Said, ...]:
    """What a seat knows of the roles: there are few of these, and every seat asks again after every decision."""
    seen = [role for role in range(1, ROLES + 1) if handed >> role & 1]
    unseen = tuple(role for role in range(1, ROLES + 1) if role not in seen)
    aside = Said("set_aside", (unseen[0],)) if len(unseen) == 1 else Said("never_seen", (unseen,))
    if kept and phase in (Phase.DRAFT, Phase.SUPPLY):
        return Said("passed_on", (tuple(role for role in seen if role != kept),)), aside
    return (aside,) if phase == Phase.DRAFT and handed else ()


@cache
def still_holds(seat: int, *cards: int) -> Said:
    return Said("still_holds", (seat, tuple(kind for kind, count in enumerate(cards) for _ in range(count))))


# --- What decisions do --------------------------------------------------------


def hint(view: Any, action: int) -> list[Said]:
    if view.phase == Phase.SUPPLY:
        return strength(view, action)
    if KEEP < action < PLAY:
        role = action - KEEP
        return [Said("strategist", (view.strategist_points,)) if role == Role.STRATEGIST else Said(f"role_{role}")]
    if CONFLICT <= action <= KEEP:
        _, (eagle, _, rose, _) = decision(view, action)
        prizes = view.land_points[rose - 1][0], view.land_points[eagle - 1][0]  # a house wins the other's land
        return [Said("lands_against", (CONFLICT_VALUE[eagle], CONFLICT_VALUE[rose], *prizes))]
    if view.phase in (Phase.ESTATE, Phase.BUILD) and action != DONE:
        return [building(view, action)]
    return []


def strength(view: Any, action: int) -> list[Said]:
    """What both houses have on the table once this card is added; roles are still face down. [V-2.5]"""
    totals = [CONFLICT_VALUE[view.land[view.contested[house]]] for house in (EAGLE, ROSE)]
    for house, played in zip(view.house, view.played[: view.seats], strict=False):
        totals[house] += sum(map(mul, played, SUPPLY_VALUE))
    mine = view.house[view.seat]
    added = SUPPLY_VALUE[action - PLAY] if action != DONE else 0
    key = "strength_then" if added else "strength_now"
    return [Said(key, (mine, totals[mine] + added, totals[1 - mine]))]


def building(view: Any, action: int) -> Said:
    slot = action - (TURN_OVER if action >= TURN_OVER else ESTATE)
    to_office = action >= TURN_OVER and view.building[slot] == Building.ESTATE
    return Said("office_counts") if to_office else Said("estate_draws", (view.holder[slot],))


def warning(view: Any, action: int, legal: Sequence[int]) -> Said | None:
    """The Builder's right is lost if it is not used; only turning an office back is no reason to use it. [V-2.10]"""
    if view.phase == Phase.BUILD and action == DONE:
        useful = [other for other in legal if other != DONE and decision(view, other)[0] != "to_estate"]
        return Said("builder_idle") if useful else None
    return None


def ends(view: Any, action: int) -> bool:
    """Cards are added, and discarded, one by one; everything else is one decision. [V-2.3 V-2.15]"""
    if view.phase == Phase.SUPPLY:
        last = view.hand_size[view.seat] == 1 or sum(view.played[view.seat]) == MOST_PLAYED - 1
        return bool(action == DONE or last)
    return bool(view.phase != Phase.DISCARD or view.hand_size[view.seat] == HAND_LIMIT + 1)


# --- The end ------------------------------------------------------------------ [V-3.4]


def outcome(s: Any, seat: int) -> Said:
    points = list(s.points[: s.seats])
    place = place_of(s.result[: s.seats], points, seat)
    if not place.sharing and not place.behind:
        return Said("ranked_level", (place.place, s.seats))
    if not place.sharing:
        return Said("ranked", (place.place, s.seats, place.behind, place.first))
    if place.sharing > 1:
        return Said("share", (points[seat],))
    return Said("win_by", (place.behind,)) if place.behind else Said("win_tie_break")


def reached(s: Any, seat: int) -> Said:
    return Said("points", (s.points[seat],))


GOALS_READ = frozenset({"building", "holder", "my_hand", "over", "owner", "points", "round", "seats"})
KNOWLEDGE_READS = frozenset({"known", "my_handed", "my_role_kept", "phase", "round", "seats"})
GUIDE = Guide(
    SENTENCES,
    goals,
    outcome,
    reached,
    knowledge,
    hint,
    warning,
    ends=ends,
    advice=ADVICE,
    goals_read=GOALS_READ,
    knowledge_reads=KNOWLEDGE_READS,
)
