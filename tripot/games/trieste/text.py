"""Names and sentences of Trieste for people, French and English. The clause behind each stands with it."""

from typing import Any

from tripot.core.grammar import Noun, a, counted, many, of_the, the, to_the
from tripot.core.speech import Phrase, Sentence
from tripot.core.staging import SetPiece, Staging
from tripot.games.trieste.actions import (
    CARD,
    DECLINE,
    DRAW_OWN,
    DRAW_TREASURE,
    FOX,
    HERO,
    PAY_TOLL,
    REVEAL,
    ROB_FROM,
    SMOKE,
    News,
)
from tripot.games.trieste.cards import (
    BEFORE,
    CAPTURES_TO_WIN,
    CARDS,
    HEROES,
    MERCHANT,
    MOST_INFAMY,
    NAMED,
    RICHES,
    THIEF,
    TREASURE_BACK,
    TREASURE_CARD,
    TREASURE_VALUE,
    TREASURES,
    TYPE,
    WATCH,
    Type,
    card_at,
)
from tripot.games.trieste.phases import price, prison_cost
from tripot.games.trieste.state import COLUMNS, Phase, Stage, worth

TITLE = Phrase("Trieste", "Trieste")
TAGLINE = Phrase("Watch, Merchant and Thief: exactly three", "Gardien, Marchand et Voleur : à trois exactement")

SIDES = "faction"  # what reports tell apart
CLOCK = "turn"

SEATS = (Phrase("North", "Nord"), Phrase("East", "Est"), Phrase("South", "Sud"))

OPTION_VALUES = {
    "factions": (
        Phrase("at random", "au hasard"),
        Phrase("Watch, Merchant, Thief", "Gardien, Marchand, Voleur"),
        Phrase("Watch, Thief, Merchant", "Gardien, Voleur, Marchand"),
        Phrase("Merchant, Watch, Thief", "Marchand, Gardien, Voleur"),
        Phrase("Merchant, Thief, Watch", "Marchand, Voleur, Gardien"),
        Phrase("Thief, Watch, Merchant", "Voleur, Gardien, Marchand"),
        Phrase("Thief, Merchant, Watch", "Voleur, Marchand, Gardien"),
    )
}  # house rules whose values have names

FACTION_NOUNS = (
    Noun("Watch", "Gardien", "m"),
    Noun("Merchant", "Marchand", "m"),
    Noun("Thief", "Voleur", "m"),
)
TITLES_FR = (  # with the gender, where an article goes before the title, and the plural
    ("Patrouilleur", "m", "Patrouilleurs"),
    ("Limier", "m", "Limiers"),
    ("Descente", "f", "Descentes"),
    ("Agent infiltré", "m", "Agents infiltrés"),
    ("Percepteur", "m", "Percepteurs"),
    ("Magistrat", "m", "Magistrats"),
    ("Mandat de perquisition", "m", "Mandats de perquisition"),
    ("Contrôle de contrebande", "m", "Contrôles de contrebande"),
    ("Prime", "f", "Primes"),
    ("Couvre-feu", "m", "Couvre-feux"),
    ("Rassemblement", "m", "Rassemblements"),
    ("Comme d'habitude", "", "Comme d'habitude"),
    ("Marchand ambulant", "m", "Marchands ambulants"),
    ("Négociant en épices", "m", "Négociants en épices"),
    ("Banquier", "m", "Banquiers"),
    ("Garde du corps", "m", "Gardes du corps"),
    ("Contrebandier", "m", "Contrebandiers"),
    ("Grande affaire", "f", "Grandes affaires"),
    ("Pot-de-vin", "m", "Pots-de-vin"),
    ("Assurance", "f", "Assurances"),
    ("Expédition", "f", "Expéditions"),
    ("Procès", "m", "Procès"),
    ("Gamin des rues", "m", "Gamins des rues"),
    ("Coupe-bourse", "m", "Coupe-bourses"),
    ("Cambrioleur", "m", "Cambrioleurs"),
    ("Faussaire", "m", "Faussaires"),
    ("Leurre", "m", "Leurres"),
    ("Bombe fumigène", "f", "Bombes fumigènes"),
    ("Receleur", "m", "Receleurs"),
    ("Évasion", "f", "Évasions"),
    ("Maître-voleur", "m", "Maîtres-voleurs"),
    ("Indic", "m", "Indics"),
)
NO_ARTICLE = {"Business as Usual", "Insurance"}  # English titles that take none
PLURALS = {  # of English titles that take more than an s
    "Raiding Party": "Raiding Parties",
    "Bounty": "Bounties",
    "Business as Usual": "Business as Usual",
    "Master Thief": "Master Thieves",
}
CARD_NOUNS = (
    *(
        Noun(
            card.title, fr, gender, PLURALS.get(card.title, f"{card.title}s"), fr_many, proper=card.title in NO_ARTICLE
        )
        for card, (fr, gender, fr_many) in zip(CARDS[1:], TITLES_FR, strict=True)
    ),
    Noun("copper", "pièce de cuivre", "f", "coppers", "pièces de cuivre"),
    Noun("silver", "pièce d'argent", "f", "silvers", "pièces d'argent"),
    Noun("gold", "pièce d'or", "f", "golds", "pièces d'or"),
    Noun("diamond", "diamant", "m", "diamonds", "diamants"),
)
HERO_NOUNS = (
    Noun("Captain Antonia", "Capitaine Antonia", "f", proper=True),
    Noun("Gaoler", "Geôlier", "m"),
    Noun("Exciseman", "Douanier", "m"),
    Noun("Dario", "Dario", proper=True),
    Noun("Jacopo", "Jacopo", proper=True),
    Noun("Guildmistress", "Maîtresse de guilde", "f"),
    Noun("Nine Tails", "Neuf-Queues", proper=True),
    Noun("Caterina", "Caterina", proper=True),
    Noun("Fox", "Renard", "m"),
)

