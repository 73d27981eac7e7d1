"""What Trieste tells a player beside the table: goals, what they know, what decisions do, how the game went."""

import re
from collections.abc import Sequence
from typing import Any

from tripot.core.guide import Forced, Guide, Said
from tripot.core.layout import SPECTATOR
from tripot.core.pile import bag_size
from tripot.core.speech import Phrase, Sentence
from tripot.games.trieste.actions import CARD, DECLINE, HERO, REVEAL
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    FACTIONS,
    HEROES,
    LAST_TURN,
    MERCHANT,
    MOST_INFAMY,
    RICHES,
    THIEF,
    TREASURE_BACK,
    TREASURES,
    WATCH,
    card_at,
)
from tripot.games.trieste.phases import price, prison_cost
from tripot.games.trieste.state import Phase, worth
from tripot.games.trieste.text import ABOUT, EFFECTS, HERO_EFFECTS

LATE = LAST_TURN - 10  # from here on the last turn is worth a word


def effect_sentence(effect: Phrase) -> Sentence:
    """The text of a card as a sentence for its numbers; `treasures` and `share` are its amount in words."""
    found = dict.fromkeys(re.findall(r"\{(\w+)\}", effect.en))
    return Sentence("T-5.8", " ".join(n if n in IN_WORDS else f"number:{n}" for n in found), effect.en, effect.fr)


IN_WORDS = ("treasures", "share")

