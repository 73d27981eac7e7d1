"""Names and sentences of Trök for people, French and English. The clause behind each stands with it."""

from typing import Any

from tripot.core.grammar import Noun, a, many, of
from tripot.core.guide import COUNTS, RANKS
from tripot.core.speech import Phrase, Sentence
from tripot.core.staging import SetPiece, Staging
from tripot.games.trok.actions import CARD, COLLECT, DONE, IMPROVE, KEEP, NAME, PERFECT, SET, SWAP, TAKE, News
from tripot.games.trok.cards import (
    BID_VALUE,
    COLOUR,
    FIRST_DWARF,
    GEAR_COPIES,
    GEARS,
    GREEN,
    LEAST_COMBINED,
    MARKET_CARDS,
    PICKAXE,
    RED,
    STONE,
)
from tripot.games.trok.state import PLAN_COLLECTION, Phase

TITLE = Phrase("Trök", "Trök")
TAGLINE = Phrase("The trade of the dwarfs, for two to six", "Le négoce des nains, de deux à six")

SEATS = (
    Phrase("Alvis", "Alvis"),
    Phrase("Brokk", "Brokk"),
    Phrase("Dvalin", "Dvalin"),
    Phrase("Eitri", "Eitri"),
    Phrase("Nori", "Nori"),
    Phrase("Sindri", "Sindri"),
)

EQUIPMENT = (
    Noun("pickaxe", "pioche", "f", "pickaxes", "pioches"),
    Noun("ration", "ration", "f", "rations", "rations"),
    Noun("pair of gloves", "paire de gants", "f", "pairs of gloves", "paires de gants"),
    Noun("lantern", "lanterne", "f", "lanterns", "lanternes"),
    Noun("suit of armour", "armure", "f", "suits of armour", "armures"),
    Noun("helmet", "casque", "m", "helmets", "casques"),
    Noun("hammer", "marteau", "m", "hammers", "marteaux"),
    Noun("arcane stone", "Pierre d'arcane", "f", "arcane stones", "Pierres d'arcane"),
)
_SHORT = {2: Phrase("gloves", "gants"), 4: Phrase("armour", "armure")}  # as a card is titled
_SET_OF = {2: Phrase("gloves", "gants"), 4: Phrase("armour", "armures")}  # as a set is called
SITES = (Noun("mine", "mine", "f"), Noun("vein", "filon", "m"), Noun("cart", "chariot", "m"))
_DWARFS = (
    Phrase("Thrud", "Thrud"),
    Phrase("Grid", "Grid"),
    Phrase("Aegur", "Aegur"),
    Phrase("Dagda", "Dagda"),
    Phrase("Kraal", "Kraal"),
    Phrase("Idunn", "Idunn"),
    Phrase("Skaa", "Skaa"),
    Phrase("Mother Dwerg", "Mère Dwerg"),
    Phrase("Father Dwerg", "Père Dwerg"),
    Phrase("Zoral", "Zoral"),
    Phrase("Astrid", "Astrid"),
    Phrase("Ylud", "Ylud"),
)


def concealed(view: Any) -> tuple[str, ...]:
    """Closed purses: each sees only their own Aare until the end. [K-0.3]"""
    return () if view.open_purses or view.over else ("aare",)


NAMES: dict[str, tuple[Phrase, ...]] = {
    "gear": tuple(_SHORT.get(kind, Phrase(gear.en, gear.fr)) for kind, gear in enumerate(EQUIPMENT)),
    "a_gear": tuple(map(a, EQUIPMENT)),
    "gears": tuple(map(many, EQUIPMENT)),
    "of_gears": tuple(of(_SET_OF.get(kind, many(gear))) for kind, gear in enumerate(EQUIPMENT)),
    "upgrade": (Phrase("nothing", "rien"), *(Phrase(site.en, site.fr) for site in SITES), *_DWARFS),
    "a_upgrade": (Phrase("nothing", "rien"), *map(a, SITES), *_DWARFS),
    "bid_value": tuple(Phrase(str(value), str(value)) for value in BID_VALUE),  # by gear, for drawings
    "rank": RANKS,
    "count": COUNTS,
}