MOST = COLUMNS["amount"][1]  # that a deck may have on a card

NAMES: dict[str, tuple[Phrase, ...]] = {
    "faction": (Phrase("City Watch", "Gardien de la cité"), Phrase("Merchant", "Marchand"), Phrase("Thief", "Voleur")),
    "the_faction": tuple(map(the, FACTION_NOUNS)),
    "of_faction": tuple(map(of_the, FACTION_NOUNS)),
    "to_faction": tuple(map(to_the, FACTION_NOUNS)),
    "card": (
        Phrase("no card", "aucune carte"),
        *(Phrase(card.title, title) for card, (title, _, _) in zip(CARDS[1:], TITLES_FR, strict=True)),
        Phrase("copper", "cuivre"),
        Phrase("silver", "argent"),
        Phrase("gold", "or"),
        Phrase("diamond", "diamant"),
    ),
    "a_card": (Phrase("no card", "aucune carte"), *map(a, CARD_NOUNS)),
    "the_card": (Phrase("no card", "aucune carte"), *map(the, CARD_NOUNS)),
    "cards": (Phrase("cards", "cartes"), *map(many, CARD_NOUNS)),
    "treasures": tuple(counted(n, Noun("treasure", "Trésor", "m", "treasures", "Trésors")) for n in range(MOST + 1)),
    "share": (
        Phrase("no treasure", "aucun Trésor"),
        Phrase("all their treasures", "tous ses Trésors"),
        Phrase("half their treasures", "la moitié de ses Trésors"),
        Phrase("a third of their treasures", "un tiers de ses Trésors"),
        Phrase("a quarter of their treasures", "le quart de ses Trésors"),
        *(Phrase(f"one treasure in {n}", f"un Trésor sur {n}") for n in range(5, MOST + 1)),
    ),
    "hero": (
        Phrase("no hero", "aucun héros"),
        Phrase("Captain Antonia", "Capitaine Antonia"),
        Phrase("The Gaoler", "Le Geôlier"),
        Phrase("The Exciseman", "Le Douanier"),
        Phrase("Dario", "Dario"),
        Phrase("Jacopo", "Jacopo"),
        Phrase("The Guildmistress", "La Maîtresse de guilde"),
        Phrase("Nine Tails", "Neuf-Queues"),
        Phrase("Caterina", "Caterina"),
        Phrase("The Fox", "Le Renard"),
    ),
    "the_hero": (Phrase("no hero", "aucun héros"), *map(the, HERO_NOUNS)),
    "back": (Phrase("a treasure", "un Trésor"), Phrase("a faction card", "une carte de faction")),
}

TYPES = {
    Type.NONE: Phrase("", ""),
    Type.CHARACTER: Phrase("character", "personnage"),
    Type.ACTION: Phrase("action card", "action"),
    Type.SPECIAL: Phrase("special card", "carte spéciale"),
    Type.TREASURE: Phrase("treasure", "Trésor"),
}
CARD_TYPES = tuple(TYPES[Type(number)] for number in TYPE)  # by card

