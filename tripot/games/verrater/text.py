"""Names and sentences of Verräter for people, French and English. The clause behind each stands with it."""

from typing import Any

from tripot.core.grammar import Noun, a, the
from tripot.core.guide import COUNTS, RANKS
from tripot.core.speech import Phrase, Sentence
from tripot.core.staging import SetPiece, Staging
from tripot.games.verrater.actions import CONFLICT, DONE, DROP, ESTATE, KEEP, PLAY, TURN_OVER, News
from tripot.games.verrater.cards import CONFLICT_VALUE, EAGLE, ROLE_STRENGTH, ROSE, SLOTS, SUPPLY_VALUE, Building
from tripot.games.verrater.state import Phase, Then

TITLE = Phrase("Verräter", "Verräter")
TAGLINE = Phrase("Changing alliances for three or four", "Alliances changeantes à trois ou quatre")

SEATS = (
    Phrase("North", "Nord"),
    Phrase("East", "Est"),
    Phrase("South", "Sud"),
    Phrase("West", "Ouest"),
)

OPTION_VALUES = {
    "tie_break": (
        Phrase("the victory is shared", "la victoire est partagée"),
        Phrase("more supply in hand wins", "le plus de Richesses en main l'emporte"),
    )
}  # house rules whose values have names

HOUSES = (Noun("Eagle", "Aigle", "m"), Noun("Rose", "Rose", "f"))
LANDS = (
    Noun("moor", "lande", "f"),
    Noun("meadow", "champs", "p"),
    Noun("river", "rivière", "f"),
    Noun("forest", "forêt", "f"),
    Noun("village", "village", "m"),
    Noun("city", "ville", "f"),
)
ROLES = (
    Noun("Traitor", "Traître", "m"),
    Noun("Diplomat 2", "Diplomate 2", "m"),
    Noun("Diplomat 5", "Diplomate 5", "m"),
    Noun("Builder", "Bâtisseur", "m"),
    Noun("Strategist", "Stratège", "m"),
    Noun("Farmer", "Paysan", "m"),
)

NAMES: dict[str, tuple[Phrase, ...]] = {
    "house": tuple(Phrase(house.en, house.fr) for house in HOUSES),
    "the_house": tuple(map(the, HOUSES)),
    "land": (Phrase("no land", "aucun territoire"), *(Phrase(land.en, land.fr) for land in LANDS)),
    "the_land": (Phrase("no land", "aucun territoire"), *map(the, LANDS)),
    "role": (Phrase("no role", "aucun rôle"), *(Phrase(role.en, role.fr) for role in ROLES)),
    "the_role": (Phrase("no role", "aucun rôle"), *map(the, ROLES)),
    "building": (Phrase("nothing", "rien"), Phrase("an estate", "un Grenier"), Phrase("an office", "un Comptoir")),
    "supply": tuple(Phrase(str(value), str(value)) for value in SUPPLY_VALUE),
    "a_supply": tuple(a(Noun(str(value), str(value), "m")) for value in SUPPLY_VALUE),
    "conflict_value": tuple(Phrase(str(value), str(value)) for value in CONFLICT_VALUE),  # by land, for drawings
    "rank": RANKS,
    "count": COUNTS,
}

# What reports look at: the side that the deal gives each seat, and the count of rounds; both are public fields.
SIDES = "house"
CLOCK = "round"

ROLE_HINTS = (
    Phrase("", ""),
    Phrase("changes house at the reveal, 1 point", "change de camp à la révélation, 1 point"),
    Phrase("strength 2, draws one more card", "force 2, pioche une carte de plus"),
    Phrase("strength 5", "force 5"),
    Phrase("puts an estate or turns a card over", "pose un Grenier ou retourne une carte"),
    Phrase("takes the strategy card, 2 points", "prend la carte Stratégie, 2 points"),
    Phrase("draws 3 cards, nothing for estates", "pioche 3 cartes, rien pour ses Greniers"),
)

QUESTIONS: dict[int, Sentence] = {
    Phase.ESTATE: Sentence(
        "V-1.3",
        "",
        "Under which free land do you put your estate?",
        "Sous quel territoire libre posez-vous votre Grenier ?",
    ),
    Phase.CONFLICT: Sentence(
        "V-2.1",
        "",
        "Between which two neighbouring lands is the conflict?",
        "Entre quels territoires voisins le conflit a-t-il lieu ?",
    ),
    Phase.DRAFT: Sentence("V-2.2", "", "Which role do you keep?", "Quel rôle gardez-vous ?"),
    Phase.SUPPLY: Sentence(
        "V-2.3", "", "Which supply cards do you add to the conflict?", "Quelles Richesses ajoutez-vous au conflit ?"
    ),
    Phase.BUILD: Sentence("V-2.10", "", "What does your Builder do?", "Que fait votre Bâtisseur ?"),
    Phase.DISCARD: Sentence(
        "V-2.15",
        "",
        "You may keep six cards: which one do you discard?",
        "On ne garde que six cartes : laquelle défaussez-vous ?",
    ),
    Phase.OVER: Sentence("V-3.4", "", "The game is over.", "La partie est terminée."),
}