UPGRADE_HINTS = (
    Phrase("", ""),
    Phrase("one more card every turn, dealt open", "une carte de plus à chaque tour, face visible"),
    Phrase("one pickaxe a turn is a joker", "une pioche par tour est un joker"),
    Phrase("keeps one card for the next turn", "garde une carte pour le tour suivant"),
    Phrase("2 Aare whenever the market is renewed", "2 Aare à chaque renouvellement du marché"),
    Phrase("+3 to every bid, 1 Aare a turn", "+3 à chaque offre, 1 Aare par tour"),
    Phrase("5 Aare for each card of a set beyond the third", "5 Aare par carte d'un lot au-delà de la troisième"),
    Phrase("three green cards pay 7", "trois cartes vertes rapportent 7"),
    Phrase("three red cards pay 10", "trois cartes rouges rapportent 10"),
    Phrase("a run of five takes two improvements", "une suite de cinq prend deux Améliorations"),
    Phrase("a collection reaches the whole queue", "une collection atteint toute la file"),
    Phrase("1 Aare a turn for each of your dwarfs", "1 Aare par tour pour chacun de vos nains"),
    Phrase("1 Aare a turn for each mine, vein and cart", "1 Aare par tour par mine, filon et chariot"),
    Phrase("1 Aare a turn for each pickaxe in the market", "1 Aare par tour par pioche au marché"),
    Phrase("2 Aare a turn for each green card in the market", "2 Aare par tour par carte verte au marché"),
    Phrase("3 Aare a turn for each red card in the market", "3 Aare par tour par carte rouge au marché"),
)

CLOCK = "turn"  # for reports: the public field that counts the turns

QUESTIONS: dict[int, Sentence] = {
    Phase.COMMIT: Sentence(
        "K-3.1", "", "Which three cards do you put face down?", "Quelles trois cartes posez-vous face cachée ?"
    ),
    Phase.NAME: Sentence(
        "K-3.3",
        "",
        "The bids are tied: who becomes trade master?",
        "Les offres sont à égalité : qui devient Maître du commerce ?",
    ),
    Phase.TAKE: Sentence("K-3.5", "", "Which open card do you take?", "Quelle carte visible prenez-vous ?"),
    Phase.PLACE: Sentence(
        "K-3.5",
        "",
        "Into your hand, or into the market for another?",
        "Dans votre main, ou au marché contre une autre ?",
    ),
    Phase.OWN: Sentence(
        "K-3.9",
        "",
        "Only your own cards are left: which do you swap with the market?",
        "Il ne reste que vos propres cartes : lesquelles échangez-vous avec le marché ?",
    ),
    Phase.SWAP_OWN: Sentence(
        "K-3.9", "", "Which card of the market do you take for it?", "Quelle carte du marché prenez-vous à la place ?"
    ),
    Phase.GIVE: Sentence(
        "K-3.10",
        "",
        "You owe a card: which one do you give, seen by nobody else?",
        "Vous devez une carte : laquelle donnez-vous, sans que d'autres la voient ?",
    ),
    Phase.COMBINE: Sentence("K-4.1", "", "What do you combine?", "Que combinez-vous ?"),
    Phase.IMPROVE: Sentence(
        "K-4.4", "", "Which improvement of the queue do you take?", "Quelle Amélioration de la file prenez-vous ?"
    ),
    Phase.SECOND: Sentence(
        "K-4.5",
        "",
        "Your run takes a second improvement: which?",
        "Votre suite prend une seconde Amélioration : laquelle ?",
    ),
    Phase.STORE: Sentence("K-5.1", "", "Which cards stay on your carts?", "Quelles cartes restent sur vos chariots ?"),
    Phase.INCOME: Sentence("K-5.2", "", "The turn ends.", "Le tour se termine."),
    Phase.OVER: Sentence("K-6.2", "", "The game is over.", "La partie est terminée."),
}

