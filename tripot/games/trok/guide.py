"""What Trök tells a player beside the table: goals, what they know, what decisions do, how the game went."""

from collections.abc import Sequence
from typing import Any

from tripot.core.guide import Forced, Guide, Said, place_of
from tripot.core.layout import SPECTATOR
from tripot.core.speech import Phrase, Sentence
from tripot.games.trok.actions import CARD, COLLECT, DONE, IMPROVE, PERFECT, SET, SWAP, TAKE
from tripot.games.trok.cards import BID_VALUE, GEARS, LEAST_COMBINED, MARKET_CARDS, MARKET_REWARD, UPGRADES, Upgrade
from tripot.games.trok.effects import set_value
from tripot.games.trok.state import Phase
from tripot.games.trok.text import UPGRADE_HINTS

#                  none  mine    vein     cart     thrud    grid           aegur    dagda    kraal    idunn    skaa
UPGRADE_CLAUSES = ("",   "K-2.2", "K-4.6", "K-5.1", "K-3.8", "K-3.2 K-5.2", "K-4.3", "K-4.3", "K-4.3", "K-4.5", "K-4.5",
                   "K-5.2", "K-5.2", "K-5.2", "K-5.2", "K-5.2")  # fmt: skip

SENTENCES = {
    # goals
    "turn": Sentence("K-2.1", "number:turn", "Turn {turn}", "Tour {turn}"),
    "goal": Sentence(
        "K-6.2 K-6.1",
        "number:goal",
        "First to {goal} Aare at the end of a turn wins, or the perfect combination",
        "Le premier à {goal} Aare en fin de tour gagne, ou la combinaison parfaite",
    ),
    "purse": Sentence(
        "K-6.2", "number:aare number:goal", "you have {aare} of {goal} Aare", "vous avez {aare} Aare sur {goal}"
    ),
    "richest": Sentence("K-6.2", "seat number:aare", "{seat} leads with {aare}", "{seat} mène avec {aare}"),
    "level": Sentence("K-6.2", "number:aare", "level at {aare}", "égalité à {aare}"),
    "last_turn": Sentence(
        "K-6.2",
        "",
        "the goal is reached: this turn is the last",
        "le but est atteint : ce tour est le dernier",
    ),
    "perfect_shown": Sentence(
        "K-6.1",
        "",
        "the perfect combination is shown: this turn is the last",
        "la combinaison parfaite est montrée : ce tour est le dernier",
    ),
    # what the seat knows
    "seen_in_hand": Sentence("K-3.5", "seat gear*:cards", "{seat} holds {cards}", "{seat} a en main {cards}"),
    "seen_less_one": Sentence(
        "K-3.10",
        "seat gear*:cards",
        "{seat} holds {cards}, less one that was given away",
        "{seat} a en main {cards}, moins une carte donnée",
    ),
    "they_saw": Sentence(
        "K-3.5", "gear*:cards", "Everyone knows that you hold {cards}", "Tous savent que vous avez en main {cards}"
    ),
    "gave": Sentence(
        "K-3.10", "seat a_gear", "You gave {seat} {a_gear}, in secret", "Vous avez donné {a_gear} à {seat}, en secret"
    ),
    "was_given": Sentence(
        "K-3.10",
        "seat a_gear",
        "{seat} gave you {a_gear}, in secret",
        "{seat} vous a donné {a_gear}, en secret",
    ),
    # what decisions do
    **{
        f"upgrade_{upgrade}": Sentence(UPGRADE_CLAUSES[upgrade], "", *UPGRADE_HINTS[upgrade])
        for upgrade in range(1, UPGRADES + 1)
    },
    "bids": Sentence("K-3.2", "number:value", "bids {value}", "offre de {value}"),
    "pays": Sentence("K-4.2 K-4.3", "number:aare", "pays {aare} Aare or more", "rapporte {aare} Aare ou plus"),
    "reaches": Sentence(
        "K-4.4 K-4.5",
        "number:reach",
        "an improvement among the first {reach}",
        "une Amélioration parmi les {reach} premières",
    ),
    "wins": Sentence("K-4.9 K-6.1", "", "wins at the end of this turn", "gagne à la fin de ce tour"),
    "renews": Sentence(
        "K-3.7",
        "gears number:aare",
        "three {gears}: {aare} Aare, and the market is renewed",
        "trois {gears} : {aare} Aare, et le marché est renouvelé",
    ),
    # words before a mistake
    "could_win": Sentence(
        "K-4.9 K-6.1",
        "",
        "You could show the perfect combination and win. Do something else anyway?",
        "Vous pourriez montrer la combinaison parfaite et gagner. Faire autre chose quand même ?",
    ),
    "could_combine": Sentence(
        "K-4.1",
        "",
        "Your hand still makes a combination, and cards left over are discarded. Stop anyway?",
        "Votre main permet encore une combinaison, et le reste est défaussé. Arrêter quand même ?",
    ),
    "could_store": Sentence(
        "K-5.1",
        "",
        "A cart is still empty, and cards not stored are discarded. Leave it empty anyway?",
        "Un chariot est encore vide, et les cartes non stockées sont défaussées. Le laisser vide quand même ?",
    ),
    "could_improve": Sentence(
        "K-4.5 K-7.2",
        "",
        "Your run may take a second improvement. Do without it anyway?",
        "Votre suite peut prendre une seconde Amélioration. Y renoncer quand même ?",
    ),
    # the end
    "clock": Sentence("K-2.1", "number:clock", "Turn {clock}", "Tour {clock}"),
    "win_by": Sentence("K-6.2", "number:lead", "You win by {lead} Aare", "Vous gagnez de {lead} Aare"),
    "win_perfect": Sentence(
        "K-6.1", "", "You win with the perfect combination", "Vous gagnez grâce à la combinaison parfaite"
    ),
    "share": Sentence(
        "K-6.3", "number:aare", "You share the victory with {aare} Aare", "Victoire partagée, {aare} Aare"
    ),
    "ranked": Sentence(
        "K-6.2",
        "rank count number:behind seat",
        "{rank} of {count}, {behind} Aare behind {seat}",
        "{rank} sur {count}, {behind} Aare derrière {seat}",
    ),
    "lost_perfect": Sentence(
        "K-6.1",
        "rank count seat",
        "{rank} of {count}: {seat} showed the perfect combination",
        "{rank} sur {count} : {seat} a montré la combinaison parfaite",
    ),
    "aare": Sentence("K-6.2", "number:aare", "{aare} Aare", "{aare} Aare"),
}


