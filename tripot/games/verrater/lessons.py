"""The lessons of Verräter. The learner is North, of the Eagle."""

from tripot.core.lesson import Lesson, Wrong
from tripot.core.speech import Phrase

CIRCLE = """
land: moor meadow city village river forest meadow forest moor river village city
holder: eagle eagle eagle rose rose eagle rose rose rose eagle eagle rose
building: none estate none estate none none none estate none none estate
owner: north north north east north north north west north north south
"""
TABLE = "game: verrater\nseats: 4\noptions: first=1\nhouse: eagle rose eagle rose\n" + CIRCLE
BETRAYED = TABLE.replace("house: eagle rose eagle rose", "house: eagle eagle eagle rose")  # by East, as the Traitor

LESSONS = (
    Lesson(
        "conflict",
        Phrase("Choose the conflict", "Choisir le conflit"),
        Phrase(
            "You hold the strategy card: you say where the houses meet. Each land fights for its own house, and the "
            "winners score the land of the losers. Look for a strong land of yours beside a valuable one of theirs.",
            "Vous avez la carte Stratégie : à vous de dire où les camps se heurtent. Chaque territoire combat pour "
            "son camp, et les vainqueurs marquent celui des vaincus. Cherchez un de vos territoires forts à côté d'un "
            "des leurs qui rapporte.",
        ),
        TABLE + "round: 1\nphase: conflict\nwaiting: north\nstrategy: north\n",
        (r"The city \(Eagle, place 3\) against the village \(Rose, place 4\)",),
        "V-2.6",
        Phrase(
            "15 against 10 before a card is played, and the village is worth 5 points to each of two winners.",
            "15 contre 10 avant la première carte, et le village vaut 5 points à chacun des deux vainqueurs.",
        ),
        (
            Wrong(
                r"The village .* against the city .*",
                "V-2.5",
                Phrase(
                    "The city would bring 6 points each, but it fights for the Rose: you would start 10 against 15.",
                    "La ville rapporterait 6 points à chacun, mais elle combat pour la Rose : 10 contre 15 au départ.",
                ),
            ),
            Wrong(
                r"The moor .* against the city .*",
                "V-2.5",
                Phrase(
                    "Your moor counts 0 and their city 15: few hands make up for that.",
                    "Votre lande compte 0, leur ville 15 : peu de mains rattrapent cela.",
                ),
            ),
            Wrong(
                r"The river .* against the moor .*",
                "V-0.3",
                Phrase(
                    "You would probably win it, but a moor brings only 2 points to each of two winners.",
                    "Sans doute gagné, mais une lande ne rapporte que 2 points à chacun des deux vainqueurs.",
                ),
            ),
            Wrong(
                r"The forest .*",
                "V-0.3",
                Phrase(
                    "You would be ahead by a little, for a land that brings less than a village.",
                    "Une petite avance, pour un territoire qui rapporte moins qu'un village.",
                ),
            ),
        ),
    ),
    Lesson(
        "role",
        Phrase("What a role is worth", "Ce que vaut un rôle"),
        Phrase(
            "The last round. You are the last to choose a role, and two are left. You have no offices. Which of the "
            "two brings points?",
            "Le dernier tour. Vous choisissez en dernier : il reste deux rôles. Vous n'avez pas de Comptoir. Lequel "
            "des deux rapporte des points ?",
        ),
        TABLE
        + """round: 8
phase: draft
waiting: north
first: east
strategy: west
contested: 5 6
points: 20 21 15 14
role_kept: none diplomat-5 builder diplomat-2
set_aside: traitor
hand north: 2
hand east: 4 5
hand south: 3
hand west: 2 3
""",
        (r"Keep the Strategist",),
        "V-2.8",
        Phrase(
            "The Strategist scores 2 points whoever wins the conflict: from 20 to 22.",
            "Le Stratège marque 2 points, quel que soit le vainqueur du conflit : de 20 à 22.",
        ),
        (
            Wrong(
                r"Keep the Farmer",
                "V-2.13",
                Phrase(
                    "The Farmer draws three cards, but after the last round cards are worth nothing without an office.",
                    "Le Paysan pioche trois cartes, mais après le dernier tour, sans Comptoir, elles ne valent rien.",
                ),
            ),
        ),
    ),
    Lesson(
        "betray",
        Phrase("When to betray", "Quand trahir"),
        Phrase(
            "Your house puts a meadow (3) against the city of the Rose (15), and nobody of yours has cards. You "
            "choose the last role. Where will the winners stand?",
            "Votre camp engage des champs (3) contre la ville de la Rose (15), et personne chez vous n'a de cartes. "
            "Vous choisissez le dernier rôle. De quel côté seront les vainqueurs ?",
        ),
        TABLE.replace("meadow city village river forest meadow", "city river village forest river meadow").replace(
            "forest moor river village city", "forest moor village meadow city"
        )
        + """round: 5
phase: draft
waiting: north
first: east
strategy: east
contested: 10 11
points: 9 8 11 7
role_kept: none builder diplomat-2 strategist
set_aside: diplomat-5
hand north: none
hand east: 4 5
hand south: none
hand west: 2 3
""",
        (r"Keep the Traitor",),
        "V-2.4",
        Phrase(
            "You change house at the reveal: 1 point as the Traitor, and 2 more as one of three winners of the "
            "meadow. You stay with the Rose until you betray again.",
            "Vous changez de camp à la révélation : 1 point de Traître, et 2 de plus comme l'un des trois vainqueurs "
            "des champs. Vous restez à la Rose jusqu'à la prochaine trahison.",
        ),
        (
            Wrong(
                r"Keep the Farmer",
                "V-2.6",
                Phrase(
                    "Three cards, but your house loses, and losers score nothing. The strong side is one card away.",
                    "Trois cartes, mais votre camp perd, et les perdants ne marquent rien. Le bon côté est à portée "
                    "de main.",
                ),
            ),
        ),
    ),
    Lesson(
        "supply",
        Phrase("Just enough", "Juste assez"),
        Phrase(
            "You keep Diplomat 5, and you know that the Traitor lies in the middle. Your forest and role make 12; the "
            "Rose shows 10, and Diplomat 2 may be among them. You are the last to add cards, and cards are dear.",
            "Vous gardez le Diplomate 5, et vous savez que le Traître est au milieu. Votre forêt et votre rôle font "
            "12 ; la Rose montre 10, peut-être avec le Diplomate 2. Vous jouez en dernier, et les cartes sont "
            "précieuses.",
        ),
        TABLE
        + """round: 3
phase: supply
waiting: north
first: east
strategy: east
contested: 5 4
points: 4 5 2 3
role_kept: diplomat-5 builder farmer strategist
set_aside: diplomat-2
played east: 5
hand north: 2 4 8
hand east: 3 4
hand south: 3
hand west: 2 3
""",
        (r"Add a 2", r"Add no more cards"),
        "V-2.5",
        Phrase(
            "14 against 12 at most: won for sure, with the cheapest card. The 4 and the 8 are there for another round.",
            "14 contre 12 au plus : gagné à coup sûr, avec la moindre carte. Le 4 et le 8 serviront un autre tour.",
        ),
        (
            Wrong(
                r"Add no more cards",
                "V-2.7",
                Phrase(
                    "With Diplomat 2 the Rose would have 12 too, and on equal strength no house scores.",
                    "Avec le Diplomate 2, la Rose aurait 12 elle aussi, et à égalité aucun camp ne marque.",
                ),
            ),
            Wrong(
                r"Add .*",
                "V-2.12",
                Phrase(
                    "It wins, but more than is needed: cards that are played are gone. Which is the smallest that is "
                    "enough?",
                    "Cela gagne, mais c'est trop : une carte jouée est perdue. Quelle est la plus petite qui suffit ?",
                ),
            ),
        ),
    ),
    Lesson(
        "estate",
        Phrase("Where estates draw", "Où les Greniers rapportent"),
        Phrase(
            "You are the Builder, early in the game. An estate brings a card every round, but only while its land and "
            "you serve the same house. You serve the Eagle.",
            "Vous êtes Bâtisseur, en début de partie. Un Grenier apporte une carte par tour, mais seulement tant que "
            "son territoire et vous servez le même camp. Vous servez l'Aigle.",
        ),
        BETRAYED
        + """round: 1
phase: build
waiting: north
role_kept: builder traitor diplomat-2 strategist
role_shown: builder traitor diplomat-2 strategist
set_aside: farmer
strength: 12 7
contested: 2 3
""",
        (r"Put an estate under .* \(the Eagle\)",),
        "V-2.13",
        Phrase(
            "From now on two estates draw for you while the Eagle holds their lands.",
            "Désormais deux Greniers piochent pour vous, tant que l'Aigle tient leurs territoires.",
        ),
        (
            Wrong(
                r"Put an estate under .* \(the Rose\)",
                "V-2.13",
                Phrase(
                    "That land serves the Rose: the estate draws nothing until it changes sides, or you do.",
                    "Ce territoire sert la Rose : le Grenier n'apporte rien avant qu'il change de camp, ou vous.",
                ),
            ),
            Wrong(
                r"Turn the estate .*",
                "V-3.3",
                Phrase(
                    "An office counts only at the end, and draws nothing until then. It is early for that.",
                    "Un Comptoir ne compte qu'à la fin et n'apporte rien d'ici là. Il est trop tôt.",
                ),
            ),
            Wrong(
                r"Build nothing",
                "V-2.10",
                Phrase(
                    "The Builder's right is lost if it is not used, and an estate pays every round.",
                    "Le droit du Bâtisseur est perdu s'il n'en use pas, et un Grenier rapporte à chaque tour.",
                ),
            ),
        ),
    ),
    Lesson(
        "office",
        Phrase("Offices at the end", "Les Comptoirs, à la fin"),
        Phrase(
            "The last round, and you are the Builder. You hold three cards. At the end each office counts a point for "
            "each card in hand, up to three.",
            "Le dernier tour, et vous êtes Bâtisseur. Vous avez trois cartes. À la fin, chaque Comptoir compte un "
            "point par carte en main, trois au plus.",
        ),
        BETRAYED
        + """round: 8
phase: build
waiting: north
role_kept: builder traitor diplomat-2 strategist
role_shown: builder traitor diplomat-2 strategist
set_aside: farmer
strength: 12 7
contested: 2 3
points: 22 24 18 20
hand north: 2 3 5
hand east: 4
hand south: none
hand west: 3
""",
        (r"Turn the estate .* into an office",),
        "V-3.3",
        Phrase(
            "One office times three cards: 3 points, from 22 to 25.",
            "Un Comptoir fois trois cartes : 3 points, de 22 à 25.",
        ),
        (
            Wrong(
                r"Put an estate .*",
                "V-3.3",
                Phrase(
                    "An estate scores nothing at the end, and an office cannot come straight from the hand.",
                    "Un Grenier ne marque rien à la fin, et un Comptoir ne vient jamais directement de la main.",
                ),
            ),
            Wrong(
                r"Build nothing",
                "V-2.10",
                Phrase(
                    "There is no next round. Three points lie on the table: turn a card over.",
                    "Il n'y a pas de tour suivant. Trois points sont à prendre : retournez une carte.",
                ),
            ),
        ),
    ),
)
