"""Positions of Trök set by hand: cards where a clause needs them, all others in the decks."""

from tests.scenarios.position import position, put
from tripot.games.trok import GAME
from tripot.games.trok.actions import CARD, COLLECT, IMPROVE, SET, SWAP, TAKE
from tripot.games.trok.cards import DEALT, GEARS, MAX_SEATS, QUEUE_PLACES, Gear, Upgrade
from tripot.games.trok.notation import count_to_come, put_rest_in_deck
from tripot.games.trok.phases import settle
from tripot.games.trok.state import Phase

ANNA, BRUNO, CLARA, DARIO, ELSA, FRIDO = range(6)
PICKAXE, RATION, GLOVES, LANTERN, ARMOUR, HELMET, HAMMER, STONE = map(int, Gear)
NO_CARDS = [0] * GEARS


def bag(*cards):
    """Returns equipment counted by kind: bag(RATION, RATION) is two rations."""
    return [cards.count(kind) for kind in range(GEARS)]


def table(seats=4, options=None, *, hands=(), offers=(), market=None, discard=(), owned=(), queue=None, **fields):
    """Returns a table in its first turn with these cards. Other hands are empty, and the deck holds the rest."""
    s = position(GAME, seats, {"youngest": 1, **(options or {})})
    bare = [NO_CARDS] * MAX_SEATS
    put(s, hand=bare, offer=bare, stored=bare, known=bare, surfaced=bare, drew=bare, drew_before=bare, older=NO_CARDS)
    put(s, hand_size=[0] * 6, drawn=[0] * 6, drawn_before=[0] * 6, discard=bag(*discard))
    put(s, market=bag(*market) if market else s.market)
    for seat, cards in enumerate(offers):
        put(s, offer=[*s.offer[:seat], bag(*cards)])
    for seat, cards in enumerate(hands):
        deal_hand(s, seat, cards)
    for seat, upgrades in enumerate(owned):
        for upgrade in upgrades:
            s.owned[seat][upgrade] += 1
    if queue is not None:
        put(s, queue=[*queue, *[Upgrade.NONE] * (QUEUE_PLACES - len(queue))], queue_size=len(queue))
    put_rest_in_deck(s)
    count_to_come(s)
    put(s, fresh=[s.deck[kind] + sum(drew[kind] for drew in s.drew) for kind in range(GEARS)])
    put(s, **fields)
    return s


def deal_hand(s, seat, cards):
    """Counts the first five cards of a hand as dealt and the others as known to all."""
    put(s, hand=[*s.hand[:seat], bag(*cards)], drew=[*s.drew[:seat], bag(*cards[:DEALT])])
    put(s, known=[*s.known[:seat], bag(*cards[DEALT:])])
    s.hand_size[seat] = len(cards)
    s.drawn[seat] = min(len(cards), DEALT)


def in_exchange(*offers, master=ANNA, hands=None, **more):
    """Lays the offered cards open before their players; the trade master moves first."""
    hands = hands if hands is not None else [(RATION, RATION)] * len(offers)
    s = table(len(offers), offers=offers, hands=hands, **more)
    put(s, phase=Phase.TAKE, master=master, mover=master, waiting=0, turn=2)
    settle(s)
    return s


LANTERNS = (LANTERN, LANTERN, LANTERN)


def combining(*cards, owned=(), queue=(1, 2, 3, 1, 2, 3, 1), others=(LANTERNS,), seat=ANNA, **more):
    """Gives the trade master these cards and improvements, to combine before the other players."""
    s = table(1 + len(others), hands=[cards, *others], owned=[owned], queue=queue, **more)
    put(s, phase=Phase.COMBINE, master=seat, mover=seat, waiting=0, turn=2)
    settle(s)
    return s


def legal(s, seat=None):
    return GAME.legal_actions(s, s.mover if seat is None else seat)


def decide(s, *actions, seat=None):
    """Takes legal decisions one after the other, each by the seat to move."""
    for action in actions:
        who = s.mover if seat is None else seat
        assert action in legal(s, who), f"{action} is not among {legal(s, who)}"
        GAME.apply(s, who, action)
        s.pack()


def card(kind):
    return CARD + kind


def take(seat, kind):
    return TAKE + seat * GEARS + kind


def swap_for(kind):
    return SWAP + kind


def set_of(kind):
    return SET + kind


def collect(size):
    return COLLECT + size - 3


def improve(place):
    return IMPROVE + place
