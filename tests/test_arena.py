"""The arena: fair line-ups, the same games whichever process plays them, and every game counted once."""

import dataclasses
import json
import multiprocessing
import os
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_game
from tests.served import patiently
from tripot import GAMES
from tripot.bots.bot import SearchBot, find_bot
from tripot.bots.memory import new_memory
from tripot.cli import main
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.native_cache import PACKAGE
from tripot.lab.arena import contest as contest_module
from tripot.lab.arena import games_file as games_files
from tripot.lab.arena.arena import play_contest, play_unit
from tripot.lab.arena.contest import Contest, Played, new_contest, program_of
from tripot.lab.arena.games_file import BadGamesFile, GamesFile, merge, read_games
from tripot.lab.arena.ladder import is_bot
from tripot.lab.arena.match import Match
from tripot.lab.arena.schedule import BadLineup, cycle, fill_seats, lineups, schedule
from tripot.lab.arena.standings import standings
from tripot.lab.arena.workers import LostWorker, WorkUnit, run_here, run_on_cores, work_units
from tripot.lab.balance.hooks import side_field
from tripot.table.table import Table

pytestmark = pytest.mark.native

GAME = GAMES["verrater"]
CONTEST = new_contest(GAME, 4, GAME.options(), ["sensible", "uniform"])
KEYS = {"bot", "games", "wins", "share_ratio", "interval", "rating", "rating_interval", "ms_per_decision"}


# --- Line-ups ---

tables = st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(1, 8), st.just(seats)))


@given(tables, st.integers(0, 2**64 - 1))
def test_on_every_deal_every_bot_sits_in_every_seat_equally_often(table: tuple[int, int], deal: int) -> None:
    bots, seats = table
    circle = [int(bot) for bot in fill_seats([str(bot) for bot in range(bots)], seats)]
    played = lineups(circle, seats, deal)
    assert len(set(played)) == len(played)
    for bot in range(bots):
        counts = {sum(lineup[seat] == bot for lineup in played) for seat in range(seats)}
        assert len(counts) == 1 and counts != {0}, f"bot {bot} in {played}"
    if bots >= seats:
        assert len(played) == bots and all(len(set(lineup)) == seats for lineup in played)


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 3), (4, 3), (4, 4), (5, 4), (6, 3), (6, 4)])
def test_in_one_cycle_of_deals_all_bots_meet_in_every_pair_of_seats(bots: int, seats: int) -> None:
    met: Counter[tuple[int, ...]] = Counter()
    for deal in range(1000, 1000 + cycle(bots, seats)):
        for lineup in lineups(range(bots), seats, deal):
            for one in range(seats):
                for other in range(one):
                    met[one, other, lineup[one], lineup[other]] += 1
    assert len(met) == seats * (seats - 1) // 2 * bots * (bots - 1)
    assert len(set(met.values())) == 1


def test_consecutive_deals_have_different_orders() -> None:
    orders = [lineups(range(6), 4, deal)[0] for deal in range(cycle(6, 4))]
    assert len(set(orders)) == len(orders)
    assert all(sum(a == b for a, b in zip(one, other, strict=True)) < 4 for one, other in pairwise(orders))


@given(st.integers(1, 7), st.integers(2, 5), st.integers(0, 60))
def test_a_schedule_is_whole_deals_and_no_more_than_needed(bots: int, seats: int, games: int) -> None:
    circle = [int(bot) for bot in fill_seats([str(bot) for bot in range(bots)], seats)]
    found = list(schedule(circle, seats, 2**64 - 2, games))
    deals = list(dict.fromkeys(deal for deal, _ in found))
    assert deals == [(2**64 - 2 + i) % 2**64 for i in range(len(deals))]
    assert [name for deal in deals for name in ((deal, lineup) for lineup in lineups(circle, seats, deal))] == found
    assert games <= len(found) and (not found or len(found) - len(lineups(circle, seats, deals[-1])) < games)


def test_the_last_bot_fills_the_remaining_seats() -> None:
    assert fill_seats(["a", "b"], 4) == ("a", "b", "b", "b")
    assert len(lineups([0, 1, 0, 1], 4, 0)) in (2, 4)  # the same line-up is not played twice on one deal
    with pytest.raises(BadLineup, match="at least one"):
        fill_seats([], 3)
    with pytest.raises(BadLineup, match="named twice: a"):
        fill_seats(["a", "a", "b", "c"], 3)


