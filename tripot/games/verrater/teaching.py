"""Verräter in one minute, the chapters of its rules page, a round in pictures, and where questions are answered."""

from tripot.core.speech import Phrase
from tripot.core.teaching import Chapter, Panel, Picture, Teaching, Topic
from tripot.games.verrater.lessons import TABLE

ROUND = (
    TABLE
    + """round: 3
phase: conflict
waiting: north
strategy: north
first: north
points: 5 3 5 3
hand north: 3 4 5
hand east: 2 4 5
hand south: 3 4
hand west: 3 5 6
luck: 11
"""
)
CHOSEN = ("The city (Eagle, place 3) against the village (Rose, place 4)",)
KEPT = (*CHOSEN, "Keep the Diplomat 5", "Keep the Traitor", "Keep the Builder", "Keep the Strategist")
ADDED = (*KEPT, "Add no more cards", "Add a 4", "Add no more cards", "Add no more cards", "Add a 6", "Add a 5")
FOUGHT = (*ADDED, "Add no more cards")
BUILT = (*FOUGHT, "Put an estate under the city, place 3 (the Eagle)")
LAST = (
    TABLE.replace("building: none estate", "building: office office")
    + """round: 8
phase: supply
waiting: north
first: south
strategy: west
contested: 5 6
points: 24 19 21 17
role_kept: farmer diplomat-5 builder diplomat-2
set_aside: traitor
hand north: 3 4 6
hand east: 4 5
hand south: 3
hand west: 2 3
"""
)

PRIMER = (
    Panel(
        Phrase("Goal", "Le but"),
        Phrase(
            "Have the most points after eight rounds (nine with three players).",
            "Avoir le plus de points après huit tours (neuf à trois joueurs).",
        ),
        Picture("scores", LAST),
    ),
    Panel(
        Phrase("A round", "Un tour"),
        Phrase(
            "The Eagle and the Rose fight over two neighbouring lands; whoever holds the strategy card says which. "
            "Everyone keeps a secret role, then adds supply cards face up.",
            "L'Aigle et la Rose se disputent deux territoires voisins ; qui tient la carte Stratégie dit lesquels. "
            "Chacun garde un rôle secret, puis ajoute des Richesses à découvert.",
        ),
        Picture("lands", ROUND, KEPT),
    ),
    Panel(
        Phrase("Points", "Les points"),
        Phrase(
            "Roles are revealed; the Traitor changes house. The stronger house takes the land, and its players score: "
            "the fewer they are, the more each gets.",
            "On révèle les rôles ; le Traître change de camp. Le camp le plus fort prend le territoire et ses joueurs "
            "marquent : moins ils sont nombreux, plus chacun reçoit.",
        ),
        Picture("houses", ROUND, FOUGHT),
    ),
    Panel(
        Phrase("The end", "La fin"),
        Phrase(
            "Estates bring cards in every round. After the last one, each office counts a point for each card in "
            "hand, up to three.",
            "Les Greniers apportent des cartes à chaque tour. Après le dernier, chaque Comptoir vaut un point par "
            "carte en main, trois au plus.",
        ),
        Picture("offices", LAST),
    ),
)

