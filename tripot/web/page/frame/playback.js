// Shows letters one piece of news after another, each with the table as it was at that moment, so that eyes can follow.

import { settings } from "../settings.js";
import { holes } from "../text/speech.js";

/**
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {{item: number[], moment: View | null}} Told a piece of news, and the fields of the letter's view that were different then
 */

const PAUSE = { calm: 1150, brisk: 560, off: 0 };
const MOST_TOLD = 14; // pieces of news; a page that is further behind shows only the last of a letter

export class Playback {
  /** @param {Catalogue} catalogue @param {() => Promise<unknown>} draw */
  constructor(catalogue, draw) {
    this.catalogue = catalogue;
    this.draw = draw;
    /** @type {View | null} what is drawn now */
    this.view = null;
    /** @type {View | null} where the game really stands */
    this.latest = null;
    /** @type {number[] | null} the piece of news being shown */
    this.item = null;
    /** @type {{view: View, news: Told[], own: number | null}[]} */
    this.queue = [];
    this.busy = false;
    this.run = 0; // counts the runs: one that is cut short stops when another has begun
  }

  /** @param {View} view show this at once @param {number[] | null} [item] */
  set(view, item = null) {
    this.run += 1;
    this.queue = [];
    this.busy = false;
    this.view = this.latest = view;
    this.item = item;
    return this.draw();
  }

  /** @param {View} view @param {Told[]} news what led to it @param {number | null} [own] the seat whose own decisions need no caption */
  push(view, news, own = null) {
    this.latest = view;
    if (!this.view || settings.still || document.hidden) {
      void this.set(view, news.at(-1)?.item ?? this.item);
      return;
    }
    this.queue.push({ view, news, own });
    if (!this.busy) void this.play();
  }

  skip() {
    const last = this.queue.flatMap(({ news }) => news).at(-1)?.item ?? this.item;
    if (this.busy && this.latest) void this.set(this.latest, last);
  }

  async play() {
    const run = ++this.run;
    this.busy = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const behind = this.queue.reduce((sum, { news }) => sum + news.length, next.news.length);
      for (const told of behind > MOST_TOLD ? next.news.slice(-1) : next.news) {
        if (told.moment) this.view = { ...next.view, ...told.moment };
        await this.caption(told.item, next.own);
        if (run !== this.run) return;
      }
      this.view = next.view;
      await this.draw();
      if (run !== this.run) return;
    }
    this.busy = false;
    await this.draw();
  }

  /** @param {number[]} item @param {number | null} own */
  async caption(item, own) {
    const known = item[2] === own && holes(this.catalogue.news[item[1]]?.args ?? "")[0]?.[1] === "seat";
    if (known) return;
    this.item = item;
    await this.draw();
    await new Promise((resolve) => setTimeout(resolve, PAUSE[settings.motion]));
  }
}