DECISIONS: dict[str, Sentence] = {
    "offer": Sentence("K-3.1", "a_gear", "Put {a_gear} face down", "Poser {a_gear} face cachée"),
    "name": Sentence("K-3.3", "seat", "{seat} becomes trade master", "{seat} devient Maître du commerce"),
    "take": Sentence("K-3.5", "a_gear seat", "Take {a_gear} from {seat}", "Prendre {a_gear} à {seat}"),
    "keep": Sentence("K-3.5", "a_gear", "Put {a_gear} in your hand", "Mettre {a_gear} dans votre main"),
    "swap": Sentence(
        "K-3.5 K-3.7",
        "a_gear:put a_gear:got",
        "Put {put} in the market for {got}",
        "Poser {put} au marché contre {got}",
    ),
    "swap_own": Sentence(
        "K-3.9",
        "a_gear",
        "Swap {a_gear} of your own with the market",
        "Échanger {a_gear} de votre offre avec le marché",
    ),
    "take_back": Sentence("K-3.9", "", "Take back all that is left", "Reprendre tout ce qui reste"),
    "give": Sentence("K-3.10", "a_gear", "Give {a_gear}", "Donner {a_gear}"),
    "set": Sentence("K-4.2", "of_gears", "Make a set {of_gears}", "Faire un lot {of_gears}"),
    "collection": Sentence(
        "K-4.4",
        "number:size",
        "Make a collection of {size} {size|card|cards}",
        "Faire une collection de {size} {size|carte|cartes}",
    ),
    "perfect": Sentence("K-4.9", "", "Show the perfect combination", "Montrer la combinaison parfaite"),
    "nothing": Sentence("K-4.1", "", "Combine nothing more", "Ne plus rien combiner"),
    "add": Sentence("K-4.2 K-4.4", "a_gear", "Add {a_gear}", "Ajouter {a_gear}"),
    "joker": Sentence("K-4.6", "a_gear", "Add {a_gear} as a joker", "Ajouter {a_gear} comme joker"),
    "enough": Sentence("K-4.2", "", "The set is complete", "Le lot est complet"),
    "improve": Sentence(
        "K-4.4 K-4.7", "a_upgrade:upgrade place", "Take {upgrade} (place {place})", "Prendre {upgrade} (rang {place})"
    ),
    "one_only": Sentence(
        "K-7.2",
        "",
        "Take no second: your jokers stand for something else",
        "Pas de seconde : vos jokers remplacent autre chose",
    ),
    "store": Sentence("K-5.1", "a_gear", "Store {a_gear}", "Stocker {a_gear}"),
    "stored": Sentence("K-5.1", "", "Store nothing more", "Ne plus rien stocker"),
}

