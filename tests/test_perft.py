"""Perft: known counts of decision sequences, native and interpreted. A count that changes means a changed rule."""

import json
import random
from typing import Any

import pytest

from tests import pennies
from tests.cases import every_game
from tripot import GAMES, OLDER
from tripot.cli.main import run
from tripot.core.game import Game, waiting_seats
from tripot.core.options import parse
from tripot.lab.perft import ENGINES, BadOpening, perft

SEED = 7
INTERPRETED = 3_000  # sequences: the most that the interpreter counts

KNOWN: dict[tuple[str, int, str, Any], list[int]] = {
    ("verrater", 3, "", 0): [1, 12, 132, 1320, 10560, 52800, 211200, 633600],
    ("verrater", 3, "first", 2): [1, 12, 132, 1320, 7920, 39600, 158400, 475200],
    ("verrater", 4, "", 0): [1, 12, 132, 1320, 11880, 95040, 475200],
    ("trok", 2, "", 0): [1, 3, 6, 10, 30, 60, 70, 189, 704, 2018, 6858, 14952, 47206, 105864],
    ("trok", 3, "", 0): [1, 2, 4, 7, 14, 28, 49, 49, 98, 196, 876, 3224, 15720, 56022],
    ("trok", 4, "", 0): [1, 2, 4, 7, 21, 42, 49, 98, 196, 343, 686, 1372, 2401, 18561, 71058],
    ("trok", 5, "", 0): [1, 2, 2, 4, 8, 16, 28, 56, 112, 196, 392, 784, 980, 1960, 3920, 6860, 65660],
    ("trok", 6, "", 0): [1, 2, 4, 7, 21, 28, 49, 147, 294, 490, 980, 1960, 3430, 6860, 13720, 17150, 34300, 68600],
    ("trieste", 3, "", 0): [1, 2, 4, 8, 16, 32, 64, 352, 1760, 8800, 15505, 28896, 56406, 112612],
    ("trieste", 3, "heroes", 1): [1, 3, 9, 27, 54, 108, 216, 432, 864, 1728, 4320, 8640, 17280, 54720],
}
OLDER_COUNTS = {
    ("trieste", 1): [1, 2, 4, 8, 16, 32, 64, 352, 1760, 6160, 11515, 22298, 44458, 88798],
    ("trieste", 2): [1, 2, 4, 8, 16, 32, 64, 352, 1760, 7920, 14238, 26827, 52829, 105566],
    ("trieste", 3): [1, 2, 4, 8, 16, 32, 64, 352, 1760, 7920, 14238, 26825, 52826, 105557],
    ("trieste", 4): [1, 2, 4, 8, 16, 32, 64, 352, 1760, 7920, 14238, 26852, 52886, 105682],
}
known = pytest.mark.parametrize(("name", "seats", "option", "value"), KNOWN)


@pytest.mark.native
@known
def test_native_rules_have_the_known_counts(name: str, seats: int, option: str, value: Any) -> None:
    game, counts = GAMES[name], KNOWN[name, seats, option, value]
    rules = parse(game.options, {option: value} if option else {})
    tree = perft(game, seats, len(counts) - 1, SEED, "native", rules)
    assert tree.counts == counts and tree.leaves == counts[-1]
    assert tree.ended == [0] * tree.depth


@known
def test_interpreted_rules_have_the_known_counts(name: str, seats: int, option: str, value: Any) -> None:
    game, counts = GAMES[name], [n for n in KNOWN[name, seats, option, value] if n <= INTERPRETED]
    rules = parse(game.options, {option: value} if option else {})
    assert perft(game, seats, len(counts) - 1, SEED, "python", rules).counts == counts


@pytest.mark.native
@pytest.mark.parametrize(("name", "version"), OLDER)
def test_older_rules_have_the_counts_that_they_had(name: str, version: int) -> None:
    game, counts = OLDER[name, version], OLDER_COUNTS[name, version]
    assert perft(game, game.seats[0], len(counts) - 1, SEED, "native", game.options()).counts == counts


