"""Difficulty levels: a game offers those it has bots for, and search needs no heuristic."""

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


def test_a_game_without_a_heuristic_offers_no_level_that_would_play_at_random() -> None:
    assert [level.key for level in levels_of(leduc.GAME)] == ["easy", "hard"]
    assert bot_of("hard", leduc.GAME).startswith("search:")
    with pytest.raises(UnknownBot, match="leduc has no level 'medium': choose easy, hard"):
        bot_of("medium", leduc.GAME)
    with pytest.raises(UnknownBot, match=r"unknown bot 'sensible' for leduc: there are uniform, search:800"):
        find_bot("sensible", leduc.GAME)


def test_the_server_refuses_a_level_that_a_game_lacks() -> None:
    with pytest.raises(ApiError, match="leduc has no level 'medium'") as refused:
        bot_seat(leduc.GAME, 0, "medium")
    assert refused.value.code is ErrorCode.UNKNOWN_BOT
    assert bot_seat(leduc.GAME, 0, "hard").bot == "search:2000"


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