#  {reach}, {amount} and {more} are the numbers of the deck in play; {treasures} and {share} are its amount in words
EFFECTS = (
    Phrase("", ""),
    Phrase(
        "captures the revealed thief up to level {reach}; if captured, draw {treasures}",
        "capture le voleur révélé jusqu'au niveau {reach} ; en cas de capture, piochez {treasures}",
    ),
    Phrase(
        "captures the revealed thief up to level {reach}; if captured, the Thief loses {more} Infamy",
        "capture le voleur révélé jusqu'au niveau {reach} ; en cas de capture, le Voleur perd {more} d'Infamie",
    ),
    Phrase(
        "captures the revealed thief up to level {reach}; captured or not, the Thief loses {more} Infamy",
        "capture le voleur révélé jusqu'au niveau {reach} ; capture ou non, le Voleur perd {more} d'Infamie",
    ),
    Phrase(
        "look at the Thief's hand and capture one thief up to level {reach}: the Thief loses {more} Infamy; "
        "if there is none, draw {amount} Watch {amount|card|cards}",
        "regardez la main du Voleur et capturez-y un voleur jusqu'au niveau {reach} : le Voleur perd {more} "
        "d'Infamie ; s'il n'y en a pas, piochez {amount} {amount|carte|cartes} Gardien",
    ),
    Phrase(
        "the Merchant gives you {share}, of their choice",
        "le Marchand vous donne {share}, à son choix",
    ),
    Phrase(
        "captures up to {amount} {amount|thief|thieves} of level {reach} or lower from the Thief's discard pile",
        "capture jusqu'à {amount} {amount|voleur|voleurs} de niveau {reach} ou moins dans la défausse du Voleur",
    ),
    Phrase(
        "reveals {amount} random {amount|card|cards} of the Thief's hand: thieves up to level {reach} are captured; "
        "for each other card draw {more} Watch {more|card|cards}",
        "révèle {amount} {amount|carte|cartes} au hasard de la main du Voleur : les voleurs jusqu'au niveau {reach} "
        "sont capturés ; pour chaque autre carte, piochez {more} {more|carte|cartes} Gardien",
    ),
    Phrase(
        "the Merchant gives you {share} or has the revealed card negated; "
        "if they revealed no character or action, draw {more} {more|treasure|treasures}",
        "le Marchand vous donne {share}, ou sa carte révélée est contrecarrée ; "
        "s'il n'a révélé ni personnage ni action, piochez {more} {more|Trésor|Trésors}",
    ),
    Phrase(
        "draw {treasures}; for your next two turns every capture draws {more} more",
        "piochez {treasures} ; pendant vos deux prochains tours, chaque capture en fait piocher {more} de plus",
    ),
    Phrase(
        "draw {treasures}; next turn the Thief's cards cost {more} more",
        "piochez {treasures} ; au prochain tour, les cartes du Voleur coûtent {more} de plus",
    ),
    Phrase(
        "draw {more} Watch {more|card|cards} and {treasures}",
        "piochez {more} {more|carte|cartes} Gardien et {treasures}",
    ),
    Phrase("draw {treasures}, keep {more}", "piochez {treasures}, gardez-en {more}"),
    Phrase(
        "draw {treasures}; {more} if a thief was captured this turn",
        "piochez {treasures} ; {more} si un voleur a été capturé pendant ce tour",
    ),
    Phrase("draw {treasures}, keep {more}", "piochez {treasures}, gardez-en {more}"),
    Phrase("draw {treasures}", "piochez {treasures}"),
    Phrase(
        "draw {treasures}; this turn the Thief cannot touch your hand",
        "piochez {treasures} ; pendant ce tour, le Voleur ne peut rien contre votre main",
    ),
    Phrase(
        "take {treasures} of your choice from the treasure discard",
        "prenez {treasures} de votre choix dans la défausse des Trésors",
    ),
    Phrase(
        "play again, free, two action cards of level {reach} or lower from your discard pile, "
        "then put them under your deck",
        "rejouez gratuitement deux actions de niveau {reach} ou moins de votre défausse, "
        "puis mettez-les sous votre paquet",
    ),
    Phrase(
        "put one captured thief into the Thief's discard pile", "mettez un voleur capturé dans la défausse du Voleur"
    ),
    Phrase(
        "after the Thief's effect, draw as many treasures as it cost you, plus {amount}",
        "après l'effet du Voleur, piochez autant de Trésors qu'il vous en a coûté, plus {amount}",
    ),
    Phrase("draw {treasures} at your next Draw Phase", "piochez {treasures} à votre prochaine phase Pioche"),
    Phrase("take {treasures} at random from the Watch", "prenez {treasures} au hasard au Gardien"),
    Phrase(
        "take up to {amount} {amount|copper|coppers} from the Merchant",
        "prenez jusqu'à {amount} {amount|pièce|pièces} de cuivre au Marchand",
    ),
    Phrase(
        "take {treasures} at random from the Merchant or the Watch",
        "prenez {treasures} au hasard au Marchand ou au Gardien",
    ),
    Phrase(
        "take one treasure in {amount} from the Merchant at random, at least {more}",
        "prenez au hasard un Trésor sur {amount} au Marchand, au moins {more}",
    ),
    Phrase(
        "look at the Merchant's hand; the Merchant discards {treasures} of your choice",
        "regardez la main du Marchand, qui défausse {treasures} de votre choix",
    ),
    Phrase(
        "draw {treasures}; take a character back from your discard pile",
        "piochez {treasures} ; reprenez un personnage de votre défausse",
    ),
    Phrase(
        "reaction: discard it from your hand and a capture does not happen",
        "réaction : défaussez-la de votre main et une capture n'a pas lieu",
    ),
    Phrase(
        "discard one Thief card of your hand and draw {treasures}",
        "défaussez une carte Voleur de votre main et piochez {treasures}",
    ),
    Phrase("take one captured thief into your hand", "reprenez en main un voleur capturé"),
    Phrase(
        "take one treasure in {amount} from the Merchant at random, at least {more}, and one from the Watch",
        "prenez au hasard un Trésor sur {amount} au Marchand, au moins {more}, et un au Gardien",
    ),
    Phrase(
        "draw {treasures}; next turn the Watch plays its card face up",
        "piochez {treasures} ; au prochain tour, le Gardien joue sa carte face visible",
    ),
)

