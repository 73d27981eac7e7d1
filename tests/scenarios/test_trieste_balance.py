"""The balance of the house deck between heuristic players: whole games in native code, always the same deals."""

import pytest

from tripot.games.trieste import GAME
from tripot.games.trieste.state import Factions
from tripot.lab.simulate import simulate

GAMES = 3000


@pytest.mark.native
def test_T_5_9_no_faction_of_sensible_players_wins_less_than_a_fifth_or_more_than_half():
    fixed = GAME.options(factions=Factions.WATCH_MERCHANT_THIEF)
    played = simulate(GAME, 3, GAMES, seed=1, bot="sensible", house_rules=fixed)
    assert sum(played.wins) == GAMES  # no game reaches turn 60
    assert all(GAMES / 5 <= wins <= GAMES / 2 for wins in played.wins)
