"""Picks and news cross on the way: what the player picked stands, whatever arrives first."""

import pytest

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

# A hand of five cards, three of which are to be passed on in any order. The server answers when `answer` is called.
TOOLS = """
  const { Choice } = await import("/page/frame/choice.js");
  const waiting = [], sent = [];
  const card = (action) => ({ action, key: "pass", numbers: [action], ends: false });
  const hand = [0, 1, 2, 3, 4].map(card);
  const connection = {
    try: (sequence, actions) => new Promise((done) => waiting.push(() => done({
      actions, finished: actions.length === 3, legal: hand.filter(({ action }) => !actions.includes(action)),
      view: {}, any_order: true,
    }))),
    decide: async (sequence, actions) => void sent.push({ sequence, actions }),
  };
  const choice = new Choice(connection, "a test", () => {});
  const letter = (sequence = 7) => ({ sequence, legal: hand, view: {} });
  const answer = async () => {
    for (let i = 0; i < 9; i++) { waiting.shift()?.(); await new Promise((done) => setTimeout(done)); }
  };
  const picked = () => choice.picks.map(({ action }) => action);
  const heard = choice.hear(letter(), true);
  await answer();
  await heard;
"""


def test_a_pick_stands_although_another_player_decides_while_it_is_tried(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      void choice.pick(hand[4]); await answer();
      void choice.pick(hand[0]);          // the server has not answered yet,
      void choice.hear(letter(), true);   // and another player has decided
      const meanwhile = picked();
      await answer();
      return [meanwhile, picked(), choice.options.map(({ action }) => action)];
    }"""
    assert page.evaluate(tried % TOOLS) == [[4], [4, 0], [1, 2, 3]]


def test_quick_picks_and_enter_wait_for_each_other(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      for (const place of [3, 1, 2]) void choice.pick(hand[place]);
      void choice.drop(hand[1]);
      void choice.pick(hand[0]);
      void choice.confirm();
      await answer();
      return [picked(), sent];
    }"""
    assert page.evaluate(tried % TOOLS) == [[3, 2, 0], [{"sequence": 7, "actions": [3, 2, 0]}]]


def test_a_pick_for_a_question_that_is_gone_is_no_pick_for_the_next_one(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      void choice.pick(hand[3]);
      void choice.pick(hand[2]);
      void choice.hear(letter(8), true);  // the host has taken a decision back, say
      await answer();
      return [picked(), choice.problem, choice.options.length];
    }"""
    assert page.evaluate(tried % TOOLS) == [[], None, 5]


def test_who_insists_is_not_asked_again_by_a_click_that_came_before(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      let asked = 0;
      choice.ask = () => { asked += 1; };
      const risky = { ...hand[0], warning: { key: "risk", numbers: [] } };
      for (const part of [risky, hand[1], hand[2]]) void choice.pick(part);
      void choice.confirm();
      await answer();
      const before = [asked, sent.length, choice.doubt !== null];
      void choice.confirm();      // a second click on the button under the question
      void choice.confirm(true);  // "do it anyway"
      const closing = choice.withdraw();  // closing the question is no second thought
      await answer();
      await closing;
      return [before, asked, sent.length, picked()];
    }"""
    assert page.evaluate(tried % TOOLS) == [[1, 0, True], 1, 1, [0, 1, 2]]


def test_what_the_player_is_asked_about_stands_while_another_player_decides(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      hand[2].warning = { key: "costly", numbers: [] };
      for (const place of [3, 1, 2]) void choice.pick(hand[place]);
      void choice.confirm();
      await answer();
      const asked = choice.doubt?.key;
      void choice.hear(letter(), true);
      await answer();
      const still = choice.doubt?.key;
      void choice.hear(letter(8), true);  // another question
      await answer();
      return [asked, still, choice.doubt, sent];
    }"""
    assert page.evaluate(tried % TOOLS) == ["costly", "costly", None, []]


def test_what_may_be_picked_is_shown_once_it_is_known_and_does_not_change_under_the_hand(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      const few = { ...letter(8), legal: hand.slice(0, 2) };  // in a fixed order only two could come first
      const loosened = choice.hear(few, true);
      const asking = choice.options.length;
      await answer();
      await loosened;
      const known = choice.options.length;
      void choice.hear(few, true);  // another player decides: what is known stays
      return [asking, known, choice.options.length];
    }"""
    assert page.evaluate(tried % TOOLS) == [0, 5, 5]


def test_what_may_be_picked_is_shown_as_it_came_when_the_server_does_not_say_more(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      const { Refused } = await import("/page/wire/requests.js");
      connection.try = async () => { throw new Refused({ text: { en: "No.", fr: "Non." } }); };
      const few = { ...letter(8), legal: hand.slice(0, 2) };
      await choice.hear(few, true);
      const told = choice.options.length;
      void choice.hear(few, true);  // another player decides: it is not asked again
      return [told, choice.options.length];
    }"""
    assert page.evaluate(tried % TOOLS) == [2, 2]


def test_what_may_be_picked_is_asked_again_when_the_connection_was_lost_meanwhile(visit: Visit) -> None:
    page = visit("/")
    tried = """async () => {%s
      const { Refused, UNREACHABLE } = await import("/page/wire/requests.js");
      const there = connection.try;
      const few = { ...letter(8), legal: hand.slice(0, 2) };
      connection.try = async () => { throw new Refused(UNREACHABLE); };
      await choice.hear(few, true);
      const lost = choice.options.length;
      connection.try = there;
      const back = choice.hear(few, true);
      await answer();
      await back;
      return [lost, choice.options.length];
    }"""
    assert page.evaluate(tried % TOOLS) == [0, 5]
