// The lobby: choose a game, open a table, find your tables again.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Page } from "../frame/page.js";
import { icon, mark } from "../frame/icon.js";
import { pills, topbar } from "../frame/topbar.js";
import { playerNames } from "../frame/players.js";
import { capital } from "../text/speech.js";
import { t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { allSeats, keep } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

/**
 * @typedef {requests.GameInfo} GameInfo
 * @typedef {requests.TableInfo} TableInfo
 * @typedef {requests.OptionInfo} OptionInfo
 * @typedef {{kind: "here" | "friend" | requests.Level, name: string}} Chair
 */

const MOST_NUMBERS = 40; // in a house rule that is a table of numbers; larger ones need a file or the terminal
const LIST_TIME = 15_000; // milliseconds between requests for the lists while the lobby is visible

class Lobby extends Page {
  constructor() {
    super();
    /** @type {GameInfo[]} */
    this.games = [];
    /** @type {GameInfo | null} */
    this.game = null;
    /** @type {Chair[]} */
    this.chairs = [];
    /** @type {Record<string, any>} */
    this.options = {};
    this.pace = "quick";
    this.strangers = false;
    this.watchers = true;
    this.opening = false;
    /** @type {Record<"mine" | "open" | "finished", TableInfo[] | null>} */
    this.lists = { mine: null, open: null, finished: null };
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Tripot";
    void this.load();
    this.timer = setInterval(() => document.hidden || void this.loadLists(), LIST_TIME);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async load() {
    try {
      this.games = (await requests.games()).games;
      this.requestUpdate();
      await this.loadLists();
    } catch (error) {
      this.showError(error);
    }
  }

  async loadLists() {
    const seats = allSeats();
    try {
      const [mine, open, finished] = await Promise.all([seats.length ? requests.mine(seats) : { tables: [] }, requests.tables("open"), requests.tables("finished")]);
      this.lists = { mine: mine.tables, open: open.tables, finished: finished.tables };
      this.requestUpdate();
    } catch (error) {
      this.showError(error);
    }
  }

  // --- Setting a table ---

  /** @param {GameInfo} game */
  async chooseGame(game) {
    this.game = game;
    this.options = {};
    this.setSeats(game.seats.includes(4) ? 4 : game.seats[0]);
    this.catalogue = null;
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector("#new-table")?.scrollIntoView({ block: "start", behavior: settings.still ? "auto" : "smooth" });
    this.catalogue = await requests.catalogue(game.name);
    this.requestUpdate();
  }

  /** @param {number} count */
  setSeats(count) {
    this.chairs = Array.from({ length: count }, (_, seat) => this.chairs[seat] ?? { kind: seat ? "medium" : "here", name: seat ? "" : settings.name });
    this.requestUpdate();
  }

  /** @param {number} seat @param {Partial<Chair>} changes */
  setChair(seat, changes) {
    this.chairs[seat] = { ...this.chairs[seat], ...changes };
    if (seat === 0 && changes.name !== undefined) settings.change({ name: changes.name });
    this.requestUpdate();
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    event.preventDefault();
    const game = /** @type {GameInfo} */ (this.game);
    this.opening = true;
    this.requestUpdate();
    try {
      const seats = this.chairs.map(({ kind, name }, seat) =>
        kind === "here" ? { kind, name: name.trim() || tr(game.seat_names[seat]) } : kind === "friend" ? { kind } : { kind: "bot", level: kind });
      const wish = { game: game.name, seats, options: this.options, open: this.strangers, watch: this.watchers, pace: this.pace };
      const { table, tokens } = await requests.open(wish);
      keep(table.id, tokens);
      go(`/tables/${table.id}`);
    } catch (error) {
      this.showError(error);
    }
    this.opening = false;
    this.requestUpdate();
  }

  /** @param {Event} event */
  async upload(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    try {
      const table = await requests.upload(await file.text());
      go(`/tables/${table.id}#step=0`);
    } catch (error) {
      this.showError(error);
    }
    input.value = "";
  }

  // --- Drawing ---

  render() {
    return html`
      ${topbar({ showSettings: () => this.open("settings") })}
      <main class="lobby" id="main">
        <header class="welcome"><h1>${t("motto")}</h1><p class="lead">${t("invitation")}</p></header>
        <section aria-label=${t("chooseGame")} class="game-tiles">${this.games.map((game) => this.gameTile(game))}</section>
        ${this.game ? this.form(this.game) : nothing}
        <div class="lists">
          ${this.list("myTables", "noMine", this.lists.mine)}
          ${this.list("openTables", "noOpen", this.lists.open)}
          ${this.list("finished", "noFinished", this.lists.finished)}
        </div>
        <label class="upload button">${icon("up")}<span>${t("openRecord")}</span><input type="file" accept=".json,application/json" @change=${this.upload}></label>
        <p class="soft">${t("recordHint")}</p>
      </main>
      ${this.dialogs()}
    `;
  }

  /** @param {GameInfo} game */
  gameTile(game) {
    const seats = game.seats.length > 1 ? `${game.seats[0]}–${game.seats.at(-1)}` : game.seats[0];
    return html`<button class="game-tile game-${game.name}" aria-pressed=${this.game?.name === game.name ? "true" : "false"} @click=${() => void this.chooseGame(game)}>
      <span class="game-tile-art"><img src=${`/page/art/${game.name}-sign.svg`} alt=""></span>
      <span class="game-tile-title">${tr(game.title)}</span>
      <span class="game-tile-line">${tr(game.tagline)}</span>
      <span class="game-tile-seats">${icon("person")}${seats} ${t("players")}</span>
    </button>`;
  }

  /** @param {GameInfo} game */
  form(game) {
    return html`<form id="new-table" class="panel new-table" @submit=${this.openTable}>
      <h2>${t("newTable")} <span class="soft">· ${tr(game.title)}</span></h2>
      ${game.seats.length > 1 ? pills("seatsNumber", String(this.chairs.length), game.seats.map((count) => [String(count), String(count)]), (count) => this.setSeats(Number(count))) : nothing}
      <fieldset class="field"><legend>${t("whoSits")}</legend>
        <ol class="chairs">${this.chairs.map((chair, seat) => this.chair(game, chair, seat))}</ol>
      </fieldset>
      ${game.options.length ? html`<details class="house-rules"><summary>${t("houseRules")}${Object.keys(this.options).length ? ` (${Object.keys(this.options).length})` : ""}</summary>
        ${game.options.map((option) => this.option(option))}</details>` : nothing}
      ${pills("pace", this.pace, [["instant", t("instant")], ["quick", t("quick")], ["calm", t("calm")]], (pace) => { this.pace = pace; this.requestUpdate(); })}
      ${this.chairs.some(({ kind }) => kind === "friend") ? this.check("openSeats", this.strangers, (on) => { this.strangers = on; }) : nothing}
      ${this.check("mayWatch", this.watchers, (on) => { this.watchers = on; })}
      <button class="button main big" ?disabled=${this.opening}>${t("openTable")}</button>
    </form>`;
  }

  /** @param {GameInfo} game @param {Chair} chair @param {number} seat */
  chair(game, chair, seat) {
    const level = game.levels.find((one) => one.level === chair.kind);
    const place = tr(game.seat_names[seat]);
    return html`<li class="chair">
      ${mark(seat)}<span class="chair-place">${place}</span>
      <select aria-label=${`${place} : ${t("whoSits")}`} .value=${chair.kind} @change=${(/** @type {Event} */ event) => this.setChair(seat, { kind: /** @type {any} */ (event.target).value })}>
        <option value="here" ?selected=${chair.kind === "here"}>${seat ? t("here") : t("me")}</option>
        <option value="friend" ?selected=${chair.kind === "friend"}>${t("friend")}</option>
        ${game.levels.map((one) => html`<option value=${one.level} ?selected=${chair.kind === one.level}>${t("bot")} · ${tr(one.name)}</option>`)}
      </select>
      ${chair.kind === "here" ? html`<input type="text" maxlength="24" autocomplete=${seat ? "off" : "nickname"} aria-label=${`${place} : ${t("name")}`} placeholder=${seat ? t("name") : t("yourName")} .value=${chair.name}
        @input=${(/** @type {Event} */ event) => this.setChair(seat, { name: /** @type {any} */ (event.target).value })}>` : html`<span class="soft meaning">${level ? tr(level.meaning) : nothing}</span>`}
    </li>`;
  }

  /** @param {OptionInfo} option */
  option(option) {
    const id = `option-${option.name}`;
    return html`<div class="house-rule">
      <label for=${option.shape.length ? nothing : id}>${tr(option.text)}</label>
      <button type="button" class="clause" aria-label=${`${t("why")} ${option.clause}`} @click=${() => void this.why(option.clause)}>${option.clause}</button>
      ${this.control(option, id)}
    </div>`;
  }

  /** @param {OptionInfo} option @param {string} id */
  control(option, id) {
    const value = this.options[option.name] ?? option.default;
    if (option.values) {
      return html`<select id=${id} @change=${(/** @type {any} */ event) => this.setOption(option, event.target.value)}>
        ${option.values.map((name) => html`<option value=${name} ?selected=${name === value}>${capital(name)}${name === option.default ? ` (${t("default")})` : ""}</option>`)}</select>`;
    }
    if (!option.shape.length && option.highest === 1) {
      return html`<input id=${id} type="checkbox" .checked=${Boolean(value)} @change=${(/** @type {any} */ event) => this.setOption(option, event.target.checked ? 1 : 0)}>`;
    }
    if (option.shape.reduce((all, size) => all * size, 1) > MOST_NUMBERS) return html`<span class="soft">${t("byFile")}</span>`;
    const highest = option.highest ?? this.chairs.length;
    const number = (/** @type {number} */ shown, /** @type {(n: number) => void} */ set, /** @type {string} */ label, /** @type {string} */ own) =>
      html`<input id=${own || nothing} type="number" min="0" max=${highest} required aria-label=${label || nothing} .value=${String(shown)} @change=${(/** @type {any} */ event) => set(Number(event.target.value))}>`;
    if (!option.shape.length) return number(value, (n) => this.setOption(option, n), "", id);
    return html`<div class="number-table">${flat(value).map((shown, i) => number(shown, (n) => this.setOption(option, changed(value, option.shape, i, n)), `${tr(option.text)} ${i + 1}`, ""))}</div>`;
  }

  /** @param {OptionInfo} option @param {any} value sent only if it differs from the default */
  setOption(option, value) {
    const { [option.name]: _, ...rest } = this.options;
    this.options = JSON.stringify(value) === JSON.stringify(option.default) ? rest : { ...rest, [option.name]: value };
    this.requestUpdate();
  }

  /** @param {import("../text/words.js").Word} word @param {boolean} on @param {(on: boolean) => void} change */
  check(word, on, change) {
    return html`<label class="check"><input type="checkbox" .checked=${on} @change=${(/** @type {any} */ event) => { change(event.target.checked); this.requestUpdate(); }}><span>${t(word)}</span></label>`;
  }

  /** @param {import("../text/words.js").Word} title @param {import("../text/words.js").Word} empty @param {TableInfo[] | null} tables */
  list(title, empty, tables) {
    return html`<section class="panel list"><h2>${t(title)}</h2>
      ${tables === null ? html`<p class="soft">…</p>` : tables.length ? html`<ul>${tables.slice(0, 12).map((table) => this.entry(table))}</ul>` : html`<p class="soft">${t(empty)}</p>`}
    </section>`;
  }

  /** @param {TableInfo} table */
  entry(table) {
    const game = this.games.find(({ name }) => name === table.game);
    const names = game ? playerNames(table, game, settings.lang) : [];
    const ended = ["over", "record"].includes(table.status);
    const turn = table.mine?.some((seat) => table.waiting.includes(seat));
    return html`<li><a class="entry game-${table.game}" href=${ended && !table.mine?.length ? `/tables/${table.id}#step=0` : `/tables/${table.id}`}>
      <b>${game ? tr(game.title) : table.game}</b>
      <span class="entry-names">${table.seats.map((seat, i) => html`${i ? ", " : ""}<span class=${table.result?.[i] ? "won" : ""}>${seat.kind === "person" && !seat.name ? t("freeSeat") : names[i]}</span>`)}</span>
      <span class="entry-status ${turn ? "turn" : ""}">${turn ? t("yourTurn") : t(STATUS[table.status])}</span>
    </a></li>`;
  }
}

/** @type {Record<TableInfo["status"], import("../text/words.js").Word>} */
const STATUS = { waiting: "waitingSeats", playing: "playing", over: "over", outdated: "outdated", record: "record" };

/** @param {any} value @returns {number[]} */
const flat = (value) => (Array.isArray(value) ? value.flat(3) : [value]);

/** @param {any} value @param {number[]} shape @param {number} place @param {number} number the table with one number changed */
function changed(value, shape, place, number) {
  const numbers = flat(value).with(place, number);
  const [, width] = shape;
  return width ? Array.from({ length: shape[0] }, (_, row) => numbers.slice(row * width, (row + 1) * width)) : numbers;
}

customElements.define("tripot-lobby", Lobby);
