// Shows letters one piece of news after another, each with the table as it was at that moment, so that eyes can follow.
// A set piece stays on the stage until the person goes on; what comes meanwhile waits, or joins it.

import { settings } from "../settings.js";
import { holes } from "../text/speech.js";

/**
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {{item: number[], moment: View | null}} Told a piece of news, and the fields of the letter's view that were different then
 * @typedef {object} Beat what is shown at once: pieces of news, or the table after a letter
 * @property {number[][]} items none: the letter ends here
 * @property {string | null} piece the set piece that they belong to
 * @property {View | null} view the table at that moment; null where it is not known
 * @property {number} told how many lines of the log have been told by then
 * @property {boolean} own whether the person who looks has just decided it, and needs no caption
 * @property {string} moment names the letter
 * @typedef {object} Piece a set piece on the stage
 * @property {string} name
 * @property {number} from its first line in the log
 * @property {boolean} held whether it is complete and waits
 * @property {boolean} own whether it tells no more than the person has just decided
 * @property {boolean} known whether the table at each of its moments is known
 * @typedef {{turns: number, items: number[][]}} Absence what happened while nobody looked: turns begun, and what must not be missed
 */

const PAUSE = { calm: 1150, brisk: 560, off: 0 };
const MOST_CAPTIONS = 14; // waiting to be told; if there are more, they are shown without a pause
const OWN_PIECE = 1600; // how long a set piece stays that tells only what the person has just decided
const LONG_ABSENCE = 2; // turns

export class Playback {
  /** @param {Catalogue} catalogue @param {() => Promise<unknown>} draw */
  constructor(catalogue, draw) {
    this.catalogue = catalogue;
    this.draw = draw;
    /** @type {View | null} what is drawn now */
    this.view = null;
    /** @type {number[][]} the pieces of news being shown */
    this.items = [];
    /** @type {Piece | null} */
    this.piece = null;
    /** @type {Absence | null} a summary that waits for an answer */
    this.absence = null;
    this.told = 0; // lines of the log that have been on the stage
    this.moment = ""; // names the letter that is on the stage
    /** @type {Beat[]} */
    this.queue = [];
    this.busy = false;
    this.hurried = false; // the person wants to see the next still, not the way there
    this.run = 0; // counts the runs: one that is cut short stops when another has begun
    /** @type {(answer: boolean) => void} ends the present pause */
    this.wake = () => {};
  }

  /** @param {View} view show this at once @param {number} told @param {string} moment @param {number[][]} [items] */
  set(view, told, moment, items = []) {
    this.run += 1;
    this.wake(false);
    this.queue = [];
    this.busy = this.hurried = false;
    this.piece = this.absence = null;
    this.view = view;
    this.told = told;
    this.moment = moment;
    this.items = items;
    return this.draw();
  }

  /**
   * @param {View} view @param {Told[]} news what led to it @param {number} first how many lines the log had before
   * @param {string} moment names the letter @param {number | null} [own] the seat whose own decisions need no caption
   */
  push(view, news, first, moment, own = null) {
    this.queue.push(...this.beats(view, news, first, moment, own));
    if (!this.view) {
      void this.set(view, first + news.length, moment, this.queue.at(-2)?.items ?? []);
      return;
    }
    if (this.piece?.held && this.grows()) this.wake(false);
    if (!this.busy && !document.hidden) void this.play();
  }

  /** The page can be seen again: tell what has come meanwhile. */
  resume() {
    if (!this.busy && this.queue.length) void this.play();
  }

  /** Ends what is shown: a still, a summary, or the way to the next of them. */
  goOn() {
    if (!this.busy) return;
    if (!this.piece?.held && !this.absence) this.hurried = true;
    this.wake(true);
  }

  /** Shows how the game stands now; what has not been told is told in the log alone. */
  catchUp() {
    const last = this.queue.at(-1);
    const stood = this.queue.findLast(({ view, items }) => view && !items.length);
    if (last && stood?.view) void this.set(stood.view, last.told, last.moment);
  }

  async play() {
    const run = ++this.run;
    this.busy = true;
    await this.summarize();
    while (run === this.run && this.queue.length) {
      if (this.piece && this.piece.name !== this.queue[0].piece && (await this.hold()) && run === this.run) await this.summarize();
      if (run !== this.run) return;
      await this.show(/** @type {Beat} */ (this.queue.shift()));
    }
    if (run !== this.run) return;
    this.busy = this.hurried = false;
    await this.draw();
  }

