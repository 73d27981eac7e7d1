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