HERO_EFFECTS = (
    Phrase("", ""),
    Phrase(
        "Patrol Officer and Bloodhound capture one level higher",
        "Patrouilleur et Limier capturent un niveau plus haut",
    ),
    Phrase("captured thieves never leave the captured pile", "les voleurs capturés ne quittent jamais leur pile"),
    Phrase(
        "whenever you take treasure from the Merchant, draw 1",
        "quand vous prenez des Trésors au Marchand, piochez-en 1",
    ),
    Phrase(
        "in your Draw Phase draw a third card, a treasure, then discard one",
        "à votre phase Pioche, piochez une troisième carte, un Trésor, puis défaussez-en une",
    ),
    Phrase(
        "for your victory every captured thief counts 1", "pour votre victoire, chaque voleur capturé compte pour 1"
    ),
    Phrase("your cards cost 1 less, to play and to buy back", "vos cartes coûtent 1 de moins, à jouer et à racheter"),
    Phrase(
        "the first time each turn that you would lose Infamy, you do not",
        "la première fois de chaque tour où vous perdriez de l'Infamie, vous n'en perdez pas",
    ),
    Phrase(
        "your Street Urchin also takes one copper from the Watch",
        "votre Gamin des rues prend aussi une pièce de cuivre au Gardien",
    ),
    Phrase(
        "once, turned face down, it saves your revealed character from capture",
        "une fois, retourné face cachée, il sauve de la capture votre personnage révélé",
    ),
)

QUESTIONS: dict[int, Sentence] = {
    Phase.HERO: Sentence("T-6.1", "", "Which hero do you choose?", "Quel héros choisissez-vous ?"),
    Phase.REVEAL: Sentence("T-6.2", "", "Do you reveal your hero?", "Révélez-vous votre héros ?"),
    Phase.DRAW: Sentence("T-3.1", "", "From which deck do you draw?", "Dans quel paquet piochez-vous ?"),
    Phase.PLAY: Sentence("T-3.2", "", "Which card do you play, face down?", "Quelle carte jouez-vous, face cachée ?"),
    Phase.PAY: Sentence("T-2.2", "", "Which treasure do you pay with?", "Avec quel Trésor payez-vous ?"),
    Phase.BUY: Sentence("T-3.5", "", "Which character do you buy back?", "Quel personnage rachetez-vous ?"),
    Phase.REACT: Sentence(
        "T-5.2", "", "Do you save your character from capture?", "Sauvez-vous votre personnage de la capture ?"
    ),
    Phase.VICTIM: Sentence("T-5.8", "", "Whom does your Pickpocket rob?", "Qui votre Coupe-bourse vole-t-il ?"),
    Phase.TOLL: Sentence(
        "T-5.8",
        "",
        "Do you give treasure at the Checkpoint, or is your card negated?",
        "Donnez-vous des Trésors au Contrôle, ou votre carte est-elle contrecarrée ?",
    ),
    Phase.SEIZE: Sentence(
        "T-5.8", "", "Which thief of this hand do you capture?", "Quel voleur de cette main capturez-vous ?"
    ),
    Phase.TRIAL: Sentence(
        "T-5.8",
        "",
        "Which thief of the discard pile does the Magistrate capture?",
        "Quel voleur de la défausse le Magistrat capture-t-il ?",
    ),
    Phase.GIVE: Sentence("T-5.8", "", "Which treasure do you give the Watch?", "Quel Trésor donnez-vous au Gardien ?"),
    Phase.SIFT: Sentence(
        "T-5.8",
        "",
        "Which of the treasures just drawn do you discard?",
        "Lequel des Trésors piochés défaussez-vous ?",
    ),
    Phase.SALVAGE: Sentence(
        "T-5.8",
        "",
        "Which treasure do you take from the discard?",
        "Quel Trésor prenez-vous dans la défausse ?",
    ),
    Phase.BARGAIN: Sentence("T-5.4", "", "Which action card do you play again?", "Quelle action rejouez-vous ?"),
    Phase.BRIBE: Sentence(
        "T-5.8",
        "",
        "Which captured thief goes to the Thief's discard pile?",
        "Quel voleur capturé va dans la défausse du Voleur ?",
    ),
    Phase.STRIP: Sentence(
        "T-5.8", "", "Which treasure must the Merchant discard?", "Quel Trésor le Marchand doit-il défausser ?"
    ),
    Phase.RECALL: Sentence("T-5.8", "", "Which character do you take back?", "Quel personnage reprenez-vous ?"),
    Phase.FENCE: Sentence("T-5.8", "", "Which Thief card do you discard?", "Quelle carte Voleur défaussez-vous ?"),
    Phase.FREE: Sentence("T-5.8", "", "Which captured thief do you free?", "Quel voleur capturé libérez-vous ?"),
    Phase.DROP: Sentence(
        "T-6.4", "", "Which card do you discard for Dario?", "Quelle carte défaussez-vous pour Dario ?"
    ),
    Phase.OVER: Sentence("T-4.4", "", "The game is over.", "La partie est terminée."),
}

