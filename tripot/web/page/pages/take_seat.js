// A seat from another device: the six words it shows bring the seat here.

import { html } from "../vendor/lit.js";
import { Page } from "../frame/page.js";
import { topbar } from "../frame/topbar.js";
import { t } from "../text/words.js";
import { go } from "../wire/address.js";
import { keep } from "../wire/seat_tokens.js";
import { redeem } from "../wire/requests.js";

class TakeSeat extends Page {
  constructor() {
    super();
    // A scanned code holds the words behind the #, which browsers send to no server.
    this.words = decodeURIComponent(location.hash.slice(1)).replaceAll("-", " ");
    history.replaceState(null, "", "/seat");
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = `${t("takeSeat")} · Tripot`;
  }

  /** @param {SubmitEvent} event */
  async take(event) {
    event.preventDefault();
    try {
      const { table, tokens } = await redeem(this.words);
      keep(table.id, tokens);
      go(`/tables/${table.id}`);
    } catch (error) {
      this.showError(error);
    }
  }

  render() {
    return html`
      ${topbar({ showSettings: () => this.open("settings") })}
      <main class="join" id="main"><form class="panel" @submit=${this.take}>
        <h1>${t("takeSeat")}</h1>
        <p>${t("takeSeatHint")}</p>
        <label class="field"><span>${t("sixWords")}</span><input type="text" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false" .value=${this.words} @input=${(/** @type {any} */ event) => { this.words = event.target.value; }}></label>
        <button class="button main big">${t("takeSeatHere")}</button>
      </form></main>
      ${this.dialogs()}
    `;
  }
}
customElements.define("tripot-take-seat", TakeSeat);
