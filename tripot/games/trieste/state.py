"""The state of Trieste, who sees it, and how cards move. Public fields are by faction, secret ones by seat."""

from dataclasses import dataclass
from enum import IntEnum

from tripot.core.game import standard_fields
from tripot.core.layout import HIDDEN, I8, OWNER, PUBLIC, Field, SeatAxis
from tripot.core.news import tell, whisper
from tripot.core.options import Sum, Table, option
from tripot.core.pile import bag_size, take_random
from tripot.games.trieste.actions import News
from tripot.games.trieste.cards import (
    BEFORE,
    CARDS,
    COPPER,
    FACTION_BACK,
    FACTION_CARDS,
    FACTIONS,
    HEROES,
    KINDS,
    MERCHANT,
    OWN_TITLES,
    SEATS,
    THIEF,
    TITLES,
    TREASURE_BACK,
    TREASURE_CARD,
    TREASURE_COPIES,
    TREASURES,
    TYPE,
    UNDERCOVER_AGENT,
    Type,
    back_of,
    card_at,
    kind_of,
)


class Stage(IntEnum):
    """The five phases of a turn, in the sheet's words; `Phase` is the open question."""

    NONE = 0
    DRAW = 1  # [T-3.1]
    PLAY = 2  # [T-3.2]
    PAYMENT = 3  # [T-3.3]
    EFFECT = 4  # [T-3.4]
    END = 5  # [T-3.5]


class Phase(IntEnum):
    """The open question."""

    NONE = 0
    HERO = 1  # all choose a hero in secret [T-6.1]
    REVEAL = 2  # show the hidden hero? [T-6.2]
    DRAW = 3  # from which deck? [T-3.1]
    PLAY = 4  # which card? [T-3.2]
    PAY = 5  # which treasure next? [T-2.2]
    BUY = 6  # which character back? [T-3.5]
    REACT = 7  # save the threatened thief? [T-5.2]
    VICTIM = 8  # whom does Pickpocket rob? [T-5.8]
    TOLL = 9  # give at the Checkpoint, or be negated? [T-5.8]
    # from here on one card is chosen
    SEIZE = 10  # Undercover Agent: which thief of the hand?
    TRIAL = 11  # Magistrate: which thief of the discard pile?
    GIVE = 12  # which treasure does the Merchant give?
    SIFT = 13  # which of the treasures just drawn is discarded?
    SALVAGE = 14  # Smuggler: which treasure of the discard?
    BARGAIN = 15  # Grand Bargain: which action card next?
    BRIBE = 16  # which captured thief goes?
    STRIP = 17  # Forger: which treasure must the Merchant discard?
    RECALL = 18  # Decoy: which character comes back?
    FENCE = 19  # which Thief card is discarded?
    FREE = 20  # Jailbreak: which captured thief comes back?
    DROP = 21  # Dario: which card is discarded?
    OVER = 22


class Then(IntEnum):
    """Values of `phase` while nobody is waited for: what the rules do next."""

    STEP = 23  # a player's step begins
    ACT = 24  # … and continues after the question about the hero
    DRAWN = 25  # the two cards are drawn
    CAPTURES = 26  # the next threatened thief
    RESOLVED = 27  # an effect ends
    STEP_DONE = 28


STAGES = 1 + max(Then)  # kinds of steps beside phases: this and the Stage …
VERBS = STAGES + len(Stage)  # … or this and the Verb of an effect


class Factions(IntEnum):
    """Which faction each seat plays."""

    RANDOM = 0
    WATCH_MERCHANT_THIEF = 1
    WATCH_THIEF_MERCHANT = 2
    MERCHANT_WATCH_THIEF = 3
    MERCHANT_THIEF_WATCH = 4
    THIEF_WATCH_MERCHANT = 5
    THIEF_MERCHANT_WATCH = 6


#                random     the six orders above, as the faction of each seat
FACTIONS_BY = ((0, 1, 2), (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))

COLUMNS = {"copies": (0, 33), "cost": (0, 9), "level": (0, 3), "reach": (0, 3), "amount": (0, 9), "more": (0, 9)}
COPIES, COST, LEVEL, REACH, AMOUNT, MORE = range(6)
HOUSE_DECK = tuple((c.copies, c.cost, c.level, c.reach, c.amount, c.more) for c in CARDS[1:])
ENDS = (OWN_TITLES[0], OWN_TITLES[0] + OWN_TITLES[1], len(HOUSE_DECK))
DECK = Table(
    default="house",
    rows=tuple(card.title for card in CARDS[1:]),
    columns=COLUMNS,
    sums=(
        Sum("the copies of the Watch", "copies", range(ENDS[0]), FACTION_CARDS),
        Sum("the copies of the Merchant", "copies", range(ENDS[0], ENDS[1]), FACTION_CARDS),
        Sum("the copies of the Thief", "copies", range(ENDS[1], ENDS[2]), FACTION_CARDS),
    ),
)


