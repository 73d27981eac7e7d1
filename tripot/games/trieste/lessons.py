"""The lessons of Trieste. North is the Watch, East the Merchant, South the Thief; each lesson says who learns."""

from tripot.core.lesson import Lesson, Wrong
from tripot.core.speech import Phrase

TABLE = "game: trieste\noptions: factions=watch_merchant_thief\nturn: 5\nstage: play\nphase: play\n"
NO_CARD = Wrong(
    r"Play no card",
    "T-3.2",
    Phrase(
        "You may, but a turn without a card is a turn given away.",
        "C'est permis, mais un tour sans carte est un tour perdu.",
    ),
)

LESSONS = (
    Lesson(
        "watch",
        Phrase("The Watch: captures", "Le Gardien : les captures"),
        Phrase(
            "You are the Watch. You win with seven captured thieves, and you have six. Your officers capture the "
            "thief that is revealed this turn. Look at what your cards cost, and at your purse: one copper.",
            "Vous êtes le Gardien. Sept voleurs capturés et vous gagnez ; vous en avez six. Vos agents capturent le "
            "voleur révélé ce tour-ci. Voyez ce que coûtent vos cartes, et votre bourse : un cuivre.",
        ),
        TABLE
        + """waiting: north
active: watch
captured: 4×street-urchin 2×pickpocket
hand north: copper patrol-officer bloodhound
hand east: 3×copper silver street-vendor
hand south: 2×copper street-urchin forger
""",
        (r"Play a Patrol Officer",),
        "T-4.1",
        Phrase(
            "It costs 1, which you have, and captures a thief of level 1: perhaps the seventh.",
            "Il coûte 1, que vous avez, et capture un voleur de niveau 1 : le septième, peut-être.",
        ),
        (
            Wrong(
                r"Play a Bloodhound",
                "T-3.3",
                Phrase(
                    "It costs 2 and you have 1: you would show your hand to all, and the card would do nothing.",
                    "Il coûte 2 et vous avez 1 : vous montreriez votre main à tous, et la carte serait contrecarrée.",
                ),
            ),
            Wrong(
                r"Play a copper",
                "T-3.4",
                Phrase(
                    "A copper only draws a treasure. One more capture wins: play an officer you can pay for.",
                    "Un cuivre fait seulement piocher un Trésor. Une capture suffit : jouez un agent que vous pouvez "
                    "payer.",
                ),
            ),
            NO_CARD,
        ),
    ),
    Lesson(
        "merchant",
        Phrase("The Merchant: guarding the money", "Le Marchand : garder l'argent"),
        Phrase(
            "You are the Merchant. At your End step you win with treasure worth 11 and the levels of captured "
            "thieves: there are none, and you hold 12. But the Thief acts after you, before the end.",
            "Vous êtes le Marchand. À votre étape Fin, vous gagnez avec des Trésors valant 11 plus les niveaux des "
            "voleurs capturés : aucun, et vous avez 12. Mais le Voleur agit après vous, avant la fin.",
        ),
        TABLE
        + """waiting: east
active: merchant
placed: patrol-officer
face_down: 2
hand north: 2×copper bloodhound
hand east: 2×gold 2×silver 2×copper bodyguard street-vendor banker
hand south: 4×copper street-urchin burglar
""",
        (r"Play a Bodyguard",),
        "T-4.2",
        Phrase(
            "The Thief cannot touch you this turn. The Bodyguard costs 1 and draws 1: you keep at least 12, and win.",
            "Le Voleur ne peut rien contre vous ce tour-ci. Le Garde du corps coûte 1 et fait piocher 1 : il vous "
            "reste au moins 12, et vous gagnez.",
        ),
        (
            Wrong(
                r"Play a Banker|Play a Street Vendor",
                "T-4.4",
                Phrase(
                    "More money, but the Thief can still take some before victory is checked.",
                    "Plus d'argent, mais le Voleur peut encore en prendre avant qu'on vérifie la victoire.",
                ),
            ),
            Wrong(
                r"Play a (copper|silver)",
                "T-4.4",
                Phrase(
                    "It draws treasure, but leaves your purse open to the Thief, who acts after you.",
                    "Cela fait piocher, mais laisse votre bourse à la merci du Voleur, qui agit après vous.",
                ),
            ),
            NO_CARD,
        ),
    ),
    Lesson(
        "thief",
        Phrase("The Thief: Infamy", "Le Voleur : l'Infamie"),
        Phrase(
            "You are the Thief, with 8 Infamy; you win with 9. A character whose effect resolves brings Infamy equal "
            "to its level. Actions bring none.",
            "Vous êtes le Voleur, avec 8 d'Infamie ; 9 et vous gagnez. Un personnage dont l'effet se résout rapporte "
            "autant d'Infamie que son niveau. Les actions n'en rapportent pas.",
        ),
        TABLE
        + """waiting: south
active: thief
infamy: 8
placed: copper street-vendor
face_down: 1 2
hand north: 2×copper bloodhound
hand east: 3×copper silver bodyguard
hand south: street-urchin decoy fence
""",
        (r"Play a Street Urchin",),
        "T-2.6",
        Phrase(
            "Level 1, and it costs nothing: if nobody captures it you have 9 Infamy, and win.",
            "Niveau 1, et gratuit : si personne ne le capture, vous avez 9 d'Infamie, et vous gagnez.",
        ),
        (
            Wrong(
                r"Play a (Decoy|Fence)",
                "T-2.6",
                Phrase(
                    "An action brings no Infamy, whatever its level.",
                    "Une action ne rapporte pas d'Infamie, quel que soit son niveau.",
                ),
            ),
            NO_CARD,
        ),
    ),
    Lesson(
        "paying",
        Phrase("Paying", "Payer"),
        Phrase(
            "No change is given. You are the Watch, and all your money is one diamond, worth 4.",
            "On ne rend pas la monnaie. Vous êtes le Gardien, et tout votre argent est un diamant, qui vaut 4.",
        ),
        TABLE
        + """waiting: north
active: watch
hand north: diamond patrol-officer bloodhound tax-collector
hand east: 4×copper 2×silver street-vendor
hand south: 2×copper pickpocket forger
""",
        (r"Play a Tax Collector",),
        "T-2.2",
        Phrase(
            "It costs nothing, and the Merchant, who is rich now, gives you some of their treasures.",
            "Il ne coûte rien, et le Marchand, riche en ce moment, vous donne une part de ses Trésors.",
        ),
        (
            Wrong(
                r"Play a (Patrol Officer|Bloodhound)",
                "T-2.2",
                Phrase(
                    "You would pay with the diamond and get nothing back. What costs nothing?",
                    "Vous paieriez avec le diamant sans rien récupérer. Qu'est-ce qui ne coûte rien ?",
                ),
            ),
            NO_CARD,
        ),
    ),
    Lesson(
        "face-down",
        Phrase("Reading a face-down card", "Lire une carte face cachée"),
        Phrase(
            "You are the Thief and play last. Treasure and faction cards have different backs: the Watch has put down "
            "a treasure. What does that tell you?",
            "Vous êtes le Voleur et jouez en dernier. Trésors et cartes de faction ont des dos différents : le "
            "Gardien a posé un Trésor. Qu'en déduisez-vous ?",
        ),
        TABLE
        + """waiting: south
active: thief
infamy: 4
placed: silver street-vendor
face_down: 1 2
hand north: copper bloodhound raiding-party
hand east: 5×copper 2×silver
hand south: 4×copper burglar street-urchin smoke-bomb decoy
""",
        (r"Play a Burglar",),
        "T-0.4",
        Phrase(
            "A treasure captures nobody: this turn your dearest character is safe. Level 2, and a third of the "
            "Merchant's treasure.",
            "Un Trésor ne capture personne : ce tour-ci, votre personnage le plus cher est à l'abri. Niveau 2, et un "
            "tiers des Trésors du Marchand.",
        ),
        (
            Wrong(
                r"Play a Street Urchin",
                "T-0.4",
                Phrase(
                    "It works, but small thieves are for turns in which the Watch hunts. Today nobody does.",
                    "Cela marche, mais les petits voleurs sont pour les tours où le Gardien chasse. Aujourd'hui, "
                    "personne.",
                ),
            ),
            Wrong(
                r"Play .*",
                "T-2.6",
                Phrase(
                    "No Infamy comes of that, and a turn without a hunter is rare.",
                    "Cela ne rapporte pas d'Infamie, et un tour sans chasseur est rare.",
                ),
            ),
        ),
    ),
    Lesson(
        "buying-back",
        Phrase("Buying back", "Racheter"),
        Phrase(
            "You are the Thief, at your End step. Characters of your discard pile can come back for their full cost. "
            "You have one copper and no character in hand.",
            "Vous êtes le Voleur, à votre étape Fin. Les personnages de votre défausse reviennent si vous payez leur "
            "coût entier. Vous avez un cuivre et aucun personnage en main.",
        ),
        TABLE.replace("stage: play\nphase: play\n", "stage: end\nphase: buy\n")
        + """waiting: south
active: thief
infamy: 6
discard thief: street-urchin burglar
hand north: 2×copper bloodhound
hand east: 5×copper street-vendor
hand south: copper decoy
""",
        (r"Buy back a Street Urchin for 0",),
        "T-3.5",
        Phrase(
            "It costs nothing to come back, and next turn it brings Infamy again.",
            "Il revient pour rien, et au prochain tour il rapporte de nouveau de l'Infamie.",
        ),
        (
            Wrong(
                r"Buy back nothing more",
                "T-3.5",
                Phrase(
                    "A character that costs nothing waits in your discard pile, and your hand has none.",
                    "Un personnage gratuit attend dans votre défausse, et votre main n'en a aucun.",
                ),
            ),
        ),
    ),
    Lesson(
        "heroes",
        Phrase("Heroes: the right moment", "Les héros : le bon moment"),
        Phrase(
            "You are the Merchant, at your End step, with treasure worth 14. Three big thieves are captured: by their "
            "levels you need 18. Your hero Jacopo lies face down; once revealed, every captured thief counts 1.",
            "Vous êtes le Marchand, à votre étape Fin, avec 14 de Trésors. Trois gros voleurs sont capturés : d'après "
            "leurs niveaux, il vous faut 18. Votre héros Jacopo est face cachée ; révélé, il ne compte que 1 par "
            "voleur.",
        ),
        TABLE.replace("watch_merchant_thief", "watch_merchant_thief; heroes=1").replace(
            "stage: play\nphase: play\n", "stage: end\nphase: reveal\n"
        )
        + """waiting: east
active: merchant
captured: master-thief 2×burglar
hero: antonia jacopo fox
hero_hidden: 1 1 1
hand north: 2×copper patrol-officer
hand east: 3×gold 2×silver copper street-vendor
hand south: 2×copper street-urchin
""",
        (r"Reveal Jacopo",),
        "T-6.2",
        Phrase(
            "11 and three thieves make 14: you win at once. A hidden hero is a surprise; the moment to show one is "
            "when it decides something.",
            "11 et trois voleurs font 14 : vous gagnez aussitôt. Un héros caché est une surprise ; le bon moment pour "
            "le montrer, c'est quand il décide quelque chose.",
        ),
        (
            Wrong(
                r"Keep Jacopo hidden",
                "T-6.2",
                Phrase(
                    "A hero works only while revealed, and your victory is checked right after this question.",
                    "Un héros n'agit que révélé, et votre victoire est vérifiée juste après cette question.",
                ),
            ),
        ),
    ),
)