NEWS: dict[int, Sentence] = {
    News.YOUNGEST: Sentence("K-3.4", "seat", "{seat} is the youngest", "{seat} est le plus jeune"),
    News.MARKET: Sentence("K-1.1 K-3.7", "gear*:cards", "in the market: {cards}", "au marché : {cards}"),
    News.QUEUED: Sentence(
        "K-1.2 K-5.3",
        "a_upgrade:upgrade place",
        "{upgrade} joins the queue at place {place}",
        "{upgrade} rejoint la file au rang {place}",
    ),
    News.TURN: Sentence("K-2.1", "number:turn", "Turn {turn}", "Tour {turn}"),
    News.DEALT: Sentence(
        "K-2.1",
        "number:count",
        "everyone is dealt {count} {count|card|cards}",
        "chacun reçoit {count} {count|carte|cartes}",
    ),
    News.YOUR_CARDS: Sentence("K-2.1", "seat gear*:cards", "{seat} is dealt {cards}", "{seat} reçoit {cards}"),
    News.MINED: Sentence("K-2.2", "seat a_gear", "a mine brings {seat} {a_gear}", "une mine apporte {a_gear} à {seat}"),
    News.UNLOADED: Sentence(
        "K-2.3", "seat gear*:cards", "{seat} unloads the carts: {cards}", "{seat} décharge ses chariots : {cards}"
    ),
    News.RESHUFFLED: Sentence(
        "K-2.4",
        "number:count",
        "the discard pile is shuffled into a new deck of {count} {count|card|cards}",
        "la défausse est mélangée en un nouveau paquet de {count} {count|carte|cartes}",
    ),
    News.DRAW_LOST: Sentence(
        "K-2.4", "seat", "no card is left to draw for {seat}", "plus de carte à piocher pour {seat}"
    ),
    News.COMMITTED: Sentence("K-3.1", "seat", "{seat} has put cards face down", "{seat} a posé ses cartes face cachée"),
    News.YOU_COMMITTED: Sentence(
        "K-3.1", "seat gear*:cards", "{seat} puts {cards} face down", "{seat} pose face cachée : {cards}"
    ),
    News.OFFERED: Sentence(
        "K-3.1 K-3.2",
        "seat gear*:cards number:bid",
        "{seat} offers {cards} and bids {bid}",
        "{seat} propose {cards} et offre {bid}",
    ),
    News.TIED: Sentence(
        "K-3.3 K-3.4",
        "number:count",
        "the {count} highest bids are tied",
        "les {count} plus fortes offres sont à égalité",
    ),
    News.NAMED: Sentence("K-3.3", "seat seat:other", "{seat} names {other}", "{seat} désigne {other}"),
    News.MASTER: Sentence(
        "K-3.3",
        "seat number:bid",
        "{seat} becomes trade master with a bid of {bid}",
        "{seat} devient Maître du commerce avec une offre de {bid}",
    ),
    News.TOOK: Sentence(
        "K-3.5",
        "seat seat:other a_gear",
        "{seat} takes {a_gear} from {other}",
        "{seat} prend {a_gear} à {other}",
    ),
    News.KEPT: Sentence("K-3.5", "seat a_gear", "{seat} keeps {a_gear}", "{seat} garde {a_gear}"),
    News.SWAPPED: Sentence(
        "K-3.5 K-3.9",
        "seat a_gear:put a_gear:got",
        "{seat} puts {put} in the market for {got}",
        "{seat} pose {put} au marché contre {got}",
    ),
    News.RENEWED: Sentence(
        "K-3.7",
        "seat gears number:aare",
        "three {gears} in the market: it is renewed, and {seat} gains {aare} Aare",
        "trois {gears} au marché : il est renouvelé, et {seat} gagne {aare} Aare",
    ),
    News.THRUD_PAID: Sentence(
        "K-3.8", "seat number:aare", "Thrud brings {seat} {aare} Aare", "Thrud rapporte {aare} Aare à {seat}"
    ),
    News.TOOK_BACK: Sentence("K-3.9", "seat gear*:cards", "{seat} takes back {cards}", "{seat} reprend {cards}"),
    News.GAVE: Sentence("K-3.10", "seat seat:other", "{seat} gives {other} a card", "{seat} donne une carte à {other}"),
    News.YOUR_GIFT: Sentence(
        "K-3.10", "seat seat:other a_gear", "{seat} gives {other} {a_gear}", "{seat} donne {a_gear} à {other}"
    ),
    News.SET_SHOWN: Sentence(
        "K-4.2 K-4.6 K-4.8",
        "seat of_gears gear*:cards number:aare",
        "{seat} makes a set {of_gears} ({cards}): {aare} Aare",
        "{seat} fait un lot {of_gears} ({cards}) : {aare} Aare",
    ),
    News.COLLECTION_SHOWN: Sentence(
        "K-4.4 K-4.6 K-4.8",
        "seat number:size gear*:cards",
        "{seat} makes a collection of {size} ({cards})",
        "{seat} fait une collection de {size} ({cards})",
    ),
    News.IMPROVED: Sentence(
        "K-4.4 K-4.7",
        "seat a_upgrade:upgrade place",
        "{seat} takes {upgrade} from place {place} of the queue",
        "{seat} prend {upgrade} au rang {place} de la file",
    ),
    News.ONE_ONLY: Sentence(
        "K-7.2", "seat", "{seat} takes no second improvement", "{seat} ne prend pas de seconde Amélioration"
    ),
    News.PERFECT_SHOWN: Sentence(
        "K-4.9",
        "seat gear*:cards",
        "{seat} shows the perfect combination: {cards}",
        "{seat} montre la combinaison parfaite : {cards}",
    ),
    News.COMBINED_NOTHING: Sentence("K-4.1", "seat", "{seat} combines nothing", "{seat} ne combine rien"),
    News.STORED: Sentence("K-5.1", "seat gear*:cards", "{seat} stores {cards}", "{seat} stocke {cards}"),
    News.DISCARDED: Sentence("K-5.1", "seat gear*:cards", "{seat} discards {cards}", "{seat} défausse {cards}"),
    News.INCOME: Sentence(
        "K-5.2",
        "seat number:aare upgrade",
        "{upgrade} brings {seat} {aare} Aare",
        "{upgrade} rapporte {aare} Aare à {seat}",
    ),
    News.WON: Sentence(
        "K-6.1 K-6.2 K-6.3",
        "seat number:aare number:winners",
        "{seat} {winners|wins|shares the victory} with {aare} Aare",
        "{seat} {winners|gagne|partage la victoire} avec {aare} Aare",
    ),
}

