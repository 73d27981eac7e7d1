"""The terminal game, driven as a person drives it: through a pty, or with answers piped in."""

import contextlib
import doctest
import io
import json
import os
import signal
import sys
from itertools import cycle, islice
from pathlib import Path

import pexpect
import pytest

from tripot import GAMES
from tripot.cli.main import run
from tripot.core.speech import Phrase
from tripot.table.record import loads, replay
from tripot.terminal import answer_matching, text
from tripot.terminal import initials as initials_module
from tripot.terminal import play as play_module
from tripot.terminal.board import PlainBoard
from tripot.terminal.play import decision_seed

HERE = Path(__file__).parent.parent
SAVED = "verrater-7.tripot.json"
ANSWERS = ["1", "1", *islice(cycle(["2", "1", ""]), 400)]  # an estate, a role; then second choices, confirmed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def play(folder, monkeypatch, capsys):
    """Plays verrater with the answers piped in and returns the output."""

    def start(answers, *words):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        assert run(["play", "verrater", *words]) == 0
        return capsys.readouterr().out

    return start


def sit_down(*words, folder, columns=80, **system):
    """A person at a terminal."""
    env = {**os.environ, "PYTHONPATH": str(HERE), "TERM": "xterm-256color", "COLUMNS": str(columns), **system}
    env.pop("NO_COLOR", None)
    person = pexpect.spawn(
        sys.executable,
        ["-m", "tripot", "play", "verrater", *words],
        cwd=folder,
        env={**env, **system},
        dimensions=(50, columns),
        encoding="utf-8",
        timeout=120,
        echo=False,
    )
    person.delaybeforesend = None
    return person


def answer(person, line):
    """Waits for the prompt, then types."""
    person.expect(r"> $")
    person.sendline(line)


def interrupt(person, number):
    """Sends a signal until the game ends: one sent before readline listens waits for the next key."""
    for _ in range(20):
        person.sendintr() if number == signal.SIGINT else person.kill(number)
        if person.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=3) == 0:
            break
    person.close()


def record(path=SAVED):
    return loads(Path(path).read_text())


def decisions(seat):
    return [action for who, action in record().decisions if who == seat]


# --- Whole games ---


@pytest.mark.process
@pytest.mark.parametrize(
    "lang, asked, won, reread",
    [
        ("en", "Which role do you keep?", "wins", "Review it with"),
        ("fr", "Quel rôle gardez-vous ?", "gagne", "Pour la revoir"),
    ],
)
def test_a_whole_game_at_a_terminal(lang, asked, won, reread, folder):
    person = sit_down("--seed", "7", "--lang", lang, folder=folder)
    answer(person, "1")
    person.expect_exact(asked)
    for line in ANSWERS[1:]:
        if person.expect([r"> $", pexpect.EOF]) == 1:
            break
        person.sendline(line)
    assert won in person.before and reread in person.before
    assert "\x1b[" in person.before  # in colour
    assert replay(record(), GAMES).over


