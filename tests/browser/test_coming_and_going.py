"""Reload, lost network, a server that stops: the table is there again, and nothing is lost."""

import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.person import CHOICES, await_bots, await_turn, moment, open_table, play, set_table
from tests.cases import every_game
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game
from tripot.table.record import loads

pytestmark = pytest.mark.browser

NAME = next(iter(GAMES))


@every_game
def test_reload_in_the_middle_of_a_choice(visit: Visit, game: Game) -> None:
    page = visit("/")
    open_table(page, game.name)
    play(page, random.Random(7), most=2)
    assert await_turn(page)
    await_bots(page)
    numbered = page.locator(f"{CHOICES}").last
    chosen = numbered.locator(".label").inner_text()
    before = moment(page)
    numbered.click()
    page.locator("#confirm").wait_for()
    page.reload()
    page.locator("#confirm").wait_for()
    assert moment(page) == before
    expect(page.locator(".choice.mine")).to_contain_text(chosen)
    page.locator(".confirm button").first.click()  # take back
    page.locator("#confirm").wait_for(state="detached")
    page.locator(CHOICES).last.click()
    page.locator("#confirm").click()
    page.locator(f'main:not([data-moment="{before}"])').wait_for(state="attached")


@every_game
def test_the_server_is_stopped_and_started_in_the_middle_of_a_game(visit: Visit, server: Served, game: Game) -> None:
    page = visit("/")
    table = open_table(page, game.name)
    for how in (signal.SIGTERM, signal.SIGKILL):
        play(page, random.Random(10), most=3)
        assert await_turn(page)
        await_bots(page)
        before, log = moment(page), page.locator(".log-lines li").count()
        server.end(how)
        expect(page.locator(".banner.bad")).to_be_visible()
        page.locator(CHOICES).first.click()  # cannot be taken now, and says so; a part of a choice is kept
        expect(page.locator(".refusal, .choice.mine:not([data-picks=''])").first).to_be_visible()
        server.start()
        expect(page.locator(".banner.bad")).to_be_hidden()
        assert moment(page) == before
        assert page.locator(".log-lines li").count() == log
    play(page, random.Random(9), most=3)
    assert server.client.table(table).status == "playing"


def test_others_see_that_somebody_is_away_and_let_a_bot_hold_the_seat(visit: Visit, server: Served) -> None:
    host = visit("/")
    table = open_table(host, NAME, {1: "friend"})
    guest = visit(host.locator(".link").inner_text())
    guest.locator("form input").fill("Zoé")
    guest.locator("form button.main").click()
    guest.locator("main.table").wait_for()
    seat = host.locator(".seat", has_text="Zoé")
    expect(seat).to_be_visible()
    link = guest.url
    guest.goto("/")
    expect(seat.locator(".seat-note")).to_have_text("away")
    seat.get_by_role("button", name="Let a bot play").click()
    expect(seat.get_by_role("button", name="Remove the bot")).to_be_visible()
    play(host, random.Random(10), most=4)
    assert server.client.table(table).seats[1].held == "medium"
    guest.goto(link)
    expect(seat.get_by_role("button")).to_have_count(0)
    assert server.client.table(table).seats[1].held is None


def test_my_tables_are_listed_and_found_again(visit: Visit) -> None:
    page = visit("/")
    table = open_table(page, NAME)
    await_turn(page)
    page.goto("/")
    entry = page.locator(".list", has_text="My tables").locator(f'a[href="/tables/{table}"]')
    expect(entry).to_contain_text("Your turn")
    entry.click()
    assert await_turn(page)
    stranger = visit("/")
    stranger.locator(".game-tile").first.wait_for()
    expect(stranger.locator(f'a[href="/tables/{table}"]')).to_have_count(0)


def test_an_open_seat_can_be_filled_by_a_bot(visit: Visit) -> None:
    page = visit("/")
    open_table(page, NAME, {2: "friend"})
    page.get_by_role("button", name="Put a bot here").click()
    assert await_turn(page)


def test_a_stranger_takes_a_free_seat_of_an_open_table(visit: Visit) -> None:
    host = visit("/")
    set_table(host, NAME, {1: "friend"})
    host.get_by_text("Anyone may take a free seat").click()
    host.locator("#new-table button.main").click()
    host.locator(".invite").wait_for()
    stranger = visit("/")
    stranger.locator(".list", has_text="Open tables").locator("a").first.click()
    stranger.locator(".waiting form input").fill("Zoé")
    stranger.locator(".waiting form button").click()
    for page in (host, stranger):
        expect(page.locator(".seat-name", has_text="Zoé")).to_be_visible()
    expect(stranger.locator(".hand")).to_be_visible()


def test_a_wrong_link_says_so(visit: Visit) -> None:
    page = visit("/join/nothing-of-that-name")
    expect(page.locator("main h1")).to_be_visible()
    page.get_by_role("link", name="To the lobby").first.click()
    page.locator(".game-tile").first.wait_for()
    page.goto("/tables/nothing-of-that-name")
    expect(page.locator(".banner.bad")).to_be_visible()


def test_a_game_whose_rules_are_gone_says_so_and_gives_its_record(visit: Visit, server: Served) -> None:
    page = visit("/")
    table = open_table(page, NAME)
    play(page, random.Random(3), most=2)
    server.end()
    assert isinstance(server.database, Path)
    with closing(sqlite3.connect(server.database)) as database, database:
        database.execute("UPDATE tables SET rules = 999, checksum = NULL WHERE id = ?", [table])
    server.start()
    page.reload()
    banner = page.locator(".banner.bad", has_text="older rules")
    banner.wait_for()
    with page.expect_download() as saving:
        banner.get_by_role("button").click()
    record = loads(Path(saving.value.path()).read_text("utf-8"))
    assert (record.rules, record.result) == (999, None) and record.decisions
    assert saving.value.suggested_filename == f"{table}.tripot.json"
