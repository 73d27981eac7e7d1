// The link of a table: the guest gives a name and takes a free seat, or watches.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Page } from "../frame/page.js";
import { face, levelDots } from "../frame/bot_face.js";
import { mark } from "../frame/icon.js";
import { playerNames } from "../frame/players.js";
import { topbar } from "../frame/topbar.js";
import { t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { keep, seatsAt } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

const ID_LENGTH = 16; // a link's code starts with the id of its table

class JoinPage extends Page {
  constructor() {
    super();
    this.code = "";
    /** @type {{table: requests.TableInfo, seat: number | null} | null} */
    this.invited = null;
    /** @type {requests.Problem | null} */
    this.problem = null;
    this.name = settings.name;
    /** @type {number | null} the seat that the guest picked; null: any */
    this.seat = null;
  }

  connectedCallback() {
    super.connectedCallback();
    const table = this.code.slice(0, ID_LENGTH);
    if (seatsAt(table).length) go(`/tables/${table}`); // whoever sits there already comes to their seat
    else void this.load();
  }

  async load() {
    try {
      this.invited = await requests.invitation(this.code);
      this.seat = this.invited.seat;
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
      const { table, tokens } = await requests.accept(this.code, this.name.trim(), this.seat);
      keep(table.id, tokens);
      go(`/tables/${table.id}`);
    } catch (error) {
      this.showError(error);
      await this.load(); // somebody may have been faster
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

  /** @param {{table: requests.TableInfo}} invited @param {requests.Catalogue} catalogue */
  welcome({ table }, catalogue) {
    const free = table.seats.filter((one) => one.kind === "person" && !one.name);
    return html`<form class="panel" @submit=${this.sit}>
      <img class="game-banner" src=${`/page/art/${table.game}-sign.svg`} alt="">
      <p class="soft">${t("invited")}</p>
      <h1>${tr(catalogue.title)}</h1>
      <p class="lead">${tr(catalogue.tagline)}</p>
      ${this.guests(table, catalogue)}
      ${free.length && !["over", "ended"].includes(table.status) ? this.sitting(free, catalogue) : this.full(table)}
    </form>`;
  }

  /** @param {requests.TableInfo} table @param {requests.Catalogue} catalogue */
  guests(table, catalogue) {
    const names = playerNames(table, catalogue, settings.lang);
    const taken = table.seats.filter((one) => one.name);
    return html`<ul class="guests">${taken.map((one) => html`<li>${mark(one.seat)} ${one.kind === "bot" ? html`${face(one.name)} ${names[one.seat]} ${levelDots(one.level)}` : names[one.seat]}</li>`)}</ul>`;
  }

  /** @param {requests.SeatInfo[]} free @param {requests.Catalogue} catalogue */
  sitting(free, catalogue) {
    const radio = (/** @type {number | null} */ seat, /** @type {unknown} */ text) =>
      html`<label><input type="radio" name="seat" .checked=${this.seat === seat} @change=${() => { this.seat = seat; this.requestUpdate(); }}><span>${text}</span></label>`;
    const mine = (/** @type {requests.SeatInfo} */ one) => () => { this.name = one.kept_for ?? this.name; this.seat = one.seat; this.requestUpdate(); };
    return html`
      ${free.filter((one) => one.kept_for).map((one) => html`<button type="button" class="button" @click=${mine(one)}>${mark(one.seat)} ${t("iAm")} ${one.kept_for}</button>`)}
      <label class="field"><span>${t("yourName")}</span><input type="text" required maxlength="24" autocomplete="nickname" .value=${this.name} @input=${(/** @type {any} */ event) => { this.name = event.target.value; }}></label>
      ${free.length > 1 ? html`<fieldset class="field"><legend>${t("whichSeat")}</legend><div class="pills">${radio(null, t("anySeat"))}${free.map((one) => radio(one.seat, html`${tr(catalogue.seat_names[one.seat])}${one.kept_for ? html` <span class="soft">(${one.kept_for})</span>` : nothing}`))}</div></fieldset>` : nothing}
      <button class="button main big">${t("sitDown")}</button>`;
  }

  /** Nobody can sit down here any more. @param {requests.TableInfo} table */
  full(table) {
    const over = ["over", "ended"].includes(table.status);
    return html`<p>${t(over ? "gameIsOver" : "tableFull")}</p>
      <div class="actions">
        ${table.watch || table.published ? html`<a class="button main big" href=${over ? `/tables/${table.id}#step=0` : `/tables/${table.id}`}>${t(over ? "watchReplay" : "watchIt")}</a>` : nothing}
        <a class="button" href="/">${t("lobby")}</a>
      </div>`;
  }
}
customElements.define("tripot-join", JoinPage);
