"""Company in real browsers: one link for two and four people, a rematch, a seat that moves, a link that is renewed."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import CHOICES, await_turn, open_table, set_table, title
from tests.browser.qr_reader import read_qr
from tests.served import Served
from tripot import GAMES

pytestmark = pytest.mark.browser

NAME = next(iter(GAMES))
MOST = GAMES[NAME].seats[-1]


def join(page: Page, name: str) -> None:
    page.locator(".join form input[type=text]").fill(name)
    page.locator(".join form button.main").click()
    page.locator("main.waiting, main.table").first.wait_for()


def test_four_people_play_through_one_link_and_play_again(visit: Visit, server: Served) -> None:
    host = visit("/")
    table = open_table(host, NAME, {seat: "friend" for seat in range(1, MOST)}, seats=MOST)
    link = host.locator(".link").inner_text()
    assert read_qr(host.evaluate(MODULES, link)) == link
    guests = [visit(link, lang="fr" if number % 2 else "en") for number in range(1, MOST)]
    for number, guest in enumerate(guests, start=1):
        join(guest, f"Guest {number}")
    everyone = [host, *guests]
    for page in everyone:
        page.locator("main.table").wait_for()
    host.get_by_role("button", name="Say something").click()
    sound(host)
    host.get_by_role("button", name="Well played!").click()
    expect(guests[0].locator(".said")).to_contain_text("Bien joué")
    host.get_by_role("button", name="People and link").click()
    sound(host)
    host.get_by_text("End the game").click()
    host.get_by_role("button", name="Yes").last.click()
    host.keyboard.press("Escape")
    guests[0].locator(".banner .rematch").click()
    guests[0].wait_for_url(re.compile(rf"/tables/(?!{re.escape(table)})"))
    following = guests[0].url.rsplit("/", 1)[1]
    for page in (host, *guests[1:]):
        page.locator(".banner .rematch").first.click()
        page.wait_for_url(re.compile(re.escape(following)))
    for page in everyone:  # the deal waits for what each of them adds to it
        page.locator("main.table").wait_for()
    seats = server.client.table(following).seats
    assert [seat.name for seat in seats] == [f"Guest {MOST - 1}", "Anna", *[f"Guest {n}" for n in range(1, MOST - 1)]]


MODULES = """async (text) => {
  const { qrModules } = await import("/page/frame/qr_code.js");
  return qrModules(text).map((row) => row.map(Number));
}"""


def test_every_size_of_qr_code_can_be_read(visit: Visit) -> None:
    page = visit("/")
    rng = random.Random(4)
    for length in (1, 14, 15, 26, 40, 62, 84, 106, 122, 152, 180, 213):
        text = "".join(rng.choice("abcdefXYZ0189/:.-_é") for _ in range(length))
        while len(text.encode()) > 213:
            text = text[:-1]
        assert read_qr(page.evaluate(MODULES, text)) == text
    assert page.evaluate("async () => (await import('/page/frame/qr_code.js')).qrModules('x'.repeat(214))") is None


def test_a_used_link_leads_to_the_seat_a_full_table_is_watched_and_a_renewed_link_leads_nowhere(visit: Visit) -> None:
    host = visit("/")
    set_table(host, NAME, {1: "friend", 2: "friend"})
    host.locator(".friend-name").first.fill("Zoé")
    host.locator("#new-table button.main").click()
    host.locator(".invite").wait_for()
    link = host.locator(".link").inner_text()
    guest = visit(link)
    guest.get_by_role("button", name="I am Zoé").click()
    guest.locator(".join form button.main").click()
    guest.locator(".waiting").wait_for()
    guest.goto(link)  # whoever sits there already comes to their seat
    guest.locator(".waiting").wait_for()
    assert "/tables/" in guest.url
    host.get_by_role("button", name="New link").click()
    expect(host.locator(".link")).not_to_have_text(link)
    lost = visit(link)
    expect(lost.locator("main h1")).to_contain_text("leads to no table")
    host.get_by_role("button", name="Put a bot here").click()
    host.locator("main.table").wait_for()
    host.get_by_role("button", name="People and link").click()
    late = visit(host.locator("dialog .link").first.inner_text())
    late.get_by_role("link", name="Watch").click()
    late.locator("main.table").wait_for()
    expect(host.locator(".topbar .where")).to_contain_text("1")


def test_a_seat_moves_to_a_phone_and_a_lost_browser_is_no_lost_seat(visit: Visit) -> None:
    desk = visit("/")
    table = open_table(desk, NAME)
    desk.locator("main.table").wait_for()
    desk.get_by_role("button", name="People and link").click()
    desk.get_by_role("button", name="Only on the other one").click()
    words = desk.locator(".six-words").inner_text()
    sound(desk)
    phone = visit("/seat", size=PHONE, lang="fr")
    phone.locator("form input").fill(" ".join(word[:4] for word in words.split()))
    sound(phone)
    phone.locator("form button.main").click()
    phone.wait_for_url(re.compile(re.escape(table)))
    phone.locator("main.table").wait_for()
    expect(phone.locator(".hand")).to_be_visible()
    expect(desk.locator(".banner.bad")).to_be_visible()  # the seat is no longer here
    phone.goto("/mine")
    phone.locator(".games-list li").wait_for()
    sound(phone)
    phone.locator(".sure summary", has_text="Arrêter la partie").click()
    phone.get_by_role("button", name="Oui").click()
    expect(phone.locator(".games-list li")).to_contain_text("arrêtée par l'hôte")
    phone.get_by_role("button", name="Masquer").click()
    expect(phone.locator(".games-list li")).to_have_count(0)


TOLD = """() => {
  localStorage.setItem("tripot.settings", JSON.stringify({ lang: "en", sounds: true, notices: true }));
  const told = [];
  const tell = (what) => (document.documentElement.dataset.told = told.push(what) && told.join("; "));
  window.Notification = class extends EventTarget {
    static permission = "granted";
    constructor(title, { body }) {
      super();
      tell(`${title}: ${body}`);
    }
  };
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    tell("a tone");
    return createOscillator.call(this);
  };
  Object.defineProperty(document, "hidden", { get: () => window.away === true });
}"""


def test_your_turn_is_in_the_title_is_heard_and_is_told_to_who_is_away(visit: Visit) -> None:
    page = visit("about:blank")
    page.add_init_script(f"({TOLD})()")
    page.goto("/")
    open_table(page, NAME)
    assert await_turn(page)
    expect(page).to_have_title(re.compile("^● Your turn · "))
    told = page.locator("html")
    expect(told).to_have_attribute("data-told", re.compile("^(a tone(; )?)+$"))  # who looks needs no notification
    page.evaluate("window.away = true")
    page.locator(CHOICES).first.dispatch_event("click")
    page.locator("#confirm:not([disabled])").dispatch_event("click")
    expect(told).to_have_attribute("data-told", re.compile(f"Your turn: {title(NAME)}"))


def test_play_now_is_one_click_and_a_wrong_address_says_so(visit: Visit, server: Served) -> None:
    page = visit("/")
    page.locator(".game-tile").first.locator(".play-now").click()
    page.locator("main.table").wait_for()
    table = page.url.rsplit("/", 1)[1].split("#")[0]
    assert [seat.level for seat in server.client.table(table).seats if seat.kind == "bot"] == ["medium"] * 3
    page.goto("/no/such/page")
    expect(page.locator("main h1")).to_have_text("There is nothing here.")
    sound(page)
    page.goto("/")
    page.locator(".table-options").first.click()
    expect(page.locator("#new-table h2")).to_be_focused()


KEPT = """async () => {
  const kept = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
  return (await Promise.all(kept)).flat().map(({ url }) => url);
}"""


def test_the_page_opens_without_a_server_and_says_so(visit: Visit, server: Served) -> None:
    page = visit("/", worker=True)
    page.locator(".game-tile").first.wait_for()
    page.evaluate("() => navigator.serviceWorker.ready")
    kept = page.evaluate(KEPT)
    assert any(address.endswith("/page/main.js") for address in kept)
    assert not any("/api/" in address for address in kept)
    server.end()
    page.reload()
    expect(page.locator(".banner.bad")).to_contain_text("The server cannot be reached.")
    server.start()
    page.get_by_role("button", name="Try again").click()
    page.locator(".game-tile").first.wait_for()
    expect(page.locator(".banner.bad")).to_have_count(0)
