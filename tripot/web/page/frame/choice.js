// A choice being made up: decisions are tried out on the server, can be taken back, and are confirmed together.

import { Refused } from "../wire/requests.js";

/**
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Problem} Problem
 * @typedef {import("../wire/connection.js").Letter} Letter
 * @typedef {{legal: Legal[], view: View, finished: boolean}} Level
 */

export class Choice {
  /** @param {import("../wire/connection.js").Connection} connection @param {string} place where it is remembered over a reload @param {() => void} changed */
  constructor(connection, place, changed) {
    this.connection = connection;
    this.place = `tripot.choice.${place}`;
    this.changed = changed;
    this.sequence = -1;
    /** @type {Legal[]} */
    this.picks = [];
    /** @type {Level[]} one for each pick, after the offer itself */
    this.levels = [];
    /** @type {Problem | null} */
    this.problem = null;
    this.sent = false;
  }

  /** @param {Letter} letter a new offer, or the old one while others decide */
  async hear(letter) {
    const offer = { legal: letter.legal, view: letter.view, finished: false };
    const same = letter.sequence === this.sequence && sameActions(letter.legal, this.levels[0]?.legal ?? []);
    const wanted = same ? this.picks : this.remembered(letter);
    this.sequence = letter.sequence;
    this.levels = [offer];
    this.picks = [];
    this.problem = null;
    this.sent = false;
    if (wanted.length && letter.legal.length) await this.attempt(wanted);
  }

  /** What may be picked now; when the choice is complete, what could stand in place of its last part. */
  get options() {
    return (this.finished ? this.levels.at(-2) : this.levels.at(-1))?.legal ?? [];
  }

  get finished() {
    return this.levels.at(-1)?.finished ?? false;
  }

  /** The table with the picks put in. */
  get view() {
    return this.levels.at(-1)?.view ?? null;
  }

  /** @param {Legal} legal pick it; picked again, or one that says it all, it is confirmed */
  async pick(legal) {
    if (this.sent) return;
    if (this.finished && this.picks.at(-1)?.action === legal.action) return this.confirm();
    const kept = this.finished ? this.picks.slice(0, -1) : this.picks;
    if (legal.numbers.length === 0) {
      this.picks = [...kept, legal];
      return this.confirm();
    }
    await this.attempt([...kept, legal]);
  }

  async back() {
    if (this.picks.length && !this.sent) await this.attempt(this.picks.slice(0, -1));
  }

  /** @param {Legal[]} picks */
  async attempt(picks) {
    const sequence = this.sequence;
    try {
      const known = this.levels.slice(0, common(this.picks, picks) + 1);
      for (let count = known.length; count <= picks.length; count++) {
        const tried = await this.connection.try(sequence, picks.slice(0, count).map((legal) => legal.action));
        known.push({ legal: tried.legal, view: tried.view, finished: tried.finished });
      }
      if (sequence !== this.sequence) return; // the table moved on meanwhile
      this.picks = picks;
      this.levels = known;
      this.problem = null;
      this.remember();
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  async confirm() {
    if (this.sent || !this.picks.length) return;
    this.sent = true;
    this.changed();
    try {
      await this.connection.decide(this.sequence, this.picks.map((legal) => legal.action));
      sessionStorage.removeItem(this.place);
    } catch (error) {
      this.fail(error);
    }
    this.changed();
  }

  /** @param {unknown} error */
  fail(error) {
    if (!(error instanceof Refused)) throw error;
    this.sent = false;
    this.problem = error.problem;
    this.picks = this.picks.slice(0, Math.max(0, this.levels.length - 1));
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
