"""Difficulty levels: every game offers all of them, and search needs no heuristic."""

import random

import pytest

from tests import pennies
from tripot import GAMES
from tripot.bots.bot import SearchBot, UnknownBot, find_bot
from tripot.bots.levels import LEVELS, bot_of, levels_of
from tripot.bots.memory import new_memory
from tripot.core.game import WHOLE_WIN
from tripot.lab import leduc
from tripot.table.table import Table
from tripot.web.live.seating import bot_seat
from tripot.web.ops.errors import ApiError, ErrorCode


def test_the_three_games_have_every_level() -> None:
    for game in GAMES.values():
        assert [level.key for level in levels_of(game)] == list(LEVELS)


def test_a_game_without_a_heuristic_has_every_level_and_only_the_easy_one_plays_at_random() -> None:
    assert [level.key for level in levels_of(leduc.GAME)] == list(LEVELS)
    bots = [bot_of(level, leduc.GAME) for level in LEVELS]
    assert bots == ["uniform", "search:200", "search:2000", "search:10000"]
    assert [find_bot(bot, leduc.GAME).name for bot in bots] == bots
    assert bot_of("medium", GAMES["verrater"]) == "sensible"
    assert bot_of("expert", GAMES["verrater"]).startswith("guided:")
    with pytest.raises(UnknownBot, match=r"unknown bot 'sensible' for leduc: there are uniform, search:800"):
        find_bot("sensible", leduc.GAME)


def test_the_server_refuses_a_level_that_there_is_not() -> None:
    with pytest.raises(ApiError, match="there is no level 'godlike': choose easy, medium, hard, expert") as refused:
        bot_seat(leduc.GAME, 0, "godlike")
    assert refused.value.code is ErrorCode.UNKNOWN_BOT
    assert bot_seat(leduc.GAME, 0, "medium").bot == "search:200"


@pytest.mark.native
def test_search_without_a_heuristic_plays_better_than_at_random() -> None:
    """Rollouts are uniform there. Pennies: whoever keeps the better pennies for later rounds wins."""
    game, won = pennies.GAME, 0
    bot, luck = find_bot("search:200", game), random.Random(5)
    assert isinstance(bot, SearchBot)
    for deal in range(60):
        table, seat = Table(game, 2, deal), deal % 2
        memory = new_memory(deal, seat)
        while not table.over:
            offer = table.offer(table.waiting[0])
            if offer.seat == seat:
                action = bot.decide(table.view(seat), offer.legal, memory)
            else:
                action = luck.choice(offer.legal)
            table.decide(offer.seat, action, offer.sequence)
        won += table.result[seat]
    assert won / WHOLE_WIN > 42, "of sixty games; a uniform player wins thirty"
