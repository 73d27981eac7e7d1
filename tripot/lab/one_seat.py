"""One seat that learns among bots: whose turn it is, who plays which seat, how a game begins. A rule module.

`SeatEnv`, the loop of a CPU (`lab.vector.loops`) and the kernels of a GPU (`lab.gpu.seat_kernels`) share it.
"""

from tripot.core.game import PLAYERS
from tripot.core.rng import roll, seed_luck
from tripot.lab.playout import OUTSIDE, next_to_move

DRAWN = -1  # in place of a seat: it is drawn for every game
SEAT_STREAM = 8  # the stream of a game's seed that draws it
NO_ACTION, FORFEIT = -2, -1  # in place of an action: the table rests, or goes on; the game is lost
FORFEIT_SHARE = -60  # the reward of an illegal action, in sixtieths


def mover_of(s, learner):
    """The seat to move. Where several choose in secret, the one that learns goes first, as in `SeatEnv`."""
    return learner if s.waiting >> learner & 1 else next_to_move(s)


def kind_at(seat, learner, kinds):
    """The kind of opponent in a seat: they are listed in order of seats, without the one that learns."""
    return kinds[seat - 1] if seat > learner else kinds[seat]


def decides_outside(mover, learner, kinds):
    """Whether no bot of the loop decides: it is the turn of the seat that learns, or of a policy."""
    return mover == learner or kind_at(mover, learner, kinds) == OUTSIDE


def seat_players(table, seed, seats, seat, memories, learners):
    """Draws the seat that learns if asked to, and seeds the bots as `bots.memory.new_memory` does."""
    if seat == DRAWN:
        seed_luck(memories[0], seed, SEAT_STREAM)
        learners[table] = roll(memories[0], seats)
    for player in range(seats):
        seed_luck(memories[player], seed, PLAYERS + player)
