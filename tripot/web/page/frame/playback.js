// What is shown of a table at the moment: letters are told one piece of news after another, so that eyes can follow.

import { settings } from "../settings.js";
import { holes } from "../text/speech.js";

/**
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("./scene.js").Drawing} Drawing
 */

const PAUSE = { calm: 1150, brisk: 560, off: 0 };
const MOST_TOLD = 14; // pieces of news; whoever is further behind sees the end only

export class Playback {
  /** @param {Drawing} drawing @param {Catalogue} catalogue @param {() => Promise<unknown>} draw */
  constructor(drawing, catalogue, draw) {
    this.drawing = drawing;
    this.catalogue = catalogue;
    this.draw = draw;
    /** @type {View | null} what is drawn now */
    this.view = null;
    /** @type {View | null} where the game really stands */
    this.goal = null;
    /** @type {number[] | null} the piece of news being told */
    this.item = null;
    /** @type {{view: View, news: number[][], own: number | null}[]} */
    this.queue = [];
    this.busy = false;
    this.telling = 0; // grows whenever a telling is cut short
  }

  /** @param {View} view show this at once @param {number[] | null} [item] */
  set(view, item = null) {
    this.telling += 1;
    this.queue = [];
    this.busy = false;
    this.view = this.goal = view;
    this.item = item;
    return this.draw();
  }

  /** @param {View} view @param {number[][]} news what led to it @param {number | null} [own] the seat whose doings need no telling */
  push(view, news, own = null) {
    this.goal = view;
    if (!this.view || settings.still || document.hidden) {
      void this.set(view, news.at(-1) ?? this.item);
      return;
    }
    this.queue.push({ view, news, own });
    if (!this.busy) void this.run();
  }

  skip() {
    const last = this.queue.flatMap(({ news }) => news).at(-1) ?? this.item;
    if (this.busy && this.goal) void this.set(this.goal, last);
  }

  async run() {
    const telling = ++this.telling;
    this.busy = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const behind = this.queue.reduce((sum, { news }) => sum + news.length, next.news.length);
      for (const item of behind > MOST_TOLD ? next.news.slice(-1) : next.news) {
        await this.tell(item, next.own);
        if (telling !== this.telling) return;
      }
      this.view = next.view;
      await this.draw();
      if (telling !== this.telling) return;
    }
    this.busy = false;
    await this.draw();
  }

  /** @param {number[]} item @param {number | null} own */
  async tell(item, own) {
    const change = this.drawing.tell?.[this.catalogue.news[item[1]]?.name];
    const known = item[2] === own && holes(this.catalogue.news[item[1]]?.args ?? "")[0]?.[1] === "seat";
    if (!known) this.item = item;
    if (change) {
      this.view = structuredClone(/** @type {View} */ (this.view));
      change(this.view, item.slice(2));
    }
    if (known) return;
    await this.draw();
    await new Promise((resolve) => setTimeout(resolve, PAUSE[settings.motion]));
  }
}
