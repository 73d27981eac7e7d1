// An invitation: the guest gives a name and sits down.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Page } from "../frame/page.js";
import { mark } from "../frame/icon.js";
import { playerNames } from "../frame/players.js";
import { topbar } from "../frame/topbar.js";
import { t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { keep } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

class JoinPage extends Page {
  constructor() {
    super();
    this.code = "";
    /** @type {{table: requests.TableInfo, seat: number} | null} */
    this.invited = null;
    /** @type {requests.Problem | null} */
    this.problem = null;
    this.name = settings.name;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.load();
  }

  async load() {
    try {
      this.invited = await requests.invitation(this.code);
      this.catalogue = await requests.catalogue(this.invited.table.game);
      document.body.className = `game-${this.invited.table.game}`;
      document.title = `${tr(this.catalogue.title)} · Tripot`;
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  /** @param {SubmitEvent} event */
  async sit(event) {
    event.preventDefault();
    try {
      settings.change({ name: this.name });
      const { table, tokens } = await requests.accept(this.code, this.name.trim());
      keep(table.id, tokens);
      go(`/tables/${table.id}`);
    } catch (error) {
      this.showError(error);
    }
  }

  render() {
    return html`
      ${topbar({ showSettings: () => this.open("settings") })}
      <main class="join" id="main">
        ${this.problem ? html`<div class="panel"><h1>${tr(this.problem.text)}</h1><p><a class="button" href="/">${t("lobby")}</a></p></div>` : this.invited && this.catalogue ? this.welcome(this.invited, this.catalogue) : html`<p class="loading">${t("loading")}</p>`}
      </main>
      ${this.dialogs()}
    `;
  }

  /** @param {{table: requests.TableInfo, seat: number}} invited @param {requests.Catalogue} catalogue */
  welcome({ table, seat }, catalogue) {
    const names = playerNames(table, catalogue, settings.lang);
    return html`<form class="panel" @submit=${this.sit}>
      <img class="game-banner" src=${`/page/art/${table.game}-sign.svg`} alt="">
      <p class="soft">${t("invited")}</p>
      <h1>${tr(catalogue.title)}</h1>
      <p class="lead">${tr(catalogue.tagline)}</p>
      <ul class="guests">${table.seats.map((one) => html`<li class=${one.seat === seat ? "yours" : ""}>${mark(one.seat)} ${one.seat === seat ? t("you") : one.kind === "person" && !one.name ? t("freeSeat") : names[one.seat]}${one.kind === "bot" ? html` <span class="soft">(${t("bot")})</span>` : nothing}</li>`)}</ul>
      <label class="field"><span>${t("yourName")}</span><input type="text" required maxlength="24" autocomplete="nickname" .value=${this.name} @input=${(/** @type {any} */ event) => { this.name = event.target.value; }}></label>
      <button class="button main big">${t("sitDown")}</button>
    </form>`;
  }
}
customElements.define("tripot-join", JoinPage);
