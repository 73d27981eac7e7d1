"""Trök in one minute, the chapters of its rules page, a turn in pictures, and where questions are answered."""

from tripot.core.speech import Phrase
from tripot.core.teaching import Chapter, Panel, Picture, Teaching, Topic
from tripot.games.trok.lessons import COMBINE, QUEUE, TABLE

TURN = (
    TABLE
    + QUEUE
    + """phase: commit
waiting: alvis+brokk
market: pickaxe ration helmet
hand alvis: 2×lantern hammer helmet pickaxe
hand brokk: lantern ration gloves armour helmet
"""
)
BIDS = (
    *("Put a pickaxe face down", "Put a helmet face down", "Put a hammer face down"),
    *("Put a ration face down", "Put a lantern face down", "Put a helmet face down"),
)
TAKEN = (*BIDS, "Take a lantern from Brokk", "Put a lantern in your hand")
EXCHANGED = (
    *TAKEN,
    *("Take a hammer from Alvis", "Put a hammer in your hand"),
    *("Take a ration from Brokk", "Put a ration in your hand"),
    *("Take a pickaxe from Alvis", "Put a pickaxe in your hand"),
    *("Put a helmet in your hand", "Put a helmet in your hand"),
)
COMBINED = (
    *EXCHANGED,
    "Make a set of lanterns",
    *("Make a collection of 5 cards", "Take Mother Dwerg (place 5)"),
)
PERFECT = COMBINE + "hand alvis: pickaxe ration gloves lantern armour helmet hammer stone\nhand brokk: 2×armour\n"
RICH = COMBINE.replace("aare: 9 11", "aare: 47 51") + "hand alvis: 2×ration\nhand brokk: 2×armour\n"

PRIMER = (
    Panel(
        Phrase("Goal", "Le but"),
        Phrase(
            "Be the richest when somebody reaches 50 Aare. Or show the perfect combination: one card of each kind and "
            "an arcane stone.",
            "Être le plus riche quand quelqu'un atteint 50 Aare. Ou montrer la combinaison parfaite : une carte de "
            "chaque sorte et une Pierre d'arcane.",
        ),
        Picture("perfect", PERFECT),
    ),
    Panel(
        Phrase("A turn", "Un tour"),
        Phrase(
            "You are dealt five cards and put three face down. The highest sum makes the trade master, who takes the "
            "first open card; whoever lost it takes next.",
            "Vous recevez cinq cartes et en posez trois face cachée. La plus forte somme fait le Maître du commerce, "
            "qui prend la première carte visible ; celui qui la perd prend à son tour.",
        ),
        Picture("bids", TURN, BIDS),
    ),
    Panel(
        Phrase("Aare", "Les Aare"),
        Phrase(
            "Then combine. Three or more equal cards are a set and pay Aare. Three or more different cards are a "
            "collection and take an improvement, which helps every turn.",
            "Puis combinez. Trois cartes identiques ou plus font un lot et rapportent des Aare. Trois cartes "
            "différentes ou plus font une collection et prennent une Amélioration, utile à chaque tour.",
        ),
        Picture("combined", TURN, COMBINED),
    ),
    Panel(
        Phrase("The end", "La fin"),
        Phrase(
            "What is left is discarded. If anyone has 50 Aare now, the richest wins.",
            "Le reste est défaussé. Si quelqu'un a alors 50 Aare, le plus riche gagne.",
        ),
        Picture("purses", RICH),
    ),
)