# For the first times that a question comes: what it decides, and what good players look at.
ADVICE: dict[int, Phrase] = {
    Phase.COMMIT: Phrase(
        "The three are your bid, and others may take them. High cards make you trade master; keep what combines.",
        "Ces trois cartes font votre offre, et les autres peuvent les prendre. Gardez ce qui se combine.",
    ),
    Phase.NAME: Phrase(
        "The trade master moves first in the exchange. Name yourself, or whoever is least dangerous.",
        "Le Maître du commerce joue le premier dans l'échange. Nommez-vous, ou le moins dangereux.",
    ),
    Phase.TAKE: Phrase(
        "Take what completes a set or a collection in your hand, or what a rival needs.",
        "Prenez ce qui complète un lot ou une collection, ou ce dont un rival a besoin.",
    ),
    Phase.PLACE: Phrase(
        "You may keep it, or put it into the market for a card that fits better. Three alike in the market pay.",
        "Gardez-la, ou posez-la au marché contre une carte plus utile. Trois pareilles au marché rapportent.",
    ),
    Phase.OWN: Phrase(
        "Nothing else is left to take: swap what you cannot combine.",
        "Il n'y a plus rien d'autre à prendre : échangez ce qui ne se combine pas.",
    ),
    Phase.SWAP_OWN: Phrase(
        "Which market card makes a set or a run with your hand?",
        "Quelle carte du marché fait un lot ou une suite avec votre main ?",
    ),
    Phase.GIVE: Phrase(
        "Give a card that helps you least, and its new owner no more than that.",
        "Donnez la carte qui vous sert le moins, et qui n'aide guère son nouveau propriétaire.",
    ),
    Phase.COMBINE: Phrase(
        "Sets pay Aare, collections take improvements, which pay every turn. Early improvements pay longest.",
        "Les lots rapportent des Aare, les collections des Améliorations, utiles à chaque tour : tôt, c'est mieux.",
    ),
    Phase.IMPROVE: Phrase(
        "Early in the game take what brings cards or Aare every turn; late, what pays at once.",
        "En début de partie, prenez ce qui sert à chaque tour ; à la fin, ce qui paie aussitôt.",
    ),
    Phase.SECOND: Phrase(
        "A second improvement is free: take the one that fits those you own.",
        "La seconde Amélioration est gratuite : prenez celle qui va avec les vôtres.",
    ),
    Phase.STORE: Phrase(
        "What is stored is open, and yours next turn; all else is discarded. Keep the start of a combination.",
        "Ce qui est stocké reste visible, et à vous ; le reste est défaussé. Gardez un début de combinaison.",
    ),
}


# --- The goal ---------------------------------------------------------------- [K-6]


