"""The command line: its output, and one sentence and exit code 2 for every bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tripot
from tripot import GAMES
from tripot.cli.main import run
from tripot.core.rulebook import rule_book
from tripot.core.shared_seed import Contribution, SharedSeed, hash_of
from tripot.lab import benchmark
from tripot.table.record import record_of
from tripot.table.table import Table
from tripot.terminal.progress import progress_lines

HERE = Path(__file__).parent.parent


def played_out(decisions: int | None = None) -> Table:
    """Plays verrater with the last legal action at every decision."""
    table = Table(GAMES["verrater"], 4, 11)
    while not table.over and (decisions is None or table.sequence < decisions):
        offer = table.offer(table.waiting[0])
        table.decide(offer.seat, offer.legal[-1], offer.sequence)
    return table


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A folder with a finished game, an unfinished one and files that are not games."""
    monkeypatch.chdir(tmp_path)
    players = ["person:Ada", "sensible", "uniform", "sensible"]
    finished = record_of(played_out(), players).dumps()
    Path("finished.tripot.json").write_text(finished)
    Path("unfinished.tripot.json").write_text(record_of(played_out(30), players).dumps())
    Path("nobody.tripot.json").write_text(record_of(played_out(30), ["sensible"] * 4).dumps())
    Path("cut.tripot.json").write_text(finished[: len(finished) // 2])
    Path("altered.tripot.json").write_text(finished.replace('"seed": "11"', '"seed": "12"'))
    fair = Table(
        GAMES["verrater"], 4, SharedSeed("07" * 32, (Contribution(hash_of("08" * 32), "08" * 32), *[None] * 3))
    )
    Path("fair.tripot.json").write_text(record_of(fair, players).dumps())
    Path("foreign.json").write_text('{"format": "something else"}')
    Path("picture.png").write_bytes(bytes(range(256)))
    Path("broken.position.txt").write_text("game: verrater\nhand north: 9\n")
    return tmp_path


BAD = {
    "no such command": ("dance", "play, games, simulate, rules, replay, bench"),
    "no game": ("play", "GAME"),
    "unknown game": ("play whist", "verrater"),
    "unknown game to simulate": ("simulate whist", "verrater"),
    "unknown game to read": ("rules whist", "verrater"),
    "too many seats": ("play verrater --seats 9", "3 or 4"),
    "too few seats": ("simulate verrater --seats 1", "3 or 4"),
    "seats in words": ("play verrater --seats four", "'four' is not a whole number"),
    "own seat": ("play verrater --seat 5", "1 to 4"),
    "seat zero": ("play verrater --seat 0", "1 to 4"),
    "unknown bot": ("play verrater --bots genius", "uniform, sensible"),
    "unknown bot to simulate": ("simulate verrater --bot genius", "uniform, sensible"),
    "bots that do not fill the table": ("play verrater --bots uniform,sensible", "3"),
    "name of another seat": ("play verrater --name Sud", "another seat"),
    "name with nothing in it": ("play verrater --name=", "printable"),
    "negative seed": ("play verrater --seed -1", "0 to 2^64 - 1"),
    "seed too large": ("simulate verrater --seed 18446744073709551616", "0 to 2^64 - 1"),
    "seed in words": ("simulate verrater --seed x", "'x' is not a whole number"),
    "option without value": ("play verrater --option first", "name=value"),
    "unknown option": ("simulate verrater --option speed=3", "strategist_points"),
    "bad value": ("play verrater --option tie_break=coin", "shared, supply"),
    "value out of range": ("play verrater --option strategist_points=99", "0 to 20"),
    "option beyond the seats": ("play verrater --seats 3 --option first=4", "3 seats"),
    "unknown language": ("rules verrater --lang de", "en or fr"),
    "unknown flag": ("play verrater --speed", "--help"),
    "negative games": ("simulate verrater --games -5", "0 to"),
    "half a game": ("simulate verrater --games 1.5", "'1.5' is not a whole number"),
    "unknown engine": ("simulate verrater --engine steam", "python, native, gpu"),
    "unknown clause": ("rules verrater V-9", "V-0, V-1, V-2, V-3"),
    "folder that is not there": ("play verrater --save nowhere/game.json", "nowhere"),
    "file that is not there": ("replay nowhere.json", "No such file"),
    "file to resume that is not there": ("play verrater --resume nowhere.json", "No such file"),
    "folder in place of a file": ("replay .", "Is a directory"),
    "file cut off": ("replay cut.tripot.json", "cut off"),
    "file altered": ("replay altered.tripot.json", "altered"),
    "foreign file": ("replay foreign.json", "something else"),
    "picture": ("play verrater --resume picture.png", "not a text"),
    "seat that the record lacks": ("replay finished.tripot.json --seat 5", "1 to 4"),
    "moment that the record lacks": ("position finished.tripot.json --at 100000", "0 to"),
    "moment of a position": ("position broken.position.txt --at 3", "--at"),
    "review of a seat that the record lacks": ("review finished.tripot.json --seat 5", "1 to 4"),
    "review of an unfinished game": ("review unfinished.tripot.json", "not finished"),
    "review without playouts": ("review finished.tripot.json --playouts 0", "1 to 100000"),
    "review into a folder that is not there": ("review finished.tripot.json -o nowhere/x.html", "nowhere"),
    "unknown game to learn": ("learn whist", "verrater"),
    "unknown lesson": ("learn verrater flying", "1 to 6 or conflict"),
    "lesson zero": ("learn verrater 0", "1 to 6"),
    "broken position": ("position broken.position.txt", "line 2"),
    "luck that nobody can check": ("replay finished.tripot.json --verify", "sfc32"),
    "hash of another seed": ("replay fair.tripot.json --verify --hash 00", "has the hash"),
    "finished game": ("play verrater --resume finished.tripot.json", "finished"),
    "game without a person": ("play verrater --resume nobody.tripot.json", "0 people"),
    "resumed with another seed": ("play verrater --resume unfinished.tripot.json --seed 1", "--seed"),
}


@pytest.mark.parametrize("words, tells", BAD.values(), ids=BAD)
def test_a_bad_input_ends_with_one_sentence_and_code_2(words, tells, saved, capsys):
    before = sorted(os.listdir())
    assert run(words.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tripot: ") and err.count("\n") == 1
    assert tells in err
    assert sorted(os.listdir()) == before


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"tripot {tripot.__version__}\n"


def test_the_help_names_every_command(capsys):
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in ("play", "simulate", "rules", "replay", "bench", "serve"))


# --- rules ---


def test_rules_prints_every_clause(capsys):
    assert run(["rules", "verrater", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    for clause in rule_book(GAMES["verrater"]).values():
        assert f"{clause.number} {clause.title.en}" in out


@pytest.mark.parametrize("number", ["V-2.3", "v-2.3", "2.3"])
def test_rules_prints_one_clause(number, capsys):
    assert run(["rules", "verrater", number, "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert "Jeu des Richesses" in out and "V-2.4" not in out


def test_rules_prints_a_section(capsys):
    assert run(["rules", "verrater", "V-3"]) == 0
    out = capsys.readouterr().out
    assert "V-3.1" in out and "V-3.4" in out and "V-2.1 " not in out


@pytest.mark.parametrize(
    "system, title",
    [
        ({"LANG": "fr_FR.UTF-8"}, "Les territoires"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "fr_CA"}, "Les territoires"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "The lands"),
        ({}, "The lands"),
    ],
)
def test_the_system_locale_sets_the_language(system, title, monkeypatch, capsys):
    for name in ("LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in system.items():
        monkeypatch.setenv(name, value)
    assert run(["rules", "verrater", "V-0.1"]) == 0
    assert title in capsys.readouterr().out


# --- replay ---


def test_replay_tells_everything_with_clauses(saved, capsys):
    assert run(["replay", "finished.tripot.json", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "Ada keeps" in out and "(for East only)" in out and "[V-3.4]" in out


def test_replay_of_a_seat_tells_only_what_it_heard(saved, capsys):
    assert run(["replay", "finished.tripot.json", "--seat", "2", "--lang", "fr", "--json"]) == 0
    news = json.loads(capsys.readouterr().out)["news"]
    assert {item["to"] for item in news} == {None, 2}
    assert run(["replay", "finished.tripot.json", "--json"]) == 0
    everything = json.loads(capsys.readouterr().out)
    assert {item["to"] for item in everything["news"]} == {None, 1, 2, 3, 4}
    assert everything["result"] == played_out().result
    assert all(clause in rule_book(GAMES["verrater"]) for item in everything["news"] for clause in item["clauses"])


def test_replay_verifies_hash_contributions_and_draws(saved, capsys):
    seed = hash_of("07" * 32)
    assert run(["replay", "fair.tripot.json", "--verify", "--hash", seed.upper(), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert f"SHA-256 {seed}; " in out and f"Ada added {'08' * 32}, as announced by {hash_of('08' * 32)}." in out
    assert out.count("added nothing") == 3
    assert run(["replay", "fair.tripot.json", "--verify", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hash"] == seed and found["draws"] > 10 and found["contributions"][0]["value"] == "08" * 32


def test_replay_of_an_unfinished_game_says_so(saved, capsys):
    assert run(["replay", "unfinished.tripot.json", "--lang", "fr"]) == 0
    assert "pas terminée" in capsys.readouterr().out


def test_names_in_a_record_send_no_control_codes_to_the_terminal(saved, capsys):
    record = record_of(played_out(30), ["person:\x1b[2J\x1b]0;owned\x07" + "x" * 500, "uniform", "uniform", "uniform"])
    Path("rude.tripot.json").write_text(record.dumps())
    assert run(["replay", "rude.tripot.json"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\x07" not in out and "x" * 30 not in out


# --- bench ---


@pytest.fixture
def measured(monkeypatch):
    """Replaces the measurements of `tripot bench`, which take half a minute."""
    found = [benchmark.Measure("verrater", "native", 8_765_432.1, "decisions/s", "one core"),
             benchmark.Measure("verrater", "view and offer", 29.876, "µs", "one table")]  # fmt: skip

    def measure(games, report):
        assert games == list(GAMES.values())
        report("something")
        yield from found

    monkeypatch.setattr(benchmark, "measure", measure)


def test_bench_prints_one_line_per_measurement(measured, capsys):
    assert run(["bench"]) == 0
    out, err = capsys.readouterr()
    head, native, table = out.splitlines()
    assert "cores" in head and "Python" in head and "NumPy" in head and "Numba" in head
    assert "8,765,432 decisions/s" in native and "29.88 µs" in table
    assert "something" in err


def test_bench_prints_one_json_object(measured, capsys):
    assert run(["bench", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["machine"]) == {"cores", "cpu", "python", "numpy", "numba"}
    assert [line["value"] for line in found["measures"]] == [8_765_432.1, 29.876]


def test_bench_counts_decisions_by_time(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(benchmark.time, "perf_counter", lambda: next(clock))
    played = []
    assert (
        benchmark.best_rate(lambda games: played.append(games) or 100 * games) == 100
    )  # 2 games in 1 s: 1 game fills the time
    assert played == [1, 2, 1, 1, 1]  # the first game, before the clock runs, compiles what is needed


@pytest.mark.native
def test_bench_measures_first_games_and_searches_from_the_start_of_python(monkeypatch):
    caches = []

    def run_here(words, env, check):
        assert words[:2] == [sys.executable, "-c"] and check
        caches.append(env["TRIPOT_CACHE"])
        exec(words[2])

    monkeypatch.setattr(benchmark.subprocess, "run", run_here)
    measures = list(benchmark.first_starts(GAMES["verrater"]))
    assert [found.name for found in measures] == ["first game", "first game, cached", "first search"]
    assert all(found.value > 0 and found.what.startswith("from starting Python") for found in measures)
    assert len(caches) == 3 and len(set(caches)) == 1 and not Path(caches[0]).exists()


def test_long_work_writes_its_progress_to_a_log_at_intervals():
    times = iter([0, 10, 29, 31, 60, 61])  # the start, then the end of each batch of games below
    told: list[str] = []
    advance = progress_lines(3000, told.append, lambda: next(times))
    for games in (10, 20, 1000, 5, 300):
        advance(games)
    assert told == ["1,030 of 3,000 games played", "1,335 of 3,000 games played"]


# --- the program as a whole ---


@pytest.mark.process
def test_the_program_starts_without_numba():
    code = (
        "import sys; from tripot.cli.main import run; run(['rules', 'verrater', '2']); sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True)
    assert done.returncode == 0


@pytest.mark.process
@pytest.mark.parametrize("words", [["--version"], ["rules", "verrater"]])
def test_a_closed_pipe_is_not_an_error(words):
    with subprocess.Popen(
        [sys.executable, "-m", "tripot", *words],
        cwd=HERE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as reading:
        assert reading.stdout and reading.stderr
        reading.stdout.close()
        complaint = reading.stderr.read()
    assert complaint == b""


# --- position ---


def test_a_moment_of_a_saved_game_becomes_text_and_the_text_a_table(saved, capsys):
    assert run(["position", "finished.tripot.json", "--at", "30"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("game: verrater\n") and "hand north: " in text
    Path("here.txt").write_text(text)
    assert run(["position", "here.txt", "--lang", "fr"]) == 0
    assert "Nord" in capsys.readouterr().out
