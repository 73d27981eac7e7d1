// A choice before it is confirmed: the server tries its decisions out, the player can take them back and confirms them together.

import { Refused } from "../wire/requests.js";

/**
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Problem} Problem
 * @typedef {import("../wire/connection.js").Letter} Letter
 * @typedef {{legal: Legal[], view: View, finished: boolean, order: number[]}} Level what stands after some picks
 */

export class Choice {
  /** @param {import("../wire/connection.js").Connection} connection @param {string} place where it is remembered over a reload @param {() => void} changed @param {() => void} [ask] called when a pick may be a mistake */
  constructor(connection, place, changed, ask = () => {}) {
    /** @type {string[]} decisions that need no confirming */
    this.atOnce = [];
    this.connection = connection;
    this.place = `tripot.choice.${place}`;
    this.changed = changed;
    this.ask = ask;
    /** @type {import("../wire/requests.js").Said | null} the warning that the player is asked about */
    this.doubt = null;
    this.insists = false; // whether the player has been asked, and wants it all the same
    this.sequence = -1;
    /** @type {Legal[]} the offer itself, as it came */
    this.offered = [];
    /** @type {Legal[]} */
    this.picks = [];
    /** @type {Level[]} after no pick, after the first, … */
    this.levels = [];
    /** @type {Problem | null} */
    this.problem = null;
    this.sent = false;
    this.anyOrder = false; // whether the parts may be picked in any order
    this.settled = true; // whether the server has said that; until then nothing is offered that would change under the hand
    /** @type {Promise<void>} what the server is being asked; the next pick waits for it */
    this.asking = Promise.resolve();
  }

  /** @param {() => Promise<void>} change one change after another, or a pick made while another is tried would be lost @returns {Promise<void>} */
  inTurn(change) {
    const sequence = this.sequence;
    const done = this.asking.then(() => (sequence === this.sequence ? change() : undefined)); // meant for an offer that is gone
    this.asking = done.catch(() => {});
    return done;
  }

  /** @param {Letter} letter a new offer, or the old one while others decide @param {boolean} gather whether the drawing lets parts be picked in any order */
  async hear(letter, gather) {
    const same = letter.sequence === this.sequence && sameActions(letter.legal, this.offered);
    if (!same) this.forget();
    const legal = this.anyOrder ? this.levels[0].legal : letter.legal;
    this.sequence = letter.sequence;
    this.offered = letter.legal;
    this.levels[0] = { legal, view: letter.view, finished: false, order: [] };
    this.problem = null;
    this.sent = false;
    if (!same) this.settled = !gather || letter.legal.every((legal) => legal.ends);
    await this.inTurn(async () => {
      if (!this.settled) await this.loosen(letter.sequence);
      const wanted = same ? this.picks : this.remembered(letter);
      if (wanted.length && letter.legal.length) await this.attempt(wanted, 1);
    });
  }

  /** Another offer: what was picked is gone, and nobody waits for what was asked about it. */
  forget() {
    this.asking = Promise.resolve();
    this.levels = [];
    this.picks = [];
    this.anyOrder = false;
    this.insists = false;
    this.doubt = null;
  }

