// The rules of a game: in one minute, chapter by chapter, by an example, and clause by clause.

import { html, nothing } from "../vendor/lit.js";
import { Page } from "../frame/page.js";
import { picturesOf } from "../frame/picture.js";
import { panelFigure } from "../frame/primer.js";
import { clauseList, sectionOf, ruleSearch } from "../frame/rule_book.js";
import { topbar } from "../frame/topbar.js";
import { markdown } from "../text/markdown.js";
import { t, tr } from "../text/words.js";
import { primed } from "../wire/progress.js";
import * as requests from "../wire/requests.js";

class RulesPage extends Page {
  constructor() {
    super();
    this.game = "";
    /** @type {requests.Teaching} */
    this.teaching = { game: "", primer: [], chapters: [], example: [] };
    /** @type {import("../frame/scene.js").Drawing | null} what draws the pictures */
    this.drawing = null;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.load();
  }

  async load() {
    try {
      const [catalogue, teaching] = await Promise.all([requests.catalogue(this.game), requests.teaching(this.game)]);
      const [drawing] = await Promise.all([picturesOf(catalogue), requests.readClauses(catalogue)]);
      this.catalogue = catalogue;
      this.teaching = teaching;
      this.drawing = drawing;
      document.body.className = `game-${this.game}`;
      document.title = `${tr(catalogue.title)} · ${t("rules")} · Tripot`;
      if (teaching.primer.length) primed(this.game);
    } catch (error) {
      this.showError(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    if (location.hash) this.goTo(`rule-${location.hash.slice(1)}`);
  }

  /** @param {string} id of what is shown and focused */
  goTo(id) {
    const target = this.querySelector(`#${CSS.escape(id)}`);
    target?.scrollIntoView();
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** @param {string} clause */
  async openClause(clause) {
    history.replaceState(null, "", `#${clause}`);
    this.requestUpdate();
    await this.updateComplete;
    this.goTo(`rule-${clause}`);
  }

  render() {
    const { catalogue } = this;
    return html`
      ${topbar({ where: catalogue ? tr(catalogue.title) : "", showSettings: () => this.open("settings") })}
      <main class="rules-page" id="main">${catalogue && this.drawing ? this.book(catalogue, this.drawing) : html`<p class="loading">${t("loading")}</p>`}</main>
      ${this.dialogs()}
    `;
  }

  /** @param {requests.Catalogue} catalogue @param {import("../frame/scene.js").Drawing} drawing */
  book(catalogue, drawing) {
    const { primer, chapters, example } = this.teaching;
    const open = (/** @type {string} */ clause) => void this.openClause(clause);
    return html`<h1>${tr(catalogue.title)} · ${t("rules")}</h1>
      ${ruleSearch(catalogue, open)}
      ${this.contents(catalogue)}
      ${primer.length ? html`<section class="chapter"><h2 id="in-one-minute" tabindex="-1">${t("oneMinute")}</h2>
        <ol class="primer">${primer.map((panel) => html`<li>${panelFigure(panel, catalogue, drawing)}</li>`)}</ol></section>` : nothing}
      ${catalogue.lessons ? html`<p class="actions"><a class="button" href=${`/learn/${this.game}`}>${t("lessons")}</a></p>` : nothing}
      ${chapters.map((chapter, i) => html`<section class="chapter"><h2 id=${`chapter-${i}`} tabindex="-1">${tr(chapter.title)}</h2>${markdown(tr(chapter.text), open)}</section>`)}
      ${example.length ? html`<section class="chapter"><h2 id="example" tabindex="-1">${t("anExample")}</h2>
        <ol class="example">${example.map((panel) => html`<li>${panelFigure(panel, catalogue, drawing, markdown(tr(panel.text), open))}</li>`)}</ol></section>` : nothing}
      <section class="chapter"><h2 id="clauses" tabindex="-1">${t("everyClause")}</h2><div class="rules">${clauseList(catalogue, location.hash.slice(1), open, 3)}</div></section>`;
  }

  /** @param {requests.Catalogue} catalogue */
  contents({ clauses }) {
    const { primer, chapters, example } = this.teaching;
    const sections = clauses.filter((clause, i) => i === 0 || sectionOf(clauses[i - 1]) !== sectionOf(clause));
    const link = (/** @type {string} */ id, /** @type {string} */ title) => html`<li><a href=${`#${id}`} @click=${(/** @type {Event} */ event) => { event.preventDefault(); this.goTo(id); }}>${title}</a></li>`;
    return html`<nav class="contents" aria-label=${t("contents")}><ul>
      ${primer.length ? link("in-one-minute", t("oneMinute")) : nothing}
      ${chapters.map((chapter, i) => link(`chapter-${i}`, tr(chapter.title)))}
      ${example.length ? link("example", t("anExample")) : nothing}
      ${link("clauses", t("everyClause"))}</ul>
      <details><summary>${t("sections")}</summary><ul>${sections.map((clause) => link(`section-${sectionOf(clause)}`, `${sectionOf(clause)} ${tr(clause.section)}`))}</ul></details>
    </nav>`;
  }
}
customElements.define("tripot-rules", RulesPage);
