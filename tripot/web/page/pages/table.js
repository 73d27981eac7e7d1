// A table in play: the waiting room, then the game, from every seat that this browser holds.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Choice } from "../frame/choice.js";
import { choicePanel } from "../frame/choice_panel.js";
import { allowDragging } from "../frame/drag.js";
import { Scene } from "../frame/scene.js";
import { icon } from "../frame/icon.js";
import { logLines } from "../frame/log.js";
import { animate, snapshot } from "../frame/animation.js";
import { Page } from "../frame/page.js";
import { playerNames } from "../frame/players.js";
import { primerDialog } from "../frame/primer_dialog.js";
import { doubt, goalLine } from "../frame/guide.js";
import { Company } from "../frame/company.js";
import { dialog } from "../frame/dialog.js";
import { Playback } from "../frame/playback.js";
import { absenceCard } from "../frame/absence.js";
import { setPiece } from "../frame/set_piece.js";
import { tableLayout } from "../frame/table_layout.js";
import { topbar } from "../frame/topbar.js";
import { passScreen } from "../frame/pass_screen.js";
import { loadDrawing, loadPieces } from "../games/load.js";
import { counted, t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { Connection } from "../wire/connection.js";
import { hostSeat, keep, seatsAt } from "../wire/seat_tokens.js";
import { isPrimed, primed } from "../wire/progress.js";
import { keepShown, shownAt } from "../wire/shown.js";
import { catalogue, join, saveRecord } from "../wire/requests.js";

/**
 * @typedef {import("../frame/scene.js").Drawing} Drawing
 * @typedef {object} Place one seat of this browser, or the place of a spectator
 * @property {number | null} seat
 * @property {Connection} connection
 * @property {Choice} choice
 * @property {Playback | null} playback
 * @property {number} heard how many lines of the log have come
 * @property {number | null} shown how many of them this browser has shown, as it remembers
 * @property {number} seen how many lines there were when this player last decided
 */

export class TablePage extends Page {
  constructor() {
    super();
    this.table = "";
    /** @type {Place[]} */
    this.places = [];
    /** @type {Place | null} who is in front of the screen */
    this.looking = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    this.folded = true;
    this.origin = location.origin;
    this.resultShown = false;
    /** @type {typeof import("../frame/results.js") | null} what shows the end, loaded when a game is over */
    this.ending = null;
    /** @type {object | null | undefined} the still whose button has had the focus */
    this.still = null;
    this.reconnect = () => {
      if (document.hidden) return;
      this.places.forEach(({ connection }) => connection.reconnect());
      this.looking?.playback?.resume();
    };
    this.company = new Company(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.connect();
    addEventListener("online", this.reconnect);
    document.addEventListener("visibilitychange", this.reconnect);
    allowDragging(this);
  }

  /** Connects to every seat that this browser has a token for, or as a spectator. */
  connect() {
    const seats = seatsAt(this.table);
    this.places.forEach(({ connection }) => connection.close());
    this.places = (seats.length ? seats : [{ seat: null, token: null }]).map(({ seat, token }) => this.sit(seat, token));
    this.looking = this.places.length === 1 ? this.places[0] : null;
    this.company.listen(this.places[0].connection);
  }

  /** @param {number} seat @param {string} name take a free seat of an open table */
  async sitDown(seat, name) {
    try {
      const { tokens } = await join(this.table, name, seat);
      keep(this.table, tokens);
      this.connect();
    } catch (error) {
      this.showError(error);
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.company.stop();
    this.places.forEach(({ connection }) => connection.close());
    removeEventListener("online", this.reconnect);
    document.removeEventListener("visibilitychange", this.reconnect);
  }

  /** @param {number | null} seat @param {string | null} token @returns {Place} */
  sit(seat, token) {
    const shown = shownAt(this.table, seat);
    const connection = new Connection(this.table, seat, token, shown);
    const choice = new Choice(connection, `${this.table}.${seat}`, this.redraw, () => this.open("doubt"));
    /** @type {Place} */
    const place = { seat, connection, choice, playback: null, heard: 0, shown, seen: 0 };
    connection.addEventListener("table", () => void this.prepare());
    connection.addEventListener("line", this.redraw);
    connection.addEventListener("letter", () => void this.hear(place));
    return place;
  }

  // --- Messages from the server ---

  get info() {
    return this.places.find(({ connection }) => connection.info)?.connection.info ?? null;
  }

  async prepare() {
    const { game, rules, status } = this.info?.table ?? {};
    if (game && !this.drawing) {
      const texts = await catalogue(game, status === "outdated" ? null : rules);
      const drawing = await loadDrawing(texts.drawing);
      if (this.drawing) return; // two messages came at once, and the other one prepared it
      this.catalogue = texts;
      this.drawing = drawing;
      document.body.className = `game-${game}`;
      this.welcome(texts, status);
      for (const place of this.places) if (place.connection.letter && !place.playback) await this.hear(place);
    }
    this.requestUpdate();
  }

  /** Somebody's first table of a game tells it in one minute. @param {import("../wire/requests.js").Catalogue} texts @param {string | undefined} status */
  welcome(texts, status) {
    if (status !== "playing" || !texts.primer || !settings.guided || isPrimed(texts.game) || this.places.every(({ seat }) => seat === null)) return;
    primed(texts.game);
    this.open("primer");
  }

  /** @param {Place} place */
  async hear(place) {
    const { letter, log } = place.connection;
    if (!letter || !this.drawing || !this.catalogue) return;
    if (letter.view.over && !this.ending) void import("../frame/results.js").then((ending) => { this.ending = ending; this.requestUpdate(); });
    const { first, moments = [] } = letter;
    const from = place.playback ? place.heard : Math.min(place.shown ?? log.length, log.length);
    const news = log.slice(from).map((item, i) => ({ item, moment: moments[from + i - first] ?? null }));
    const moment = `${place.seat}.${letter.sequence}`;
    place.heard = log.length;
    const draw = () => {
      this.requestUpdate();
      return this.updateComplete;
    };
    const own = place.choice.sent ? place.seat : null;
    place.choice.atOnce = this.drawing.atOnce ?? [];
    const heard = place.choice.hear(letter, this.drawing.gather ?? false);
    if (!place.playback) {
      place.playback = new Playback(this.catalogue, draw);
      place.seen = log.length;
      if (place === this.looking) void place.playback.set({ ...letter.view, ...news[0]?.moment }, from, moment);
    }
    if (place === this.looking) place.playback.push(letter.view, news, from, moment, own);
    else void place.playback.set(letter.view, log.length, moment, news.slice(-1).map(({ item }) => item));
    await heard;
    this.requestUpdate();
  }

  // --- Who looks ---

  /** The place whose player must take the screen; null if the player who looks may go on. */
  get called() {
    if (this.places.length === 1 || this.busy) return null; // what is on the stage is for all who sit here
    const waits = (/** @type {Place} */ place) => Boolean(place.connection.letter?.legal.length);
    if (this.looking && (waits(this.looking) || !this.places.some(waits))) return null;
    return this.places.find(waits) ?? this.places[0];
  }

  /** @param {Place} place */
  async reveal(place) {
    this.looking = place;
    const { letter } = place.connection;
    if (letter) await place.playback?.set(letter.view, place.connection.log.length, `${place.seat}.${letter.sequence}`);
    this.requestUpdate();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("#main"))?.focus();
  }

  // --- What the player does ---

  /** @param {string} key @param {HTMLElement} target */
  shortcut(key, target) {
    const place = this.looking;
    if (!place || this.called) return super.shortcut(key, target);
    const option = this.busy ? undefined : place.choice.options[Number(key) - 1];
    if (/^[1-9]$/.test(key) && option) void this.pick(place, option);
    else if (key === "Enter" && !target.closest("button, a, [role=button]")) void place.choice.confirm();
    else if (key === "Backspace") void place.choice.back();
    else if (this.busy && (key === "Escape" || ([" ", "Enter"].includes(key) && !target.closest("button, a")))) place.playback?.goOn();
    else if (key.toLowerCase() === "l") this.open("log");
    else if (key.toLowerCase() === "h" && this.mayAsk && !this.busy && place.choice.offered.length > 1) void this.hint();
    else return super.shortcut(key, target);
    return true;
  }

  get busy() {
    return this.looking?.playback?.busy ?? false;
  }

  /** @param {Place} place @param {import("../wire/requests.js").Legal} legal */
  async pick(place, legal) {
    void this.wantPieces();
    const inPanel = this.querySelector(".choice")?.contains(document.activeElement);
    place.seen = place.connection.log.length;
    await place.choice.pick(legal);
    await this.updateComplete;
    if (inPanel && place.choice.finished) /** @type {HTMLElement | null} */ (this.querySelector("#confirm"))?.focus({ preventScroll: true });
  }

  /** @param {Place} place the player has second thoughts about what they picked */
  withdraw(place) {
    this.closing("doubt")();
    void place.choice.withdraw();
  }

  /** @param {Place} place the player wants it all the same */
  insist(place) {
    void place.choice.confirm(true);
    this.closing("doubt")();
  }

  /** @param {Place} place */
  refuse(place) {
    const question = this.catalogue?.questions[String(place.playback?.view?.phase)];
    if (!question) return;
    const mine = place.choice.offered.length > 0;
    this.say(mine ? `${t("notNow")} ${tr(question)}` : t("notYours"), question.clause.split(" ")[0]);
  }

  /** Whether the player who looks may ask for hints. */
  get mayAsk() {
    return Boolean(this.info?.table.hints && this.looking?.seat !== null);
  }

  /** Ranks the choices; what draws it is loaded when it is wanted. */
  async hint() {
    await import("../frame/hint.js");
    this.open("hint");
  }

  /** What the player can know of hidden cards. */
  async chances() {
    await import("../frame/chances.js");
    this.open("chances");
  }

  /** @param {Place} place @param {import("../wire/requests.js").Legal[]} parts a whole choice: it is picked, not confirmed */
  async take(place, parts) {
    this.closing("hint")();
    await place.choice.take(parts);
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("#confirm"))?.focus({ preventScroll: true });
  }

  /** @param {number} seat @param {boolean} hold */
  async hold(seat, hold) {
    const connection = this.looking?.connection;
    try {
      await (hold ? connection?.hold(seat, "medium") : connection?.release(seat));
    } catch (error) {
      this.showError(error);
    }
  }

  // --- Drawing ---

  /** @param {Place} place */
  sceneOf(place) {
    const { choice, connection, playback } = place;
    const shown = playback?.view ?? connection.letter?.view;
    if (!this.catalogue || !this.info || !shown) return null;
    const idle = !playback?.busy;
    return new Scene({
      view: (idle && choice.picks.length && !choice.anyOrder && choice.view) || shown,
      catalogue: this.catalogue,
      lang: settings.lang,
      players: playerNames(this.info.table, this.catalogue, settings.lang),
      me: place.seat,
      legal: idle && !choice.sent ? choice.options : [],
      picked: choice.picks,
      log: connection.log.slice(0, playback?.told),
      outcome: connection.letter?.outcome ?? null,
      pick: (legal) => void this.pick(place, legal),
      drop: (legal) => void choice.drop(legal),
      refuse: () => this.refuse(place),
    });
  }

  willUpdate() {
    this.earlier = snapshot(this);
    this.hadFocus = Boolean(document.activeElement?.closest(".choice, .set-piece"));
  }

  updated() {
    if (this.earlier) animate(this, this.earlier);
    const lost = this.hadFocus && (document.activeElement === document.body || !document.activeElement);
    if (lost) /** @type {HTMLElement | null} */ (this.querySelector(".choice"))?.focus({ preventScroll: true });
    this.stageUpdated();
    this.announce();
  }

  /** The button of a new still takes the focus; what has been on the stage is remembered. */
  stageUpdated() {
    const place = this.looking;
    const { piece, absence, told = 0 } = place?.playback ?? {};
    const still = piece?.held ? piece : absence;
    if (still && still !== this.still && !this.dialog) /** @type {HTMLElement | null} */ (this.querySelector(".set-piece .go-on"))?.focus({ preventScroll: true });
    this.still = this.dialog ? this.still : still;
    if (piece && !piece.held) this.querySelector(`.set-piece [data-news="${told - 1}"]:not(.unseen)`)?.scrollIntoView({ block: "nearest" });
    const shown = piece ? piece.from : told;
    if (!place?.playback || absence || place.shown === shown) return;
    place.shown = shown;
    keepShown(this.table, place.seat, shown);
  }

  announce() {
    const place = this.looking;
    const scene = place && this.sceneOf(place);
    const mine = Boolean(scene?.legal.length);
    this.company.announce(mine, Boolean(scene?.view.over) && !this.busy);
    document.title = `${mine ? `● ${t("yourTurn")} · ` : ""}${this.catalogue ? `${tr(this.catalogue.title)} · ` : ""}Tripot`;
    if (scene?.view.over && !this.resultShown && !this.busy) {
      this.resultShown = true;
      this.open("results");
    }
  }

  /** @returns {unknown} */
  render() {
    const { info } = this;
    const place = this.called ? null : this.looking;
    const scene = place && this.sceneOf(place);
    const title = this.catalogue ? html`${tr(this.catalogue.title)}${info?.watchers ? html` <span class="soft">· ${counted("watchers", info.watchers)}</span>` : nothing}` : "";
    const signs = this.catalogue
      ? html`${scene ? html`<button class="icon-button log-button" @click=${() => this.open("log")} aria-label=${t("log")}>${icon("scroll")}</button>` : nothing}
          <button class="icon-button" @click=${() => this.open("rules")} aria-label=${t("rules")} title=${`${t("rules")} (R)`}>${icon("book")}</button>
          ${this.company.signs()}`
      : nothing;
    return html`
      ${topbar({ where: title, goal: scene ? goalLine(scene) : nothing, signs, showSettings: () => this.open("settings") })}
      ${this.banner()}
      ${this.company.strip()}
      ${!info || !this.catalogue ? html`<p class="loading">${t("loading")}</p>` : info.table.status === "waiting" ? this.company.waitingRoom() : this.called ? this.passScreen(this.called) : scene && place ? this.play(scene, place) : info.table.status === "outdated" ? nothing : html`<p class="loading">${t("loading")}</p>`}
      ${scene && place ? this.ownDialogs(scene, place) : nothing}
      ${this.catalogue ? primerDialog(this.catalogue, this) : nothing}
      ${this.company.dialogs()}
      ${this.dialogs()}
    `;
  }

  /** Saves the record of a game that can no longer be continued. */
  saveRecord() {
    saveRecord(this.table).catch((error) => this.showError(error));
  }

  banner() {
    const lines = this.places.map(({ connection }) => connection.line);
    if (lines.includes("refused")) return html`<p class="banner bad" role="alert">${t("refusedSeat")} <a href="/">${t("lobby")}</a></p>`;
    if (lines.includes("down")) return html`<p class="banner bad" role="status">${t("lost")}</p>`;
    if (this.info?.table.status === "outdated") return html`<p class="banner bad" role="status">${t("outdated")} ${this.info.seat === null ? nothing : html`<button class="button" @click=${() => this.saveRecord()}>${icon("down")}${t("download")}</button>`}</p>`;
    if (this.info?.engine === "compiling") return html`<p class="banner" role="status">${t("compiling")}</p>`;
    return nothing;
  }

  /** @param {Place} called */
  passScreen(called) {
    const players = this.info && this.catalogue ? playerNames(this.info.table, this.catalogue, settings.lang) : [];
    return passScreen(players[called.seat ?? 0] ?? "", called.seat ?? 0, () => void this.reveal(called));
  }

  /** @param {Scene} scene @param {Place} place */
  play(scene, place) {
    const { playback, choice } = place;
    const why = (/** @type {string} */ clause) => void this.why(clause);
    const unfold = () => { this.folded = !this.folded; this.requestUpdate(); };
    const rail = scene.view.over
      ? html`<section class="choice" aria-label=${t("results")}><p class="question">${this.ending?.verdict(scene)}</p><button class="button main" @click=${() => this.open("results")}>${t("results")}</button>${this.company.rematchButton()}</section>`
      : choicePanel(scene, choice, why, this.folded, unfold, this.mayAsk ? () => void this.hint() : null);
    return html`${tableLayout({
      scene, drawing: /** @type {Drawing} */ (this.drawing), table: /** @type {any} */ (this.info).table, live: true,
      rail, items: playback?.items ?? [], busy: playback?.busy ?? false, stage: this.stage(scene, place), skip: () => playback?.goOn(),
      seen: place.seen, why, chances: this.mayAsk && !scene.view.over ? () => void this.chances() : null, moment: `${playback?.moment}.${playback?.told}`,
      hold: place.seat === null || !this.info || !hostSeat(this.info.table) ? null : (seat, hold) => void this.hold(seat, hold),
    })}
    <div class="unseen" role="log" aria-live="polite" aria-label=${t("news")}>${scene.log.slice(playback?.piece?.from ?? -6).map((item) => html`<p>${scene.story(item)}</p>`)}</div>`;
  }

  /** Reveals follow decisions: they are loaded with the first. */
  async wantPieces() {
    if (this.drawing && (await loadPieces(this.drawing))) this.requestUpdate();
  }

  /** @param {Scene} scene @param {Place} place the set piece that is shown, or the summary of an absence */
  stage(scene, { playback }) {
    const goOn = () => playback?.goOn();
    if (playback?.absence) return absenceCard(scene, playback.absence, { seeAll: goOn, goOn: () => playback.catchUp() });
    if (playback?.piece) void this.wantPieces();
    return playback?.piece ? setPiece({ scene, drawing: /** @type {Drawing} */ (this.drawing), piece: playback.piece, together: playback.items.length, goOn }) : nothing;
  }

  /** @param {Scene} scene @param {Place} place */
  ownDialogs(scene, place) {
    return html`
      ${dialog({ open: this.dialog === "log", title: t("log"), close: this.closing("log"), kind: "side", body: () => logLines(scene, { items: scene.log, seen: place.seen, why: (clause) => void this.why(clause) }) })}
      ${dialog({ open: this.dialog === "results", title: t("results"), close: this.closing("results"), kind: "wide", body: () => this.ending?.results(scene, /** @type {Drawing} */ (this.drawing), { table: this.table, review: () => go(`/tables/${this.table}#review`), save: () => this.saveRecord(), more: html`${this.company.rematchButton()}${this.company.publishButton()}`, share: () => void this.ending?.share(scene) }) })}
      ${dialog({ open: this.dialog === "hint", title: t("hint"), close: this.closing("hint"), kind: "side", body: () => html`<tripot-hint .scene=${scene} .table=${this.table} .token=${seatsAt(this.table).find(({ seat }) => seat === place.seat)?.token ?? ""} .sequence=${place.choice.sequence} .take=${(/** @type {import("../wire/requests.js").Legal[]} */ parts) => void this.take(place, parts)}></tripot-hint>` })}
      ${dialog({ open: this.dialog === "chances", title: t("hiddenCards"), close: this.closing("chances"), kind: "side", body: () => html`<tripot-chances .scene=${scene} .table=${this.table} .token=${seatsAt(this.table).find(({ seat }) => seat === place.seat)?.token ?? ""}></tripot-chances>` })}
      ${dialog({ open: this.dialog === "doubt", title: t("sure"), close: () => this.withdraw(place), kind: "narrow", asks: "doubt-text", body: () => doubt(scene, place.choice, (clause) => void this.why(clause), () => this.withdraw(place), () => this.insist(place)) })}
    `;
  }
}
customElements.define("tripot-table", TablePage);
