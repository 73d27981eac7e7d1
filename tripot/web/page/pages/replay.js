// A finished game, step by step, from any seat or with all cards open.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Scene } from "../frame/scene.js";
import { icon } from "../frame/icon.js";
import { logLines } from "../frame/log.js";
import { animate, snapshot } from "../frame/animation.js";
import { Page } from "../frame/page.js";
import { playerNames } from "../frame/players.js";
import { results } from "../frame/results.js";
import { dialog } from "../frame/dialog.js";
import { tableLayout } from "../frame/table_layout.js";
import { topbar } from "../frame/topbar.js";
import { copy } from "../frame/waiting_room.js";
import { loadDrawing } from "../games/load.js";
import { t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";

const STEP_TIME = { calm: 1800, brisk: 1000, off: 700 };

class ReplayPage extends Page {
  constructor() {
    super();
    this.table = "";
    /** @type {requests.TableInfo | null} */
    this.info = null;
    /** @type {import("../frame/scene.js").Drawing | null} */
    this.drawing = null;
    /** @type {number | null} the seat whose view is shown; null: all cards open */
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
      const catalogue = await requests.catalogue(table.game, table.rules);
      this.drawing = await loadDrawing(catalogue.drawing);
      this.catalogue = catalogue;
      document.body.className = `game-${table.game}`;
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
    this.earlier = snapshot(this);
  }

  updated() {
    if (this.earlier) animate(this, this.earlier);
  }

  sceneOf() {
    if (!this.catalogue || !this.info || !this.views.length) return null;
    return new Scene({
      view: this.views[this.step],
      catalogue: this.catalogue,
      lang: settings.lang,
      players: playerNames(this.info, this.catalogue, settings.lang),
      me: this.seat,
      log: this.steps.slice(0, this.step + 1).flatMap(({ news }) => news),
    });
  }

  render() {
    const scene = this.sceneOf();
    const signs = scene
      ? html`<button class="icon-button log-button" @click=${() => this.open("log")} aria-label=${t("log")}>${icon("scroll")}</button>
          <button class="icon-button" @click=${() => this.open("rules")} aria-label=${t("rules")} title=${`${t("rules")} (R)`}>${icon("book")}</button>`
      : nothing;
    return html`
      ${topbar({ where: this.catalogue ? html`${tr(this.catalogue.title)} <span class="soft">· ${t("replay")}</span>` : "", signs, showSettings: () => this.open("settings") })}
      ${this.problem ? html`<main class="join" id="main"><div class="panel"><h1>${tr(this.problem.text)}</h1><p><a class="button" href=${`/tables/${this.table}`}>${t("table")}</a> <a class="button" href="/">${t("lobby")}</a></p></div></main>` : scene ? this.show(scene) : html`<p class="loading">${t("loading")}</p>`}
      ${this.dialogs()}
    `;
  }

  /** @param {Scene} scene */
  show(scene) {
    const why = (/** @type {string} */ clause) => void this.why(clause);
    const { news } = this.steps[this.step];
    return html`
      ${tableLayout({
        scene, drawing: /** @type {any} */ (this.drawing), table: /** @type {any} */ (this.info), live: false, hold: null, rail: this.bar(scene),
        item: news.at(-1) ?? null, busy: false, skip: () => {}, seen: scene.log.length - news.length, why, moment: String(this.step),
      })}
      <div class="unseen" role="log" aria-live="polite" aria-label=${t("news")}>${news.map((item) => html`<p>${scene.story(item)}</p>`)}</div>
      ${dialog({ open: this.dialog === "log", title: t("log"), close: this.closing("log"), kind: "side", body: () => logLines(scene, scene.log, scene.log.length - news.length, why) })}
      ${dialog({ open: this.dialog === "results", title: t("results"), close: this.closing("results"), kind: "wide", body: () => results(scene, /** @type {any} */ (this.drawing), this.table) })}
    `;
  }

  /** @param {Scene} scene the replay's buttons */
  bar(scene) {
    const last = this.steps.length - 1;
    const button = (/** @type {string} */ name, /** @type {import("../text/words.js").Word} */ word, /** @type {() => void} */ act, off = false) =>
      html`<button class="icon-button" aria-label=${t(word)} title=${t(word)} ?disabled=${off} @click=${act}>${icon(name)}</button>`;
    return html`<section class="choice replay" aria-label=${t("replay")}>
      <h2 class="question">${t("step")} ${this.step} / ${last}</h2>
      ${this.decision(scene)}
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
          ${scene.players.map((name, seat) => html`<option value=${seat} ?selected=${this.seat === seat}>${name}</option>`)}
        </select></label>
      <div class="actions">
        <button class="button small" aria-label=${t("linkHere")} @click=${() => copy(this, location.href)}>${icon("link")}<span class="roomy">${t("linkHere")}</span></button>
        <a class="button small" href=${`/api/tables/${this.table}/record`} download aria-label=${t("download")}>${icon("down")}<span class="roomy">${t("download")}</span></a>
        ${this.views[this.step].over ? html`<button class="button small main" @click=${() => this.open("results")}>${t("results")}</button>` : nothing}
      </div>
    </section>`;
  }

  /** @param {Scene} scene */
  decision(scene) {
    const { seat, decision } = this.steps[this.step];
    return seat !== null && decision ? html`<p><b>${scene.players[seat]}</b> : ${scene.sentence(decision)}</p>` : nothing;
  }
}

/** @param {string} hash */
const stepOf = (hash) => Number(/^#step=(\d+)$/.exec(hash)?.[1] ?? 0);

customElements.define("tripot-replay", ReplayPage);
