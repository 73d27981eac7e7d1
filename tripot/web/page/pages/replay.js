// A finished game, step by step, from any seat or with all cards open.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Scene } from "../frame/scene.js";
import { icon } from "../frame/icon.js";
import { logLines } from "../frame/log.js";
import { animate, snapshot } from "../frame/animation.js";
import { Page } from "../frame/page.js";
import { playerNames } from "../frame/players.js";
import { setPiece } from "../frame/set_piece.js";
import { results, share } from "../frame/results.js";
import { dialog } from "../frame/dialog.js";
import { goalLine } from "../frame/guide.js";
import { tableLayout } from "../frame/table_layout.js";
import { topbar } from "../frame/topbar.js";
import { copy } from "../frame/copy.js";
import { loadDrawing, loadPieces } from "../games/load.js";
import { labelled, t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { keep } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

const HEADING = 40; // pixels above a line of the log
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
    /** @type {requests.Outcome | null} */
    this.outcome = null;
    /** @type {import("../frame/fair_deal.js").Seed | null} */
    this.seed = null;
    /** @type {typeof import("../frame/fair_deal.js") | null} loaded when it is asked for */
    this.fairness = null;
    this.step = 0;
    /** @type {number} which set piece of the step is shown; beyond the last: the table after it */
    this.stills = 0;
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
    clearTimeout(this.timer);
  }

  async load() {
    try {
      const { table, steps, outcome, seed } = await requests.replay(this.table, this.seat);
      const catalogue = await requests.catalogue(table.game, table.rules);
      this.drawing = await loadDrawing(catalogue.drawing);
      await loadPieces(this.drawing);
      this.catalogue = catalogue;
      document.body.className = `game-${table.game}`;
      document.title = `${tr(this.catalogue.title)} · ${t("replay")} · Tripot`;
      this.info = table;
      this.steps = steps;
      this.outcome = outcome;
      this.seed = seed ?? null;
      this.views = [];
      for (const step of steps) this.views.push({ ...this.views.at(-1), ...step.view });
      this.goTo(stepOf(location.hash), false);
      if (location.hash === "#review") await this.review();
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  save() {
    requests.saveRecord(this.table).catch((error) => this.showError(error));
  }

  /** Computes whether the luck of this game fits what was shown before its deal. */
  async checkDeal() {
    this.fairness ??= await import("../frame/fair_deal.js");
    this.open("fair");
  }

  /** Shows what decisions, cards and others did; what draws it is loaded when it is wanted. */
  async review() {
    await import("../frame/review.js");
    this.open("review");
  }

  /** Opens a moment as a table against bots: from the seat that is shown, or that decides next. @param {boolean} anew whether what that seat cannot see is imagined anew @param {number} [step] @param {number} [seat] */
  async playOn(anew, step = this.step, seat = this.seat ?? this.steps[step + 1]?.seat ?? 0) {
    try {
      const { table, tokens } = await requests.playOn(this.table, { step, seat, name: settings.name.trim() || null, level: settings.level, anew });
      keep(table.id, tokens);
      go(`/tables/${table.id}`);
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {number} step @param {boolean} [write] whether the address follows @param {number} [still] the set piece to begin with */
  goTo(step, write = true, still = 0) {
    this.step = Math.max(0, Math.min(step, this.steps.length - 1));
    this.stills = still;
    if (write) history.replaceState(null, "", `#step=${this.step}`);
    if (this.step === this.steps.length - 1 && !this.still) this.play(false);
    this.requestUpdate();
  }

  /** The set piece that is shown over the table. */
  get still() {
    return this.steps[this.step]?.stills[this.stills] ?? null;
  }

  /** Leaves the set piece that is shown, or goes to the next step. */
  goOn() {
    if (this.still) this.goTo(this.step, false, this.stills + 1);
    else this.goTo(this.step + 1);
  }

  /** @param {number} line of the log: show the moment that told it */
  jump(line) {
    let before = 0;
    const step = this.steps.findIndex(({ news }) => (before += news.length) > line);
    const place = line - before + this.steps[step].news.length;
    const { stills } = this.steps[step];
    const still = stills.findIndex(({ first, end }) => first <= place && place < end);
    this.goTo(step, true, still < 0 ? stills.length : still);
  }

  /** @param {boolean} on */
  play(on) {
    clearTimeout(this.timer);
    this.playing = on;
    if (on && this.step === this.steps.length - 1 && !this.still) this.goTo(0);
    if (on) this.tick();
    this.requestUpdate();
  }

  /** Goes on after a while, and so on; a set piece takes longer to read. */
  tick() {
    this.timer = setTimeout(() => {
      this.goOn();
      if (this.playing) this.tick();
    }, STEP_TIME[settings.motion] * (this.still ? 3 : 1));
  }

  /** @param {string} key @param {HTMLElement} target */
  shortcut(key, target) {
    if (key === "ArrowRight" || (this.still && key === "Escape")) this.goOn();
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
    for (const log of this.querySelectorAll(".log-lines")) showLine(log);
  }

  sceneOf() {
    if (!this.catalogue || !this.info || !this.views.length) return null;
    const before = this.steps.slice(0, this.step).flatMap(({ news }) => news);
    return new Scene({
      view: { ...this.views[this.step], ...this.still?.view },
      catalogue: this.catalogue,
      lang: settings.lang,
      players: playerNames(this.info, this.catalogue, settings.lang),
      me: this.seat,
      outcome: this.outcome,
      log: [...before, ...this.steps[this.step].news.slice(0, this.still?.end)],
    });
  }

  render() {
    const scene = this.sceneOf();
    const signs = scene
      ? html`<button class="icon-button log-button" @click=${() => this.open("log")} aria-label=${t("log")}>${icon("scroll")}</button>
          <button class="icon-button" @click=${() => this.open("rules")} aria-label=${t("rules")} title=${`${t("rules")} (R)`}>${icon("book")}</button>`
      : nothing;
    return html`
      ${topbar({ where: this.catalogue ? html`${tr(this.catalogue.title)} <span class="soft">· ${t("replay")}</span>` : "", goal: scene ? goalLine(scene) : nothing, signs, showSettings: () => this.open("settings") })}
      ${this.problem ? html`<main class="join" id="main"><div class="panel"><h1>${tr(this.problem.text)}</h1><p><a class="button" href=${`/tables/${this.table}`}>${t("table")}</a> <a class="button" href="/">${t("lobby")}</a></p></div></main>` : scene ? this.show(scene) : html`<p class="loading">${t("loading")}</p>`}
      ${this.dialogs()}
    `;
  }

  /** @param {Scene} scene */
  show(scene) {
    const why = (/** @type {string} */ clause) => void this.why(clause);
    const { news } = this.steps[this.step];
    const { still } = this;
    const told = scene.log.length;
    const earlier = told - (still?.end ?? news.length);
    const log = { items: this.steps.flatMap((step) => step.news), told, seen: earlier, why, jump: (/** @type {number} */ line) => this.jump(line) };
    const stage = still ? setPiece({ scene, drawing: /** @type {any} */ (this.drawing), piece: { name: still.piece, from: earlier + still.first, held: true, own: false, known: true }, together: 1, goOn: () => this.goOn() }) : nothing;
    return html`
      ${tableLayout({
        scene, drawing: /** @type {any} */ (this.drawing), table: /** @type {any} */ (this.info), live: false, hold: null, rail: this.bar(scene),
        items: news.slice(-1), busy: false, skip: () => {}, seen: log.seen, log, stage, why, moment: String(this.step),
      })}
      <div class="unseen" role="log" aria-live="polite" aria-label=${t("news")}>${news.map((item) => html`<p>${scene.story(item)}</p>`)}</div>
      ${dialog({ open: this.dialog === "log", title: t("log"), close: this.closing("log"), kind: "side", body: () => logLines(scene, log) })}
      ${dialog({ open: this.dialog === "fair", title: t("fairDeal"), close: this.closing("fair"), kind: "wide", body: () => this.fairness?.fairDeal(this.table, this.seed, this.steps.flatMap(({ draws }) => draws ?? []), scene.players) })}
      ${dialog({ open: this.dialog === "review", title: t("review"), close: this.closing("review"), kind: "wide", body: () => html`<tripot-review .scene=${scene} .table=${this.table} .jump=${(/** @type {number} */ step) => { this.closing("review")(); this.goTo(step, true, Infinity); }} .again=${(/** @type {number} */ step, /** @type {number} */ seat) => void this.playOn(false, step, seat)} @given-up=${this.closing("review")}></tripot-review>` })}
      ${dialog({ open: this.dialog === "results", title: t("results"), close: this.closing("results"), kind: "wide", body: () => results(scene, /** @type {any} */ (this.drawing), { table: this.table, review: () => void this.review(), save: () => this.save(), share: () => void share(scene) }) })}
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
      <input type="range" min="0" max=${last} .value=${String(this.step)} aria-label=${t("step")} @input=${(/** @type {any} */ event) => this.goTo(Number(event.target.value), true, Infinity)}>
      <div class="replay-buttons">
        ${button("start", "first", () => this.goTo(0), this.step === 0)}
        ${button("previous", "back", () => this.goTo(this.step - 1), this.step === 0)}
        ${button(this.playing ? "pause" : "play", this.playing ? "pause" : "play", () => this.play(!this.playing))}
        ${button("next", "on", () => this.goOn(), this.step === last && !this.still)}
        ${button("last", "end", () => this.goTo(last), this.step === last)}
      </div>
      <label class="field seen-by"><span>${t("seenBy")}</span>
        <select aria-label=${t("seenBy")} @change=${(/** @type {any} */ event) => { this.seat = event.target.value === "" ? null : Number(event.target.value); void this.load(); }}>
          <option value="" ?selected=${this.seat === null}>${t("openly")}</option>
          ${scene.players.map((name, seat) => html`<option value=${seat} ?selected=${this.seat === seat}>${name}</option>`)}
        </select></label>
      <div class="actions">
        <button class="button small" aria-label=${t("linkHere")} @click=${() => copy(this, location.href)}>${icon("link")}<span class="roomy">${t("linkHere")}</span></button>
        <button class="button small" aria-label=${t("download")} @click=${() => this.save()}>${icon("down")}<span class="roomy">${t("download")}</span></button>
        <button class="button small" aria-label=${t("fairDeal")} @click=${() => void this.checkDeal()}>${icon("check")}<span class="roomy">${t("fairDeal")}</span></button>
        ${this.views.at(-1)?.over ? html`<button class="button small" id="review" @click=${() => void this.review()}>${t("review")}</button>` : nothing}
        ${this.views[this.step].over ? nothing : this.playOnButtons(scene)}
        ${this.views[this.step].over ? html`<button class="button small main" @click=${() => this.open("results")}>${t("results")}</button>` : nothing}
      </div>
    </section>`;
  }

  /** @param {Scene} scene */
  playOnButtons(scene) {
    const who = html`<span class="unseen"> · ${scene.players[this.seat ?? this.steps[this.step + 1]?.seat ?? 0]}</span>`;
    return html`<button class="button small" id="play-on" @click=${() => void this.playOn(false)}>${t("playOn")}${who}</button>
      <button class="button small" id="play-on-anew" title=${t("playOnAnewHow")} @click=${() => void this.playOn(true)}>${t("playOnAnew")}${who}</button>`;
  }

  /** @param {Scene} scene */
  decision(scene) {
    const { seat, decision } = this.steps[this.step];
    return seat !== null && decision ? html`<p><b>${scene.players[seat]}</b>${labelled("", scene.sentence(decision))}</p>` : nothing;
  }
}

/** Scrolls a log of the whole game to the line that has just been told. @param {Element} log */
function showLine(log) {
  const line = log.querySelector("li[data-news]:not(.to-come)");
  if (!line) return;
  const { top, bottom } = log.getBoundingClientRect();
  const place = line.getBoundingClientRect();
  if (place.top < top || place.bottom > bottom) log.scrollTop += place.top - top - HEADING;
}

/** @param {string} hash */
const stepOf = (hash) => Number(/^#step=(\d+)$/.exec(hash)?.[1] ?? 0);

customElements.define("tripot-replay", ReplayPage);