# --- Games ---


def at_a_table(game: Game, bots: list[str], deal: int) -> Table:
    """The same game at a table of the interpreted rules, as people play it."""
    table = Table(game, len(bots), deal)
    players = [find_bot(bot, game) for bot in bots]
    memories = [new_memory(deal, seat) for seat in range(len(bots))]
    while not table.over:
        seat = table.waiting[0]
        offer = table.offer(seat)
        action = offer.legal[0]
        if len(offer.legal) > 1 or not isinstance(players[seat], SearchBot):
            action = players[seat].decide(table.view(seat), offer.legal, memories[seat])
        table.decide(seat, action, offer.sequence)
    return table


@every_game
def test_the_arena_plays_the_same_games_as_the_table(game: Game) -> None:
    bots = [bot for bot in ("uniform", "sensible", "search:5") if is_bot(bot, game)]
    match = Match(game, game.options(), bots)
    for deal, seats in ((seed, seats) for seats in game.seats for seed in (0, 5, 2**64 - 1)):
        lineup = tuple((seat + deal) % len(bots) for seat in range(seats))
        played, table = match.play(deal, lineup), at_a_table(game, [bots[bot] for bot in lineup], deal)
        assert list(played.result) == table.result and match.decisions == table.decisions
        assert all(0 < choices <= table.sequence for choices in played.choices)
        field = side_field(game)
        dealt = game.new_state(game.options(), seats, deal)
        assert played.sides == (tuple(getattr(dealt, field)[:seats]) if field else ())


def outcomes(games_file: GamesFile) -> dict[object, object]:
    return {played.name: played.outcome for played in games_file.rows}


def test_the_number_of_workers_changes_nothing() -> None:
    contest = new_contest(GAME, 4, GAME.options(), ["search:3", "sensible", "uniform"])
    alone, together = GamesFile(contest), GamesFile(contest)
    seen: list[int] = []
    play_contest(alone, 6, 5, run_here)
    play_contest(together, 6, 5, run_on_cores(2), seen.append)
    assert outcomes(alone) == outcomes(together) and len(alone.games) == 8 and sum(seen) == 8
    assert standings(alone, GAME).as_json()["games"] == 8


def die(unit: WorkUnit) -> None:
    os._exit(1)


def test_a_killed_worker_is_reported_in_one_sentence_and_leaves_no_process_behind() -> None:
    work = work_units(CONTEST, list(schedule(CONTEST.numbers, 4, 0, 500)))
    with pytest.raises(LostWorker, match="was killed"):
        list(run_on_cores(2)(die, work))
    for _ in patiently("every process has ended"):  # the pool's own thread waits for them too, and may be first
        if not multiprocessing.active_children():
            break


# --- The file of games ---


def row(deal: int, lineup: tuple[int, ...] = (0, 1, 1, 1), winner: int = 0) -> Played:
    result = tuple(WHOLE_WIN * (seat == winner) for seat in range(4))
    return Played(deal, lineup, result, (0, 1, 0, 1), (20, 21, 22, 23), (0.5, 0.25, 0.25, 0.25))


def test_a_saved_contest_resumes_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    play_contest(GamesFile(CONTEST, path), 40, 0, run_here)
    first = path.read_text()
    assert json.loads(first.splitlines()[0]) == {
        "format": "tripot arena 1",
        "game": "verrater",
        "rules": GAME.rules_version,
        "seats": 4,
        "options": {},
        "bots": ["sensible", "uniform", "uniform", "uniform"],
        "program": CONTEST.program,
    }
    path.write_text(first[:-30])  # stopped in the middle of a line
    played: list[int] = []
    again = GamesFile(CONTEST, path)
    assert len(again.games) == 39
    play_contest(again, 80, 0, run_here, played.append)
    assert played[0] == 39 and sum(played) == 80
    assert path.read_text().startswith(first[: first.rstrip().rfind("\n") + 1])
    whole = GamesFile(CONTEST)
    play_contest(whole, 80, 0, run_here)
    assert outcomes(read_games(path)) == outcomes(whole) == outcomes(GamesFile(CONTEST, path))