DECISIONS: dict[str, Sentence] = {
    "no_supply": Sentence("V-2.3", "", "Add no more cards", "Ne plus rien ajouter"),
    "no_building": Sentence("V-2.10", "", "Build nothing", "Ne rien bâtir"),
    "estate": Sentence(
        "V-1.3 V-2.10",
        "the_land the_house place",
        "Put an estate under {the_land}, place {place} ({the_house})",
        "Poser un Grenier sous {the_land}, place {place} ({the_house})",
    ),
    "to_office": Sentence(
        "V-2.10",
        "the_land place",
        "Turn the estate under {the_land}, place {place}, into an office",
        "Retourner en Comptoir le Grenier sous {the_land}, place {place}",
    ),
    "to_estate": Sentence(
        "V-2.10",
        "the_land place",
        "Turn the office under {the_land}, place {place}, into an estate",
        "Retourner en Grenier le Comptoir sous {the_land}, place {place}",
    ),
    "conflict": Sentence(
        "V-2.1",
        "the_land:eagle place:eagle_place the_land:rose place:rose_place",
        "{eagle} (Eagle, place {eagle_place}) against {rose} (Rose, place {rose_place})",
        "{eagle} (Aigle, place {eagle_place}) contre {rose} (Rose, place {rose_place})",
    ),
    "keep": Sentence("V-2.2", "the_role:role", "Keep {role}", "Garder {role}"),
    "play": Sentence("V-2.3", "a_supply:supply", "Add {supply}", "Ajouter {supply}"),
    "drop": Sentence("V-2.15", "a_supply:supply", "Discard {supply}", "Défausser {supply}"),
}

NEWS: dict[int, Sentence] = {
    News.FIRST_PLAYER: Sentence(
        "V-1.1",
        "seat seat:left",
        "{seat} is first player and serves the Eagle; {left} takes the strategy card",
        "{seat} est premier joueur et sert l'Aigle ; {left} prend la carte Stratégie",
    ),
    News.ESTATE_PUT: Sentence(
        "V-1.3 V-2.10",
        "seat the_land place",
        "{seat} puts an estate under {the_land}, place {place}",
        "{seat} pose un Grenier sous {the_land}, place {place}",
    ),
    News.ROUND: Sentence(
        "V-2.1",
        "number:round seat",
        "Round {round}: {seat} is first player",
        "Tour {round} : {seat} est premier joueur",
    ),
    News.CONFLICT_AT: Sentence(
        "V-2.1",
        "seat the_land:eagle the_land:rose",
        "{seat} chooses the conflict: {eagle} (Eagle) against {rose} (Rose)",
        "{seat} choisit le conflit : {eagle} (Aigle) contre {rose} (Rose)",
    ),
    News.ROLE_KEPT: Sentence("V-2.2", "seat", "{seat} keeps a role", "{seat} garde un rôle"),
    News.YOUR_ROLE: Sentence("V-2.2", "seat the_role:role", "{seat} keeps {role}", "{seat} garde {role}"),
    News.SUPPLY_PLAYED: Sentence("V-2.3", "seat a_supply:supply", "{seat} adds {supply}", "{seat} ajoute {supply}"),
    News.SUPPLY_DONE: Sentence(
        "V-2.3",
        "seat number:count",
        "{seat} stops at {count} {count|card|cards}",
        "{seat} s'arrête à {count} {count|carte|cartes}",
    ),
    News.ROLE_SHOWN: Sentence("V-2.4", "seat the_role:role", "{seat} reveals {role}", "{seat} révèle {role}"),
    News.TURNED_TRAITOR: Sentence(
        "V-2.4",
        "seat the_house",
        "{seat} turns traitor and now serves {the_house}",
        "{seat} trahit et sert désormais {the_house}",
    ),
    News.HOUSE_WINS: Sentence(
        "V-2.6",
        "the_house the_land number:strength number:against",
        "{the_house} wins {strength} to {against} and takes {the_land}",
        "{the_house} l'emporte {strength} à {against} et prend {the_land}",
    ),
    News.HOUSES_EVEN: Sentence(
        "V-2.7",
        "number:strength",
        "{strength} all: no land changes hands",
        "{strength} partout : aucun territoire ne change de camp",
    ),
    News.LAND_SCORED: Sentence(
        "V-0.3 V-2.6",
        "seat number:points the_land",
        "{seat} scores {points} {points|point|points} for {the_land}",
        "{seat} marque {points} {points|point|points} pour {the_land}",
    ),
    News.ROLE_SCORED: Sentence(
        "V-2.8",
        "seat number:points role",
        "{seat} scores {points} {points|point|points} as {role}",
        "{seat} marque {points} {points|point|points} en tant que {role}",
    ),
    News.TURNED_OVER: Sentence(
        "V-2.10",
        "seat building the_land place",
        "{seat} turns the card under {the_land}, place {place}, into {building}",
        "{seat} retourne la carte sous {the_land}, place {place}, qui devient {building}",
    ),
    News.BUILT_NOTHING: Sentence("V-2.10", "seat", "{seat} builds nothing", "{seat} ne bâtit rien"),
    News.STRATEGY_TAKEN: Sentence(
        "V-2.11", "seat", "{seat} takes the strategy card", "{seat} prend la carte Stratégie"
    ),
    News.DREW: Sentence(
        "V-2.13",
        "seat number:count",
        "{seat} draws {count} {count|card|cards}",
        "{seat} pioche {count} {count|carte|cartes}",
    ),
    News.YOU_DREW: Sentence("V-2.13", "seat a_supply:supply", "{seat} draws {supply}", "{seat} pioche {supply}"),
    News.RESHUFFLED: Sentence(
        "V-2.14",
        "number:count",
        "the discard pile is shuffled into a new draw pile of {count} {count|card|cards}",
        "la défausse est mélangée en une nouvelle pioche de {count} {count|carte|cartes}",
    ),
    News.DRAW_LOST: Sentence(
        "V-2.14",
        "seat number:count",
        "no card is left to draw: {seat} goes without {count} {count|card|cards}",
        "plus de carte à piocher : il en manque {count} à {seat}",
    ),
    News.DROPPED: Sentence("V-2.15", "seat a_supply:supply", "{seat} discards {supply}", "{seat} défausse {supply}"),
    News.ONE_HOUSE: Sentence(
        "V-3.2",
        "the_house",
        "{the_house} holds all twelve lands: the game ends",
        "{the_house} tient les douze territoires : la partie s'arrête",
    ),
    News.OFFICES_SCORED: Sentence(
        "V-3.3",
        "seat number:points number:offices number:cards",
        "{seat}: {offices} {offices|office|offices} × {cards} {cards|card|cards} = {points}",
        "{seat} : {offices} {offices|Comptoir|Comptoirs} × {cards} {cards|carte|cartes} = {points}",
    ),
    News.WON: Sentence(
        "V-3.4",
        "seat number:points number:winners",
        "{seat} {winners|wins|shares the victory} with {points} {points|point|points}",
        "{seat} {winners|gagne|partage la victoire} avec {points} {points|point|points}",
    ),
}