  /** @param {number} sequence asks what may be picked if the order does not matter */
  async loosen(sequence) {
    try {
      const tried = await this.connection.try(sequence, [], true);
      if (sequence !== this.sequence) return;
      this.anyOrder = tried.any_order;
      if (this.anyOrder) this.levels[0].legal = tried.legal;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.reason === "unreachable") return; // it is asked again with the next letter
    }
    if (sequence === this.sequence) this.settled = true;
  }

  /** What may be picked now; when the choice is complete, what could stand in place of its last part. */
  get options() {
    if (!this.settled) return [];
    return (this.finished ? this.levels.at(-2) : this.levels.at(-1))?.legal ?? [];
  }

  get finished() {
    return this.levels.at(-1)?.finished ?? false;
  }

  /** Whether what has been picked can be confirmed as it is. */
  get ready() {
    return this.picks.length > 0 && (this.finished || !this.anyOrder);
  }

  /** The table with the picks put in. */
  get view() {
    return this.levels.at(-1)?.view ?? null;
  }

  /** @param {Legal} legal pick it; picked again, or one that says it all, it is confirmed */
  pick(legal) {
    return this.inTurn(() => this.add(legal));
  }

  /** @param {Legal} legal */
  async add(legal) {
    if (this.sent) return;
    if (this.finished && !this.anyOrder && this.picks.at(-1)?.action === legal.action) return this.send();
    const kept = this.finished ? this.picks.slice(0, -1) : this.picks;
    const plain = legal.numbers.length === 0 || this.atOnce.includes(legal.key) || this.offered.length === 1;
    await this.attempt([...kept, legal]);
    if (plain && this.picks.at(-1) === legal && this.ready) await this.send();
  }

  /** @param {Legal} legal take back this one, wherever it stands */
  drop(legal) {
    return this.inTurn(async () => {
      const last = this.picks.findLastIndex((picked) => picked.action === legal.action);
      if (last >= 0 && !this.sent) await this.attempt(this.picks.toSpliced(last, 1));
    });
  }

  back() {
    return this.inTurn(async () => {
      if (this.picks.length && !this.sent) await this.attempt(this.picks.slice(0, -1));
    });
  }

  /** @param {Legal[]} parts a whole choice, instead of what was picked */
  take(parts) {
    return this.inTurn(() => this.attempt(parts));
  }

  /** @param {Legal[]} picks @param {number} [fresh] how many levels are known to stand; those after them may be of an older view */
  async attempt(picks, fresh = this.levels.length) {
    const sequence = this.sequence;
    try {
      const known = this.levels.slice(0, Math.min(fresh, common(this.picks, picks) + 1));
      for (let count = known.length; count <= picks.length; count++) {
        known.push(await this.follow(sequence, known[count - 1], picks.slice(0, count)));
      }
      if (sequence !== this.sequence) return; // the table moved on meanwhile
      this.picks = picks;
      this.levels = [this.levels[0], ...known.slice(1)]; // others may have decided meanwhile
      this.problem = null;
      this.remember();
    } catch (error) {
      if (sequence === this.sequence) this.fail(error);
      else if (!(error instanceof Refused)) throw error;
    }
    this.changed();
  }

  /** @param {number} sequence @param {Level} before @param {Legal[]} picks @returns {Promise<Level>} what stands after the last of them; only the server knows, unless it ends the choice and the order is plain */
  async follow(sequence, before, picks) {
    const actions = picks.map((legal) => legal.action);
    const last = before.legal.find((legal) => legal.action === actions.at(-1));
    if (last?.ends && (!this.anyOrder || actions.length === 1)) return { legal: [], view: before.view, finished: true, order: actions };
    const tried = await this.connection.try(sequence, actions, this.anyOrder);
    return { legal: tried.legal, view: tried.view, finished: tried.finished, order: tried.actions };
  }

  /** @param {boolean} [certain] whether the player has been asked about what may be a mistake */
  confirm(certain = false) {
    if (certain) {
      this.doubt = null; // at once: closing the question is no second thought
      this.insists = true; // and what waits to be sent is not asked about again
    }
    return this.inTurn(() => this.send());
  }

  async send() {
    const { insists } = this;
    this.insists = false; // it is meant for this choice alone, sent or not
    if (this.sent || !this.ready) return;
    this.doubt = insists ? null : (this.picks.find(({ warning }) => warning)?.warning ?? null);
    if (this.doubt) return this.ask();
    this.sent = true;
    this.changed();
    try {
      await this.connection.decide(this.sequence, this.levels.at(-1)?.order ?? []);
      sessionStorage.removeItem(this.place);
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  /** The player thinks again: the last pick is taken back. */
  async withdraw() {
    if (!this.doubt) return;
    this.doubt = null;
    await this.back();
  }

  /** @param {unknown} error */
  fail(error) {
    if (!(error instanceof Refused)) throw error;
    this.sent = false;
    this.problem = error.problem;
  }

  remember() {
    sessionStorage.setItem(this.place, JSON.stringify({ sequence: this.sequence, picks: this.picks }));
  }

  /** @param {Letter} letter @returns {Legal[]} the picks made before a reload, if they are for the same offer */
  remembered(letter) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.place) ?? "{}");
      return kept.sequence === letter.sequence && Array.isArray(kept.picks) ? kept.picks : [];
    } catch {
      return [];
    }
  }
}

/** @param {Legal[]} one @param {Legal[]} other how many they begin with in common */
function common(one, other) {
  let count = 0;
  while (count < Math.min(one.length, other.length) && one[count].action === other[count].action) count += 1;
  return count;
}

/** @param {Legal[]} one @param {Legal[]} other */
const sameActions = (one, other) => one.length === other.length && common(one, other) === one.length;