SENTENCES = {
    # goals
    "set_up": Sentence("T-6.1", "", "Set-up", "Mise en place"),
    "turn": Sentence("T-3.1", "number:turn", "Turn {turn}", "Tour {turn}"),
    "late_turn": Sentence(
        "T-4.5",
        "number:turn number:last",
        "Turn {turn} of {last}, then nobody wins",
        "Tour {turn} sur {last}, puis personne ne gagne",
    ),
    "captures": Sentence(
        "T-4.1",
        "number:count number:goal",
        "Watch: {count} of {goal} {goal|thief|thieves} captured",
        "Gardien : {count} {count|voleur capturé|voleurs capturés} sur {goal}",
    ),
    "purse": Sentence(
        "T-4.2",
        "number:worth number:goal",
        "Merchant: treasure worth {worth} of {goal}",
        "Marchand : {worth} sur {goal} en Trésors",
    ),
    "closed_purse": Sentence(
        "T-4.2",
        "number:goal number:count",
        "Merchant: needs treasure worth {goal}, holds {count} {count|treasure|treasures}",
        "Marchand : il lui faut {goal} en valeur, il a {count} {count|Trésor|Trésors} en main",
    ),
    "raised_purse": Sentence(
        "T-4.2",
        "number:worth number:goal number:base number:levels",
        "Merchant: treasure worth {worth} of {goal} ({base} + {levels} for captured thieves)",
        "Marchand : {worth} sur {goal} en Trésors ({base} + {levels} pour les voleurs capturés)",
    ),
    "infamy": Sentence(
        "T-4.3",
        "number:count number:goal",
        "Thief: {count} of {goal} Infamy",
        "Voleur : {count} {count|point|points} d'Infamie sur {goal}",
    ),
    # what the seat knows
    "in_hand": Sentence(
        "T-0.4",
        "the_faction card*:cards",
        "You know that {the_faction} holds {cards}",
        "Vous savez que {the_faction} a en main {cards}",
    ),
    "all_know": Sentence(
        "T-0.4",
        "the_faction card*:cards",
        "Everyone knows that {the_faction} holds {cards}",
        "Tous savent que {the_faction} a en main {cards}",
    ),
    "they_know": Sentence(
        "T-0.4",
        "the_faction card*:cards",
        "{the_faction} knows that you hold {cards}",
        "{the_faction} sait que vous avez en main {cards}",
    ),
    "others_know": Sentence(
        "T-0.4",
        "card*:cards",
        "The others know that you hold {cards}",
        "Les autres savent que vous avez en main {cards}",
    ),
    # what decisions do
    **{f"card_{card}": effect_sentence(effect) for card, effect in enumerate(EFFECTS) if card},
    **{f"hero_{hero}": Sentence("T-6.4", "", *effect) for hero, effect in enumerate(HERO_EFFECTS) if hero},
    "cost": Sentence(
        "T-2.2", "number:cost number:level", "costs {cost}, level {level}", "coûte {cost}, niveau {level}"
    ),
    "too_dear": Sentence(
        "T-3.3",
        "number:cost number:level number:worth",
        "costs {cost}, you have {worth}; level {level}",
        "coûte {cost}, vous avez {worth} ; niveau {level}",
    ),
    "then_left": Sentence(
        "T-2.2",
        "number:due number:worth",
        "{due} to pay, you have {worth}",
        "{due} à payer, vous avez {worth}",
    ),
    # words before a mistake
    "cannot_pay": Sentence(
        "T-3.3 T-2.8",
        "the_card:card number:cost number:worth",
        "{card} costs {cost} and you have {worth}: it would be negated and you would show your hand. Play it anyway?",
        "{card} coûte {cost} et vous avez {worth} : la carte serait contrecarrée et vous montreriez votre main. "
        "La jouer quand même ?",
    ),
    "nothing_played": Sentence(
        "T-3.2",
        "",
        "You have cards that you can pay for. Play nothing this turn?",
        "Vous avez des cartes que vous pouvez payer. Ne rien jouer ce tour-ci ?",
    ),
    "nothing_captured": Sentence(
        "T-5.8",
        "",
        "The Magistrate could still capture a thief. Stop anyway?",
        "Le Magistrat pourrait encore capturer un voleur. Arrêter quand même ?",
    ),
    # the end
    "clock": Sentence("T-3.1", "number:clock", "Turn {clock}", "Tour {clock}"),
    "you_win_watch": Sentence(
        "T-4.1",
        "number:count number:turn",
        "You win in turn {turn}: {count} {count|thief|thieves} captured",
        "Vous gagnez au tour {turn} : {count} {count|voleur capturé|voleurs capturés}",
    ),
    "you_win_merchant": Sentence(
        "T-4.2",
        "number:worth number:goal number:turn",
        "You win in turn {turn}: treasure worth {worth}, {goal} needed",
        "Vous gagnez au tour {turn} : {worth} en Trésors, il en fallait {goal}",
    ),
    "raised_you_win_merchant": Sentence(
        "T-4.2",
        "number:worth number:goal number:turn number:base number:levels",
        "You win in turn {turn}: treasure worth {worth}, {goal} needed ({base} + {levels} for captured thieves)",
        "Vous gagnez au tour {turn} : {worth} en Trésors, il en fallait {goal} "
        "({base} + {levels} pour les voleurs capturés)",
    ),
    "you_win_thief": Sentence(
        "T-4.3",
        "number:count number:turn",
        "You win in turn {turn}: {count} Infamy",
        "Vous gagnez au tour {turn} : {count} {count|point|points} d'Infamie",
    ),
    "they_win": Sentence(
        "T-4.4",
        "the_faction number:mine number:goal number:turn",
        "{the_faction} wins in turn {turn}; you reached {mine} of {goal}",
        "{the_faction} gagne au tour {turn} ; vous êtes à {mine} sur {goal}",
    ),
    "raised_they_win": Sentence(
        "T-4.2 T-4.4",
        "the_faction number:mine number:goal number:turn number:base number:levels",
        "{the_faction} wins in turn {turn}; you reached {mine} of {goal} ({base} + {levels} for captured thieves)",
        "{the_faction} gagne au tour {turn} ; vous êtes à {mine} sur {goal} "
        "({base} + {levels} pour les voleurs capturés)",
    ),
    "raised_nobody_wins": Sentence(
        "T-4.2 T-4.5",
        "number:mine number:goal number:base number:levels",
        "Nobody wins; you reached {mine} of {goal} ({base} + {levels} for captured thieves)",
        "Personne ne gagne ; vous êtes à {mine} sur {goal} ({base} + {levels} pour les voleurs capturés)",
    ),
    "nobody_wins": Sentence(
        "T-4.5",
        "number:mine number:goal",
        "Nobody wins; you reached {mine} of {goal}",
        "Personne ne gagne ; vous êtes à {mine} sur {goal}",
    ),
}