  /** @param {Beat} beat */
  async show(beat) {
    if (beat.view && !(this.piece && !beat.items.length)) this.view = beat.view;
    const before = this.told;
    this.told = beat.told;
    this.moment = beat.moment;
    if (!beat.items.length) return this.piece ? undefined : this.draw();
    if (beat.piece && !this.piece) this.piece = { name: beat.piece, from: before, held: false, own: true, known: true };
    if (this.piece) {
      this.piece.held = false;
      this.piece.own &&= beat.own;
      this.piece.known &&= beat.view !== null;
    }
    if (beat.own && !this.piece) return;
    this.items = beat.items;
    if (this.piece && (settings.still || this.hurried)) return; // its still shows all of it
    await this.draw();
    const behind = this.queue.filter(({ items, piece }) => items.length && !piece).length > MOST_CAPTIONS;
    if (!settings.still && !this.hurried && !document.hidden && (this.piece || !behind)) await this.pause(PAUSE[settings.motion]);
  }

  /** Whether the set piece on the stage goes on with what the next letter tells. */
  grows() {
    const [next, after] = this.queue;
    return next && !next.items.length && after?.piece === this.piece?.name;
  }

  /** @returns {Promise<boolean>} whether the still was left; if not, it goes on with what has just come */
  async hold() {
    const piece = /** @type {Piece} */ (this.piece);
    if (this.grows()) return false;
    piece.held = true;
    this.hurried = false;
    await this.draw();
    const time = piece.own ? OWN_PIECE : settings.pause * 1000;
    if (document.hidden) await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
    if (!(await this.pause(time || Infinity)) && this.piece === piece && this.grows()) return false;
    this.piece = null;
    this.items = [];
    return true;
  }

  /** Offers a summary of what is to be told, where that is long. */
  async summarize() {
    const items = this.queue.flatMap(({ items }) => items);
    const turns = items.filter(([, kind]) => this.catalogue.staging.headings.includes(kind)).length;
    if (turns < LONG_ABSENCE) return;
    this.absence = { turns, items: items.filter(([, kind]) => opened(this.catalogue, kind)) };
    await this.draw();
    await this.pause(Infinity);
    this.absence = null;
  }

  /** @param {number} time @returns {Promise<boolean>} whether the person ended it */
  pause(time) {
    return new Promise((resolve) => {
      const timer = time < Infinity ? setTimeout(() => resolve(false), time) : 0;
      this.wake = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
    });
  }

  /** @param {View} view @param {Told[]} news @param {number} first @param {string} moment @param {number | null} own @returns {Beat[]} */
  beats(view, news, first, moment, own) {
    const { gathered } = this.catalogue.staging;
    const redundant = repeated(this.catalogue, news.map(({ item }) => item));
    /** @type {Beat[]} */
    const found = [];
    const before = this.queue.findLast(({ items }) => items.length);
    let open = before ? before.piece : (this.piece?.name ?? null);
    news.forEach(({ item, moment: then }, i) => {
      open = pieceOf(this.catalogue, item[1], open);
      const last = found.at(-1);
      const told = first + i + 1;
      const known = then ? { ...view, ...then } : null;
      const mine = item[2] === own && holes(this.catalogue.news[item[1]]?.args ?? "")[0]?.[1] === "seat";
      if (redundant.has(item)) {
        if (last) last.told = told;
      } else if (last && last.piece === open && last.own === mine && [last.items[0], item].every(([, kind]) => gathered.includes(kind))) {
        last.items.push(item);
        last.view = known ?? last.view;
        last.told = told;
      } else found.push({ items: [item], piece: open, view: known, told, own: mine, moment });
    });
    return [...found, { items: [], piece: null, view, told: first + news.length, own: false, moment }];
  }
}

/** @param {Catalogue} catalogue @param {number} kind of news @returns {string | null} the set piece that it begins */
export const opened = ({ staging }, kind) => Object.entries(staging.pieces).find(([, { opens }]) => opens.includes(kind))?.[0] ?? null;

/** @param {Catalogue} catalogue @param {number} kind @param {string | null} open the set piece on the stage @returns {string | null} the one that this belongs to */
function pieceOf(catalogue, kind, open) {
  const { opens = [], joins = [] } = catalogue.staging.pieces[open ?? ""] ?? {};
  return opens.includes(kind) || joins.includes(kind) ? open : opened(catalogue, kind);
}

/**
 * The public pieces of news that a whisper about the same decision tells better.
 * @param {Catalogue} catalogue @param {number[][]} items
 */
export function repeated(catalogue, items) {
  const better = catalogue.staging.told_better;
  const whispers = new Set(Object.values(better));
  const key = (/** @type {number} */ decision, /** @type {number} */ kind, /** @type {number | string} */ about) => `${decision} ${kind} ${about}`;
  const whispered = new Set(items.filter(([, kind]) => whispers.has(kind)).flatMap(([decision, kind, about]) => [key(decision, kind, about), key(decision, kind, "")]));
  return new Set(items.filter(([decision, kind, about]) => better[kind] && whispered.has(key(decision, better[kind], catalogue.news[kind].args ? about : ""))));
}
