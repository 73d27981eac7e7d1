// My games: all tables where this browser has a seat, with their results.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { face, levelDots } from "../frame/bot_face.js";
import { Page } from "../frame/page.js";
import { playerNames } from "../frame/players.js";
import { sure } from "../frame/sure.js";
import { check, topbar } from "../frame/topbar.js";
import { t, tr } from "../text/words.js";
import { allSeats, forget, hidden, hide, seatsAt } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

const WHOLE = 60; // a victory that nobody shares

class MyGames extends Page {
  constructor() {
    super();
    /** @type {requests.GameInfo[]} */
    this.games = [];
    /** @type {requests.TableInfo[] | null} */
    this.tables = null;
    this.all = false;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = `${t("myGames")} · Tripot`;
    void this.load();
  }

  async load() {
    try {
      this.games = (await requests.games()).games;
      const seats = allSeats();
      this.tables = seats.length ? (await requests.mine(seats)).tables : [];
      this.requestUpdate();
    } catch (error) {
      this.showError(error);
    }
  }

  /** @param {() => Promise<unknown>} change */
  async act(change) {
    try {
      await change();
      await this.load();
    } catch (error) {
      this.showError(error);
    }
  }

  render() {
    const away = hidden();
    const shown = this.tables?.filter(({ id }) => this.all || !away.includes(id));
    return html`
      ${topbar({ where: t("myGames"), showSettings: () => this.open("settings") })}
      <main class="my-games" id="main">
        <h1>${t("myGames")}</h1>
        ${!shown ? html`<p class="loading">${t("loading")}</p>` : shown.length ? html`<ul class="games-list">${shown.map((table) => this.entry(table, away.includes(table.id)))}</ul>` : html`<p>${t("noGames")}</p>`}
        ${away.length ? check("showHidden", this.all, (on) => { this.all = on; this.requestUpdate(); }) : nothing}
        <p class="actions"><a class="button" href="/">${t("lobby")}</a><a class="button" href="/seat">${t("takeSeat")}</a></p>
      </main>
      ${this.dialogs()}
    `;
  }

  /** @param {requests.TableInfo} table @param {boolean} away */
  entry(table, away) {
    const game = this.games.find(({ name }) => name === table.game);
    const names = game ? playerNames(table, game, settings.lang) : [];
    const others = table.seats.filter(({ seat }) => !table.mine?.includes(seat));
    const fact = (/** @type {import("../text/words.js").Word} */ word, /** @type {unknown} */ value) => html`<div><dt>${t(word)}</dt><dd>${value}</dd></div>`;
    return html`<li class="panel game-${table.game}">
      <h2>${game ? tr(game.title) : table.game}</h2>
      <dl>
        ${fact("date", new Date(table.created).toLocaleDateString(settings.locale, { day: "numeric", month: "long", year: "numeric" }))}
        ${fact("opponents", others.map((seat) => html`<span class="opponent">${seat.kind === "bot" ? html`${face(seat.name)} ${names[seat.seat]} ${levelDots(seat.level)}` : seat.name ? names[seat.seat] : t("freeSeat")}</span>`))}
        ${fact(table.status === "over" ? "result" : "status", this.result(table))}
        ${table.status === "waiting" ? nothing : fact("duration", `${Math.max(1, Math.round((Date.parse(table.updated) - Date.parse(table.created)) / 60_000))} ${t("minutes")}`)}
      </dl>
      ${this.buttons(table, away)}
    </li>`;
  }

  /** @param {requests.TableInfo} table */
  result(table) {
    if (table.status !== "over") return table.mine?.some((seat) => table.waiting.includes(seat)) ? html`<b>${t("yourTurn")}</b>` : t(STATUS[table.status]);
    const share = Math.max(...(table.mine ?? []).map((seat) => table.result?.[seat] ?? 0));
    return t(share >= WHOLE ? "won" : share > 0 ? "sharedWin" : "lostGame");
  }

  /** @param {requests.TableInfo} table @param {boolean} away */
  buttons(table, away) {
    const running = ["waiting", "playing"].includes(table.status);
    const seats = seatsAt(table.id);
    const host = seats.find(({ seat }) => seat === table.host);
    const leave = async () => {
      for (const { seat, token } of seats) await requests.freeSeat(table.id, token, seat);
      forget(table.id);
    };
    const button = (/** @type {import("../text/words.js").Word} */ word, /** @type {() => Promise<unknown>} */ change) => html`<button class="button small" @click=${() => void this.act(change)}>${t(word)}</button>`;
    return html`<div class="actions">
      <a class="button small main" href=${running ? `/tables/${table.id}` : `/tables/${table.id}#step=0`}>${t(running ? "goOnPlaying" : "watchReplay")}</a>
      ${table.status === "over" ? html`<a class="button small" href=${`/tables/${table.id}#review`}>${t("reviewGame")}</a>` : nothing}
      ${table.status === "over" && host ? button(table.published ? "unpublishGame" : "publishGame", () => requests.publish(table.id, host.token, !table.published)) : nothing}
      ${running && others(table) ? sure("leave", "leaveHint", () => void this.act(leave)) : nothing}
      ${running && host ? sure("endTable", "endHint", () => void this.act(() => requests.endTable(table.id, host.token))) : nothing}
      ${button(away ? "unhide" : "hide", async () => hide(table.id, !away))}
    </div>`;
  }
}

/** Whether other people sit at a table, who can play on. @param {requests.TableInfo} table */
const others = (table) => table.seats.some(({ seat, kind }) => kind === "person" && !table.mine?.includes(seat));

/** @type {Record<requests.TableInfo["status"], import("../text/words.js").Word>} */
const STATUS = { waiting: "waitingSeats", playing: "playing", over: "over", ended: "ended", outdated: "outdated", record: "record" };

customElements.define("tripot-my-games", MyGames);