CHAPTERS = (
    Chapter(
        Phrase("Goal", "Le but"),
        Phrase(
            "Aare are the money of the dwarfs. At the end of a turn in which somebody has 50 or more, the richest "
            "player wins K-6.2. There is a second way: eight cards that stand for one of each equipment and an arcane "
            "stone are the perfect combination, and win whatever the others own K-4.9.",
            "Les Aare sont la monnaie des nains. À la fin d'un tour où quelqu'un en a 50 ou plus, le joueur le plus "
            "riche gagne K-6.2. Il y a une autre voie : huit cartes qui valent un équipement de chaque sorte et une "
            "Pierre d'arcane font la combinaison parfaite, et gagnent quoi que possèdent les autres K-4.9.",
        ),
    ),
    Chapter(
        Phrase("Overview", "Vue d'ensemble"),
        Phrase(
            "Everyone gets five cards a turn K-2.1. You trade until your cards fit together, and combine them for "
            "money or for improvements. Three cards lie in the market K-1.1, and seven improvements wait in a queue "
            "K-1.2. An improvement stays with you for the whole game; cards do not: what you do not use is discarded "
            "K-5.1.",
            "Chacun reçoit cinq cartes par tour K-2.1. Vous échangez jusqu'à ce que vos cartes aillent ensemble, et "
            "les combinez contre de l'argent ou des Améliorations. Trois cartes forment le marché K-1.1, et sept "
            "Améliorations attendent dans la file K-1.2. Une Amélioration vous reste toute la partie ; les cartes, "
            "non : ce qui ne sert pas est défaussé K-5.1.",
        ),
    ),
    Chapter(
        Phrase("A turn", "Un tour"),
        Phrase(
            "- **Deal.** Five cards each, and one more for each mine K-2.2.\n"
            "- **Bid.** Everyone puts three cards face down, then all are shown K-3.1. The highest sum makes the "
            "trade master K-3.3.\n"
            "- **Exchange.** The trade master takes an open card from another player, into the hand or into the "
            "market for another K-3.5. Whoever lost the card takes next K-3.6.\n"
            "- **Combine.** One set and one collection each K-4.1.\n"
            "- **End.** Hands are discarded, but for a card on each cart K-5.1; improvements pay K-5.2; the queue is "
            "filled up K-5.3.",
            "- **Donne.** Cinq cartes chacun, et une de plus par mine K-2.2.\n"
            "- **Offre.** Chacun pose trois cartes face cachée, puis on les montre toutes K-3.1. La plus forte somme "
            "fait le Maître du commerce K-3.3.\n"
            "- **Échange.** Le Maître du commerce prend une carte visible d'un autre joueur, dans sa main ou au "
            "marché contre une autre K-3.5. Celui qui l'a perdue prend ensuite K-3.6.\n"
            "- **Combinaisons.** Un lot et une collection chacun K-4.1.\n"
            "- **Fin.** On défausse sa main, sauf une carte par chariot K-5.1 ; les Améliorations rapportent K-5.2 ; "
            "la file se complète K-5.3.",
        ),
    ),
    Chapter(
        Phrase("Making money", "Gagner des Aare"),
        Phrase(
            "- A set of three pays the number on its cards: three lanterns pay 4. Each further card pays 3 K-4.2.\n"
            "- A collection of X different cards takes one of the first X improvements of the queue K-4.4.\n"
            "- An arcane stone stands for any card; so does one pickaxe a turn for each vein K-4.6.\n"
            "- Three equal cards in the market are renewed, and pay 3 to the player who put the last one there "
            "K-3.7.\n"
            "- Some dwarfs pay at the end of every turn K-5.2.",
            "- Un lot de trois rapporte le nombre inscrit sur ses cartes : trois lanternes, 4. Chaque carte de plus "
            "rapporte 3 K-4.2.\n"
            "- Une collection de X cartes différentes prend l'une des X premières Améliorations de la file K-4.4.\n"
            "- Une Pierre d'arcane vaut n'importe quelle carte ; une pioche par tour et par filon aussi K-4.6.\n"
            "- Trois cartes identiques au marché sont renouvelées et rapportent 3 à qui a posé la dernière K-3.7.\n"
            "- Certains nains rapportent à la fin de chaque tour K-5.2.",
        ),
    ),
)

