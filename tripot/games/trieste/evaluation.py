"""Features of a state for the evaluation: distance to victory by faction, money, hands and piles. A rule module."""

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
FEATURES = PILES + sum(OWN_TITLES)


def turn_of(s):
    return s.turn


def side_of(s, seat):
    return s.faction[seat]


def features(s, seat, out):
    """Writes the features of a table where a turn begins: the same for all seats; each side has its own weights."""
    merchant = s.hand[s.seat_of[MERCHANT]]
    prison = prison_cost(s)
    out[CAPTURED] = bag_size(s.captured) / CAPTURES_TO_WIN
    out[PRISON] = prison / TEN
    out[LACKING] = max(0, min(RICHES + prison - worth(merchant), MOST_LACKING)) / TEN
    out[INFAMY] = s.infamy / MOST_INFAMY
    out[TURN] = s.turn / TEN
    out[VOYAGE] = s.voyage / A_FEW
    out[INSURED] = s.insured
    out[BOUNTY] = (s.bounty[0] + s.bounty[1] + s.bounty[2]) / A_FEW
    out[CURFEW] = s.curfew[0] + s.curfew[1]
    out[INFORMED] = s.informed[0] + s.informed[1]
    out[TREASURE] = s.treasure_size / ALL_TREASURES
    for kind in range(TREASURES):
        out[PURSE + kind] = merchant[kind] / A_FEW
    place = 0
    for faction in range(FACTIONS):
        hand = s.hand[s.seat_of[faction]]
        out[MONEY + faction] = worth(hand) / TEN
        out[DECK + faction] = s.deck_size[faction] / FACTION_CARDS
        for title in range(OWN_TITLES[faction]):
            out[HANDS + place] = hand[TREASURES + title]
            out[PILES + place] = s.discard[faction][title] / A_FEW
            place += 1