def test_a_french_system_locale_makes_the_game_french(play, monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "Vous êtes Nord" in play(["q"], "--seed", "7")


def test_the_end_shows_how_the_score_adds_up(play):
    out = play(ANSWERS, "--seed", "7", "--lang", "en")
    result = replay(record(), GAMES)
    table = out[out.index("The end") :]
    points = [int(n) for n in result.view(0)["points"][0][:4]]
    for seat, name in enumerate(("North", "East", "South", "West")):
        row = next(line for line in table.splitlines() if line.split()[:1] == [name])
        lands, roles, offices, _, cards, _, extra, total = map(
            int, row.replace("×", "0").replace("=", "0").split()[1:9]
        )
        assert lands + roles + extra == total == points[seat] and offices * cards == extra
        assert ("wins" in row or "shares" in row) == bool(result.result[seat])
    assert "Seed 7" in table and f"tripot replay {SAVED}" in table


def test_bots_sit_where_they_are_put(play):
    play(ANSWERS, "--seed", "7", "--seats", "3", "--seat", "2", "--bots", "uniform,sensible", "--name", "Zoé")
    assert record().players == ["uniform", "person:Zoé", "sensible"]
    assert record().seats == 3 and record().result is not None


def test_options_are_played_and_kept(play):
    out = play(["1", "?", "q"], "--seed", "7", "--option", "strategist_points=5", "--option", "first=1", "--lang", "en")
    assert record().options == {"strategist_points": 5, "first": 1}
    assert "scores 5" in out


def test_a_seed_is_drawn_where_none_is_given(play):
    said = [line for _ in range(2) for line in play(["q"], "--lang", "en").splitlines()]
    assert len({line for line in said if line.startswith("Fair deal: the seed has the SHA-256 ")}) == 2
    assert not any(line.startswith("Seed ") for line in said)  # it is told at the end of the game
    assert len(list(Path().glob("verrater-*.tripot.json"))) == 2


# --- Questions and answers ---


def test_a_decision_is_taken_by_words_without_case_and_accents(play):
    out = play(["RIVIERE 6", "traitre", "q"], "--seed", "7", "--lang", "fr")
    assert "Nord pose un Grenier sous la rivière, place 6" in out and "Nord garde le Traître" in out


def test_words_that_fit_several_decisions_list_them(play):
    out = play(["river", "q"], "--seed", "7", "--lang", "en")
    listed = out[out.index("“river” fits several") :].splitlines()
    assert [line.split()[5:7] for line in listed[1:3]] == [["the", "river,"]] * 2
    assert not decisions(0)


def test_nonsense_is_answered_in_the_language_of_the_game(play):
    out = play(["abracadabra", "99", "0", "", "u", "q"], "--seed", "7", "--lang", "fr")
    assert "Aucun choix ne dit « abracadabra »" in out
    assert "Il n'y a pas de choix 99 : choisissez de 1 à 10." in out and "pas de choix 0" in out
    assert "Il n'y a rien à annuler." in out
    assert not decisions(0)


def test_a_question_mark_explains_with_clauses(play):
    out = play(["1", "?", "? 1", "? nonsense", "q"], "--seed", "7", "--lang", "en")
    first, second = out.split("> ?")[1:3]
    for number in ("V-2.2 Draft of the roles", "V-2.4 Reveal and treason", "V-2.13 The draw"):
        assert number in first
    assert "V-2.4 Reveal and treason" in second and "V-2.13 The draw" not in second


def test_a_choice_of_several_decisions_can_be_taken_back_and_is_confirmed(play):
    steps = ["1", "1", "add a 5", "add a 4", "u", "add a 3", "no more", "u", "u", "no more", "", "q"]
    out = play(steps, "--seed", "7", "--lang", "en")
    assert "So far: Add a 5, Add a 4" in out and "So far: Add a 5, Add a 3" in out
    assert out.count("Enter confirms, u undoes") == 2
    assert "North adds a 5" in out and "North adds a 4" not in out and "North stops at 1 card" in out


def test_a_choice_of_one_decision_is_not_asked_twice(play):
    out = play(["1", "1", "no more", "q"], "--seed", "7", "--lang", "en")
    assert "North stops at 0 cards" in out and "Enter confirms" not in out


def test_nothing_is_decided_before_it_is_confirmed(play):
    play(["1", "1", "add a 5", "no more", "q"], "--seed", "7")
    assert len(decisions(0)) == 2


def test_commands(play):
    out = play(["1", "h", "t", "log", "rules", "rules 2.3", "rules 9", "save", "q"], "--seed", "7", "--lang", "en")
    for command in text.COMMANDS:
        assert command.help.en in out
    assert out.count("╭─ 1 ─") == 3
    assert out.count("South is first player and serves the Eagle") == 2
    assert "V-0.1 The lands" in out and "each plays 0 to 5 supply cards" in out
    assert "There is no clause V-9. The sections are V-0, V-1, V-2, V-3." in out
    assert out.count(f"Saved in {SAVED}") == 2 and os.listdir() == [SAVED]


def test_everything_the_terminal_says_is_in_both_languages():
    phrases = [value for value in vars(text).values() if isinstance(value, Phrase)]
    phrases += [command.help for command in text.COMMANDS]
    assert len(phrases) > 25
    for phrase in phrases:
        assert phrase.en and phrase.fr
        holes = [sorted(part.split("}")[0] for part in words.split("{")[1:]) for words in phrase]
        assert holes[0] == holes[1]


@pytest.mark.parametrize("module", [answer_matching, initials_module])
def test_the_examples_in_docstrings_hold(module):
    failed, tried = doctest.testmod(module)
    assert tried and not failed


# --- Leaving and resuming ---


@pytest.mark.process
def test_ctrl_c_saves_and_resuming_leads_to_the_same_end(play, folder):
    play(ANSWERS, "--seed", "7", "--save", "whole.json")
    person = sit_down("--seed", "7", folder=folder)
    for line in ANSWERS[:2]:
        answer(person, line)
    person.expect(r"> $")
    interrupt(person, signal.SIGINT)
    assert person.exitstatus == 130
    assert f"tripot play verrater --resume {SAVED}" in person.before
    assert record().result is None and len(decisions(0)) == 2

    out = play(ANSWERS[2:], "--resume", SAVED, "--lang", "en")
    assert "The game continues after" in out and "North keeps" in out and "Set-up" not in out
    assert record() == record("whole.json")
    assert sorted(os.listdir()) == [SAVED, "whole.json"]


def test_the_end_of_input_saves_and_resuming_goes_on(play):
    out = play(["1"], "--seed", "7")
    assert f"--resume {SAVED}" in out and record().result is None
    play(ANSWERS[1:], "--resume", SAVED, "--save", "further.json")
    assert record().result is None
    assert record("further.json").result is not None


@pytest.mark.process
@pytest.mark.parametrize("cut_off", [signal.SIGHUP, signal.SIGTERM])
def test_a_stop_signal_saves(cut_off, folder):
    person = sit_down("--seed", "7", folder=folder)
    answer(person, "1")
    person.expect(r"> $")
    interrupt(person, cut_off)
    assert len(decisions(0)) == 1


def test_a_signal_that_comes_just_before_saving_does_not_prevent_it(folder, monkeypatch):
    signals = iter([KeyboardInterrupt])

    @contextlib.contextmanager
    def disturbed_once():
        for error in signals:
            raise error
        yield

    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    monkeypatch.setattr(play_module, "signals_ignored", disturbed_once)
    assert run(["play", "verrater", "--seed", "7"]) == 130
    assert len(decisions(0)) == 1


def test_another_game_is_never_overwritten(play):
    play(["1", "q"], "--seed", "7")
    first = Path(SAVED).read_text()
    assert "verrater-7-2.tripot.json" in play(["2", "q"], "--seed", "7")
    assert "verrater-7-3.tripot.json" in play(["2", "q"], "--seed", "7")
    assert Path(SAVED).read_text() == first
    Path("notes.txt").write_text("mine")
    assert "notes-2.txt" in play(["q"], "--seed", "7", "--save", "notes.txt")
    assert Path("notes.txt").read_text() == "mine"


def test_a_folder_to_save_in(play):
    Path("games").mkdir()
    play(["q"], "--seed", "7", "--save", "games")
    assert os.listdir("games") == [SAVED]


def test_bots_play_alike_whenever_the_game_is_resumed():
    assert decision_seed(7, 3) == decision_seed(7, 3) < 1 << 64
    assert len({decision_seed(seed, sequence) for seed in (0, 7, 2**64 - 1) for sequence in range(50)}) == 150


# --- Output ---


def test_a_narrow_terminal_gets_a_list(play, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = play(["1", "q"], "--seed", "7", "--lang", "en")
    assert "╭" not in out and " 7 ✿ city 15  ✕ conflict" in out
    assert max(map(len, out.splitlines())) <= 80  # the command to resume is never broken


@pytest.mark.parametrize("columns", [80, 93, 120])
def test_the_ring_fits_and_tells_nothing_by_colour_alone(columns, play, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = play(["1", "q"], "--seed", "7", "--lang", "fr")
    assert max(map(len, out.splitlines())) <= columns
    last = out[out.rindex("◆ Stratégie") : out.rindex("Quel rôle")]
    assert "║ ✿ ville " in last and "║ ▲ rivière " in last  # the two lands in the conflict, by their borders
    assert last.count("Grenier") == 4 and "Grenier N" in last


@pytest.mark.process
def test_no_color_is_respected(folder):
    person = sit_down("--seed", "7", folder=folder, NO_COLOR="1")
    person.expect(r"> $")
    assert "\x1b[94m" not in person.before and "\x1b[38" not in person.before
    person.close()


def test_a_game_without_a_board_shows_its_fields():
    game = GAMES["verrater"]
    view = game.layout.observe_plain(game.new_state(game.options(), 3, 1), 0)
    shown = json.dumps([str(line) for line in PlainBoard(game).draw(view, [], "en", 80).renderables])
    assert "pile_size: 14" in shown and "my_hand" not in shown
