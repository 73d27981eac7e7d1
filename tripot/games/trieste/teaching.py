"""Trieste in one minute, the chapters of its rules page, a turn in pictures, and where questions are answered."""

from tripot.core.speech import Phrase
from tripot.core.teaching import Chapter, Panel, Picture, Teaching, Topic
from tripot.games.trieste.lessons import TABLE

TURN = (
    TABLE
    + """waiting: north
active: watch
infamy: 3
captured: 2×pickpocket
hand north: 2×copper patrol-officer raiding-party
hand east: 3×copper 2×silver street-vendor bodyguard
hand south: 2×copper street-urchin decoy
"""
)
PLACED = ("Play a Patrol Officer", "Play a Street Vendor")
REVEALED = (*PLACED, "Play a Street Urchin")
RESOLVED = (*REVEALED, "Let the Street Urchin be captured")
NEARLY = (
    TABLE
    + """waiting: north
active: watch
infamy: 8
captured: 2×pickpocket 2×street-urchin
hand north: 2×copper patrol-officer
hand east: 3×copper 2×silver street-vendor bodyguard
hand south: 2×copper street-urchin decoy
"""
)
ESCAPED = ("Play a copper", "Play a Street Vendor", "Play a Street Urchin")

PRIMER = (
    Panel(
        Phrase("Goal", "Le but"),
        Phrase(
            "Three factions, three goals. The Watch captures seven thieves; the Merchant gathers treasure worth 11, "
            "and more with every capture; the Thief reaches 9 Infamy.",
            "Trois factions, trois buts. Le Gardien capture sept voleurs ; le Marchand réunit 11 de Trésors, et plus "
            "à chaque capture ; le Voleur atteint 9 d'Infamie.",
        ),
        Picture("aims", TURN, seat=1),
    ),
    Panel(
        Phrase("A turn", "Un tour"),
        Phrase(
            "You draw two cards, treasure or your own, and play one face down.",
            "Vous piochez deux cartes, Trésors ou les vôtres, et en jouez une face cachée.",
        ),
        Picture("hidden", TURN, PLACED),
    ),
    Panel(
        Phrase("The cards", "Les cartes"),
        Phrase(
            "All are revealed and paid for; whoever cannot pay loses the effect and shows their hand. Effects follow "
            "in order: Watch, Merchant, Thief. So a thief acts only if nobody captures them first.",
            "On révèle et on paie ; qui ne peut payer perd l'effet et montre sa main. Les effets suivent : Gardien, "
            "Marchand, Voleur. Un voleur n'agit donc que si personne ne le capture avant.",
        ),
        Picture("trio", TURN, RESOLVED),
    ),
    Panel(
        Phrase("The end", "La fin"),
        Phrase(
            "The first to have reached their goal at their End step wins.",
            "Le premier qui a atteint son but à son étape Fin gagne.",
        ),
        Picture("aims", NEARLY, ESCAPED, seat=1),
    ),
)