@dataclass(frozen=True)
class Options:
    """The house rules of Trieste."""

    deck: tuple[tuple[int, ...], ...] = option(HOUSE_DECK, "T-0.1", highest=33, table=DECK)
    factions: int = option(Factions.RANDOM, "T-1.2", names=Factions)
    heroes: int = option(0, "T-6.1")
    any_victim: int = option(1, "T-7.5")


BY_SEAT = (SeatAxis(SEATS),)
BY_FACTION = (FACTIONS,)
BY_TITLE = (TITLES,)
BY_CARD = (len(CARDS),)
BY_TREASURE = (TREASURES,)
ALL_TREASURES = sum(TREASURE_COPIES)

# What an encoded view needs no column for: cards and heroes of other factions, titles that are no characters.
FOREIGN_CARDS = tuple(
    tuple(card for card in range(1, len(CARDS)) if not 0 <= card - TREASURES - BEFORE[f] < OWN_TITLES[f])
    for f in range(FACTIONS)
)
FOREIGN_HEROES = tuple(tuple(h for h in range(1, 3 * HEROES + 1) if (h - 1) // HEROES != f) for f in range(FACTIONS))
THIEVES = tuple(
    title for title in range(OWN_TITLES[THIEF]) if TYPE[card_at(THIEF, TREASURES + title)] == Type.CHARACTER
)

FIELDS = [
    *standard_fields(SeatAxis(SEATS), Phase.OVER),
    Field("turn", I8, (), PUBLIC, 60, "the turn being played, from 1", scale=14),
    Field("stage", I8, (), PUBLIC, 5, "the Stage of the turn", codes=True),
    Field("active", I8, (), PUBLIC, 2, "the faction whose step it is", codes=True),
    Field("faction", I8, BY_SEAT, PUBLIC, 2, "the faction that each seat plays", codes=True, sides=True),
    Field("seat_of", I8, BY_FACTION, PUBLIC, 2, "the seat that plays each faction", codes=True, encoded=False),
    # the piles
    Field("deck", I8, (FACTIONS, TITLES), HIDDEN, 33, "the faction decks, by title, less what lies under them"),
    Field("deck_size", I8, BY_FACTION, PUBLIC, 33, "cards in each faction deck"),
    Field(
        "under",
        I8,
        (33,),
        PUBLIC,
        14,
        "kinds of card under the Merchant's deck, the lowest last [T-5.4]",
        codes=True,
        only=range(4),
        absent=(1, 2, 3, 5, 6, 7, 8, 9, 10),
    ),
    Field("under_size", I8, (), PUBLIC, 33, "cards under the Merchant's deck", scale=4),
    Field("discard", I8, (FACTIONS, TITLES), PUBLIC, 33, "the discard piles, by title", scale=3, steps=1),
    Field(
        "captured", I8, BY_TITLE, PUBLIC, 33, "the captured pile, by title of the Thief", scale=4, steps=1, only=THIEVES
    ),
    Field("treasure_deck", I8, BY_TREASURE, HIDDEN, 39, "the treasure deck, by kind"),
    Field("treasure_size", I8, (), PUBLIC, 56, "cards in the treasure deck", scale=50),
    Field("treasure_discard", I8, BY_TREASURE, PUBLIC, 39, "the treasure discard, by kind", scale=29),
    # the players
    Field("infamy", I8, (), PUBLIC, 9, "the Thief's Infamy", scale=8),
    Field(
        "hand",
        I8,
        (SeatAxis(SEATS), KINDS),
        OWNER,
        39,
        "cards in hand: treasures by kind, then titles of the faction",
        scale=7,
        steps=3,
    ),
    Field(
        "hand_size", I8, (FACTIONS, 2), PUBLIC, 56, "how many treasures and how many faction cards each holds", scale=12
    ),
    Field("placed", I8, BY_SEAT, OWNER, 36, "the card face down before each seat", codes=True),
    Field("face_down", I8, BY_FACTION, PUBLIC, 2, "a card face down: 1 a treasure, 2 a faction card", codes=True),
    Field(
        "table", I8, BY_FACTION, PUBLIC, 36, "the card face up before each faction", codes=True, absent_by=FOREIGN_CARDS
    ),
    Field("negated", I8, BY_FACTION, PUBLIC, 1, "1 if that card will have no effect"),
    Field("hero", I8, BY_SEAT, OWNER, 9, "the Hero each seat has chosen", codes=True),
    Field("hero_up", I8, BY_FACTION, PUBLIC, 9, "the Hero face up, who works", codes=True, absent_by=FOREIGN_HEROES),
    Field("hero_hidden", I8, BY_FACTION, PUBLIC, 1, "1 while a hero lies face down that may be revealed"),
    # the step in progress
    Field("draws", I8, (), PUBLIC, 2, "cards that the active player has yet to draw"),
    Field("due", I8, (), PUBLIC, 21, "treasure that remains to be paid", scale=6),
    Field("waste", I8, (), PUBLIC, 3, "how far the payment goes beyond the cost", scale=1),
    Field(
        "buying",
        I8,
        (),
        PUBLIC,
        14,
        "the kind of character being bought back",
        codes=True,
        absent=(1, 2, 3, 8, 9, 10, 11, 13, 14),
    ),
    Field(
        "resolving",
        I8,
        (),
        PUBLIC,
        36,
        "the card whose effect is being carried out",
        codes=True,
        absent=(33, 34, 35, 36),
    ),
    Field("left", I8, (), PUBLIC, 56, "cards that remain to be chosen for that effect", scale=5),
    Field("top", I8, BY_SEAT, OWNER, 14, "several cards are chosen from high kinds to low: the highest allowed"),
    Field(
        "aside",
        I8,
        (SeatAxis(SEATS), TREASURES),
        OWNER,
        9,
        "treasures drawn, of which some will be kept, by kind",
        scale=3,
    ),
    Field("aside_size", I8, (), PUBLIC, 9, "treasures set aside", scale=3),
    Field("prey", I8, BY_TITLE, PUBLIC, 33, "thieves about to be captured, by title", scale=2, only=THIEVES),
    Field(
        "target",
        I8,
        BY_SEAT,
        OWNER,
        14,
        "the kind that Undercover Agent is about to capture",
        codes=True,
        absent=(1, 2, 3, 8, 9, 10, 11, 13, 14),
    ),
    Field("searched", I8, (KINDS,), PUBLIC, 9, "cards of the Thief's hand shown by Search Warrant", scale=2),
    Field(
        "bargain",
        I8,
        (2,),
        PUBLIC,
        32,
        "the cards that Grand Bargain plays again, in order",
        codes=True,
        absent=(*range(1, 12), *range(13, 19), *range(23, 33)),
    ),
    Field("replayed", I8, (), PUBLIC, 2, "how many of the two have begun"),
    # lasting effects
    Field("caught", I8, (), PUBLIC, 60, "captures this turn", scale=2),
    Field("guarded", I8, (), PUBLIC, 1, "1 while Bodyguard keeps the Thief off this turn"),
    Field("insured", I8, (), PUBLIC, 2, "Insurances that will pay this turn"),
    Field("premium", I8, (), PUBLIC, 18, "what the Insurances pay besides the losses", scale=2),
    Field("lost", I8, (), PUBLIC, 56, "treasures the Thief's effect cost the Merchant this turn", scale=5),
    Field("voyage", I8, (), PUBLIC, 18, "treasures to draw at the Merchant's next Draw step", scale=6),
    Field(
        "bounty",
        I8,
        (3,),
        PUBLIC,
        9,
        "treasures for a capture: placed this turn, in its first, its second turn",
        scale=3,
    ),
    Field("curfew", I8, (2,), PUBLIC, 9, "how much dearer the Thief's cards are: this turn, next turn", scale=2),
    Field("informed", I8, (2,), PUBLIC, 1, "1 if the Watch plays face up: this turn, next turn"),
    Field("shrugged", I8, (), PUBLIC, 1, "1 once Nine Tails has prevented a loss of Infamy this turn"),
    # what players can deduce about hands; see RULES.md, "What each player knows"
    Field(
        "knows",
        I8,
        (SeatAxis(SEATS), FACTIONS, KINDS),
        OWNER,
        39,
        "cards each seat knows in each hand, a card face down included",
        scale=6,
    ),
    Field(
        "shown",
        I8,
        (SeatAxis(SEATS), FACTIONS, KINDS),
        OWNER,
        39,
        "cards of a seat's hand that each faction knows",
        scale=6,
    ),
    Field("open", I8, (FACTIONS, KINDS), PUBLIC, 39, "cards in each hand that everyone knows", scale=6),
    Field(
        "seen",
        I8,
        (FACTIONS, 2),
        PUBLIC,
        56,
        "cards by back in the hands of Merchant and Thief that a spy saw there",
        scale=12,
    ),
    Field(
        "dear", I8, BY_FACTION, PUBLIC, 56, "the least number of treasures in each hand that are not coppers", scale=6
    ),
    Field(
        "clean",
        I8,
        (),
        PUBLIC,
        33,
        "the least number of Thief cards in hand that Undercover Agent could not capture",
        scale=5,
    ),
    Field("stock", I8, BY_TREASURE, PUBLIC, 39, "the treasure deck as it was last shuffled", scale=33),
    Field("held", I8, BY_FACTION, PUBLIC, 56, "treasures that each hand held at that shuffle", scale=10),
    Field("recent", I8, BY_FACTION, PUBLIC, 56, "treasures that each hand has drawn since", scale=28),
    Field(
        "passed", I8, (FACTIONS, FACTIONS), PUBLIC, 56, "treasures given or taken since, by giver and taker", scale=10
    ),
    Field("stale", I8, (), PUBLIC, 9, "treasures set aside that were drawn before that shuffle", scale=3),
    Field(
        "fresh",
        I8,
        (SeatAxis(SEATS), TREASURES),
        OWNER,
        39,
        "treasures a seat has not seen since then, in the deck or drawn",
        scale=33,
    ),
    Field(
        "older",
        I8,
        (SeatAxis(SEATS), TREASURES),
        OWNER,
        39,
        "treasures it has not seen that must be in other hands",
        scale=12,
    ),
    Field(
        "loose",
        I8,
        (2, TREASURES),
        HIDDEN,
        39,
        "scratch for `imagine`: treasures for the hands, fresh and older",
        encoded=False,
    ),
    Field(
        "slots",
        I8,
        (SeatAxis(SEATS), 2),
        HIDDEN,
        56,
        "scratch for `imagine`: how many of them each hand gets",
        encoded=False,
    ),
    # the house rules in force
    Field("heroes", I8, (), PUBLIC, 1, "1 in the game with heroes [T-6]", house_rule=True),
    Field(
        "any_victim",
        I8,
        (),
        PUBLIC,
        1,
        "1 if Pickpocket may name a player who cannot be robbed [T-7.5]",
        house_rule=True,
    ),
    Field(
        "copies",
        I8,
        BY_CARD,
        PUBLIC,
        33,
        "copies of each title [T-5]",
        house_rule=True,
        scale=9,
        only=range(1, len(CARDS)),
    ),
    Field("cost", I8, BY_CARD, PUBLIC, 9, "its cost", house_rule=True, scale=6, only=range(1, len(CARDS))),
    Field("level", I8, BY_CARD, PUBLIC, 3, "its level", house_rule=True, only=range(1, len(CARDS))),
    Field("reach", I8, BY_CARD, PUBLIC, 3, "the highest level it reaches", house_rule=True, only=range(1, len(CARDS))),
    Field(
        "amount",
        I8,
        BY_CARD,
        PUBLIC,
        9,
        "the first number of its effect",
        house_rule=True,
        scale=4,
        only=range(1, len(CARDS)),
    ),
    Field(
        "more",
        I8,
        BY_CARD,
        PUBLIC,
        9,
        "the second number of its effect",
        house_rule=True,
        scale=6,
        only=range(1, len(CARDS)),
    ),
]

# --- Hands, and what the others know of them --------------------------------- [T-0.4]


def gain(s, faction, kind):
    """A card enters a hand; nobody else sees which."""
    s.hand[s.seat_of[faction]][kind] += 1
    s.hand_size[faction][back_of(kind)] += 1


def gain_openly(s, faction, kind):
    """A card enters a hand; everyone sees which."""
    gain(s, faction, kind)
    for seat in range(SEATS):
        if s.faction[seat] != faction:
            note(s, seat, faction, kind, 1)
    s.open[faction][kind] += 1


def lose(s, faction, kind):
    """A card leaves a hand; nobody else sees which."""
    s.hand[s.seat_of[faction]][kind] -= 1
    s.hand_size[faction][back_of(kind)] -= 1


def lose_openly(s, faction, kind):
    """A card leaves a hand; everyone sees which."""
    lose(s, faction, kind)
    see_leave(s, faction, kind)


def note(s, seat, faction, kind, change):
    """Changes what a seat knows of a hand; the owner knows about it."""
    s.knows[seat][faction][kind] += change
    s.shown[s.seat_of[faction]][s.faction[seat]][kind] += change


def see_leave(s, faction, kind):
    """Everyone sees which card left a hand: one they knew to be there, or one they did not."""
    for seat in range(SEATS):
        if s.faction[seat] != faction:
            if s.knows[seat][faction][kind] > 0:
                note(s, seat, faction, kind, -1)
            elif kind < TREASURES:
                locate(s, seat, kind)
    if s.open[faction][kind] > 0:
        s.open[faction][kind] -= 1
    if s.seen[faction][back_of(kind)] > 0:
        s.seen[faction][back_of(kind)] -= 1
    if kind < TREASURES:
        if kind != COPPER and s.dear[faction] > 0:
            s.dear[faction] -= 1
    elif faction == THIEF and s.clean > 0 and not is_prey(s, kind, s.reach[UNDERCOVER_AGENT]):
        s.clean -= 1


def is_prey(s, kind, reach):
    """Whether a kind of Thief card is a character up to this level."""
    card = BEFORE[THIEF] + kind
    return TYPE[card] == Type.CHARACTER and s.level[card] <= reach


def locate(s, seat, kind):
    """A seat sees a treasure it had lost sight of: fresh from the present deck or, if that is certain, older."""
    if s.older[seat][kind] == 0:
        s.fresh[seat][kind] -= 1
    elif s.fresh[seat][kind] == 0 or bag_size(s.fresh[seat]) == s.treasure_size:
        s.older[seat][kind] -= 1


def hand_over(s, giver, taker, kind):
    """A treasure passes from hand to hand; only these two players see which."""
    lose(s, giver, kind)
    gain(s, taker, kind)
    giving = s.seat_of[giver]
    taking = s.seat_of[taker]
    if s.knows[taking][giver][kind] > 0:
        note(s, taking, giver, kind, -1)
    else:
        locate(s, taking, kind)
    note(s, giving, taker, kind, 1)
    s.passed[giver][taker] = min(s.passed[giver][taker] + 1, ALL_TREASURES)
    third = s.seat_of[FACTIONS - giver - taker]
    for any_kind in range(TREASURES):  # it may have been any of those that the third player knew
        if s.knows[third][giver][any_kind] > 0:
            note(s, third, giver, any_kind, -1)
            s.older[third][any_kind] += 1
        if s.open[giver][any_kind] > 0:
            s.open[giver][any_kind] -= 1
    if s.seen[giver][TREASURE_BACK] > 0:
        s.seen[giver][TREASURE_BACK] -= 1
    if s.dear[giver] > 0:
        s.dear[giver] -= 1
    for seat in (giving, taking):
        whisper(s, seat, News.YOU_MOVED, giver, taker, TREASURE_CARD + kind)


def peek(s, seat, faction):
    """A seat sees a whole hand."""
    hand = s.hand[s.seat_of[faction]]
    for kind in range(KINDS):
        unseen = hand[kind] - s.knows[seat][faction][kind]
        if kind < TREASURES:
            for _ in range(unseen):
                locate(s, seat, kind)
        note(s, seat, faction, kind, unseen)


def show_hand(s, faction):
    """A hand is shown to everyone. [T-3.3]"""
    for seat in range(SEATS):
        if s.faction[seat] != faction:
            peek(s, seat, faction)
    for kind in range(KINDS):
        held = s.hand[s.seat_of[faction]][kind]
        s.open[faction][kind] = held
        if held > 0:
            tell(s, News.HAND_CARD, faction, card_at(faction, kind), held)


def look_at(s, looker, faction):
    """One player looks at another's hand."""
    tell(s, News.LOOKED, looker, faction)
    peek(s, s.seat_of[looker], faction)
    for back in (TREASURE_BACK, FACTION_BACK):
        s.seen[faction][back] = s.hand_size[faction][back]
    for kind in range(KINDS):
        held = s.hand[s.seat_of[faction]][kind]
        if held > 0:
            whisper(s, s.seat_of[looker], News.YOU_SAW, faction, card_at(faction, kind), held)


def worth(hand):
    """Returns the total worth of the treasure in a hand."""
    value = 0
    for kind in range(TREASURES):
        value += hand[kind] * (kind + 1)
    return value


def discard_treasure(s, faction, kind):
    lose_openly(s, faction, kind)
    s.treasure_discard[kind] += 1


def discard_own(s, faction, kind):
    """A faction card goes from the hand to its discard pile."""
    lose_openly(s, faction, kind)
    s.discard[faction][kind - TREASURES] += 1


# --- Drawing ----------------------------------------------------------------- [T-2.3 T-2.4 T-3.1]


def next_treasure(s, faction):
    """Draws a treasure that only this player sees. Returns its kind + 1, or 0 if there is none."""
    if s.treasure_size == 0:
        reshuffle(s)  # the deck was empty, and so was the discard
        if s.treasure_size == 0:
            return 0
    kind = take_random(s, s.treasure_deck, s.treasure_size)
    s.treasure_size -= 1
    s.fresh[s.seat_of[faction]][kind] -= 1
    whisper(s, s.seat_of[faction], News.YOU_DREW, faction, TREASURE_CARD + kind)
    return kind + 1


def draw_treasures(s, faction, count):
    drawn = 0
    for _ in range(count):
        found = next_treasure(s, faction)
        if found > 0:
            gain_drawn(s, faction, found - 1)
            drawn += 1
            if s.treasure_size == 0:
                reshuffle(s)  # as soon as it is empty
    if drawn > 0:
        tell(s, News.DREW_TREASURE, faction, drawn)
    if drawn < count:
        tell(s, News.DRAW_LOST, faction, count - drawn)


def gain_drawn(s, faction, kind):
    """Draws a treasure into a hand."""
    gain(s, faction, kind)
    s.recent[faction] = min(s.recent[faction] + 1, ALL_TREASURES)


def reshuffle(s):
    """The discard becomes the treasure deck. Everyone knows its cards, and so what all hands hold together. [T-2.3]"""
    size = bag_size(s.treasure_discard)
    if size == 0:
        return
    tell(s, News.RESHUFFLED, size)
    for seat in range(SEATS):
        for kind in range(TREASURES):
            s.fresh[seat][kind] = s.treasure_discard[kind]
            s.older[seat][kind] = unseen_treasures(s, seat, kind)
    for kind in range(TREASURES):
        s.treasure_deck[kind] = s.treasure_discard[kind]
        s.stock[kind] = s.treasure_discard[kind]
        s.treasure_discard[kind] = 0
    for faction in range(FACTIONS):
        s.recent[faction] = 0
        s.held[faction] = s.hand_size[faction][TREASURE_BACK]
        for taker in range(FACTIONS):
            s.passed[faction][taker] = 0
    s.treasure_size = size
    s.stale = s.aside_size


def unseen_treasures(s, seat, kind):
    """Returns how many treasures of a kind a seat cannot see and does not know in a hand."""
    unseen = TREASURE_COPIES[kind] - s.treasure_discard[kind] - s.hand[seat][kind] - s.aside[seat][kind]
    if s.placed[seat] == TREASURE_CARD + kind:
        unseen -= 1
    for faction in range(FACTIONS):
        unseen -= s.knows[seat][faction][kind]
        if s.table[faction] == TREASURE_CARD + kind:
            unseen -= 1
    return unseen


def draw_own(s, faction, count):
    """Draws from the faction's deck while there are cards. [T-2.4]"""
    for _ in range(count):
        if s.deck_size[faction] == 0:
            tell(s, News.DECK_EMPTY, faction)
        elif faction == MERCHANT and s.deck_size[faction] == s.under_size:
            draw_bottom(s)
        else:
            top = take_random(s, s.deck[faction], s.deck_size[faction] - lying_under(s, faction))
            s.deck_size[faction] -= 1
            gain(s, faction, TREASURES + top)
            tell(s, News.DREW_OWN, faction)
            whisper(s, s.seat_of[faction], News.YOU_DREW, faction, card_at(faction, TREASURES + top))


def lying_under(s, faction):
    return s.under_size if faction == MERCHANT else 0


def draw_bottom(s):
    """Only cards that Grand Bargain put under the deck are left: everyone knows which is next. [T-5.4]"""
    kind = s.under[0]
    s.under_size -= 1
    s.deck_size[MERCHANT] -= 1
    for place in range(s.under_size):
        s.under[place] = s.under[place + 1]
    s.under[s.under_size] = 0
    gain_openly(s, MERCHANT, kind)
    tell(s, News.DREW_BOTTOM, MERCHANT, card_at(MERCHANT, kind))


def put_under(s, card):
    s.under[s.under_size] = kind_of(MERCHANT, card)
    s.under_size += 1
    s.deck_size[MERCHANT] += 1
    tell(s, News.UNDER_DECK, card)
