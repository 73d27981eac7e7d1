// A hint: the choices of the player who asks, ranked by the chance to win as far as they can see, and why.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { labelled, t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";

/** @typedef {import("./scene.js").Scene} Scene */

class HintPanel extends LitElement {
  static properties = { scene: { attribute: false }, table: {}, token: {}, sequence: { type: Number }, take: { attribute: false } };

  constructor() {
    super();
    this.table = "";
    this.token = "";
    this.sequence = 0;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {(parts: requests.Legal[]) => void} picks a whole choice on the table */
    this.take = () => {};
    /** @type {requests.HintChoice[] | null} */
    this.choices = null;
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
      this.choices = (await requests.hint(this.table, this.sequence, this.token)).choices;
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  render() {
    if (this.problem) return html`<p role="alert">${tr(this.problem.text)}</p>`;
    if (!this.choices || !this.scene) return html`<p class="loading" role="status">${t("imagining")}</p>`;
    return html`<ol class="hints">${this.choices.map((one, place) => this.choice(/** @type {Scene} */ (this.scene), one, place))}</ol>
      <p class="soft">${t("howHinted")}</p>`;
  }

  /** @param {Scene} scene @param {requests.HintChoice} one @param {number} place */
  choice(scene, one, place) {
    const said = one.parts.map((part) => scene.sentence(part)).join(" · ");
    return html`<li>
      <div class="hint-line"><b>${said}</b> <button class="button small" aria-label=${labelled(t("takeIt"), said)} @click=${() => this.take(one.parts)}>${t("takeIt")}</button></div>
      <div class="hint-line"><meter min="0" max="1" .value=${one.chance} aria-hidden="true"></meter>
        <span>${percent(one.chance)} ${percent(one.low) === percent(one.high) ? nothing : html`<span class="soft">(${t("from")} ${percent(one.low)} ${t("upTo")} ${percent(one.high)})</span>`}${place && one.level ? html` <span class="soft">· ${t("asGood")}</span>` : nothing}</span></div>
      ${one.reasons.length ? html`<p><span class="soft">${t(place ? "againstBest" : "againstNext")}</span> ${one.reasons.map(tr).join(" ")}</p>` : nothing}
    </li>`;
  }
}

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(settings.locale, { style: "percent", maximumFractionDigits: 0 }).format(share);

customElements.define("tripot-hint", HintPanel);