CHAPTERS = (
    Chapter(
        Phrase("Goal", "Le but"),
        Phrase(
            "- **The Watch** wins with seven captured thieves T-4.1.\n"
            "- **The Merchant** wins with treasure worth 11 in hand, plus the levels of all captured thieves T-4.2.\n"
            "- **The Thief** wins with 9 Infamy T-4.3.\n"
            "\n"
            "Victory is checked at each player's End step; the first who qualifies wins T-4.4.",
            "- **Le Gardien** gagne avec sept voleurs capturés T-4.1.\n"
            "- **Le Marchand** gagne avec 11 de Trésors en main, plus les niveaux de tous les voleurs capturés "
            "T-4.2.\n"
            "- **Le Voleur** gagne avec 9 d'Infamie T-4.3.\n"
            "\n"
            "On vérifie la victoire à l'étape Fin de chaque joueur ; le premier qui a atteint son but gagne T-4.4.",
        ),
    ),
    Chapter(
        Phrase("Overview", "Vue d'ensemble"),
        Phrase(
            "Three players, three decks: each faction has characters and actions of its own T-0.1. Treasure is "
            "common, and pays for cards. All play one card face down and reveal together, so you guess what the "
            "others are up to. The backs help: treasure and faction cards look different T-0.4.",
            "Trois joueurs, trois paquets : chaque faction a ses personnages et ses actions T-0.1. Les Trésors sont "
            "communs et paient les cartes. Chacun joue une carte face cachée, et l'on révèle ensemble : à vous de "
            "deviner ce que préparent les autres. Les dos aident : Trésors et cartes de faction ne se ressemblent pas "
            "T-0.4.",
        ),
    ),
    Chapter(
        Phrase("A turn", "Un tour"),
        Phrase(
            "Always in the order Watch, Merchant, Thief T-2.1.\n"
            "\n"
            "- **Draw.** Two cards each, treasure or your own T-3.1.\n"
            "- **Play.** One card face down, or none T-3.2.\n"
            "- **Payment.** Cards are revealed and paid for. Whoever cannot pay shows their hand; the card does "
            "nothing T-3.3. No change is given T-2.2.\n"
            "- **Effect.** Each card does what it says T-3.4. A captured character does nothing T-2.7.\n"
            "- **End.** Victory is checked; then characters can be bought back T-3.5.",
            "Toujours dans l'ordre Gardien, Marchand, Voleur T-2.1.\n"
            "\n"
            "- **Pioche.** Deux cartes chacun, Trésors ou les siennes T-3.1.\n"
            "- **Jeu.** Une carte face cachée, ou aucune T-3.2.\n"
            "- **Paiement.** On révèle et on paie. Qui ne peut payer montre sa main, et sa carte est contrecarrée "
            "T-3.3. On ne rend pas la monnaie T-2.2.\n"
            "- **Effet.** Chaque carte fait ce qu'elle dit T-3.4. Un personnage capturé ne fait rien T-2.7.\n"
            "- **Fin.** On vérifie la victoire ; puis on peut racheter des personnages T-3.5.",
        ),
    ),
    Chapter(
        Phrase("Captures, treasure, Infamy", "Captures, Trésors, Infamie"),
        Phrase(
            "- A Thief's **character** whose effect resolves brings Infamy equal to its level; actions bring none "
            "T-2.6.\n"
            "- A captured thief counts for the Watch, and raises what the Merchant needs T-4.2.\n"
            "- A copper or a silver can be played as a card: it draws one treasure, or two T-3.4.\n"
            "- Paid treasure goes to the common discard pile T-2.3.",
            "- Un **personnage** du Voleur dont l'effet se résout rapporte autant d'Infamie que son niveau ; les "
            "actions, rien T-2.6.\n"
            "- Un voleur capturé compte pour le Gardien, et augmente ce qu'il faut au Marchand T-4.2.\n"
            "- Un cuivre ou un argent peut se jouer comme une carte : il fait piocher un Trésor, ou deux T-3.4.\n"
            "- Les Trésors payés vont à la défausse commune T-2.3.",
        ),
    ),
)