def goals(view: Any) -> list[Said]:
    said = [Said("turn", (view.turn,))]
    if view.over:
        return [*said, Said("goal", (view.goal,))]
    aare = list(view.aare[: view.seats])
    if view.seat != SPECTATOR:
        said.append(Said("purse", (aare[view.seat], view.goal)))
    if view.open_purses:  # [K-0.3]
        best = max(aare)
        leaders = [seat for seat, sum_held in enumerate(aare) if sum_held == best]
        if len(leaders) > 1:
            said.append(Said("level", (best,)))
        elif leaders[0] != view.seat:
            said.append(Said("richest", (leaders[0], best)))
        if best >= view.goal:
            said.append(Said("last_turn"))
    if view.perfect:
        said.append(Said("perfect_shown"))
    return [*said, Said("goal", (view.goal,))]


# --- What the seat knows -----------------------------------------------------


def knowledge(view: Any) -> list[Said]:
    said = []
    for seat in range(view.seats):
        cards = [kind for kind, count in enumerate(view.known[seat]) for _ in range(count)]
        if not cards or not view.hand_size[seat]:
            continue
        if seat == view.seat:
            said.append(Said("they_saw", (cards,)))
        else:  # the trade master may have given one of them away [K-3.10]
            unsure = view.receiver and seat == view.master and view.receiver - 1 != view.seat
            said.append(Said("seen_less_one" if unsure else "seen_in_hand", (seat, cards)))
    if view.my_gift and view.seat == view.master:
        said.append(Said("gave", (view.receiver - 1, view.my_gift - 1)))
    elif view.my_gift:
        said.append(Said("was_given", (view.master, view.my_gift - 1)))
    return said


# --- What decisions do --------------------------------------------------------


def hint(view: Any, action: int) -> list[Said]:
    if view.phase == Phase.COMMIT and CARD <= action < TAKE:
        return [Said("bids", (BID_VALUE[action - CARD],))]
    if view.phase in (Phase.IMPROVE, Phase.SECOND) and action >= IMPROVE:
        return [Said(f"upgrade_{view.queue[action - IMPROVE]}")]
    if view.phase in (Phase.PLACE, Phase.SWAP_OWN) and SWAP <= action < SWAP + GEARS:
        return swapping(view, view.taken - 1, action - SWAP)
    if view.phase != Phase.COMBINE or view.my_plan or action < SET:
        return []
    if action == PERFECT:
        return [Said("wins")]
    owned = view.owned[view.seat]
    if action >= COLLECT:
        size = action - COLLECT + LEAST_COMBINED
        return [Said("reaches", (view.queue_size if owned[Upgrade.SKAA] else min(size, view.queue_size),))]
    return [Said("pays", (set_value(action - SET, LEAST_COMBINED, owned),))]


def swapping(view: Any, put: int, got: int) -> list[Said]:
    """Three identical cards in the market pay; stones are no jokers there. [K-3.7]"""
    if put != got and view.market[put] == MARKET_CARDS - 1 and put < GEARS - 1:
        return [Said("renews", (put, MARKET_REWARD))]
    return []


def warning(view: Any, action: int, legal: Sequence[int]) -> Said | None:
    """A combination, a second improvement or a place on a cart that is not used is lost. [K-4.1 K-4.5 K-5.1]"""
    if view.phase == Phase.COMBINE and not view.my_plan and PERFECT in legal and action != PERFECT:
        return Said("could_win")
    if action != DONE or len(legal) == 1:
        return None
    if view.phase == Phase.COMBINE and not view.my_plan:
        return Said("could_combine")
    if view.phase == Phase.SECOND:
        return Said("could_improve")
    return Said("could_store") if view.phase == Phase.STORE else None


def forced(view: Any, action: int) -> Forced:
    """A gift is told, since it costs a card; whether a hand makes a combination is secret. [K-3.10 K-4.1]"""
    if view.phase == Phase.NAME:
        return Forced.OPEN
    return Forced.ASKED if view.phase == Phase.GIVE else Forced.SECRET


# --- The end ------------------------------------------------------------------ [K-6]


def outcome(s: Any, seat: int) -> Said:
    aare = list(s.aare[: s.seats])
    place = place_of(s.result[: s.seats], aare, seat)
    if not place.sharing:
        if place.behind <= 0 or s.perfect:
            return Said("lost_perfect", (place.place, s.seats, place.first))
        return Said("ranked", (place.place, s.seats, place.behind, place.first))
    if place.sharing > 1:
        return Said("share", (aare[seat],))
    return Said("win_perfect") if s.perfect else Said("win_by", (place.behind,))


def reached(s: Any, seat: int) -> Said:
    return Said("aare", (s.aare[seat],))


GOALS_READ = frozenset({"aare", "goal", "open_purses", "over", "perfect", "seats", "turn"})
KNOWLEDGE_READS = frozenset({"hand_size", "known", "master", "my_gift", "receiver", "seats"})
GUIDE = Guide(
    SENTENCES,
    goals,
    outcome,
    reached,
    knowledge,
    hint,
    warning,
    forced,
    advice=ADVICE,
    goals_read=GOALS_READ,
    knowledge_reads=KNOWLEDGE_READS,
)