def test_merging_counts_every_game_once(tmp_path: Path) -> None:
    one, other, both = (tmp_path / name for name in ("a", "b", "c"))
    for path, deals in ((one, range(5)), (other, range(3, 9))):
        games_file = GamesFile(CONTEST, path)
        for deal in deals:
            assert games_file.add(row(deal)) and not games_file.add(row(deal))
    target = GamesFile(CONTEST, both)
    assert merge([one, other, one], target) == 9
    assert [played.deal for played in read_games(both).rows] == list(range(9))
    assert len(both.read_text().splitlines()) == 10


def change(contest: Contest, **what: object) -> Contest:
    return dataclasses.replace(contest, **what)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (change(CONTEST, game="trok"), "its game: verrater; here: trok"),
        (change(CONTEST, rules=99), "its rules version: 1; here: 99"),
        (change(CONTEST, seats=3), "its seats: 4; here: 3"),
        (change(CONTEST, options='{"first": 1}'), 'its house rules: {}; here: {"first": 1}'),
        (change(CONTEST, program="0123"), f"its version of rules and bots: {CONTEST.program}; here: 0123"),
        (change(CONTEST, circle=("uniform", "sensible")), "its bots: sensible, uniform, uniform, uniform; here: unif"),
    ],
)
def test_a_file_of_another_contest_is_refused_with_the_difference(tmp_path: Path, other: Contest, message: str) -> None:
    path = tmp_path / "games"
    GamesFile(CONTEST, path).add(row(1))
    for use in (lambda: GamesFile(other, path), lambda: merge([path], GamesFile(other))):
        with pytest.raises(BadGamesFile) as error:
            use()
        assert f"{path} is of another contest: {message}" in str(error.value)


BAD_LINES = {
    "not JSON": "line 3: not a game",
    '{"deal":1}': "line 3: not a game",
    '{"deal":1,"lineup":[0,1,1],"result":[60,0,0],"sides":[],"choices":[1,1,1],"seconds":[0,0,0]}': "line 3: not a",
    '{"deal":1,"lineup":[0,1,1,2],"result":[60,0,0,0],"sides":[],"choices":[1,1,1,1],"seconds":[0,0,0,0]}': "line 3",
    '{"deal":1,"lineup":[0,1,1,1],"result":[60,60,0,0],"sides":[],"choices":[1,1,1,1],"seconds":[0,0,0,0]}': "line 3",
    json.dumps(
        games_files.row_of(row(0, winner=2))
    ): "line 3: deal 0 with sensible, uniform, uniform, uniform has two diff",
}


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_damaged_file_is_refused_with_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games"
    GamesFile(CONTEST, path).add(row(0))
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(BadGamesFile) as error:
        read_games(path)
    assert BAD_LINES[line] in str(error.value)