CHAPTERS = (
    Chapter(
        Phrase("Goal", "Le but"),
        Phrase(
            "Whoever has the most points after the last round wins V-3.4. There are eight rounds with four players "
            "and nine with three V-3.1. You play for yourself, but you fight beside the others of your house: today's "
            "friends may be tomorrow's enemies.",
            "Qui a le plus de points après le dernier tour gagne V-3.4. On joue huit tours à quatre, neuf à trois "
            "V-3.1. Chacun joue pour soi, mais combat aux côtés de son camp : les amis d'aujourd'hui sont peut-être "
            "les ennemis de demain.",
        ),
    ),
    Chapter(
        Phrase("Overview", "Vue d'ensemble"),
        Phrase(
            "Twelve lands lie in a circle, six with the Eagle and six with the Rose V-1.2. Every player serves one of "
            "the two houses, openly V-1.1. You hold a few supply cards, which are strength, and three cards that can "
            "become estates and offices V-0.5. Estates bring supply cards; offices bring points at the end. What "
            "nobody knows is who plays which role.",
            "Douze territoires forment un cercle, six à l'Aigle et six à la Rose V-1.2. Chaque joueur sert "
            "ouvertement l'un des deux camps V-1.1. Vous avez quelques Richesses, qui sont votre force, et trois "
            "cartes qui peuvent devenir Greniers et Comptoirs V-0.5. Les Greniers apportent des Richesses ; les "
            "Comptoirs, des points à la fin. Ce que personne ne sait, c'est qui joue quel rôle.",
        ),
    ),
    Chapter(
        Phrase("A round", "Un tour"),
        Phrase(
            "- **Conflict.** Whoever holds the strategy card chooses two neighbouring lands of different houses "
            "V-2.1.\n"
            "- **Roles.** Six roles go round face down; everyone keeps one V-2.2.\n"
            "- **Supply.** From the first player, everyone adds up to five supply cards face up V-2.3.\n"
            "- **Reveal.** Roles are shown, and the Traitor changes house V-2.4. The stronger house wins V-2.5.\n"
            "- **Afterwards.** The Builder builds V-2.10, the Strategist takes the strategy card V-2.11, everyone "
            "draws V-2.13 and keeps at most six cards V-2.15.",
            "- **Conflit.** Qui tient la carte Stratégie choisit deux territoires voisins de camps différents V-2.1.\n"
            "- **Rôles.** Six rôles circulent face cachée ; chacun en garde un V-2.2.\n"
            "- **Richesses.** Depuis le premier joueur, chacun en ajoute jusqu'à cinq, à découvert V-2.3.\n"
            "- **Révélation.** On montre les rôles, et le Traître change de camp V-2.4. Le plus fort l'emporte "
            "V-2.5.\n"
            "- **Ensuite.** Le Bâtisseur bâtit V-2.10, le Stratège prend la carte Stratégie V-2.11, chacun pioche "
            "V-2.13 et garde six cartes au plus V-2.15.",
        ),
    ),
    Chapter(
        Phrase("Scoring", "Les points"),
        Phrase(
            "- The strength of a house is its land, the supply cards of those who serve it now, and its Diplomats "
            "V-2.5.\n"
            "- Every player of the stronger house scores for the **loser's** land V-2.6: a city brings two winners 6 "
            "points each, and one winner alone 9 V-0.3.\n"
            "- On equal strength no house scores V-2.7.\n"
            "- The Traitor always scores 1 and the Strategist 2 V-2.8.\n"
            "- At the end: your offices, at most two, times your cards in hand, at most three V-3.3.",
            "- La force d'un camp : son territoire, les Richesses de ceux qui le servent maintenant, et ses "
            "Diplomates V-2.5.\n"
            "- Chaque joueur du camp le plus fort marque le territoire **du perdant** V-2.6 : une ville rapporte 6 "
            "points à chacun de deux vainqueurs, et 9 à un vainqueur seul V-0.3.\n"
            "- À égalité, aucun camp ne marque V-2.7.\n"
            "- Le Traître marque toujours 1 point, le Stratège 2 V-2.8.\n"
            "- À la fin : vos Comptoirs, deux au plus, fois vos cartes en main, trois au plus V-3.3.",
        ),
    ),
)

