// The connection of one seat to its table: a WebSocket that reconnects after every loss.

/**
 * @typedef {import("./requests.js").Legal} Legal
 * @typedef {import("./requests.js").View} View
 * @typedef {{type: "table", table: import("./requests.js").TableInfo, seat: number | null, watchers: number, engine: string, invites: import("./requests.js").Invite[]}} TableMessage
 * @typedef {{type: "letter", sequence: number, view: View, legal: Legal[], first: number, news: number[][], moments?: (View | null)[]}} Letter
 * @typedef {{type: "tried", id: number, sequence: number, actions: number[], finished: boolean, legal: Legal[], view: View, any_order: boolean}} Tried
 */

import { Refused, UNREACHABLE } from "./requests.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const FOR_GOOD = [4401, 4404];

/** Fires `table`, `letter` and `line` (connected, lost, or refused for good). */
export class Connection extends EventTarget {
  /** @param {string} table @param {string | null} token null: a spectator */
  constructor(table, token) {
    super();
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
    this.connect();
  }

  connect() {
    if (this.closed) return;
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => this.send({ type: "hello", token: this.token, heard: this.log.length }));
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.lost(socket, event.code));
  }

  /** @param {object} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {any} message */
  hear(message) {
    const asked = this.asked.get(message.id);
    if (message.type === "letter") {
      this.letter = /** @type {Letter} */ (message);
      this.log.splice(message.first, this.log.length, ...message.news);
      this.dispatchEvent(new Event("letter"));
    } else if (message.type === "table") {
      this.info = /** @type {TableMessage} */ (message);
      this.wait = FIRST_WAIT;
      this.setLine("up");
      this.dispatchEvent(new Event("table"));
    } else if (asked) {
      this.asked.delete(message.id);
      if (message.type === "error") asked.reject(new Refused(message.error));
      else asked.resolve(message);
    }
  }

  /** @param {WebSocket} socket @param {number} code */
  lost(socket, code) {
    if (socket !== this.socket) return;
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
    this.socket?.close();
  }

  /** @param {object} message @returns {Promise<any>} the answer; rejects with Refused */
  ask(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refused(UNREACHABLE));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
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

  /** @param {number} seat @param {import("./requests.js").Level} level */
  fill(seat, level) {
    return this.ask({ type: "fill", seat, level });
  }
}