# For the first times that a question comes: what it decides, and what good players look at.
ADVICE: dict[int, Phrase] = {
    Phase.HERO: Phrase(
        "A hero works once you reveal it. Choose one that helps the way you mean to win.",
        "Un héros agit une fois révélé. Choisissez celui qui sert votre façon de gagner.",
    ),
    Phase.REVEAL: Phrase(
        "Hidden, it is a surprise; revealed, it works from now on. Reveal it when it changes something.",
        "Caché, il surprend ; révélé, il agit désormais. Révélez-le quand il change quelque chose.",
    ),
    Phase.DRAW: Phrase(
        "Treasure pays for cards; your own deck brings them. Look at what you can pay for already.",
        "Les Trésors paient les cartes ; votre paquet les apporte. Voyez ce que vous pouvez déjà payer.",
    ),
    Phase.PLAY: Phrase(
        "All play face down, and only what is paid for works. Think of what the two others are likely to play.",
        "Tous jouent face cachée, et seul ce qui est payé agit. Pensez à ce que joueront les deux autres.",
    ),
    Phase.PAY: Phrase(
        "No change is given: pay as closely as you can.",
        "On ne rend pas la monnaie : payez au plus juste.",
    ),
    Phase.BUY: Phrase(
        "A character that comes back can be played again. Keep enough treasure for your next card.",
        "Un personnage racheté peut rejouer. Gardez de quoi payer votre prochaine carte.",
    ),
    Phase.REACT: Phrase(
        "A captured thief counts for the Watch, and raises the Merchant's goal. Dear characters are worth saving.",
        "Un voleur capturé compte pour le Gardien. Un personnage cher vaut d'être sauvé.",
    ),
    Phase.VICTIM: Phrase(
        "Rob whoever is closer to winning, or whoever surely holds treasure.",
        "Volez qui est plus près de gagner, ou qui tient sûrement des Trésors.",
    ),
    Phase.TOLL: Phrase(
        "Is your card worth more to you than this treasure?",
        "Votre carte vaut-elle plus, pour vous, que ces Trésors ?",
    ),
    Phase.SEIZE: Phrase(
        "Every capture counts one for you; take the thief that would bring most Infamy.",
        "Chaque capture vous compte un ; prenez le voleur qui rapporterait le plus d'Infamie.",
    ),
    Phase.TRIAL: Phrase(
        "Every capture counts one for you; high levels cost the Merchant more.",
        "Chaque capture vous compte un ; un haut niveau coûte plus au Marchand.",
    ),
    Phase.GIVE: Phrase("Give the smallest.", "Donnez le plus petit."),
    Phase.SIFT: Phrase(
        "Worth counts for your goal, and coppers pay small prices exactly.",
        "La valeur compte pour votre but, et le cuivre paie juste les petits prix.",
    ),
    Phase.SALVAGE: Phrase("Take the most valuable.", "Prenez le plus précieux."),
    Phase.BARGAIN: Phrase(
        "Their order matters: the first one works first.", "L'ordre compte : la première agit d'abord."
    ),
    Phase.BRIBE: Phrase("The highest level lowers your goal most.", "Le plus haut niveau abaisse le plus votre but."),
    Phase.STRIP: Phrase(
        "The most valuable one sets the Merchant back most.", "Le plus précieux retarde le plus le Marchand."
    ),
    Phase.RECALL: Phrase(
        "Take back one that you can pay for next turn.", "Reprenez-en un que vous pourrez payer au prochain tour."
    ),
    Phase.FENCE: Phrase(
        "Let a card go that you cannot pay for soon.", "Lâchez une carte que vous ne paierez pas de sitôt."
    ),
    Phase.FREE: Phrase(
        "Every freed thief takes a capture from the Watch; free one that you will play.",
        "Chaque voleur libéré ôte une capture au Gardien ; libérez celui que vous jouerez.",
    ),
    Phase.DROP: Phrase("Let go what you can pay for least.", "Lâchez ce que vous pouvez le moins payer."),
}


# --- The goals --------------------------------------------------------------- [T-4]


def goals(view: Any) -> list[Said]:
    """Each faction's own goal, that of the seat first."""
    if not view.turn:
        now = Said("set_up")
    else:
        now = Said("late_turn", (view.turn, LAST_TURN)) if view.turn > LATE else Said("turn", (view.turn,))
    wanted = RICHES + prison_cost(view)
    mine = view.faction[view.seat] if view.seat != SPECTATOR else WATCH
    if view.seat != SPECTATOR and mine == MERCHANT:
        purse = Said("purse", (worth(view.my_hand), wanted))
    else:
        purse = Said("closed_purse", (wanted, view.hand_size[MERCHANT][TREASURE_BACK]))
    each = [
        Said("captures", (bag_size(view.captured), CAPTURES_TO_WIN)),
        purse,
        Said("infamy", (view.infamy, MOST_INFAMY)),
    ]
    return [now, each[mine], *(said for faction, said in enumerate(each) if faction != mine)]


# --- What the seat knows -----------------------------------------------------


def knowledge(view: Any) -> list[Said]:
    """Cards that the seat knows in other hands, and that others know in its own."""
    if view.seat == SPECTATOR:
        known = [("all_know", faction, cards_of(faction, view.open[faction])) for faction in range(FACTIONS)]
        return [Said(key, (faction, cards)) for key, faction, cards in known if cards]
    mine = view.faction[view.seat]
    others = [faction for faction in range(FACTIONS) if faction != mine]
    known = [("in_hand", faction, cards_of(faction, view.my_knows[faction])) for faction in others]
    shown = [cards_of(mine, view.my_shown[faction]) for faction in others]
    if shown[0] != shown[1]:
        known += [("they_know", faction, cards) for faction, cards in zip(others, shown, strict=True)]
    said = [Said(key, (faction, cards)) for key, faction, cards in known if cards]
    return said + ([Said("others_know", (shown[0],))] if shown[0] and shown[0] == shown[1] else [])


def cards_of(faction: int, kinds: Sequence[int]) -> list[int]:
    return [int(card_at(faction, kind)) for kind, count in enumerate(kinds) for _ in range(count)]


