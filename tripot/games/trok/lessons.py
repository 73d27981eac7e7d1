"""The lessons of Trök. The learner is Alvis, beside one other dwarf."""

from tripot.core.lesson import Lesson, Wrong
from tripot.core.speech import Phrase

TABLE = "game: trok\nseats: 2\noptions: youngest=1\nturn: 3\naare: 9 11\n"
QUEUE = "queue: cart vein mine dagda mother cart vein\n"
COMBINE = TABLE + QUEUE + "phase: combine\nwaiting: alvis\nmaster: alvis\nmover: alvis\n"

LESSONS = (
    Lesson(
        "bid",
        Phrase("The bid", "L'offre"),
        Phrase(
            "You put three cards face down. Their sum is your bid, and the highest bid makes the trade master, who "
            "takes first. But what you offer, others may take. You collect lanterns.",
            "Vous posez trois cartes face cachée. Leur somme est votre offre ; la plus forte fait le Maître du "
            "commerce, qui prend le premier. Mais ce que vous proposez, d'autres peuvent le prendre. Vous réunissez "
            "des lanternes.",
        ),
        TABLE
        + """phase: commit
waiting: alvis+brokk
hand alvis: 2×lantern hammer helmet pickaxe
hand brokk: 2×ration gloves armour pickaxe
""",
        (r"Put a (pickaxe|helmet|hammer) face down",) * 3,
        "K-3.2",
        Phrase(
            "7 and 6 and 1 make a bid of 14, and both lanterns stay with you: one more is a set.",
            "7, 6 et 1 : une offre de 14, et vos deux lanternes restent : une de plus fait un lot.",
        ),
        (
            Wrong(
                r"Put a lantern face down",
                "K-3.5",
                Phrase(
                    "Open cards are taken by others. Keep together what you collect, and bid with the rest.",
                    "Les cartes visibles sont prises par les autres. Gardez ce que vous réunissez, misez avec le "
                    "reste.",
                ),
            ),
        ),
    ),
    Lesson(
        "exchange",
        Phrase("The exchange", "L'échange"),
        Phrase(
            "You are trade master and take first: one open card before another player. Put it in your hand, or in the "
            "market for another. You hold two lanterns.",
            "Vous êtes Maître du commerce et prenez le premier : une carte visible devant un autre joueur. Mettez-la "
            "dans votre main, ou au marché contre une autre. Vous avez deux lanternes.",
        ),
        TABLE
        + """phase: take
waiting: alvis
master: alvis
mover: alvis
market: pickaxe ration gloves
hand alvis: 2×lantern
hand brokk: 2×armour
offer alvis: hammer helmet pickaxe
offer brokk: lantern hammer ration
bid: 14 13
""",
        (r"Take a lantern from Brokk", r"Put a lantern in your hand"),
        "K-3.5",
        Phrase(
            "Three lanterns are a set worth 4 Aare. Brokk, whose card you took, moves next.",
            "Trois lanternes font un lot de 4 Aare. Brokk, dont vous avez pris la carte, joue ensuite.",
        ),
        (
            Wrong(
                r"Take .*",
                "K-4.2",
                Phrase(
                    "A set is three of a kind. Which card makes your pair a set?",
                    "Un lot, ce sont trois cartes identiques. Laquelle complète votre paire ?",
                ),
            ),
            Wrong(
                r"Put .* in the market .*",
                "K-3.5",
                Phrase(
                    "The lantern would lie in the market, open to the next player, and you would be left with a pair.",
                    "La lanterne serait au marché, offerte au joueur suivant, et il ne vous resterait qu'une paire.",
                ),
            ),
        ),
    ),
    Lesson(
        "set",
        Phrase("A set", "Un lot"),
        Phrase(
            "Three identical cards pay the value of the equipment, and every further card pays 3. You hold four "
            "lanterns (value 4). What is not used is discarded at the end of the turn.",
            "Trois cartes identiques rapportent la valeur de l'équipement, et chaque carte de plus rapporte 3. Vous "
            "avez quatre lanternes (valeur 4). Ce qui ne sert pas est défaussé en fin de tour.",
        ),
        COMBINE + "hand alvis: 4×lantern ration\nhand brokk: 2×armour 2×ration pickaxe\n",
        (r"Make a set of lanterns", r"Add a lantern"),
        "K-4.2",
        Phrase(
            "4 for three lanterns and 3 for the fourth: 7 Aare.",
            "4 pour trois lanternes et 3 pour la quatrième : 7 Aare.",
        ),
        (
            Wrong(
                r"The set is complete",
                "K-4.2",
                Phrase(
                    "The fourth lantern pays 3 more, and would be discarded otherwise.",
                    "La quatrième lanterne rapporte 3 de plus ; sinon elle est défaussée.",
                ),
            ),
            Wrong(
                r"Combine nothing more",
                "K-5.1",
                Phrase(
                    "Your hand is discarded at the end of the turn: a set you do not make is lost.",
                    "La main est défaussée en fin de tour : un lot qu'on ne fait pas est perdu.",
                ),
            ),
        ),
    ),
    Lesson(
        "collection",
        Phrase("Collections and the queue", "Les collections et la file"),
        Phrase(
            "A collection of different cards takes an improvement: with five cards, one of the first five in the "
            "queue. At the fifth place waits Mother Dwerg, who pays for every dwarf you own, every turn.",
            "Une collection de cartes différentes prend une Amélioration : avec cinq cartes, l'une des cinq premières "
            "de la file. Au cinquième rang attend Mère Dwerg, qui rapporte à chaque tour pour chacun de vos nains.",
        ),
        COMBINE
        + """owned alvis: grid thrud
hand alvis: pickaxe ration gloves lantern armour
hand brokk: 2×armour 2×ration pickaxe
""",
        (r"Make a collection of 5 cards", r"Take Mother Dwerg \(place 5\)"),
        "K-4.4",
        Phrase(
            "Five cards reach the fifth place. With Grid and Thrud, Mother Dwerg pays 3 Aare at the end of every "
            "turn, this one included.",
            "Cinq cartes vont jusqu'au cinquième rang. Avec Grid et Thrud, Mère Dwerg rapporte 3 Aare à la fin de "
            "chaque tour, celui-ci compris.",
        ),
        (
            Wrong(
                r"Make a collection of (3|4) cards",
                "K-4.4",
                Phrase(
                    "That reaches only as many places as it has cards. The fifth card would be discarded anyway.",
                    "Cela n'atteint qu'autant de rangs que de cartes. La cinquième carte serait défaussée de toute "
                    "façon.",
                ),
            ),
            Wrong(
                r"Take .*",
                "K-5.2",
                Phrase(
                    "A fine improvement, but one that pays every turn is worth most when taken early. Look at place 5.",
                    "Une bonne Amélioration, mais celle qui rapporte à chaque tour vaut d'autant plus qu'on la prend "
                    "tôt. Voyez le rang 5.",
                ),
            ),
            Wrong(
                r"Combine nothing more",
                "K-5.1",
                Phrase(
                    "Your hand is discarded at the end of the turn: use it now.",
                    "La main est défaussée en fin de tour : servez-vous-en maintenant.",
                ),
            ),
        ),
    ),
    Lesson(
        "joker",
        Phrase("The arcane stone", "La Pierre d'arcane"),
        Phrase(
            "An arcane stone is a joker: it stands for any equipment. You hold two hammers (value 7), a stone, and "
            "three rations (value 2). Only one set a turn.",
            "Une Pierre d'arcane est un joker : elle remplace tout équipement. Vous avez deux marteaux (valeur 7), "
            "une pierre et trois rations (valeur 2). Un seul lot par tour.",
        ),
        COMBINE + "hand alvis: 2×hammer stone 3×ration\nhand brokk: 2×armour 2×lantern pickaxe\n",
        (r"Make a set of hammers",),
        "K-4.6",
        Phrase(
            "The stone counts as the third hammer: 7 Aare, where three rations pay 2.",
            "La pierre compte comme troisième marteau : 7 Aare, quand trois rations n'en rapportent que 2.",
        ),
        (
            Wrong(
                r"Make a set of rations",
                "K-4.2",
                Phrase(
                    "Three rations pay 2 Aare, four pay 5. With the stone another set pays more.",
                    "Trois rations rapportent 2 Aare, quatre en rapportent 5. Avec la pierre, un autre lot paie mieux.",
                ),
            ),
            Wrong(
                r"Make a collection .*",
                "K-4.4",
                Phrase(
                    "A collection of three takes an early improvement, but it would use up a hammer and the stone of "
                    "the dearest set there is.",
                    "Une collection de trois prend une Amélioration du début de la file, mais elle userait un marteau "
                    "et la pierre du lot le plus cher.",
                ),
            ),
            Wrong(
                r"Combine nothing more",
                "K-5.1",
                Phrase(
                    "Stones are never stored: what you do not use now is discarded.",
                    "On ne stocke jamais une pierre : ce qui ne sert pas maintenant est défaussé.",
                ),
            ),
        ),
    ),
    Lesson(
        "vein",
        Phrase("The vein", "Le filon"),
        Phrase(
            "You own a vein: one pickaxe a turn stands for any card, as a stone does. You hold 2 hammers (value 7), 2 "
            "lanterns (value 4) and a pickaxe. You have 44 Aare: the game ends at 50, and the richest wins.",
            "Vous avez un filon : une pioche par tour remplace n'importe quelle carte, comme une Pierre d'arcane. "
            "Vous tenez 2 marteaux (valeur 7), 2 lanternes (valeur 4) et une pioche. Vous avez 44 Aare : à 50, la "
            "partie finit et le plus riche gagne.",
        ),
        COMBINE.replace("aare: 9 11", "aare: 44 46")
        + """owned alvis: vein
hand alvis: pickaxe 2×lantern 2×hammer
hand brokk: 2×armour 2×ration helmet
""",
        (r"Make a set of hammers",),
        "K-4.6",
        Phrase(
            "The pickaxe counts as the third hammer: 7 Aare make 51, and that is enough.",
            "La pioche compte comme troisième marteau : 7 Aare, cela fait 51, et c'est assez.",
        ),
        (
            Wrong(
                r"Make a set of lanterns",
                "K-4.2",
                Phrase(
                    "The pickaxe can complete it, but lanterns pay 4: that makes 48, and one vein serves one pickaxe "
                    "a turn.",
                    "La pioche peut le compléter, mais des lanternes rapportent 4 : cela fait 48, et un filon ne sert "
                    "qu'à une pioche par tour.",
                ),
            ),
            Wrong(
                r"Make a collection .*",
                "K-4.4",
                Phrase(
                    "An improvement pays nothing now, and Brokk is close to 50 too. Which set brings you there?",
                    "Une Amélioration ne rapporte rien tout de suite, et Brokk aussi approche de 50. Quel lot vous y "
                    "mène ?",
                ),
            ),
            Wrong(
                r"Combine nothing more",
                "K-5.1",
                Phrase(
                    "Your hand is discarded at the end of the turn, and this is the turn to win.",
                    "La main est défaussée en fin de tour, et c'est ce tour-ci qu'il faut gagner.",
                ),
            ),
        ),
    ),
    Lesson(
        "perfect",
        Phrase("The perfect combination", "La combinaison parfaite"),
        Phrase(
            "You hold one of each equipment and an arcane stone. Brokk has 49 Aare and wins at the end of this turn "
            "or the next.",
            "Vous avez un équipement de chaque sorte et une Pierre d'arcane. Brokk a 49 Aare : il gagne à la fin de "
            "ce tour ou du suivant.",
        ),
        COMBINE.replace("aare: 9 11", "aare: 9 49")
        + """hand alvis: pickaxe ration gloves lantern armour helmet hammer stone
hand brokk: 2×armour 2×lantern pickaxe
""",
        (r"Show the perfect combination",),
        "K-4.9",
        Phrase(
            "Eight cards, and you win at the end of this turn, whatever the others own.",
            "Huit cartes, et vous gagnez à la fin de ce tour, quoi que possèdent les autres.",
        ),
        (
            Wrong(
                r".*",
                "K-4.9",
                Phrase(
                    "The perfect combination can be shown only instead of any set or collection. It wins the game.",
                    "La combinaison parfaite se montre à la place de tout lot et de toute collection. Elle gagne la "
                    "partie.",
                ),
            ),
        ),
    ),
)
