"""The bot pool: native and interpreted bots choose the same, and native code is compiled in the background."""

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.cases import every_game
from tests.served import Served, play_on
from tripot import GAMES
from tripot.bots.bot import find_bot
from tripot.bots.levels import bot_of, levels_of
from tripot.core.game import Game
from tripot.table.table import Table
from tripot.web.api.messages import TableMessage
from tripot.web.live.bot_pool import BotPool, bot_seed, cached_bot, choose, warm

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
GREEDY_TABLES = 40


@every_game
@pytest.mark.parametrize("notation", ["uniform", "sensible"])
def test_native_and_interpreted_bots_choose_the_same(game: Game, notation: str) -> None:
    longest = 0
    for seed in (5, 6, 7):
        table = Table(game, game.seats[-1], seed)
        while not table.over:
            seat = table.waiting[0]
            offer, choice_seed = table.offer(seat), bot_seed(table.seed, seat, table.sequence)
            asked = game.name, notation, table.view(seat), offer.legal, choice_seed
            plain, native = (choose(*asked, way) for way in (False, True))
            assert plain == native
            longest = max(longest, len(plain))
            table.decide(seat, plain, offer.sequence)
    assert longest > 1  # at least one choice had several decisions


@every_game
def test_the_same_seed_gives_the_same_choice_and_another_seed_another(game: Game) -> None:
    table = Table(game, game.seats[-1], 6)
    seat = table.waiting[0]
    made = [choose(game.name, "uniform", table.view(seat), table.offer(seat).legal, n // 2, False) for n in range(40)]
    assert made[::2] == made[1::2]
    assert len({tuple(actions) for actions in made}) > 1


def test_every_choice_has_its_own_seed_and_it_is_not_the_tables() -> None:
    found = {bot_seed(seed, seat, step) for seed in (1, 2) for seat in range(4) for step in range(50)}
    assert len(found) == 400 and not found & {1, 2}


@every_game
def test_a_stand_in_plays_for_a_bot_until_its_native_code_is_ready(game: Game) -> None:
    table = Table(game, game.seats[0], 7)
    while not table.over:
        seat = table.waiting[0]
        asked = (table.view(seat), table.offer(seat).legal, 3, False)
        choice = choose(game.name, "search:2", *asked)
        assert choice == choose(game.name, bot_of("medium", game), *asked)
        table.decide(seat, choice, table.offer(seat).sequence)


def test_a_stand_in_plays_for_a_bot_of_an_earlier_version() -> None:
    assert cached_bot(NAME, "oracle:9").name == bot_of("medium", GAMES[NAME])


@every_game
def test_every_level_of_a_game_has_its_bot(game: Game) -> None:
    for level in levels_of(game):
        assert find_bot(level.bot, game)
    assert bot_of("easy", game) == "uniform"


def test_native_code_is_compiled_in_the_background_and_pages_are_told(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", native=True) as server:
        size = GAMES[NAME].seats[0]
        opened = server.open_table(NAME, ["here", *["hard"] * (size - 1)])
        with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            play_on({0: seat}, random.Random(1), most=3)  # nobody waits for the compiler
            assert seat.table is not None
            while seat.table.engine != "native":
                seat.await_message(lambda message: isinstance(message, TableMessage), seconds=600)
            play_on({0: seat}, random.Random(1))
            assert seat.over
        assert next(game for game in server.client.games().games if game.name == NAME).engine == "native"


def test_a_visitor_with_many_hard_bots_makes_nobody_else_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[NAME]
    table = Table(game, game.seats[0], 7)
    seat = table.waiting[0]
    asked = (table.view(seat), table.offer(seat).legal, 3)
    greedy, stranger = frozenset({"192.0.2.1"}), frozenset({"192.0.2.2"})
    may_think = threading.Event()

    def long_thought(*given: Any) -> list[int]:
        assert given[1] == "uniform" or may_think.wait(60)  # however fast a search is
        return choose(*given)

    async def run() -> None:
        pool = BotPool(GAMES)
        pool.engine[NAME] = "native"
        hard = [
            asyncio.create_task(pool.choose(game, "search:3000", *asked, str(n), greedy)) for n in range(GREEDY_TABLES)
        ]
        await asyncio.sleep(0)
        await pool.choose(game, "uniform", *asked, "stranger", stranger)
        assert not any(task.done() for task in hard)
        may_think.set()
        await pool.choose(game, "search:3000", *asked, "stranger", stranger)
        assert sum(task.done() for task in hard) <= GREEDY_TABLES // 2
        assert pool.queued == sum(not task.done() for task in hard)
        for task in hard:
            task.cancel()
        await asyncio.gather(*hard, return_exceptions=True)
        pool.close()

    warm(NAME)
    monkeypatch.setattr("tripot.web.live.bot_pool.choose", long_thought)
    asyncio.run(run())
