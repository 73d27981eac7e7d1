// Lessons: a real position on the real table, one idea each. A wrong decision is answered with why, and tried again.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { clauses } from "../frame/choice_panel.js";
import { goalLine } from "../frame/guide.js";
import { icon } from "../frame/icon.js";
import { primerDialog } from "../frame/primer_dialog.js";
import { Page } from "../frame/page.js";
import { Scene } from "../frame/scene.js";
import { tableLayout } from "../frame/table_layout.js";
import { topbar } from "../frame/topbar.js";
import { loadDrawing } from "../games/load.js";
import { t, tr } from "../text/words.js";
import { learnt, learn } from "../wire/progress.js";
import * as requests from "../wire/requests.js";

class LearnPage extends Page {
  constructor() {
    super();
    this.game = "";
    /** @type {requests.Lesson[]} */
    this.lessons = [];
    /** @type {import("../frame/scene.js").Drawing | null} */
    this.drawing = null;
    this.lesson = 0;
    this.question = 0;
    /** @type {requests.LessonChoice | null} the last answer of the learner */
    this.answer = null;
    this.moved = () => this.goTo(this.lessons.findIndex(({ key }) => key === location.hash.slice(1)), false);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.moved);
    void this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.moved);
  }

  async load() {
    try {
      const { lessons } = await requests.lessons(this.game);
      const catalogue = await requests.catalogue(this.game);
      this.drawing = await loadDrawing(catalogue.drawing);
      this.catalogue = catalogue;
      this.lessons = lessons;
      document.body.className = `game-${this.game}`;
      document.title = `${tr(catalogue.title)} · ${t("learn")} · Tripot`;
      const named = lessons.findIndex(({ key }) => key === location.hash.slice(1));
      const next = lessons.findIndex(({ key }) => !learnt(this.game).includes(key));
      this.goTo(named < 0 ? Math.max(0, next) : named, false);
    } catch (error) {
      this.showError(error);
    }
    this.requestUpdate();
  }

  /** @param {number} lesson @param {boolean} [write] whether the address follows */
  goTo(lesson, write = true) {
    this.lesson = Math.max(0, Math.min(lesson, this.lessons.length - 1));
    this.question = 0;
    this.answer = null;
    if (write && this.lessons.length) history.replaceState(null, "", `#${this.lessons[this.lesson].key}`);
    this.requestUpdate();
    void this.updateComplete.then(() => this.begin(write));
  }

  /** A lesson begins with the whole table and its first words. @param {boolean} focus whether the learner came here by a button that is gone */
  begin(focus) {
    scrollTo(0, 0);
    const panel = /** @type {HTMLElement | null} */ (this.querySelector(".lesson"));
    panel?.scrollTo(0, 0);
    if (focus) panel?.focus({ preventScroll: true });
  }

  get solved() {
    return this.question >= (this.lessons[this.lesson]?.questions.length ?? 1);
  }

  /** @param {requests.Legal} legal */
  decide({ action }) {
    const lesson = this.lessons[this.lesson];
    const choice = lesson.questions[this.question]?.choices.find(({ decision }) => decision.action === action);
    if (!choice) return;
    this.answer = choice;
    if (choice.right) this.question += 1;
    if (this.solved) learn(this.game, lesson.key);
    this.requestUpdate();
    void this.updateComplete.then(() => this.answered());
  }

  /** What the learner is told comes into sight in its panel; the table stays where it is. */
  answered() {
    const [panel, told] = [".lesson", ".lesson [role=status]"].map((where) => /** @type {HTMLElement | null} */ (this.querySelector(where)));
    if (panel && told) panel.scrollTop = told.offsetTop - panel.offsetTop - 12;
    const next = /** @type {HTMLElement | null} */ (this.solved ? this.querySelector("#next-lesson") : panel);
    next?.focus({ preventScroll: true });
  }

  /** @param {requests.Catalogue} catalogue @param {requests.LessonQuestion} question what is asked, where the learner touches something else */
  refuse(catalogue, question) {
    const asked = catalogue.questions[String(question.view.phase)];
    if (asked && !this.solved) this.say(`${t("notNow")} ${tr(asked)}`, asked.clause.split(" ")[0]);
  }

  /** @param {string} key @param {HTMLElement} target */
  shortcut(key, target) {
    const choice = this.lessons[this.lesson]?.questions[this.question]?.choices[Number(key) - 1];
    if (!choice) return super.shortcut(key, target);
    this.decide(choice.decision);
    return true;
  }

  render() {
    const { catalogue } = this;
    const scene = catalogue && this.lessons.length ? this.sceneOf(catalogue) : null;
    const signs = catalogue ? html`<button class="icon-button" @click=${() => this.open("rules")} aria-label=${t("rules")} title=${`${t("rules")} (R)`}>${icon("book")}</button>` : nothing;
    return html`
      ${topbar({ where: catalogue ? html`${tr(catalogue.title)} <span class="soft">· ${t("learn")}</span>` : "", goal: scene ? goalLine(scene) : nothing, signs, showSettings: () => this.open("settings") })}
      ${scene && this.drawing ? this.show(scene, this.drawing) : html`<main class="loading" id="main">${catalogue && !this.lessons.length ? html`<p>${t("noLessons")}</p><p><a href=${`/rules/${this.game}`}>${t("rules")}</a></p>` : t("loading")}</main>`}
      ${catalogue ? primerDialog(catalogue, this) : nothing}
      ${this.dialogs()}
    `;
  }

  /** @returns {requests.LessonQuestion} the one that is asked, or was asked last */
  get asked() {
    const { questions } = this.lessons[this.lesson];
    return questions[Math.min(this.question, questions.length - 1)];
  }

  /** @param {requests.Catalogue} catalogue */
  sceneOf(catalogue) {
    const question = this.asked;
    return new Scene({
      view: (this.solved && this.answer?.after) || question.view,
      catalogue,
      lang: settings.lang,
      players: catalogue.seat_names.map((name) => tr(name)),
      me: question.seat,
      legal: this.solved ? [] : question.choices.map(({ decision }) => decision),
      pick: (legal) => this.decide(legal),
      refuse: () => this.refuse(catalogue, question),
    });
  }

  /** @param {Scene} scene @param {import("../frame/scene.js").Drawing} drawing */
  show(scene, drawing) {
    const lesson = this.lessons[this.lesson];
    const why = (/** @type {string} */ clause) => void this.why(clause);
    const seats = scene.players.map((name, seat) => ({ seat, kind: "person", name, here: true, held: false, level: null }));
    return tableLayout({
      scene, drawing, table: /** @type {any} */ ({ seats }), live: false, hold: null, rail: this.panel(scene, lesson, this.asked, why),
      items: [], busy: false, skip: () => {}, seen: 0, why, moment: `${lesson.key} ${this.question}`,
    });
  }

  /** @param {Scene} scene @param {requests.Lesson} lesson @param {requests.LessonQuestion} question @param {(clause: string) => void} why */
  panel(scene, lesson, question, why) {
    const asked = scene.catalogue.questions[String(question.view.phase)];
    return html`<section class="choice mine lesson" tabindex="-1" aria-label=${t("lesson")}>
      <p class="soft">${t("lesson")} ${this.lesson + 1} / ${this.lessons.length}</p>
      <h2>${tr(lesson.title)}</h2>
      <p>${tr(lesson.idea)}</p>
      <div role="status">${this.answer ? html`<p class=${this.answer.right ? "right" : "refusal"}><b>${this.answer.right ? t("wellDone") : t("notThisOne")}</b> ${this.answer.right && !this.solved ? nothing : html`${tr(this.answer.told)} ${clauses(this.answer.clause, why)}`}</p>` : nothing}</div>
      ${this.solved ? this.afterwards() : html`<h3 class="question">${asked ? tr(asked) : t("choose")} ${clauses(asked?.clause ?? "", why)}</h3>
        <div class="options" role="group" aria-label=${asked ? tr(asked) : t("choose")}>${question.choices.map(({ decision }, i) => html`<button data-action=${decision.action} @click=${() => this.decide(decision)}><kbd aria-hidden="true">${i < 9 ? i + 1 : ""}</kbd><span class="label">${scene.sentence(decision)}</span></button>`)}</div>`}
      ${scene.catalogue.primer ? html`<p><button class="plain" @click=${() => this.open("primer")}>${t("oneMinute")}</button></p>` : nothing}
      ${this.contents()}
    </section>`;
  }

  afterwards() {
    const last = this.lesson === this.lessons.length - 1;
    return last
      ? html`<p>${t("allLearnt")}</p><p class="actions"><a class="button main" id="next-lesson" href="/">${t("lobby")}</a></p>`
      : html`<p class="actions"><button class="button main" id="next-lesson" @click=${() => this.goTo(this.lesson + 1)}>${t("nextLesson")}</button></p>`;
  }

  contents() {
    const known = learnt(this.game);
    return html`<details class="lessons"><summary>${t("lessons")} (${this.lessons.filter(({ key }) => known.includes(key)).length} / ${this.lessons.length})</summary>
      <ol>${this.lessons.map(({ key, title }, i) => html`<li><button class="plain" aria-current=${i === this.lesson ? "true" : "false"} @click=${() => this.goTo(i)}>${tr(title)}</button>${known.includes(key) ? html` ${icon("check")}<span class="unseen">${t("learnt")}</span>` : nothing}</li>`)}</ol></details>`;
  }
}

customElements.define("tripot-learn", LearnPage);