DECISIONS: dict[str, Sentence] = {
    "hero": Sentence("T-6.1", "the_hero:hero", "Choose {hero}", "Choisir {hero}"),
    "reveal": Sentence("T-6.2", "the_hero:hero", "Reveal {hero}", "Révéler {hero}"),
    "stay_hidden": Sentence("T-6.2", "the_hero:hero", "Keep {hero} hidden", "Garder {hero} face cachée"),
    "draw_treasure": Sentence("T-3.1", "", "Draw a treasure", "Piocher un Trésor"),
    "draw_own": Sentence(
        "T-3.1", "faction", "Draw a card from your deck ({faction})", "Piocher une carte de votre paquet ({faction})"
    ),
    "play": Sentence("T-3.2", "a_card:card", "Play {card}", "Jouer {card}"),
    "play_nothing": Sentence("T-3.2", "", "Play no card", "Ne pas jouer de carte"),
    "pay": Sentence("T-2.2", "a_card:card", "Pay with {card}", "Payer avec {card}"),
    "buy": Sentence("T-3.5", "a_card:card number:cost", "Buy back {card} for {cost}", "Racheter {card} pour {cost}"),
    "buy_nothing": Sentence("T-3.5", "", "Buy back nothing more", "Ne plus rien racheter"),
    "let_go": Sentence("T-5.2", "the_card:card", "Let {card} be captured", "Laisser capturer {card}"),
    "smoke": Sentence(
        "T-5.2", "the_card:card", "Save {card} with a Smoke Bomb", "Sauver {card} avec une Bombe fumigène"
    ),
    "fox": Sentence("T-6.4", "the_card:card", "Save {card} with the Fox", "Sauver {card} avec le Renard"),
    "rob": Sentence("T-5.8", "the_faction", "Rob {the_faction}", "Voler {the_faction}"),
    "pay_toll": Sentence("T-5.8", "", "Give treasure", "Donner des Trésors"),
    "be_negated": Sentence("T-5.8", "the_card:card", "Let {card} be negated", "Laisser contrecarrer {card}"),
    "capture": Sentence("T-5.8", "a_card:card", "Capture {card}", "Capturer {card}"),
    "capture_nothing": Sentence("T-5.8", "", "Capture no more", "Ne plus capturer personne"),
    "give": Sentence("T-5.8", "a_card:card", "Give {card}", "Donner {card}"),
    "discard_treasure": Sentence("T-5.8", "a_card:card", "Discard {card}", "Défausser {card}"),
    "take_treasure": Sentence("T-5.8", "a_card:card", "Take {card}", "Prendre {card}"),
    "replay": Sentence("T-5.4", "a_card:card", "Play {card} again", "Rejouer {card}"),
    "bribe": Sentence("T-5.8", "a_card:card", "Let {card} go", "Laisser partir {card}"),
    "take_back": Sentence("T-5.8", "a_card:card", "Take {card} into your hand", "Prendre {card} en main"),
    "discard": Sentence("T-5.8 T-6.4", "a_card:card", "Discard {card}", "Défausser {card}"),
}