EXAMPLE = (
    Panel(
        Phrase("North chooses", "Nord choisit"),
        Phrase(
            "North serves the Eagle and holds the strategy card. The Eagle's city (15) beside the Rose's village (10) "
            "looks good V-2.1.",
            "Nord sert l'Aigle et tient la carte Stratégie. La ville de l'Aigle (15) à côté du village de la Rose "
            "(10) : voilà un beau conflit V-2.1.",
        ),
        Picture("lands", ROUND, CHOSEN),
    ),
    Panel(
        Phrase("Cards on the table", "Les cartes sur la table"),
        Phrase(
            "Roles are kept in secret. East and West serve the Rose: East adds a 4, West a 6 and a 5. North and South "
            "add nothing. It looks like 25 for the Rose against 15 V-2.3.",
            "Les rôles restent secrets. Est et Ouest servent la Rose : Est ajoute un 4, Ouest un 6 et un 5. Nord et "
            "Sud n'ajoutent rien. On croirait 25 pour la Rose contre 15 V-2.3.",
        ),
        Picture("players", ROUND, ADDED),
    ),
    Panel(
        Phrase("The reveal", "La révélation"),
        Phrase(
            "East is the Traitor and changes house V-2.4: the 4 counts for the Eagle, and North is Diplomat 5. 15 and "
            "4 and 5 make 24 against 21 V-2.5. Three winners score 3 points each for the village V-0.3; East scores 1 "
            "more as Traitor, West 2 as Strategist V-2.8.",
            "Est est le Traître et change de camp V-2.4 : son 4 compte pour l'Aigle, et Nord est Diplomate 5. 15, 4 "
            "et 5 font 24 contre 21 V-2.5. Trois vainqueurs marquent chacun 3 points pour le village V-0.3 ; Est en "
            "marque 1 de plus en tant que Traître, Ouest 2 en tant que Stratège V-2.8.",
        ),
        Picture("conflict", ROUND, FOUGHT),
    ),
    Panel(
        Phrase("Afterwards", "Ensuite"),
        Phrase(
            "The village has turned to the Eagle V-2.6. South, the Builder, puts an estate under the city V-2.10: it "
            "draws a card at once, because South and the city serve the same house V-2.13. West takes the strategy "
            "card V-2.11, and the next round begins.",
            "Le village est passé à l'Aigle V-2.6. Sud, Bâtisseur, pose un Grenier sous la ville V-2.10 : il apporte "
            "une carte aussitôt, car Sud et la ville servent le même camp V-2.13. Ouest prend la carte Stratégie "
            "V-2.11, et le tour suivant commence.",
        ),
        Picture("board", ROUND, BUILT),
    ),
)

TOPICS = (
    Topic("win", ("V-3.4", "V-2.6", "V-3.3", "V-3.1")),
    Topic("end", ("V-3.1", "V-3.2", "V-3.3", "V-3.4")),
    Topic("points", ("V-2.6", "V-0.3", "V-2.8", "V-3.3")),
    Topic("tie", ("V-2.7", "V-3.4")),
    Topic("turn", ("V-2.1", "V-2.2", "V-2.3", "V-2.4", "V-2.16")),
    Topic("first", ("V-1.1", "V-2.16")),
    Topic("start", ("V-1.4", "V-1.1", "V-1.2", "V-1.3", "V-1.5")),
    Topic("cards", ("V-0.4", "V-0.5", "V-1.4", "V-2.3")),
    Topic("hand", ("V-2.15", "V-1.4")),
    Topic("players", ("V-3.1", "V-1.1")),
    Topic("draw", ("V-2.13", "V-2.14")),
    Topic("empty", ("V-2.14",)),
    Topic("discard", ("V-2.12", "V-2.15")),
    Topic("secret", ("V-2.2", "V-2.3", "V-2.4", "V-0.5")),
    Topic(
        Phrase(
            "betray|treason|traitor|switch|turncoat; change|leave house|side|camp",
            "trahir|trahison|traitre; changer camp",
        ),
        ("V-2.4", "V-2.5", "V-2.8"),
    ),
    Topic(Phrase("role|character", "role|personnage"), ("V-2.2", "V-0.5", "V-2.4")),
    Topic(Phrase("office", "comptoir"), ("V-3.3", "V-2.10")),
    Topic(Phrase("estate|build|builder", "grenier|batir|batisseur|construire"), ("V-2.10", "V-2.13", "V-1.3")),
    Topic(
        Phrase("strong|strength|fight|battle|conflict", "fort|force|combat|conflit|bataille"),
        ("V-2.5", "V-2.6", "V-2.1"),
    ),
)

TEACHING = Teaching(PRIMER, CHAPTERS, EXAMPLE, TOPICS)