EXAMPLE = (
    Panel(
        Phrase("Face down", "Face cachée"),
        Phrase(
            "You are North, the Watch. You play a Patrol Officer; East, the Merchant, has put down a faction card, "
            "not a treasure T-0.4. The Thief plays last T-2.1.",
            "Vous êtes Nord, le Gardien. Vous jouez un Patrouilleur ; Est, le Marchand, a posé une carte de faction, "
            "pas un Trésor T-0.4. Le Voleur joue en dernier T-2.1.",
        ),
        Picture("hidden", TURN, PLACED),
    ),
    Panel(
        Phrase("Revealed and paid", "On révèle, on paie"),
        Phrase(
            "The Patrol Officer and the Street Vendor cost 1 each, and both are paid T-3.3. The Thief has played a "
            "Street Urchin, which costs nothing.",
            "Le Patrouilleur et le Marchand ambulant coûtent 1 chacun, et les deux sont payés T-3.3. Le Voleur a joué "
            "un Gamin des rues, qui ne coûte rien.",
        ),
        Picture("turn", TURN, REVEALED),
    ),
    Panel(
        Phrase("The effects", "Les effets"),
        Phrase(
            "The Watch comes first: the Patrol Officer captures the Street Urchin, which is of level 1 T-2.7. Its "
            "effect and its Infamy are lost T-2.6. The Merchant draws treasure.",
            "Le Gardien d'abord : le Patrouilleur capture le Gamin des rues, de niveau 1 T-2.7. Son effet et son "
            "Infamie sont perdus T-2.6. Le Marchand pioche des Trésors.",
        ),
        Picture("turn", TURN, RESOLVED),
    ),
    Panel(
        Phrase("Where they stand", "Où ils en sont"),
        Phrase(
            "Three thieves are captured, of seven T-4.1; each also raises what the Merchant needs T-4.2. The Thief "
            "still has 3 Infamy of 9 T-4.3. Nobody has won: at their End step players may buy characters back T-3.5.",
            "Trois voleurs sont capturés, sur sept T-4.1 ; chacun augmente aussi ce qu'il faut au Marchand T-4.2. Le "
            "Voleur a toujours 3 d'Infamie sur 9 T-4.3. Personne n'a gagné : à leur étape Fin, les joueurs peuvent "
            "racheter des personnages T-3.5.",
        ),
        Picture("aims", TURN, RESOLVED, seat=1),
    ),
)

TOPICS = (
    Topic("win", ("T-4.1", "T-4.2", "T-4.3", "T-4.4")),
    Topic("end", ("T-4.4", "T-4.1", "T-4.2", "T-4.3", "T-4.5")),
    Topic("points", ("T-2.6", "T-4.2", "T-2.7")),
    Topic("tie", ("T-4.4",)),
    Topic("turn", ("T-2.1", "T-3.1", "T-3.2", "T-3.3", "T-3.4", "T-3.5")),
    Topic("first", ("T-2.1",)),
    Topic("change", ("T-2.2", "T-7.1")),
    Topic("start", ("T-1.3", "T-1.1", "T-1.2")),
    Topic("cards", ("T-0.1", "T-3.1", "T-1.3")),
    Topic("hand", ("T-1.3", "T-3.1")),
    Topic("players", ("T-1.2",)),
    Topic("pay", ("T-3.3", "T-2.2", "T-7.1")),
    Topic("cannot pay", ("T-3.3", "T-2.8")),
    Topic("draw", ("T-3.1", "T-2.3", "T-2.4")),
    Topic("empty", ("T-2.4", "T-2.3")),
    Topic("discard", ("T-3.4", "T-2.3")),
    Topic("secret", ("T-0.4", "T-3.2", "T-3.3")),
    Topic(Phrase("watch", "gardien"), ("T-4.1", "T-2.7")),
    Topic(Phrase("merchant", "marchand"), ("T-4.2",)),
    Topic(Phrase("thief|thieve|infamy", "voleur|infamie"), ("T-4.3", "T-2.6")),
    Topic(
        Phrase("capture|gaol|jail|prison|caught", "capture|capturer|prison"),
        ("T-2.7", "T-4.1", "T-5.1", "T-5.2"),
    ),
    Topic(Phrase("buy|back", "racheter|rachat"), ("T-3.5", "T-7.9")),
    Topic(Phrase("hero|heroes", "heros"), ("T-6.1", "T-6.2", "T-6.4")),
    Topic(Phrase("negate|cancel", "contrecarrer|annuler"), ("T-2.8", "T-2.7")),
)

TEACHING = Teaching(PRIMER, CHAPTERS, EXAMPLE, TOPICS)