NEWS: dict[int, Sentence] = {
    News.FACTION: Sentence("T-1.2", "seat the_faction", "{seat} plays {the_faction}", "{seat} joue {the_faction}"),
    News.HERO_CHOSEN: Sentence(
        "T-6.1", "the_faction", "{the_faction} has chosen a hero", "{the_faction} a choisi un héros"
    ),
    News.YOUR_HERO: Sentence(
        "T-6.1", "the_faction the_hero:hero", "{the_faction} has chosen {hero}", "{the_faction} a choisi {hero}"
    ),
    News.TURN: Sentence("T-3.1", "number:turn", "Turn {turn}", "Tour {turn}"),
    News.HERO_SHOWN: Sentence(
        "T-6.2", "the_faction the_hero:hero", "{the_faction} reveals {hero}", "{the_faction} révèle {hero}"
    ),
    News.DREW_TREASURE: Sentence(
        "T-3.1 T-2.3",
        "the_faction number:count",
        "{the_faction} draws {count} {count|treasure|treasures}",
        "{the_faction} pioche {count} {count|Trésor|Trésors}",
    ),
    News.DREW_OWN: Sentence(
        "T-3.1",
        "the_faction",
        "{the_faction} draws a card from their deck",
        "{the_faction} pioche une carte de son paquet",
    ),
    News.YOU_DREW: Sentence(
        "T-3.1", "the_faction a_card:card", "{the_faction} draws {card}", "{the_faction} pioche {card}"
    ),
    News.DREW_BOTTOM: Sentence(
        "T-5.4 T-7.6",
        "the_faction a_card:card",
        "{the_faction} draws {card} from the bottom of their deck, as everyone knows",
        "{the_faction} pioche {card} au bas de son paquet, ce que tous savent",
    ),
    News.DRAW_LOST: Sentence(
        "T-2.3",
        "the_faction number:count",
        "no treasure is left to draw: {the_faction} goes without {count}",
        "plus de Trésor à piocher : {the_faction} se passe de {count} {count|carte|cartes}",
    ),
    News.DECK_EMPTY: Sentence(
        "T-2.4",
        "the_faction",
        "the deck is empty: {the_faction} draws nothing from it",
        "le paquet est vide : {the_faction} n'y pioche rien",
    ),
    News.RESHUFFLED: Sentence(
        "T-2.3",
        "number:count",
        "the treasure discard is shuffled into a new deck of {count} {count|card|cards}",
        "la défausse des Trésors est mélangée en un nouveau paquet de {count} {count|carte|cartes}",
    ),
    News.PLACED: Sentence(
        "T-3.2 T-0.4",
        "the_faction back",
        "{the_faction} plays {back}, face down",
        "{the_faction} joue {back}, face cachée",
    ),
    News.YOUR_CARD: Sentence(
        "T-3.2", "the_faction a_card:card", "{the_faction} plays {card}", "{the_faction} joue {card}"
    ),
    News.PLACED_OPEN: Sentence(
        "T-5.8",
        "the_faction a_card:card",
        "{the_faction} plays {card} face up, because of the Informer",
        "{the_faction} joue {card} face visible, à cause de l'Indic",
    ),
    News.PASSED: Sentence("T-3.2", "the_faction", "{the_faction} plays no card", "{the_faction} ne joue pas de carte"),
    News.SHOWN: Sentence(
        "T-3.3", "the_faction a_card:card", "{the_faction} reveals {card}", "{the_faction} révèle {card}"
    ),
    News.PAID: Sentence("T-2.2", "the_faction a_card:card", "{the_faction} pays {card}", "{the_faction} paie {card}"),
    News.CANNOT_PAY: Sentence(
        "T-3.3",
        "the_faction a_card:card number:cost",
        "{the_faction} cannot pay {cost} for {card}: the card is negated, and everyone sees the hand",
        "{the_faction} ne peut pas payer {cost} pour {card} : la carte est contrecarrée, et tous voient la main",
    ),
    News.HAND_CARD: Sentence(
        "T-3.3",
        "the_faction card number:count",
        "{the_faction} holds {card*count}",
        "{the_faction} a en main {card*count}",
    ),
    News.RESOLVES: Sentence(
        "T-3.4", "the_faction the_card:card", "{the_faction} resolves {card}", "{the_faction} résout {card}"
    ),
    News.NEGATED: Sentence(
        "T-2.8",
        "of_faction a_card:card",
        "the card {of_faction}, {card}, is negated and discarded",
        "la carte {of_faction}, {card}, est contrecarrée et défaussée",
    ),
    News.NO_EFFECT: Sentence("T-5.3", "the_card:card", "{card} finds nothing to do", "{card} reste sans effet"),
    News.THREATENED: Sentence("T-5.2", "a_card:card", "{card} is about to be captured", "{card} va être capturé"),
    News.AIMED: Sentence(
        "T-7.2",
        "",
        "the Watch names a character of the Thief's hand, to the Thief alone",
        "le Gardien désigne un personnage de la main du Voleur, qui seul l'apprend",
    ),
    News.YOUR_AIM: Sentence("T-7.2", "a_card:card", "{card} is about to be captured", "{card} va être capturé"),
    News.NOT_SAVED: Sentence("T-5.2", "", "the Thief does not save it", "le Voleur ne le sauve pas"),
    News.SMOKED: Sentence(
        "T-5.2",
        "",
        "the Thief discards a Smoke Bomb: the capture does not happen",
        "le Voleur défausse une Bombe fumigène : la capture n'a pas lieu",
    ),
    News.FOXED: Sentence(
        "T-6.4",
        "",
        "the Thief turns the Fox face down: the capture does not happen",
        "le Voleur retourne le Renard face cachée : la capture n'a pas lieu",
    ),
    News.CAPTURED: Sentence(
        "T-2.7",
        "a_card:card number:count",
        "{card} is captured: {count} {count|thief|thieves} in all",
        "{card} est capturé : {count} {count|voleur|voleurs} en tout",
    ),
    News.INFAMY: Sentence(
        "T-2.6",
        "number:count number:total",
        "the Thief gains {count} Infamy and has {total}",
        "le Voleur gagne {count} {count|point|points} d'Infamie et en a {total}",
    ),
    News.INFAMY_LOST: Sentence(
        "T-5.8",
        "number:count number:total",
        "the Thief loses {count} Infamy and has {total}",
        "le Voleur perd {count} {count|point|points} d'Infamie et en a {total}",
    ),
    News.NINE_TAILS: Sentence(
        "T-6.4",
        "",
        "thanks to Nine Tails the Thief loses no Infamy",
        "grâce à Neuf-Queues, le Voleur ne perd pas d'Infamie",
    ),
    News.LOOKED: Sentence(
        "T-5.8",
        "the_faction of_faction",
        "{the_faction} looks at the hand {of_faction}",
        "{the_faction} regarde la main {of_faction}",
    ),
    News.YOU_SAW: Sentence(
        "T-5.8",
        "the_faction card number:count",
        "{the_faction} holds {card*count}",
        "{the_faction} a en main {card*count}",
    ),
    News.SEARCHED: Sentence(
        "T-5.8",
        "card number:count",
        "the Thief's hand shows {card*count}",
        "la main du Voleur montre {card*count}",
    ),
    News.TOLL_REFUSED: Sentence(
        "T-5.8",
        "card",
        "the Merchant gives nothing at the Checkpoint: the card is negated ({card})",
        "le Marchand ne donne rien au Contrôle : la carte est contrecarrée ({card})",
    ),
    News.MOVED: Sentence(
        "T-5.8",
        "to_faction the_faction number:count",
        "{the_faction} takes {count} {count|treasure|treasures} from {to_faction}",
        "{the_faction} prend {count} {count|Trésor|Trésors} {to_faction}",
    ),
    News.YOU_MOVED: Sentence(
        "T-5.8",
        "to_faction the_faction a_card:card",
        "{the_faction} takes {card} from {to_faction}",
        "{the_faction} prend {card} {to_faction}",
    ),
    News.TOOK_COPPERS: Sentence(
        "T-5.8",
        "to_faction number:count",
        "the Thief takes {count} {count|copper|coppers} from {to_faction}",
        "le Voleur prend {count} {count|pièce|pièces} de cuivre {to_faction}",
    ),
    News.DISCARDED: Sentence(
        "T-5.8 T-6.4", "the_faction a_card:card", "{the_faction} discards {card}", "{the_faction} défausse {card}"
    ),
    News.KEPT: Sentence(
        "T-5.8",
        "number:count",
        "the Merchant keeps {count} {count|treasure|treasures}",
        "le Marchand garde {count} {count|Trésor|Trésors}",
    ),
    News.SALVAGED: Sentence(
        "T-5.8",
        "a_card:card",
        "the Merchant takes {card} from the treasure discard",
        "le Marchand prend {card} dans la défausse des Trésors",
    ),
    News.BARGAINED: Sentence(
        "T-5.4", "a_card:card", "the Merchant will play {card} again", "le Marchand rejouera {card}"
    ),
    News.UNDER_DECK: Sentence(
        "T-5.4", "a_card:card", "{card} goes under the Merchant's deck", "{card} va sous le paquet du Marchand"
    ),
    News.BRIBED: Sentence(
        "T-5.8", "a_card:card", "{card} goes to the Thief's discard pile", "{card} va dans la défausse du Voleur"
    ),
    News.RECALLED: Sentence(
        "T-5.8",
        "a_card:card",
        "the Thief takes {card} back from their discard pile",
        "le Voleur reprend {card} dans sa défausse",
    ),
    News.FREED: Sentence(
        "T-5.8",
        "a_card:card",
        "the Thief frees {card} and takes it back",
        "le Voleur libère {card}, qui revient en main",
    ),
    News.VICTIM: Sentence("T-5.8", "the_faction", "the Thief robs {the_faction}", "le Voleur vole {the_faction}"),
    News.GUARDED: Sentence(
        "T-5.8",
        "",
        "the Merchant's hand is safe from the Thief this turn",
        "la main du Marchand est à l'abri du Voleur pendant ce tour",
    ),
    News.INSURANCE_PAYS: Sentence(
        "T-5.5",
        "number:count",
        "Insurance brings the Merchant {count} {count|treasure|treasures}",
        "l'Assurance rapporte au Marchand {count} {count|Trésor|Trésors}",
    ),
    News.BOUGHT: Sentence(
        "T-3.5", "the_faction a_card:card", "{the_faction} buys {card} back", "{the_faction} rachète {card}"
    ),
    News.WON: Sentence(
        "T-4.4",
        "seat the_faction number:turn",
        "{seat}, {the_faction}, wins in turn {turn}",
        "{seat}, {the_faction}, gagne au tour {turn}",
    ),
    News.NOBODY_WON: Sentence(
        "T-4.5",
        "number:turn",
        "after turn {turn} the game ends with no winner",
        "après le tour {turn}, la partie s'achève sans vainqueur",
    ),
}

