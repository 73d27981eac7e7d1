// The connection of one seat to its table: a WebSocket that reconnects after every loss.
//
// A server that is frozen keeps its connections open and says nothing. So the page asks after a silence, and connects
// anew, perhaps to another process, when no answer comes.

/**
 * @typedef {import("./requests.js").Legal} Legal
 * @typedef {import("./requests.js").View} View
 * @typedef {{type: "table", table: import("./requests.js").TableInfo, seat: number | null, watchers: number, engine: string, link: string | null, rematch: string | null, deal?: import("./shuffle.js").Deal | null}} TableMessage
 * @typedef {{type: "letter", sequence: number, view: View, legal: Legal[], first: number, news: number[][], moments?: (View | null)[], outcome?: import("./requests.js").Outcome | null}} Letter
 * @typedef {{type: "tried", id: number, sequence: number, actions: number[], finished: boolean, legal: Legal[], view: View, any_order: boolean}} Tried
 */

import { Refused, UNREACHABLE } from "./requests.js";
import { announce, toShow } from "./shuffle.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const FOR_GOOD = [4401, 4404];
const SILENCE = 10_000; // after this long without a message the page asks whether the server is there
const PATIENCE = 10_000; // and for this long it waits for any answer
const LOOK = 1_000;
const PROTOCOL = 2; // from here on a letter may say only what has changed

/** Fires `table`, `letter` and `line` (connected, lost, or refused for good). */
export class Connection extends EventTarget {
  /** @param {string} table @param {number | null} seat null: a spectator @param {string | null} token @param {number | null} shown how much of the news this browser has shown */
  constructor(table, seat, token, shown) {
    super();
    this.table = table;
    this.commitment = seat === null ? null : announce(table, seat);
    this.shown = shown;
    this.token = token;
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${encodeURIComponent(table)}/socket`;
    /** @type {"connecting" | "up" | "down" | "refused"} */
    this.line = "connecting";
    /** @type {number[][]} all news of this seat so far */
    this.log = [];
    /** @type {Letter | null} */
    this.letter = null;
    /** @type {TableMessage | null} */
    this.info = null;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.nextId = 1;
    /** @type {Map<number, {resolve: (message: any) => void, reject: (error: Refused) => void}>} */
    this.asked = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heardAt = 0; // when the last message came
    this.waitingSince = 0; // since when the server owes an answer; 0: it owes none
    this.connect();
    this.watch = setInterval(() => this.look(), LOOK);
  }

  connect() {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.socket?.close();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.waitingSince = performance.now();
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.send({ type: "hello", token: this.token, heard: this.log.length, shown: this.log.length || this.shown, protocol: PROTOCOL, commitment: this.commitment });
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return; // a server that wakes up: its news came another way
      this.heardAt = performance.now();
      this.waitingSince = 0;
      this.hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => this.lost(socket, event.code));
  }

  /** Asks a silent server whether it is there, and gives up one that owes an answer for too long. */
  look() {
    const socket = this.socket;
    if (!socket) return;
    const now = performance.now();
    if (this.waitingSince) {
      if (now - this.waitingSince < PATIENCE) return;
      this.lost(socket, 0);
      socket.close();
    } else if (now - this.heardAt >= SILENCE && socket.readyState === WebSocket.OPEN) {
      this.ask({ type: "ping" }).catch(() => {});
    }
  }

  /** @param {object} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {any} message */
  hear(message) {
    const asked = this.asked.get(message.id);
    if (message.type === "letter" || message.type === "changes") {
      this.letter = message.type === "letter" ? /** @type {Letter} */ (message) : changed(/** @type {Letter} */ (this.letter), message);
      this.log.splice(message.first, this.log.length, ...message.news);
      this.dispatchEvent(new Event("letter"));
    } else if (message.type === "table") {
      this.info = /** @type {TableMessage} */ (message);
      this.wait = FIRST_WAIT;
      this.setLine("up");
      this.shuffle();
      this.dispatchEvent(new Event("table"));
    } else if (message.type === "said" || message.type === "clock") {
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    } else if (asked) {
      this.asked.delete(message.id);
      if (message.type === "error") asked.reject(new Refused(message.error));
      else asked.resolve(message);
    }
  }

  /** Shows what this browser adds to the seed, once nobody can announce anything any more. */
  shuffle() {
    const { deal, seat } = /** @type {TableMessage} */ (this.info);
    const value = deal && seat !== null ? toShow(this.table, seat, deal) : null;
    if (value) this.ask({ type: "shuffle", value }).catch(() => {});
  }

  /** @param {WebSocket} socket @param {number} code */
  lost(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.waitingSince = 0;
    for (const { reject } of this.asked.values()) reject(new Refused(UNREACHABLE));
    this.asked.clear();
    if (this.closed) return;
    if (FOR_GOOD.includes(code)) {
      this.setLine("refused");
      return;
    }
    this.setLine("down");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** @param {Connection["line"]} line */
  setLine(line) {
    this.line = line;
    this.dispatchEvent(new Event("line"));
  }

  /** Reconnects at once: the network is back, or the page is visible again. */
  reconnect() {
    if (this.line === "down") this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    this.socket?.close();
  }

  /** @param {object} message @returns {Promise<any>} the answer; rejects with Refused */
  ask(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refused(UNREACHABLE));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.waitingSince ||= performance.now();
      this.send({ ...message, id });
    });
  }

  /** @param {number} sequence @param {number[]} actions @param {boolean} anyOrder @returns {Promise<Tried>} */
  try(sequence, actions, anyOrder) {
    return this.ask({ type: "try", sequence, actions, any_order: anyOrder });
  }

  /** @param {number} sequence @param {number[]} actions */
  decide(sequence, actions) {
    return this.ask({ type: "decide", sequence, actions });
  }

  /** @param {number} seat @param {import("./requests.js").Level} level */
  hold(seat, level) {
    return this.ask({ type: "hold", seat, level });
  }

  /** @param {number} seat */
  release(seat) {
    return this.ask({ type: "release", seat });
  }

  /** @param {string} phrase */
  sayPhrase(phrase) {
    return this.ask({ type: "say", phrase });
  }

  /** @param {number} seat @param {import("./requests.js").Level} level */
  fill(seat, level) {
    return this.ask({ type: "fill", seat, level });
  }
}

/** @param {Letter} letter @param {any} changes @returns {Letter} the letter after what has changed since; what the guide says changes after its news */
const changed = (letter, changes) => {
  const { guide } = letter.view;
  const moments = changes.moments.map((/** @type {View | null} */ moment) => moment && { guide, ...moment });
  return { outcome: null, legal: letter.legal, ...changes, moments, view: { ...letter.view, ...changes.view }, type: "letter" };
};