DONE_KEYS = {Phase.OWN: "take_back", Phase.SECOND: "one_only", Phase.STORE: "stored"}
CARD_KEYS = {Phase.COMMIT: "offer", Phase.GIVE: "give", Phase.STORE: "store"}


FACTS: dict[str, Any] = {  # what a drawing of the table needs of the rules, as JSON takes it
    "green": [gear for gear, colour in enumerate(COLOUR) if colour == GREEN],
    "red": [gear for gear, colour in enumerate(COLOUR) if colour == RED],
    "joker": STONE,
    "copies": GEAR_COPIES,  # by gear [K-0.1]
    "market": MARKET_CARDS,  # that lie open [K-1.1]
    "first_dwarf": FIRST_DWARF,  # the upgrades before it are sites
    "commit": int(Phase.COMMIT),  # in the first turn nobody is trade master yet [K-3.4]
}

STAGING = Staging(
    pieces={
        "bids": SetPiece(opens=(News.OFFERED, News.TIED, News.NAMED, News.MASTER)),
        "market": SetPiece(opens=(News.RENEWED,), joins=(News.THRUD_PAID, News.MARKET)),
        "combinations": SetPiece(
            opens=(News.SET_SHOWN, News.COLLECTION_SHOWN, News.PERFECT_SHOWN, News.IMPROVED),
            joins=(News.COMBINED_NOTHING, News.ONE_ONLY),
        ),
        "end": SetPiece(opens=(News.WON,)),
    },
    gathered=(
        News.OFFERED,  # all cards are shown at once [K-3.1]
        News.QUEUED,
        News.DEALT,
        News.YOUR_CARDS,
        News.MINED,
        News.UNLOADED,
        News.RESHUFFLED,
        News.DRAW_LOST,
        News.COMMITTED,
        News.YOU_COMMITTED,
        News.TOOK_BACK,
        News.GAVE,
        News.YOUR_GIFT,
        News.STORED,
        News.DISCARDED,
        News.INCOME,
    ),
    headings=(News.TURN,),
    told_better={News.COMMITTED: News.YOU_COMMITTED, News.GAVE: News.YOUR_GIFT},
)


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    """Which of DECISIONS an action is for the seat of this view, and the numbers that go with it."""
    if action == DONE:
        return DONE_KEYS.get(view.phase, "enough" if view.my_plan else "nothing"), ()
    if action >= IMPROVE:
        return "improve", (view.queue[action - IMPROVE], action - IMPROVE)
    if action == PERFECT:
        return "perfect", ()
    if action >= COLLECT:
        return "collection", (action - COLLECT + LEAST_COMBINED,)
    if action >= SET:
        return "set", (action - SET,)
    if action >= NAME:
        return "name", (action - NAME,)
    if action >= SWAP:
        return "swap", (view.taken - 1, action - SWAP)
    if action == KEEP:
        return "keep", (view.taken - 1,)
    if action >= TAKE:
        seat, kind = divmod(action - TAKE, GEARS)
        return ("swap_own", (kind,)) if seat == view.seat else ("take", (kind, seat))
    kind = action - CARD
    return CARD_KEYS.get(view.phase) or ("joker" if is_joker(view, kind) else "add"), (kind,)


def is_joker(view: Any, kind: int) -> bool:
    """Whether this card would stand for another in what the seat puts together. [K-4.6]"""
    if kind != PICKAXE:
        return kind == STONE
    if view.my_plan >= PLAN_COLLECTION:
        return bool(view.my_chosen[PICKAXE])  # the first stands for itself
    return bool(view.my_plan != 1 + PICKAXE)


def standing(s: Any) -> list[int]:
    """By seat, how far it is on its way to victory: the highest is ahead."""
    return [aare + 1000 * (s.perfect >> seat & 1) for seat, aare in enumerate(s.aare[: s.seats])]
