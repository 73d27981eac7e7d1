"""The fair deal in real browsers: two people shuffle without noticing, and check the game at its end."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import open_table
from tests.served import Served
from tripot.core.shared_seed import hash_of
from tripot.table.record import loads
from tripot.web.client import Client

pytestmark = pytest.mark.browser

COMPUTED = """async (lengths) => {
  const { sha256, hmac, hex } = await import("/page/wire/sha256.js");
  const bytes = (length) => Uint8Array.from({ length }, (_, i) => (i * 7) & 255);
  return lengths.map((length) => [hex(sha256(bytes(length))), hex(hmac(bytes(32), bytes(length)))]);
}"""


def test_the_browser_computes_sha_256_as_everyone_does(visit: Visit) -> None:
    lengths = [0, 1, 8, 55, 56, 63, 64, 65, 119, 120, 1000]
    texts = [bytes(i * 7 & 255 for i in range(length)) for length in lengths]
    key = bytes(i * 7 & 255 for i in range(32))
    expected = [[hashlib.sha256(one).hexdigest(), hmac.digest(key, one, "sha256").hex()] for one in texts]
    assert visit("/").evaluate(COMPUTED, lengths) == expected


def test_two_people_shuffle_without_noticing_and_check_the_deal(visit: Visit, server: Served, pictures: Path) -> None:
    host = visit("/")
    table = open_table(host, "verrater", {1: "friend", 2: "easy"}, seats=3)
    link = host.locator(".link").inner_text()
    shown = host.locator(".deal code").inner_text()
    guest = visit(link, lang="fr", size=PHONE)
    guest.locator(".join form input[type=text]").fill("Bo")
    guest.locator(".join form button.main").click()
    for page in (host, guest):
        page.locator("main.table").wait_for()
    host.get_by_role("button", name="People and link").click()
    expect(host.locator(".deal code")).to_have_text(shown)
    sound(host, pictures / "fair-deal-table")
    host.get_by_text("End the game").click()
    host.get_by_role("button", name="Yes").last.click()
    host.keyboard.press("Escape")
    host.locator(".banner .rematch").wait_for()
    token = json.loads(host.evaluate("localStorage.getItem('tripot.seats')"))[table][0]["token"]
    seed = loads(Client(server.address).record(table, token)).seed
    assert not isinstance(seed, int) and seed.hash == shown
    assert [part is not None and part.value is not None for part in seed.contributions] == [True, True, False]
    for page, button in ((host, "Fair deal"), (guest, "Donne honnête")):
        page.goto("/")
        page.goto(f"/tables/{table}#step=0")
        page.get_by_role("button", name=button).focus()
        page.keyboard.press("Enter")
        expect(page.locator(".findings li")).to_have_count(4)
        assert page.locator(".findings .bad").count() == 0 and page.locator(".verdict.bad").count() == 0
        expect(page.locator(".hash code").last).to_have_text(shown)
        sound(page, pictures / f"fair-deal-check-{button[:4].lower()}")
    expect(host.locator(".findings")).to_contain_text("what this browser added is in it")
    host.evaluate(FORGED, [table, "00" * 32])  # as if the server had shown another hash before the deal
    host.reload()
    host.get_by_role("button", name="Fair deal").click()
    expect(host.locator(".verdict.bad")).to_have_text("The luck of this game does not fit together.")


FORGED = """([table, hash]) => {
  const kept = JSON.parse(localStorage.getItem("tripot.shuffle"));
  kept[table].hash = hash;
  localStorage.setItem("tripot.shuffle", JSON.stringify(kept));
}"""


CHECKED = """async ([kept, seed, players]) => {
  localStorage.setItem("tripot.shuffle", JSON.stringify({ t: kept }));
  const { check } = await import("/page/frame/fair_deal.js");
  return check("t", seed, [], players).map(({ fits }) => fits);
}"""
SECRET, MINE, OTHERS = "11" * 32, "22" * 32, "33" * 32


def test_the_list_of_contributions_is_the_one_from_before_the_deal(visit: Visit) -> None:
    """A server that drops what was added, or adds to it afterwards, has chosen the deal."""
    page, mine, others = visit("/"), hash_of(MINE), hash_of(OTHERS)
    kept = {"values": {"0": MINE}, "hash": hash_of(SECRET), "waited": True, "commitments": [mine, others, None]}

    def verdict(contributions: list[list[str | None] | None], **known: object) -> list[bool | None]:
        seed = {"generator": "hmac-sha256", "secret": SECRET, "contributions": contributions}
        found: list[bool | None] = page.evaluate(CHECKED, [{**kept, **known}, seed, ["Anna", "Bo", "Bot"]])
        return found

    whole: list[list[str | None] | None] = [[mine, MINE], [others, OTHERS], None]
    assert verdict(whole) == [True, True, True, True]
    extra = [hash_of("44" * 32), "44" * 32]
    assert False in verdict([]) and False in verdict(whole[:1])
    assert False in verdict([*whole, [*extra]]) and False in verdict([*whole[:2], [*extra]])
    assert False in verdict([*whole, [*extra]], commitments=None)  # nobody sits there
    assert verdict([[None, None], whole[1], None], commitments=None) == [True, None, True, True]  # left out: it is said


def test_a_hash_that_is_first_seen_after_the_deal_proves_nothing(visit: Visit) -> None:
    seen = """async ([table, contributions]) => {
      const { toShow, keptOf } = await import("/page/wire/shuffle.js");
      toShow(table, 0, { hash: "h", commitments: [null, null], contributions, show: false });
      return keptOf(table).hash ?? null;
    }"""
    page = visit("/")
    assert page.evaluate(seen, ["early", []]) == "h" and page.evaluate(seen, ["late", [None, None]]) is None
