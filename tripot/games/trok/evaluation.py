"""Features of a state for the evaluation: money, improvements for as long as they will pay, cards. A rule module."""

from tripot.games.trok.cards import GEARS, UPGRADES

TEN = 10.0  # Aare are counted in tens
AARE_PER_TURN = 6  # Aare that whoever is ahead makes in a turn
MOST_TURNS = 9
AARE, AARE_NEAR_THE_END, BEHIND, TURNS_LEFT, SEATS = range(5)
TO_PAY = 5 - 1  # plus the Upgrade, from 1 on: owned, for as long as it will pay
OWNED = TO_PAY + UPGRADES
HAND = OWNED + UPGRADES + 1
FEATURES = HAND + GEARS


def turn_of(s):
    return s.turn


def features(s, seat, out):
    """Writes the features of a seat where a turn begins."""
    most = 0
    most_of_others = 0
    for other in range(s.seats):
        most = max(most, s.aare[other])
        if other != seat:
            most_of_others = max(most_of_others, s.aare[other])
    left = max(1, min(MOST_TURNS, (s.goal - most) // AARE_PER_TURN))
    out[AARE] = s.aare[seat] / TEN
    out[AARE_NEAR_THE_END] = s.aare[seat] / TEN / left
    out[BEHIND] = (most_of_others - s.aare[seat]) / TEN
    out[TURNS_LEFT] = left / MOST_TURNS
    out[SEATS] = s.seats / TEN
    for upgrade in range(1, UPGRADES + 1):
        out[TO_PAY + upgrade] = s.owned[seat][upgrade] * left / MOST_TURNS
        out[OWNED + upgrade] = s.owned[seat][upgrade]
    for kind in range(GEARS):
        out[HAND + kind] = s.hand[seat][kind]