# --- What decisions do --------------------------------------------------------


def hint(view: Any, action: int) -> list[Said]:
    """What a card or a hero does, with the numbers of the deck in play, and what it costs."""
    faction = view.faction[view.seat]
    if view.phase == Phase.HERO:
        return [Said(f"hero_{1 + HEROES * faction + action - HERO}")]
    if view.phase == Phase.REVEAL:
        return [Said(f"hero_{view.my_hero}")] if action == REVEAL else []
    if view.phase == Phase.PAY and action >= CARD:
        return [Said("then_left", (view.due, worth(view.my_hand)))]
    if action < CARD + TREASURES:
        return []
    card = card_at(ABOUT.get(view.phase, faction), action - CARD)
    does = Said(f"card_{card}", effect_numbers(view, card))
    if view.phase not in (Phase.PLAY, Phase.BUY):
        return [does]
    cost, money = price(view, faction, card), worth(view.my_hand)
    if cost > money:
        return [Said("too_dear", (cost, view.level[card], money)), does]
    return [Said("cost", (cost, view.level[card])), does]


def effect_numbers(view: Any, card: int) -> tuple[int, ...]:
    amount = view.amount[card]
    numbers = {"reach": view.reach[card], "amount": amount, "more": view.more[card]} | dict.fromkeys(IN_WORDS, amount)
    return tuple(numbers[name] for name, _ in SENTENCES[f"card_{card}"].holes)


def warning(view: Any, action: int, legal: Sequence[int]) -> Said | None:
    """A card that cannot be paid for is negated and the hand is shown; a turn without a card is lost. [T-3.3 T-3.2]"""
    faction = view.faction[view.seat]
    if view.phase == Phase.TRIAL and action == DECLINE and len(legal) > 1:
        return Said("nothing_captured")
    if view.phase != Phase.PLAY:
        return None
    money = worth(view.my_hand)
    if action == DECLINE:
        titles = [card_at(faction, other - CARD) for other in legal if other >= CARD + TREASURES]
        return Said("nothing_played") if any(price(view, faction, card) <= money for card in titles) else None
    if action < CARD + TREASURES:
        return None
    card = card_at(faction, action - CARD)
    cost = price(view, faction, card)
    return Said("cannot_pay", (card, cost, money)) if cost > money else None


def forced(view: Any, action: int) -> Forced:
    """That a hand has nothing to play or cannot pay is secret. [T-7.9]"""
    return Forced.SECRET if view.phase in (Phase.PLAY, Phase.BUY) else Forced.ASKED


# --- The end ------------------------------------------------------------------ [T-4]


def progress(s: Any, faction: int) -> tuple[int, int]:
    """What a faction has reached of its goal, from the whole state."""
    if faction == WATCH:
        return bag_size(s.captured), CAPTURES_TO_WIN
    if faction == MERCHANT:
        return worth(s.hand[s.seat_of[MERCHANT]]), RICHES + prison_cost(s)
    return s.infamy, MOST_INFAMY


# What is said to a Merchant whose goal has grown.
RAISED = {
    "purse": "raised_purse",
    "you_win_merchant": "raised_you_win_merchant",
    "they_win": "raised_they_win",
    "nobody_wins": "raised_nobody_wins",
}


def explained(s: Any, seat: int, said: Said) -> Said:
    """The same, and to the Merchant why their goal has grown: by the levels of captured thieves. [T-4.2]"""
    levels = prison_cost(s)
    if s.faction[seat] != MERCHANT or not levels:
        return said
    return Said(RAISED[said.key], (*said.numbers, RICHES, levels))


def outcome(s: Any, seat: int) -> Said:
    mine, goal = progress(s, s.faction[seat])
    if s.result[seat]:
        keys = {WATCH: "you_win_watch", MERCHANT: "you_win_merchant", THIEF: "you_win_thief"}
        numbers = (mine, goal, s.turn) if s.faction[seat] == MERCHANT else (mine, s.turn)
        return explained(s, seat, Said(keys[s.faction[seat]], numbers))
    winner = next((s.faction[other] for other in range(s.seats) if s.result[other]), None)
    said = Said("nobody_wins", (mine, goal)) if winner is None else Said("they_win", (winner, mine, goal, s.turn))
    return explained(s, seat, said)


def reached(s: Any, seat: int) -> Said:
    keys = {WATCH: "captures", MERCHANT: "purse", THIEF: "infamy"}
    return explained(s, seat, Said(keys[s.faction[seat]], progress(s, s.faction[seat])))


GOALS_READ = frozenset({"captured", "faction", "hand_size", "hero_up", "infamy", "level", "my_hand", "turn"})
KNOWLEDGE_READS = frozenset({"faction", "my_knows", "my_shown", "open"})
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
