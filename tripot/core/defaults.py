"""What the rules do where a game brings no function of its own. A rule module."""


def nothing_follows(s):
    """The steps after a decision, for a game whose `apply` does everything at once."""


def one_kind(s):
    """The kind of every step, for the same games."""
    return 0


def one_side(s, seat):
    """The side of every seat, for a game in which all seats play alike."""
    return 0


def no_features(s, seat, out):
    """The features of a game without an evaluation."""


def no_turn(s):
    """The turn of a game without an evaluation: rollouts end with the game."""
    return 0


def no_quantities(s, seat, out):
    """The quantities of a game that names none."""


NO_WAY_BACK = -1


def no_way_back(s, seat):
    """The last decision of a game that cannot tell it."""
    return NO_WAY_BACK
