// A finished game, step by step, from any seat or with all cards open.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Drawing } from "../frame/drawing.js";
import { icon } from "../frame/icon.js";
import { logLines } from "../frame/log.js";
import { look, travel } from "../frame/motion.js";
import { Page } from "../frame/page.js";
import { playerNames } from "../frame/players.js";
import { results } from "../frame/results.js";
import { sheet } from "../frame/sheet.js";
import { tableShell } from "../frame/table.js";
import { topbar } from "../frame/topbar.js";
import { copy } from "../frame/waiting.js";
import { enter } from "../rooms/rooms.js";
import { t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";

const STEP_TIME = { calm: 1800, brisk: 1000, off: 700 };

class ReplayPage extends Page {
  constructor() {
    super();
    this.table = "";
    /** @type {requests.TableInfo | null} */
    this.info = null;
    /** @type {import("../frame/drawing.js").Room | null} */
    this.room = null;
    /** @type {number | null} whose eyes; null: all cards open */
    this.seat = null;
    /** @type {requests.Step[]} */
    this.steps = [];
    /** @type {requests.View[]} */
    this.views = [];
    this.step = 0;
    this.playing = false;
    /** @type {requests.Problem | null} */
    this.problem = null;
    this.moved = () => this.goTo(stepOf(location.hash), false);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.moved);
    void this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.moved);
    clearInterval(this.timer);
  }

  async load() {
    try {
      const { table, steps } = await requests.replay(this.table, this.seat);
      [this.catalogue, this.room] = await Promise.all([requests.catalogue(table.game, table.rules), enter(table.game)]);
      document.body.className = `room-${table.game}`;
      document.title = `${tr(this.catalogue.title)} · ${t("replay")} · Tripot`;
      this.info = table;
      this.steps = steps;
      this.views = [];
      for (const step of steps) this.views.push({ ...this.views.at(-1), ...step.view });
      this.goTo(stepOf(location.hash), false);
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  /** @param {number} step @param {boolean} [write] whether the address follows */
  goTo(step, write = true) {
    this.step = Math.max(0, Math.min(step, this.steps.length - 1));
    if (write) history.replaceState(null, "", `#step=${this.step}`);
    if (this.step === this.steps.length - 1) this.play(false);
    this.requestUpdate();
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.playing = on;
    if (on && this.step === this.steps.length - 1) this.step = 0;
    if (on) this.timer = setInterval(() => this.goTo(this.step + 1), STEP_TIME[settings.motion]);
    this.requestUpdate();
  }

  /** @param {string} key @param {HTMLElement} target */
  shortcut(key, target) {
    if (key === "ArrowRight") this.goTo(this.step + 1);
    else if (key === "ArrowLeft") this.goTo(this.step - 1);
    else if (key === "Home") this.goTo(0);
    else if (key === "End") this.goTo(this.steps.length - 1);
    else if (key === " " && !target.closest("button, a")) this.play(!this.playing);
    else if (key.toLowerCase() === "l") this.open("log");
    else return super.shortcut(key, target);
    return true;
  }

  // --- Drawing ---

  willUpdate() {
    this.earlier = look(this);
  }

  updated() {
    if (this.earlier) travel(this, this.earlier);
  }

  drawing() {
    if (!this.catalogue || !this.info || !this.views.length) return null;
    return new Drawing({
      view: this.views[this.step],
      catalogue: this.catalogue,
      lang: settings.lang,
      players: playerNames(this.info, this.catalogue, settings.lang),
      me: this.seat,
      log: this.steps.slice(0, this.step + 1).flatMap(({ news }) => news),
    });
  }

  render() {
    const d = this.drawing();
    const signs = d
      ? html`<button class="sign log-sign" @click=${() => this.open("log")} aria-label=${t("log")}>${icon("scroll")}</button>
          <button class="sign" @click=${() => this.open("rules")} aria-label=${t("rules")} title=${`${t("rules")} (R)`}>${icon("book")}</button>`
      : nothing;
    return html`
      ${topbar({ where: this.catalogue ? html`${tr(this.catalogue.title)} <span class="soft">· ${t("replay")}</span>` : "", signs, showSettings: () => this.open("settings") })}
      ${this.problem ? html`<main class="join" id="main"><div class="panel"><h1>${tr(this.problem.text)}</h1><p><a class="button" href=${`/tables/${this.table}`}>${t("table")}</a> <a class="button" href="/">${t("lobby")}</a></p></div></main>` : d ? this.show(d) : html`<p class="loading">${t("loading")}</p>`}
      ${this.sheets()}
    `;
  }

  /** @param {Drawing} d */
  show(d) {
    const why = (/** @type {string} */ clause) => void this.why(clause);
    const { news } = this.steps[this.step];
    return html`
      ${tableShell({
        d, room: /** @type {any} */ (this.room), table: /** @type {any} */ (this.info), live: false, hold: null, rail: this.bar(d),
        item: news.at(-1) ?? null, busy: false, skip: () => {}, seen: d.log.length - news.length, why, moment: String(this.step),
      })}
      <div class="unseen" role="log" aria-live="polite" aria-label=${t("news")}>${news.map((item) => html`<p>${d.story(item)}</p>`)}</div>
      ${sheet({ open: this.sheet === "log", title: t("log"), close: this.closing("log"), kind: "side", body: () => logLines(d, d.log, d.log.length - news.length, why) })}
      ${sheet({ open: this.sheet === "results", title: t("results"), close: this.closing("results"), kind: "wide", body: () => results(d, /** @type {any} */ (this.room), this.table) })}
    `;
  }

  /** @param {Drawing} d the replay's buttons */
  bar(d) {
    const last = this.steps.length - 1;
    const button = (/** @type {string} */ name, /** @type {import("../text/words.js").Word} */ word, /** @type {() => void} */ act, off = false) =>
      html`<button class="sign" aria-label=${t(word)} title=${t(word)} ?disabled=${off} @click=${act}>${icon(name)}</button>`;
    return html`<section class="choice replay" aria-label=${t("replay")}>
      <h2 class="question">${t("step")} ${this.step} / ${last}</h2>
      ${this.decision(d)}
      <input type="range" min="0" max=${last} .value=${String(this.step)} aria-label=${t("step")} @input=${(/** @type {any} */ event) => this.goTo(Number(event.target.value))}>
      <div class="replay-buttons">
        ${button("start", "first", () => this.goTo(0), this.step === 0)}
        ${button("previous", "back", () => this.goTo(this.step - 1), this.step === 0)}
        ${button(this.playing ? "pause" : "play", this.playing ? "pause" : "play", () => this.play(!this.playing))}
        ${button("next", "on", () => this.goTo(this.step + 1), this.step === last)}
        ${button("last", "end", () => this.goTo(last), this.step === last)}
      </div>
      <label class="field seen-by"><span>${t("seenBy")}</span>
        <select aria-label=${t("seenBy")} @change=${(/** @type {any} */ event) => { this.seat = event.target.value === "" ? null : Number(event.target.value); void this.load(); }}>
          <option value="" ?selected=${this.seat === null}>${t("openly")}</option>
          ${d.players.map((name, seat) => html`<option value=${seat} ?selected=${this.seat === seat}>${name}</option>`)}
        </select></label>
      <div class="actions">
        <button class="button small" aria-label=${t("linkHere")} @click=${() => copy(this, location.href)}>${icon("link")}<span class="roomy">${t("linkHere")}</span></button>
        <a class="button small" href=${`/api/tables/${this.table}/record`} download aria-label=${t("download")}>${icon("down")}<span class="roomy">${t("download")}</span></a>
        ${this.views[this.step].over ? html`<button class="button small main" @click=${() => this.open("results")}>${t("results")}</button>` : nothing}
      </div>
    </section>`;
  }

  /** @param {Drawing} d */
  decision(d) {
    const { seat, decision } = this.steps[this.step];
    return seat !== null && decision ? html`<p><b>${d.players[seat]}</b> : ${d.sentence(decision)}</p>` : nothing;
  }
}

/** @param {string} hash */
const stepOf = (hash) => Number(/^#step=(\d+)$/.exec(hash)?.[1] ?? 0);

customElements.define("tripot-replay", ReplayPage);