FACTS: dict[str, Any] = {  # what a drawing of the table needs of the rules, as JSON takes it
    "conflict_value": CONFLICT_VALUE,  # by land
    "supply_value": SUPPLY_VALUE,  # by kind
    "role_strength": ROLE_STRENGTH,  # by role
    "office": int(Building.OFFICE),
    "draft": int(Phase.DRAFT),  # roles are kept one seat after another [V-2.2]
    "roles_kept": int(Phase.SUPPLY),  # every seat has a role face down [V-2.3]
    "conflict": [int(phase) for phase in (*Phase, *Then) if phase >= Phase.DRAFT],  # `contested` is this round's
}

STAGING = Staging(
    pieces={
        "conflict": SetPiece(
            opens=(
                News.ROLE_SHOWN,
                News.TURNED_TRAITOR,
                News.HOUSE_WINS,
                News.HOUSES_EVEN,
                News.LAND_SCORED,
                News.ROLE_SCORED,
            )
        ),
        "end": SetPiece(opens=(News.ONE_HOUSE, News.OFFICES_SCORED, News.WON)),
    },
    gathered=(News.DREW, News.YOU_DREW, News.RESHUFFLED, News.DRAW_LOST, News.STRATEGY_TAKEN, News.DROPPED),
    headings=(News.ROUND,),
    told_better={News.ROLE_KEPT: News.YOUR_ROLE, News.DREW: News.YOU_DREW},
)


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    """Which of DECISIONS an action is for the seat of this view, and the numbers that go with it."""
    if action == DONE:
        return ("no_building", ()) if view.phase == Phase.BUILD else ("no_supply", ())
    if action >= DROP:
        return "drop", (action - DROP,)
    if action >= PLAY:
        return "play", (action - PLAY,)
    if action > KEEP:
        return "keep", (action - KEEP,)
    if action >= CONFLICT:
        slots = {view.holder[slot % SLOTS]: slot % SLOTS for slot in (action - CONFLICT, action - CONFLICT + 1)}
        eagle, rose = slots[EAGLE], slots[ROSE]
        return "conflict", (view.land[eagle], eagle, view.land[rose], rose)
    if action >= TURN_OVER:
        slot = action - TURN_OVER
        return "to_office" if view.building[slot] == 1 else "to_estate", (view.land[slot], slot)
    slot = action - ESTATE
    return "estate", (view.land[slot], view.holder[slot], slot)


def standing(s: Any) -> list[int]:
    """By seat, how far it is on its way to victory: the highest is ahead."""
    return list(s.points[: s.seats])