REFUSING: dict[int, str] = {Phase.PLAY: "play_nothing", Phase.BUY: "buy_nothing", Phase.TRIAL: "capture_nothing"}
CHOOSING: dict[int, str] = {
    Phase.PLAY: "play",
    Phase.PAY: "pay",
    Phase.SEIZE: "capture",
    Phase.TRIAL: "capture",
    Phase.GIVE: "give",
    Phase.SIFT: "discard_treasure",
    Phase.SALVAGE: "take_treasure",
    Phase.BARGAIN: "replay",
    Phase.BRIBE: "bribe",
    Phase.STRIP: "discard_treasure",
    Phase.RECALL: "take_back",
    Phase.FENCE: "discard",
    Phase.FREE: "take_back",
    Phase.DROP: "discard",
}
ABOUT: dict[int, int] = {  # whose titles a question is about, where it is not its own player's
    Phase.SEIZE: THIEF,
    Phase.TRIAL: THIEF,
    Phase.BRIBE: THIEF,
    Phase.STRIP: MERCHANT,
}


FACTS: dict[str, Any] = {  # what a drawing of the table needs of the rules, as JSON takes it
    "watch": WATCH,  # the factions, as views number them
    "merchant": MERCHANT,
    "thief": THIEF,
    "stages": {stage.name.lower(): int(stage) for stage in Stage if stage},
    "hero": int(Phase.HERO),  # the heroes are chosen before any card is held [T-6.1]
    "treasures": TREASURES,  # the first kinds in a hand; the others are titles
    "treasure_card": TREASURE_CARD,  # the number of the first treasure among the cards
    "treasure_value": TREASURE_VALUE,  # by kind
    "treasure_face_down": 1 + TREASURE_BACK,  # in `face_down`
    "before": BEFORE,  # by faction: a kind of title and this make the number of the card
    "reaction": NAMED["Smoke Bomb"],  # it has no cost, and is played out of turn [T-5.2]
    "heroes": HEROES,  # a faction, in the order of the factions
    "captures": CAPTURES_TO_WIN,
    "infamy": MOST_INFAMY,
    "lasting": [  # what lasts beyond a turn: whom it concerns, the field of the view, the card, whether it is a sum
        {"faction": faction, "field": field, "card": NAMED[title], "sum": counted}
        for faction, field, title, counted in (
            (WATCH, "bounty", "Bounty", True),
            (WATCH, "informed", "Informer", False),
            (MERCHANT, "voyage", "Trading Voyage", True),
            (MERCHANT, "guarded", "Bodyguard", False),
            (MERCHANT, "insured", "Insurance", False),
            (THIEF, "curfew", "Curfew", True),
        )
    ],
}

