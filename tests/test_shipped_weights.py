"""The networks that come with the package fit the games of today: nothing is compiled to know that."""

from tripot import GAMES
from tripot.bots.network import SHIPPED, check_weights, load_weights


def test_shipped_weights_fit_their_games_and_are_small() -> None:
    """A new column of the encoding makes them useless: a house rule has none if its field says `house_rule=True`."""
    assert sorted(GAMES) == sorted(path.stem for path in SHIPPED.glob("*.npz"))
    for name, game in GAMES.items():
        weights = load_weights(SHIPPED / f"{name}.npz")
        assert check_weights(weights, game).seats is None  # every table size
        assert weights.about["made"] and weights.about["settings"]["game"] == name and weights.about["decisions"] > 0
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 10 * 2**20