EXAMPLE = (
    Panel(
        Phrase("The bids", "Les offres"),
        Phrase(
            "Alvis keeps two lanterns and bids with the rest: 1 and 6 and 7 make 14. Brokk bids 12. Alvis is trade "
            "master K-3.3.",
            "Alvis garde deux lanternes et mise le reste : 1, 6 et 7 font 14. Brokk offre 12. Alvis est Maître du "
            "commerce K-3.3.",
        ),
        Picture("bids", TURN, BIDS),
    ),
    Panel(
        Phrase("The exchange", "L'échange"),
        Phrase(
            "Alvis takes Brokk's lantern into the hand K-3.5: three lanterns. Brokk, whose card was taken, moves next "
            "K-3.6 and takes the hammer. So it goes on until no open card is left.",
            "Alvis prend en main la lanterne de Brokk K-3.5 : cela en fait trois. Brokk, à qui on l'a prise, joue "
            "ensuite K-3.6 et prend le marteau. Et ainsi de suite, jusqu'à la dernière carte visible.",
        ),
        Picture("players", TURN, TAKEN),
    ),
    Panel(
        Phrase("The combinations", "Les combinaisons"),
        Phrase(
            "Alvis shows three lanterns: a set, 4 Aare K-4.2. Brokk shows five different cards: a collection, which "
            "reaches as far as the fifth place of the queue K-4.4. Mother Dwerg will pay Brokk every turn K-5.2.",
            "Alvis montre trois lanternes : un lot, 4 Aare K-4.2. Brokk montre cinq cartes différentes : une "
            "collection, qui va jusqu'au cinquième rang de la file K-4.4. Mère Dwerg rapportera à Brokk à chaque tour "
            "K-5.2.",
        ),
        Picture("combinations", TURN, COMBINED),
    ),
    Panel(
        Phrase("The end of the turn", "La fin du tour"),
        Phrase(
            "What is left in the hands is discarded K-5.1, Mother Dwerg pays 1 for herself K-5.2, and the queue has "
            "closed up to the left and is filled again K-5.3. Alvis has 13 Aare, Brokk 12: nobody has 50 yet K-6.2.",
            "Ce qui reste en main est défaussé K-5.1, Mère Dwerg rapporte 1 pour elle-même K-5.2, la file s'est "
            "resserrée vers la gauche et se complète K-5.3. Alvis a 13 Aare, Brokk 12 : personne n'en a encore 50 "
            "K-6.2.",
        ),
        Picture("board", TURN, COMBINED),
    ),
)

TOPICS = (
    Topic("win", ("K-6.2", "K-6.1", "K-4.9", "K-6.3")),
    Topic("end", ("K-6.2", "K-6.1", "K-6.4")),
    Topic("points", ("K-4.2", "K-5.2", "K-3.7", "K-4.3")),
    Topic("tie", ("K-3.3", "K-3.4", "K-6.3")),
    Topic("turn", ("K-2.1", "K-3.1", "K-3.5", "K-4.1", "K-5.1", "K-3.6")),
    Topic("first", ("K-3.5", "K-3.3")),
    Topic("change", ("K-0.3",)),
    Topic(Phrase("bid|master equal|tie|tied|same", "offre|maitre egal|egales|egalite|meme"), ("K-3.3", "K-3.4")),
    Topic("start", ("K-1.1", "K-1.2", "K-2.1")),
    Topic("cards", ("K-0.1", "K-0.2", "K-2.1", "K-3.1")),
    Topic("hand", ("K-2.1", "K-5.1")),
    Topic("players", ("K-0.4",)),
    Topic("pay", ("K-0.3", "K-4.2")),
    Topic("cannot pay", ("K-0.3",)),
    Topic("draw", ("K-2.1", "K-2.2", "K-2.4")),
    Topic("empty", ("K-2.4", "K-7.1")),
    Topic("discard", ("K-5.1", "K-4.8")),
    Topic("secret", ("K-3.1", "K-7.3", "K-0.3")),
    Topic(Phrase("bid|master", "offre|mise|miser|maitre"), ("K-3.2", "K-3.3", "K-3.1")),
    Topic(Phrase("exchange|trade|swap|take", "echange|echanger|prendre|troquer"), ("K-3.5", "K-3.6", "K-3.9")),
    Topic(Phrase("set|same|identical", "lot|identique|pareil"), ("K-4.2", "K-4.1", "K-4.3")),
    Topic(
        Phrase("collection|different|improvement|queue|dwarf", "collection|different|amelioration|file|nain"),
        ("K-4.4", "K-4.7", "K-0.2"),
    ),
    Topic(Phrase("joker|stone|wild|vein", "joker|pierre|filon"), ("K-4.6", "K-3.7")),
    Topic(Phrase("cart|store|keep card", "chariot|stocker|conserver|garder carte"), ("K-5.1", "K-2.3")),
    Topic(Phrase("perfect", "parfaite|parfait"), ("K-4.9", "K-6.1")),
)

TEACHING = Teaching(PRIMER, CHAPTERS, EXAMPLE, TOPICS)