STAGING = Staging(
    pieces={
        "heroes": SetPiece(opens=(News.HERO_SHOWN,)),
        "turn": SetPiece(
            opens=(
                News.SHOWN,
                News.CANNOT_PAY,
                News.RESOLVES,
                News.NEGATED,
                News.NO_EFFECT,
                News.THREATENED,
                News.AIMED,
                News.YOUR_AIM,
                News.NOT_SAVED,
                News.SMOKED,
                News.FOXED,
                News.CAPTURED,
                News.INFAMY,
                News.INFAMY_LOST,
                News.NINE_TAILS,
                News.SEARCHED,
                News.TOLL_REFUSED,
                News.MOVED,
                News.YOU_MOVED,
                News.TOOK_COPPERS,
                News.BRIBED,
                News.RECALLED,
                News.FREED,
                News.VICTIM,
                News.GUARDED,
                News.INSURANCE_PAYS,
            ),
            joins=(
                News.PAID,
                News.HAND_CARD,
                News.LOOKED,
                News.YOU_SAW,
                News.DREW_TREASURE,
                News.DREW_OWN,
                News.YOU_DREW,
                News.DREW_BOTTOM,
                News.DRAW_LOST,
                News.DECK_EMPTY,
                News.RESHUFFLED,
                News.DISCARDED,
                News.KEPT,
                News.SALVAGED,
                News.BARGAINED,
                News.UNDER_DECK,
                News.BOUGHT,
            ),
        ),
        "end": SetPiece(opens=(News.WON, News.NOBODY_WON)),
    },
    gathered=(
        News.DREW_TREASURE,
        News.DREW_OWN,
        News.YOU_DREW,
        News.DRAW_LOST,
        News.DECK_EMPTY,
        News.RESHUFFLED,
        News.PLACED,
        News.YOUR_CARD,
        News.PASSED,
        News.PAID,
        News.HAND_CARD,
        News.YOU_SAW,
    ),
    headings=(News.TURN,),
    actors={"the_faction": "seat_of", "of_faction": "seat_of"},
    told_better={
        News.HERO_CHOSEN: News.YOUR_HERO,
        News.DREW_TREASURE: News.YOU_DREW,
        News.DREW_OWN: News.YOU_DREW,
        News.PLACED: News.YOUR_CARD,
        News.MOVED: News.YOU_MOVED,
        News.AIMED: News.YOUR_AIM,
    },
)


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    """Which of DECISIONS an action is for the seat of this view, and the numbers that go with it."""
    faction = view.faction[view.seat]
    if view.phase == Phase.REACT:
        return {DECLINE: "let_go", SMOKE: "smoke", FOX: "fox"}[action], (threatened(view),)
    if view.phase == Phase.REVEAL:
        return "reveal" if action == REVEAL else "stay_hidden", (view.my_hero,)
    if action >= CARD:
        card = card_at(ABOUT.get(view.phase, faction), action - CARD)
        if view.phase == Phase.BUY:
            return "buy", (card, price(view, faction, card))
        return CHOOSING[view.phase], (card,)
    if action >= HERO:
        return "hero", (1 + HEROES * faction + action - HERO,)
    if action >= ROB_FROM:
        return "rob", (action - ROB_FROM,)
    if view.phase == Phase.TOLL:
        return ("pay_toll", ()) if action == PAY_TOLL else ("be_negated", (view.table[MERCHANT],))
    if action == DECLINE:
        return REFUSING[view.phase], ()
    return {DRAW_TREASURE: ("draw_treasure", ()), DRAW_OWN: ("draw_own", (faction,))}[action]


def threatened(view: Any) -> int:
    """The card about to be captured, as far as the seat of this view knows."""
    if view.my_target:
        return int(card_at(THIEF, view.my_target))
    return next((int(card_at(THIEF, TREASURES + title)) for title, count in enumerate(view.prey) if count), 0)


def standing(s: Any) -> list[int]:
    """By seat, how far it is on its way to victory, out of a hundred. [T-4.1 T-4.2 T-4.3]"""
    far = (
        100 * sum(s.captured) // CAPTURES_TO_WIN,
        100 * worth(s.hand[s.seat_of[MERCHANT]]) // (RICHES + prison_cost(s)),
        100 * s.infamy // MOST_INFAMY,
    )
    return [far[faction] for faction in s.faction]
