// What the company at a table does beside playing: say something, keep to the time, bring a seat elsewhere, play again.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import * as requests from "../wire/requests.js";
import { hostSeat, seatsAt, turn } from "../wire/seat_tokens.js";
import { dialog } from "./dialog.js";
import { icon, mark } from "./icon.js";
import { playerNames } from "./players.js";

export const PHRASES = /** @type {const} */ (["hello", "good_luck", "well_played", "thanks", "moment", "hurry", "sorry", "again", "goodbye", "laugh", "wow", "applause"]);
const SAID_TIME = 6000; // milliseconds that a phrase is shown

/** @typedef {import("../pages/table.js").TablePage} TablePage */
/** @typedef {import("../wire/connection.js").Connection} Connection */

export class Company {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    /** @type {{seat: number, phrase: typeof PHRASES[number], number: number}[]} what was said in the last seconds */
    this.said = [];
    this.number = 0;
    /** @type {Map<number, number>} by seat, until when that person may decide */
    this.deadlines = new Map();
    /** @type {{words: string, until: string} | null} */
    this.pass = null;
    /** @type {typeof import("./people.js") | null} loaded when it is wanted */
    this.people = null;
    this.wasMine = false;
    this.wasOver = false;
  }

  /** The people of the table, and the address under which others reach this server. */
  async load() {
    if (this.people) return;
    this.people = await import("./people.js");
    this.page.requestUpdate();
    const { share } = await requests.games();
    this.page.origin = share ?? location.origin;
    this.page.requestUpdate();
  }

  showPeople() {
    this.page.open("people");
    void this.load().catch((error) => this.page.showError(error));
  }

  /**
   * The waiting room before a game.
   * @returns {unknown}
   */
  waitingRoom() {
    const { page } = this;
    if (this.people && page.info) return this.people.waitingRoom(page, page.info, page.places[0].connection);
    void this.load().catch((error) => page.showError(error));
    return html`<p class="loading">${t("loading")}</p>`;
  }

  /** @param {Connection} connection hears what is said, and the clock; one connection is enough */
  listen(connection) {
    connection.addEventListener("said", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("clock", (event) => this.wind(/** @type {CustomEvent} */ (event).detail));
  }

  stop() {
    clearInterval(this.ticking);
  }

  // --- Phrases ---

  /** @param {{seat: number, phrase: typeof PHRASES[number]}} said */
  hear({ seat, phrase }) {
    if (!settings.phrases || !PHRASES.includes(phrase)) return;
    const one = { seat, phrase, number: this.number++ };
    this.said = [...this.said.slice(-3), one];
    setTimeout(() => {
      this.said = this.said.filter((other) => other !== one);
      this.page.requestUpdate();
    }, SAID_TIME);
    play("said");
    this.page.requestUpdate();
  }

  /** @param {typeof PHRASES[number]} phrase */
  async say(phrase) {
    this.page.open("");
    try {
      await this.connection?.sayPhrase(phrase);
    } catch (error) {
      this.page.showError(error);
    }
  }

  get connection() {
    return (this.page.looking ?? this.page.places.find(({ seat }) => seat !== null))?.connection;
  }

  get names() {
    const { info, catalogue } = this.page;
    return info && catalogue ? playerNames(info.table, catalogue, settings.lang) : [];
  }

  // --- Time ---

  /** @param {{left: Record<string, number>, overdue: number | null}} clock */
  wind({ left, overdue }) {
    this.deadlines = new Map(Object.entries(left).map(([seat, time]) => [Number(seat), Date.now() + time]));
    clearInterval(this.ticking);
    if (this.deadlines.size) this.ticking = setInterval(() => this.page.requestUpdate(), 1000);
    if (overdue !== null) this.page.say(`${t("timeUp")} ${this.names[overdue]}.`);
    this.page.requestUpdate();
  }

  // --- Your turn, the end ---

  /** Sounds and notifications when something begins. @param {boolean} mine whether this person must decide @param {boolean} over */
  announce(mine, over) {
    if (mine && !this.wasMine) {
      play("turn");
      if (document.hidden && settings.notices && globalThis.Notification?.permission === "granted") {
        const { catalogue } = this.page;
        const notice = new Notification(t("yourTurn"), { body: catalogue ? tr(catalogue.title) : "", icon: "/page/art/icon-192.png", tag: this.page.table });
        notice.addEventListener("click", () => { focus(); notice.close(); });
      }
    }
    if (over && !this.wasOver) play("over");
    this.wasMine = mine;
    this.wasOver = over;
  }

  // --- Rematch ---

  async rematch() {
    const seats = seatsAt(this.page.table);
    try {
      const { table, seats: count } = await requests.rematch(this.page.table, seats[0].token);
      turn(this.page.table, table, count);
      go(`/tables/${table}`);
    } catch (error) {
      this.page.showError(error);
    }
  }

  /** The button at the end of a game. */
  rematchButton() {
    if (!seatsAt(this.page.table).length || !this.page.info) return nothing;
    return html`<button class="button main rematch" @click=${() => void this.rematch()}>${icon("undo")}${t(this.page.info.rematch ? "goToRematch" : "rematch")}</button>`;
  }

  /** Publishing is the host's choice, and can be taken back. */
  publishButton() {
    const { info } = this.page;
    const host = info && hostSeat(info.table);
    if (!info || !host || info.table.status !== "over") return nothing;
    const { published } = info.table;
    const change = () => requests.publish(this.page.table, host.token, !published).then(() => this.page.say(t(published ? "unpublished" : "published")), (error) => this.page.showError(error));
    return html`<button class="button" @click=${change}>${icon("eye")}${t(published ? "unpublishGame" : "publishGame")}</button>`;
  }

  // --- A seat on another device ---

  /** @param {boolean} moves */
  async share(moves) {
    const seat = this.ownSeat;
    if (!seat) return;
    try {
      this.pass = await requests.newPass(this.page.table, seat.token, moves);
    } catch (error) {
      this.page.showError(error);
    }
    this.page.requestUpdate();
  }

  async withdraw() {
    const seat = this.ownSeat;
    if (!seat) return;
    try {
      await requests.withdraw(this.page.table, seat.token);
      this.pass = null;
      this.page.say(t("withdrawn"));
    } catch (error) {
      this.page.showError(error);
    }
    this.page.requestUpdate();
  }

  /** The seat of the person who looks, among those of this browser. */
  get ownSeat() {
    const seats = seatsAt(this.page.table);
    return seats.find(({ seat }) => seat === this.page.looking?.seat) ?? seats[0];
  }

  // --- Drawing ---

  signs() {
    const { info, catalogue } = this.page;
    if (!info || !catalogue) return nothing;
    return html`${info.seat === null ? nothing : html`<button class="icon-button" @click=${() => this.page.open("say")} aria-label=${t("saySomething")} title=${t("saySomething")}>${icon("speech")}</button>`}
      <button class="icon-button" @click=${() => this.showPeople()} aria-label=${t("people")} title=${t("people")}>${icon("people")}</button>`;
  }

  /** What is said and how much time is left, over the table. */
  strip() {
    const { info } = this.page;
    const { names } = this;
    const left = [...this.deadlines].map(([seat, until]) => ({ seat, time: Math.max(0, Math.ceil((until - Date.now()) / 1000)) }));
    return html`
      ${left.length && info?.table.status === "playing" ? html`<p class="clock">${icon("clock", t("timeLeft"))} ${left.map(({ seat, time }) => html`<span class=${time <= 10 ? "soon" : ""}>${mark(seat)} ${names[seat]} <b>${clockText(time)}</b></span>`)}</p>` : nothing}
      ${info?.table.status === "ended" ? html`<p class="banner" role="status">${t("gameIsOver")} (${t("ended")}) ${this.rematchButton()}</p>` : nothing}
      ${info?.rematch ? html`<p class="banner" role="status">${t("rematchOffered")} ${this.rematchButton()}</p>` : nothing}
      <div class="said" role="status">${this.said.map(({ seat, phrase }) => html`<p>${mark(seat)} <b>${names[seat]}</b><span class="unseen"> ${t("says")} </span> ${t(`phrase_${phrase}`)}</p>`)}</div>`;
  }

  dialogs() {
    const { page } = this;
    const { info } = page;
    if (!info || !page.catalogue) return nothing;
    return html`
      ${dialog({ open: page.dialog === "say", title: t("saySomething"), close: page.closing("say"), kind: "narrow", body: () => html`<div class="phrases">${PHRASES.map((phrase) => html`<button class="button" @click=${() => void this.say(phrase)}>${t(`phrase_${phrase}`)}</button>`)}</div>` })}
      ${dialog({ open: page.dialog === "people", title: t("people"), close: page.closing("people"), kind: "wide", body: () => html`
        ${this.people?.linkPanel(page, info)}
        ${this.people?.seatList(page, info, page.places[0].connection)}
        ${info.seat === null ? nothing : this.people?.otherDevice(this)}
        ${this.people?.dealLine(info.deal)}
        ${this.people?.leaving(page, info)}` })}
    `;
  }
}

/** @param {"turn" | "said" | "over"} tune */
const play = (tune) => void (settings.sounds && import("./sounds.js").then((sounds) => sounds.play(tune)));

/** @param {number} seconds */
const clockText = (seconds) => (seconds >= 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
