"""What promises victory in Trieste: how near each faction is to its own, money, hands and piles. A rule module."""

from tripot.core.pile import bag_size
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    FACTION_CARDS,
    FACTIONS,
    MERCHANT,
    MOST_INFAMY,
    OWN_TITLES,
    RICHES,
    TREASURES,
)
from tripot.games.trieste.phases import prison_cost
from tripot.games.trieste.state import ALL_TREASURES, worth

SIDES = FACTIONS
TEN = 10.0  # money and turns are counted in tens
A_FEW = 3.0  # and cards in threes
MOST_LACKING = 16
CAPTURED, PRISON, LACKING, INFAMY, TURN, VOYAGE, INSURED, BOUNTY, CURFEW, INFORMED, TREASURE = range(11)
MONEY = 11  # plus the faction
DECK = MONEY + FACTIONS  # plus the faction
PURSE = DECK + FACTIONS  # plus the kind of treasure in the Merchant's hand
HANDS = PURSE + TREASURES  # one title after the other
PILES = HANDS + sum(OWN_TITLES)
TRAITS = PILES + sum(OWN_TITLES)


def turn_of(s):
    return s.turn


def side_of(s, seat):
    return s.faction[seat]


def traits(s, seat, traits):
    """Of a table where a turn begins; the same for all seats, which read them each in its own way."""
    merchant = s.hand[s.seat_of[MERCHANT]]
    prison = prison_cost(s)
    traits[CAPTURED] = bag_size(s.captured) / CAPTURES_TO_WIN
    traits[PRISON] = prison / TEN
    traits[LACKING] = max(0, min(RICHES + prison - worth(merchant), MOST_LACKING)) / TEN
    traits[INFAMY] = s.infamy / MOST_INFAMY
    traits[TURN] = s.turn / TEN
    traits[VOYAGE] = s.voyage / A_FEW
    traits[INSURED] = s.insured
    traits[BOUNTY] = (s.bounty[0] + s.bounty[1] + s.bounty[2]) / A_FEW
    traits[CURFEW] = s.curfew[0] + s.curfew[1]
    traits[INFORMED] = s.informed[0] + s.informed[1]
    traits[TREASURE] = s.treasure_size / ALL_TREASURES
    for kind in range(TREASURES):
        traits[PURSE + kind] = merchant[kind] / A_FEW
    place = 0
    for faction in range(FACTIONS):
        hand = s.hand[s.seat_of[faction]]
        traits[MONEY + faction] = worth(hand) / TEN
        traits[DECK + faction] = s.deck_size[faction] / FACTION_CARDS
        for title in range(OWN_TITLES[faction]):
            traits[HANDS + place] = hand[TREASURES + title]
            traits[PILES + place] = s.discard[faction][title] / A_FEW
            place += 1
