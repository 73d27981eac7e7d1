// What a player can know of hidden cards: for every seat what may lie there, and how likely.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";

/** @typedef {import("./scene.js").Scene} Scene */

const SHOWN = 8; // things of one place, the likeliest
const SURE = 0.995; // what would be rounded to certainty is not called certain

class ChancesPanel extends LitElement {
  static properties = { scene: { attribute: false }, table: {}, token: {} };

  constructor() {
    super();
    this.table = "";
    this.token = "";
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {requests.Chances | null} */
    this.found = null;
    /** @type {requests.Problem | null} */
    this.problem = null;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.ask();
  }

  async ask() {
    try {
      this.found = await requests.chances(this.table, this.token);
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  render() {
    const { scene, found } = this;
    if (this.problem) return html`<p role="alert">${tr(this.problem.text)}</p>`;
    if (!found || !scene) return html`<p class="loading" role="status">${t("imaginingTables")}</p>`;
    const owners = [...scene.round, null].filter((seat) => found.places.some((place) => place.seat === seat));
    if (!owners.length) return html`<p>${t("nothingHidden")}</p>`;
    return html`${owners.map((seat) => html`<section class="chances">
        <h3>${seat === null ? t("onTheTable") : scene.players[seat]}</h3>
        ${found.places.filter((place) => place.seat === seat).map((place) => this.place(scene, place))}
      </section>`)}
      <p class="soft">${t(found.weighed ? "howWeighed" : "howTablesCounted")}</p>`;
  }

  /** @param {Scene} scene @param {requests.HiddenPlace} place */
  place(scene, place) {
    const shown = place.chances.slice(0, SHOWN);
    const out = place.ruled_out.map((thing) => scene.name(place.names, thing)).join(", ");
    return html`<h4>${tr(place.label)}${place.one ? nothing : html` <span class="soft">${t("atLeastOne")}</span>`}</h4>
      <ul>${shown.map(([thing, chance]) => html`<li><span>${scene.name(place.names, thing)}</span><meter min="0" max="1" .value=${chance} aria-hidden="true"></meter><span>${said(chance)}</span></li>`)}</ul>
      ${out ? html`<p class="soft">${t("ruledOut")} ${out}</p>` : nothing}`;
  }
}

/** @param {number} chance */
const said = (chance) => (chance === 1 ? t("certain") : chance < 0.01 ? `< ${percent(0.01)}` : chance >= SURE ? `> ${percent(0.99)}` : percent(chance));

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(settings.locale, { style: "percent", maximumFractionDigits: 0 }).format(share);

customElements.define("tripot-chances", ChancesPanel);
