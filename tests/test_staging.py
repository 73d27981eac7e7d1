"""What each game declares of how its news are shown, and that the table at the moment of a piece of news is right."""

import random
from typing import Any

import pytest

from tests.cases import Case, every_game, play_on
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.layout import SPECTATOR
from tripot.core.news import EVERYONE
from tripot.core.staging import SetPiece, Staging
from tripot.table.table import Table
from tripot.web.api.messages import Letter
from tripot.web.live import letters
from tripot.web.live.replays import steps

WORDS_OF_THE_END = ("WON", "NOBODY_WON")


@every_game
def test_every_kind_of_news_that_is_staged_is_one_that_the_game_tells(game: Game) -> None:
    staging = game.text.STAGING
    named = [*staging.gathered, *staging.headings, *staging.told_better, *staging.told_better.values()]
    for piece in staging.pieces.values():
        named += [*piece.opens, *piece.joins]
        assert not set(piece.opens) & set(piece.joins)
    assert set(named) <= set(game.text.NEWS)


@every_game
def test_no_kind_of_news_begins_two_set_pieces_and_the_end_is_one(game: Game) -> None:
    opens = [kind for piece in game.text.STAGING.pieces.values() for kind in piece.opens]
    assert len(opens) == len(set(opens))
    assert {kind for kind in game.text.NEWS if kind.name in WORDS_OF_THE_END} <= set(opens)
    assert game.text.STAGING.headings and not set(game.text.STAGING.headings) & set(opens)


@every_game
def test_what_a_whisper_tells_better_is_whispered_with_the_same_decision(game: Game) -> None:
    """The page leaves the public line out only where the whisper is there too."""
    better = game.text.STAGING.told_better
    found = set()
    for seed in range(4):
        table, luck = Table(game, game.seats[-1], seed), random.Random(seed)
        play_on(table, luck, 400)
        told = [(story.sequence, story.item) for story in table.all_news()]
        whispers = {(sequence, item.what) for sequence, item in told if item.to != EVERYONE}
        found |= {item.what for sequence, item in told if (sequence, better.get(item.what)) in whispers}
    assert set(better) - found <= {
        kind for kind in better if kind.name in ("AIMED", "HERO_CHOSEN")
    }  # rare; a house rule


def moments_of(name: str, kind: str, field: str) -> list[tuple[tuple[int, ...], list[int]]]:
    """The numbers of every piece of news of a kind in a game, and a field of the view at its moment."""
    game = GAMES[name]
    wanted = next(news for news in game.text.NEWS if news.name == kind)
    case, luck, found = Case(game, game.seats[0], game.options()), random.Random(3), []
    table = case.table(3)
    table.keeps_moments = True
    while not table.over:
        before = table.sequence
        play_on(table, luck, 1)
        view = table.letter(SPECTATOR)["view"]
        stories = table.news(SPECTATOR, before + 1)
        for story, moment in zip(stories, table.moments(SPECTATOR, before + 1), strict=True):
            if story.item.what == wanted:
                found.append((tuple(story.item[2:]), (view | (moment or {}))[field]))
    return found


def test_the_land_has_turned_when_its_winner_is_told() -> None:
    found = moments_of("verrater", "HOUSE_WINS", "holder")
    contested = moments_of("verrater", "HOUSE_WINS", "contested")
    assert len(found) > 2
    for ((winner, *_), holder), (_, slots) in zip(found, contested, strict=True):
        assert holder[slots[1 - winner]] == winner


def test_the_trade_master_has_the_title_when_that_is_told() -> None:
    found = moments_of("trok", "MASTER", "master")
    assert len(found) > 2 and all(numbers[0] == master for numbers, master in found)


@pytest.mark.parametrize("shown", [None, 0, 9])
def test_a_page_that_comes_back_gets_the_moments_that_it_has_not_shown(shown: int | None) -> None:
    game = GAMES["verrater"]
    table = Table(game, 3, 5)
    table.keeps_moments = True
    play_on(table, random.Random(5), 12)
    letter = Letter.model_validate(letters.letter(table, 0, 0, -1, shown))
    if shown is None:
        assert letter.moments == []
    else:
        known = [place for place, moment in enumerate(letter.moments) if moment is not None]
        assert (
            len(letter.moments) == len(letter.news)
            and known
            and known[0] == max(shown, len(table.news(0)) - len(known))
        )
        assert known == list(range(known[0], len(letter.news)))


def test_set_pieces_are_found_in_a_row_of_news() -> None:
    staging = Staging(pieces={"reveal": SetPiece(opens=(1, 2), joins=(3,)), "end": SetPiece(opens=(4,))})
    assert staging.runs([3, 1, 3, 2, 9, 3, 2, 4, 4, 1]) == [
        ("reveal", 1, 4),
        ("reveal", 6, 7),
        ("end", 7, 9),
        ("reveal", 9, 10),
    ]
    assert staging.runs([]) == []


@pytest.mark.parametrize("seat", [None, 1])
def test_a_replay_brings_the_table_at_every_set_piece(seat: int | None) -> None:
    game = GAMES["verrater"]
    table = Table(game, 4, 8)
    play_on(table, random.Random(8))
    found = [(step, still) for step in steps(table, seat) for still in step.stills]
    assert {still.piece for _, still in found} == {"conflict", "end"}
    view: dict[str, Any] = {}
    for step in steps(table, seat):
        view |= step.view
        for still in step.stills:
            then = view | still.view
            if still.piece == "conflict":
                assert all(then["role_shown"])  # they go back within the same decision
                assert set(then) == set(view) and still.end <= len(step.news)
