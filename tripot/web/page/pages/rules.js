// The rule book of a game on a page of its own.

import { html } from "../vendor/lit.js";
import { Page } from "../frame/page.js";
import { primer } from "../frame/primer.js";
import { ruleBook } from "../frame/rule_book.js";
import { topbar } from "../frame/topbar.js";
import { t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";

class RulesPage extends Page {
  constructor() {
    super();
    this.game = "";
  }

  connectedCallback() {
    super.connectedCallback();
    void this.load();
  }

  async load() {
    try {
      this.catalogue = await requests.catalogue(this.game);
      await requests.readClauses(this.catalogue);
      document.body.className = `game-${this.game}`;
      document.title = `${tr(this.catalogue.title)} · ${t("rules")} · Tripot`;
    } catch (error) {
      this.showError(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    if (location.hash) this.querySelector(`#rule-${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView();
  }

  render() {
    const { catalogue } = this;
    return html`
      ${topbar({ where: catalogue ? tr(catalogue.title) : "", showSettings: () => this.open("settings") })}
      <main class="rules-page" id="main">
        ${catalogue
          ? html`<h1>${tr(catalogue.title)} · ${t("rules")}</h1>${primer(catalogue, !location.hash)}<p class="actions"><a class="button" href=${`/learn/${this.game}`}>${t("lessons")}</a></p>${ruleBook(catalogue, location.hash.slice(1), this.wanted, (clause) => { location.hash = clause; this.wanted = ""; this.requestUpdate(); this.querySelector(`#rule-${CSS.escape(clause)}`)?.scrollIntoView(); }, (wanted) => { this.wanted = wanted; this.requestUpdate(); }, 2)}`
          : html`<p class="loading">${t("loading")}</p>`}
      </main>
      ${this.dialogs()}
    `;
  }
}
customElements.define("tripot-rules", RulesPage);