@pytest.mark.parametrize("text", ["", "x", "[]\n", '{"format":"other"}\n', '{"format":"tripot arena 1"}\n', "\xff\n"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadGamesFile, match="games"):
        read_games(path)


def test_bots_with_a_time_limit_may_play_a_game_differently() -> None:
    games_file = GamesFile(change(CONTEST, circle=("search:5ms", "uniform", "uniform", "uniform")))
    assert games_file.add(row(0, winner=0)) and not games_file.add(row(0, winner=2))
    assert games_file.rows[0].result[0] == WHOLE_WIN


# --- Standings ---


def test_shared_wins_count_in_part_and_win_shares_are_relative_to_fair_shares() -> None:
    games_file = GamesFile(CONTEST)
    games_file.add(row(0, winner=0))
    games_file.add(dataclasses.replace(row(1), result=(30, 30, 0, 0)))
    games_file.add(row(1, (1, 0, 1, 1), winner=3))
    games_file.add(row(2, (1, 1, 1, 0), winner=3))
    found = {bot["bot"]: bot for bot in standings(games_file, GAME).as_json()["bots"]}
    sensible, uniform = found["sensible"], found["uniform"]
    assert (sensible["games"], sensible["wins"], sensible["share_ratio"]) == (4, 2.5, 2.5)  # 2.5 of 4 quarters
    assert (uniform["games"], uniform["wins"], uniform["share_ratio"]) == (4, 1.5, 0.5)  # 1.5 of 4 times 3 quarters
    assert sensible["interval"][0] < 2.5 < sensible["interval"][1] <= 4
    assert [seat["games"] for seat in sensible["seats"]] == [2, 1, 0, 1]
    assert [(side["side"], side["games"], side["wins"]) for side in sensible["sides"]] == [
        ("Eagle", 2, 1.5),
        ("Rose", 2, 1.0),
    ]
    assert sensible["rating"] > 1500 > uniform["rating"]
    assert sensible["ms_per_decision"] == round(1000 * (0.5 + 0.5 + 0.25 + 0.25) / (20 + 20 + 21 + 23), 4)


def test_one_deal_alone_gives_the_widest_interval() -> None:
    games_file = GamesFile(CONTEST)
    games_file.add(row(0))
    sensible = standings(games_file, GAME).bots[0].share
    assert (sensible.ratio, sensible.low, sensible.high) == (4.0, 0.0, 4.0)


# --- The command ---


def test_the_command_prints_json_and_saves_and_merges_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other, both = (str(tmp_path / name) for name in ("one", "other", "both"))
    words = ["arena", "verrater", "--workers", "1", "--json"]
    assert main.run([*words, "--bots", "sensible,uniform", "--games", "10", "--save", one]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 12 and found["deals"] == 3 and found["options"] == {}
    assert [bot["bot"] for bot in found["bots"]] == ["sensible", "uniform"]
    for bot in found["bots"]:
        assert set(bot) >= KEYS and bot["interval"][0] <= bot["share_ratio"] <= bot["interval"][1]
        assert bot["rating_interval"][0] <= bot["rating"] <= bot["rating_interval"][1] and bot["games"] == 12
    assert sum(bot["wins"] for bot in found["bots"]) == pytest.approx(12)
    assert main.run([*words, "--bots", "sensible,uniform", "--games", "8", "--seed", "2", "--save", other]) == 0
    capsys.readouterr()
    assert main.run([*words, "--merge", one, "--merge", other, "--save", both]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 4  # 0 to 2, and 2 to 3
    assert main.run(["arena", "verrater", "--save", both, "--games", "0"]) == 0
    assert "16 games on 4 deals" in capsys.readouterr().out


BAD_WORDS = {
    "--games 10": "name the bots to compare: --bots a,b,c",
    "--bots sensible,nobody": "unknown bot 'nobody'",
    "--bots uniform --games -1": "cannot play -1 games",
    "--bots uniform --games 0": "no games to rate",
    "--bots uniform --workers 0": "cannot play in 0 processes",
    "--bots uniform --seats 9": "for 3 or 4 players, not 9",
    "--bots uniform,uniform,sensible,uniform,uniform": "5 bots for 4 seats",
    "--bots uniform --merge /nowhere/at/all": "/nowhere/at/all cannot be read",
    "--bots uniform --save /nowhere/at/all": "/nowhere/at/all cannot be written",
    "--bots uniform --option first=7": "this table has 4 seats",
    "--bots uniform --workers 2 --cluster x": "choose --workers or --cluster",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_a_bad_command_is_one_sentence(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["arena", "verrater", *words.split()]) == 2
    said = capsys.readouterr()
    assert BAD_WORDS[words] in said.err and said.err.count("\n") == 1 and said.out == ""


def test_a_work_unit_holds_only_text_and_numbers() -> None:
    unit = work_units(CONTEST, list(schedule(CONTEST.numbers, 4, 0, 4)))[0]
    assert len(play_unit(unit)) == 4
    kinds = {type(value) for value in dataclasses.astuple(unit.contest)} | {type(unit.games[0][0])}
    assert kinds == {str, int, tuple}


def test_a_program_is_known_by_its_rules_bots_and_weights_and_by_no_other_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tripot"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    monkeypatch.setattr(contest_module, "PACKAGE", package)

    def programs() -> list[str]:
        program_of.cache_clear()
        return [program_of(name) for name in ("trok", "trieste")]

    def changed(file: str) -> list[bool]:
        before = programs()
        (package / file).write_bytes((package / file).read_bytes() + b"#")
        return [old != new for old, new in zip(before, programs(), strict=True)]

    assert changed("bots/ismcts.py") == [True, True] and changed("core/rng.py") == [True, True]
    assert changed("games/trieste/evaluation.npz") == [False, True]
    assert changed("games/trok/heuristic.py") == [True, False]
    assert changed("games/trieste/cards.py") == [False, True] and changed("games/trieste/text.py") == [False, False]
    monkeypatch.undo()
    program_of.cache_clear()