def test_games_that_end_are_counted_where_they_end() -> None:
    """Two seats lay up to two of their two pennies, once; every game is over after two to four decisions."""
    game = pennies.GAME
    tree = perft(game, 2, 8, 1, "python", parse(game.options, {"rounds": 1}))
    assert tree.counts[5:] == [0, 0, 0, 0] and tree.ended[5:] == [0, 0, 0]
    assert tree.ended[:2] == [0, 0] and tree.ended[2] == 1  # both lay nothing
    assert tree.ended[4] == tree.counts[4] > 0


def whole_game(game: Game, seed: int) -> list[int]:
    """The decisions of a random game, always by the lowest seat that has one to take."""
    s, luck, taken = game.new_state(game.options(), game.usual_seats, seed), random.Random(seed), list[int]()
    while not s.over:
        seat = waiting_seats(s)[0]
        taken.append(luck.choice(game.legal_actions(s, seat)))
        game.apply(s, seat, taken[-1])
    return taken


@pytest.mark.native
@every_game
def test_both_engines_count_the_end_of_a_game_alike(game: Game) -> None:
    taken = whole_game(game, 5)
    for before in (0, 1, 3):
        after, told = taken[: len(taken) - before], list[int]()
        trees = [perft(game, game.usual_seats, 6, 5, engine, None, after, told.append) for engine in ENGINES]
        assert trees[0].counts == trees[1].counts and trees[0].ended == trees[1].ended
        assert sum(trees[0].ended[: before + 1]) > 0
        assert told[-1:] == ([sum(trees[1].counts)] if before else [])


def test_an_illegal_opening_is_refused() -> None:
    game = GAMES["verrater"]
    with pytest.raises(BadOpening, match="decision 2: 1 is not legal: choose 2, 3"):
        perft(game, 3, 1, 0, after=[1, 1])
    with pytest.raises(BadOpening, match=r"the game is over before decision \d+"):
        perft(game, 4, 1, 5, after=[*whole_game(game, 5), 0])


def test_other_deals_have_other_trees() -> None:
    assert perft(GAMES["trok"], 2, 9, 8, "python").counts != KNOWN["trok", 2, "", 0][:10]


@pytest.mark.native
def test_there_is_one_sequence_of_no_decisions() -> None:
    for engine in ("python", "native"):
        assert perft(GAMES["trok"], 2, 0, SEED, engine).counts == [1]


# --- The command ---


@pytest.mark.native
def test_the_command_prints_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    words = "perft trok --seats 3 --depth 8 --seed 7 --option goal=20 --engine"
    said = []
    for engine in ("native", "python"):
        assert run([*words.split(), engine, "--json"]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0]["courses"] == said[1]["courses"] == KNOWN["trok", 3, "", 0][:9]
    assert said[0]["leaves"] == 98 and said[0]["nodes"] == sum(KNOWN["trok", 3, "", 0][:9])
    assert run([*words.split(), "python"]) == 0
    out = capsys.readouterr().out
    assert "trok: 3 seats, seed 7" in out and "98" in out and "engine python" in out


BAD = {
    "unknown game": ("perft whist", "verrater"),
    "depth below nothing": ("perft trok --depth -1", "0 to 100"),
    "depth in words": ("perft trok --depth deep", "'deep' is not a whole number"),
    "unknown engine": ("perft trok --engine gpu", "python, native"),
    "seats": ("perft verrater --seats 2", "3 or 4"),
    "seed": ("perft verrater --seed -2", "2^64 - 1"),
    "decisions in words": ("perft verrater --after 1,x", "'x' is not a whole number"),
    "decisions against the rules": ("perft verrater --after 1,1", "decision 2: 1 is not legal"),
    "option": ("perft verrater --option first=9", "4 seats"),
}


@pytest.mark.parametrize(("words", "tells"), BAD.values(), ids=BAD)
def test_a_bad_input_ends_with_one_sentence(words: str, tells: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and tells in err
