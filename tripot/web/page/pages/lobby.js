// The lobby: choose a game, open a table, find your tables again.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { Page } from "../frame/page.js";
import { icon, mark } from "../frame/icon.js";
import { face, levelDots } from "../frame/bot_face.js";
import { check, pills, topbar } from "../frame/topbar.js";
import { playerNames } from "../frame/players.js";
import { primerDialog } from "../frame/primer_dialog.js";
import { capital } from "../text/speech.js";
import { labelled, t, tr } from "../text/words.js";
import { go } from "../wire/address.js";
import { allSeats, hidden, keep } from "../wire/seat_tokens.js";
import * as requests from "../wire/requests.js";

/**
 * @typedef {requests.GameInfo} GameInfo
 * @typedef {requests.TableInfo} TableInfo
 * @typedef {requests.OptionInfo} OptionInfo
 * @typedef {{kind: "here" | "friend" | requests.Level, name: string}} Chair
 */

const MOST_NUMBERS = 40; // in a house rule that is a table of numbers; larger ones need a file or the terminal
const TIMES = [30, 60, 180, 600, 86_400]; // seconds for a decision
const LIST_TIME = 15_000; // milliseconds between requests for the lists while the lobby is visible

class Lobby extends Page {
  constructor() {
    super();
    /** @type {GameInfo[]} */
    this.games = [];
    /** @type {GameInfo | null} */
    this.game = null;
    /** @type {GameInfo | null} the game that is told in one minute */
    this.told = null;
    /** @type {Chair[]} */
    this.chairs = [];
    /** @type {Record<string, any>} */
    this.options = {};
    this.pace = "quick";
    this.strangers = false;
    this.watchers = true;
    this.listed = false;
    /** @type {number | null} seconds for a decision, where several people play */
    this.seconds = null;
    this.hints = false;
    this.opening = false;
    this.unreachable = false;
    /** @type {Record<"mine" | "open" | "running" | "finished", TableInfo[] | null>} */
    this.lists = { mine: null, open: null, running: null, finished: null };
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Tripot";
    void this.load();
    this.timer = setInterval(() => document.hidden || void (this.unreachable || !this.games.length ? this.load() : this.loadLists()), LIST_TIME);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async load() {
    try {
      this.games = (await requests.games()).games;
      this.unreachable = false;
      this.requestUpdate();
      await this.loadLists();
    } catch (error) {
      if (error instanceof requests.Refused && error.problem.reason === "unreachable") this.unreachable = true;
      else this.showError(error);
      this.requestUpdate();
    }
  }

  async loadLists() {
    const seats = allSeats();
    try {
      const [mine, open, running, finished] = await Promise.all([seats.length ? requests.mine(seats) : { tables: [] }, requests.tables("open"), requests.tables("running"), requests.tables("finished")]);
      const away = hidden();
      this.lists = { mine: mine.tables.filter(({ id }) => !away.includes(id)), open: open.tables, running: running.tables, finished: finished.tables };
      this.unreachable = false;
      this.requestUpdate();
    } catch (error) {
      if (error instanceof requests.Refused && error.problem.reason === "unreachable") this.unreachable = true;
      else this.showError(error);
      this.requestUpdate();
    }
  }

  /** @param {GameInfo} game in one minute */
  showPrimer(game) {
    this.told = game;
    this.open("primer");
  }

  // --- Opening a table ---

  /** One click: a table against bots of the level last chosen. @param {GameInfo} game */
  async playNow(game) {
    const seats = Array.from({ length: usual(game) }, (_, seat) => (seat ? { kind: "bot", level: settings.level } : { kind: "here", name: settings.name.trim() || tr(game.seat_names[0]) }));
    await this.openWith({ game: game.name, seats, pace: this.pace });
  }

  /** @param {GameInfo} game */
  async chooseGame(game) {
    this.game = game;
    this.options = {};
    this.setSeats(usual(game));
    this.catalogue = null;
    this.requestUpdate();
    await this.updateComplete;
    const form = /** @type {HTMLElement | null} */ (this.querySelector("#new-table"));
    form?.scrollIntoView({ block: "start", behavior: settings.still ? "auto" : "smooth" });
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector("h2"))?.focus({ preventScroll: true });
    this.catalogue = await requests.catalogue(game.name);
    this.requestUpdate();
  }

  /** @param {number} count */
  setSeats(count) {
    this.chairs = Array.from({ length: count }, (_, seat) => this.chairs[seat] ?? { kind: seat ? settings.level : "here", name: seat ? "" : settings.name });
    this.requestUpdate();
  }

  /** @param {number} seat @param {Partial<Chair>} changes */
  setChair(seat, changes) {
    this.chairs[seat] = { ...this.chairs[seat], ...changes };
    if (seat === 0 && changes.name !== undefined) settings.change({ name: changes.name });
    if (changes.kind && changes.kind !== "here" && changes.kind !== "friend") settings.change({ level: changes.kind });
    this.requestUpdate();
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    event.preventDefault();
    const game = /** @type {GameInfo} */ (this.game);
    const seats = this.chairs.map(({ kind, name }, seat) =>
      kind === "here" ? { kind, name: name.trim() || tr(game.seat_names[seat]) } : kind === "friend" ? { kind, name: name.trim() || null } : { kind: "bot", level: kind });
    await this.openWith({
      game: game.name, seats, options: this.options, open: this.strangers && this.friends, watch: this.watchers, listed: this.listed && this.watchers, pace: this.pace,
      seconds: this.people > 1 ? this.seconds : null,
      hints: this.hints,
      shuffle_together: true,
    });
  }

  get friends() {
    return this.chairs.some(({ kind }) => kind === "friend");
  }

  get people() {
    return this.chairs.filter(({ kind }) => kind === "friend" || kind === "here").length;
  }

  /** @param {object} wish */
  async openWith(wish) {
    this.opening = true;
    this.requestUpdate();
    try {
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
      ${this.unreachable ? html`<p class="banner bad" role="alert">${t("offline")} <button class="button small" @click=${() => void this.load()}>${t("tryAgain")}</button></p>` : nothing}
      <main class="lobby" id="main">
        <header class="welcome"><h1>${t("motto")}</h1><p class="lead">${t("invitation")}</p></header>
        <section aria-label=${t("chooseGame")} class="game-tiles">${this.games.map((game) => this.gameTile(game))}</section>
        ${this.game ? this.form(this.game) : nothing}
        <div class="lists">
          ${this.list("myTables", "noMine", this.lists.mine, html`<a href="/mine">${t("allMyGames")}</a> <a href="/seat">${t("takeSeat")}</a>`)}
          ${this.list("openTables", "noOpen", this.lists.open)}
          ${this.list("runningTables", "noRunning", this.lists.running)}
          ${this.list("finished", "noFinished", this.lists.finished)}
        </div>
        <label class="upload button">${icon("up")}<span>${t("openRecord")}</span><input type="file" accept=".json,application/json" @change=${this.upload}></label>
        <p class="soft">${t("recordHint")}</p>
      </main>
      ${this.told ? primerDialog(this.told, this, this.told.name) : nothing}
      ${this.dialogs()}
    `;
  }

  /** @param {GameInfo} game */
  gameTile(game) {
    const seats = game.seats.length > 1 ? `${game.seats[0]}–${game.seats.at(-1)}` : game.seats[0];
    const chosen = this.game?.name === game.name;
    const title = tr(game.title);
    return html`<article class="game-tile game-${game.name} ${chosen ? "chosen" : ""}" aria-label=${title}>
      <span class="game-tile-art"><img src=${`/page/art/${game.name}-sign.svg`} alt=""></span>
      <h2 class="game-tile-title">${title}</h2>
      <p class="game-tile-line">${tr(game.tagline)}</p>
      <p class="game-tile-seats">${icon("person")}${seats} ${t("players")}</p>
      <div class="game-tile-doors">
        <button class="button main big play-now" ?disabled=${this.opening} @click=${() => void this.playNow(game)}>${icon("play")}<span>${t("playNow")}<span class="unseen"> ${title}</span></span><small>${t("playNowHint")} ${levelDots(settings.level)}</small></button>
        <button class="button table-options" aria-expanded=${chosen ? "true" : "false"} @click=${() => void this.chooseGame(game)}>${t("tableOptions")}<span class="unseen"> ${title}</span></button>
        <div class="game-tile-teaching">
          ${game.primer ? html`<button class="button one-minute" @click=${() => this.showPrimer(game)}>${t("oneMinute")}<span class="unseen"> ${title}</span></button>` : nothing}
          ${game.lessons ? html`<a class="button learn" href=${`/learn/${game.name}`}>${t("learn")}<span class="unseen"> ${title}</span></a>` : nothing}
        </div>
      </div>
    </article>`;
  }

  /** @param {GameInfo} game */
  form(game) {
    return html`<form id="new-table" class="panel new-table" @submit=${this.openTable}>
      <h2 tabindex="-1">${t("newTable")} <span class="soft">· ${tr(game.title)}</span></h2>
      ${game.seats.length > 1 ? pills("seatsNumber", String(this.chairs.length), game.seats.map((count) => [String(count), String(count)]), (count) => this.setSeats(Number(count))) : nothing}
      <fieldset class="field"><legend>${t("whoSits")}</legend>
        <ol class="chairs">${this.chairs.map((chair, seat) => this.chair(game, chair, seat))}</ol>
      </fieldset>
      ${game.options.length ? html`<details class="house-rules"><summary>${t("houseRules")}${Object.keys(this.options).length ? ` (${Object.keys(this.options).length})` : ""}</summary>
        ${game.options.map((option) => this.option(option))}</details>` : nothing}
      ${pills("pace", this.pace, [["instant", t("instant")], ["quick", t("quick")], ["calm", t("calm")]], (pace) => { this.pace = pace; this.requestUpdate(); })}
      ${this.people > 1 ? pills("timeFor", String(this.seconds), [["null", t("noLimit")], ...TIMES.map((time) => /** @type {const} */ ([String(time), timeText(time)]))], (time) => { this.seconds = time === "null" ? null : Number(time); this.requestUpdate(); }) : nothing}
      ${this.friends ? check("openSeats", this.strangers, (on) => { this.strangers = on; this.requestUpdate(); }) : nothing}
      ${this.people > 1 ? check("mayAsk", this.hints, (on) => { this.hints = on; this.requestUpdate(); }) : nothing}
      ${check("mayWatch", this.watchers, (on) => { this.watchers = on; this.requestUpdate(); })}
      ${this.watchers ? check("listTable", this.listed, (on) => { this.listed = on; this.requestUpdate(); }) : nothing}
      <button class="button main big" ?disabled=${this.opening}>${t("openTable")}</button>
    </form>`;
  }

  /** @param {GameInfo} game @param {Chair} chair @param {number} seat */
  chair(game, chair, seat) {
    const level = game.levels.find((one) => one.level === chair.kind);
    const place = tr(game.seat_names[seat]);
    return html`<li class="chair">
      ${mark(seat)}<span class="chair-place">${place}</span>
      <select aria-label=${labelled(place, t("whoSits"))} .value=${chair.kind} @change=${(/** @type {Event} */ event) => this.setChair(seat, { kind: /** @type {any} */ (event.target).value })}>
        <option value="here" ?selected=${chair.kind === "here"}>${seat ? t("here") : t("me")}</option>
        <option value="friend" ?selected=${chair.kind === "friend"}>${t("friend")}</option>
        ${game.levels.map((one) => html`<option value=${one.level} ?selected=${chair.kind === one.level}>${t("bot")} · ${tr(one.name)}</option>`)}
      </select>
      ${chair.kind === "here" ? html`<input type="text" maxlength="24" autocomplete=${seat ? "off" : "nickname"} aria-label=${labelled(place, t("name"))} placeholder=${seat ? t("name") : t("yourName")} .value=${chair.name}
        @input=${(/** @type {Event} */ event) => this.setChair(seat, { name: /** @type {any} */ (event.target).value })}>` : chair.kind === "friend" ? html`<input type="text" class="friend-name" maxlength="24" autocomplete="off" aria-label=${labelled(place, t("friendName"))} placeholder=${t("friendName")} .value=${chair.name}
        @input=${(/** @type {Event} */ event) => this.setChair(seat, { name: /** @type {any} */ (event.target).value })}>` : html`<span class="soft meaning">${level ? html`${levelDots(level.level)} ${tr(level.meaning)}` : nothing}</span>`}
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
        ${option.values.map((name, i) => html`<option value=${name} ?selected=${name === value}>${capital(option.value_names ? tr(option.value_names[i]) : name)}${name === option.default ? ` (${t("default")})` : ""}</option>`)}</select>`;
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

  /** @param {import("../text/words.js").Word} title @param {import("../text/words.js").Word} empty @param {TableInfo[] | null} tables @param {unknown} [more] */
  list(title, empty, tables, more) {
    return html`<section class="panel list"><h2>${t(title)}</h2>
      ${tables === null ? html`<p class="soft">…</p>` : tables.length ? html`<ul>${tables.slice(0, 12).map((table) => this.entry(table))}</ul>` : html`<p class="soft">${t(empty)}</p>`}
      ${more ? html`<p>${more}</p>` : nothing}
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
      <span class="entry-names">${table.seats.map((seat, i) => html`${i ? ", " : ""}${seat.kind === "bot" ? face(seat.name) : nothing}<span class=${table.result?.[i] ? "won" : ""}>${seat.kind === "person" && !seat.name ? t("freeSeat") : names[i]}</span>`)}</span>
      <span class="entry-status ${turn ? "turn" : ""}">${turn ? t("yourTurn") : t(STATUS[table.status])}${table.watchers ? html` · ${icon("eye")}<span class="unseen">${t("watchers")} </span>${table.watchers}` : nothing}</span>
    </a></li>`;
  }
}

/** @type {Record<TableInfo["status"], import("../text/words.js").Word>} */
const STATUS = { waiting: "waitingSeats", playing: "playing", over: "over", ended: "ended", outdated: "outdated", record: "record" };

/** The number of players of a table that nobody asked about. @param {GameInfo} game */
const usual = (game) => (game.seats.includes(4) ? 4 : game.seats[0]);

/** @param {number} seconds */
const timeText = (seconds) => (seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`);

/** @param {any} value @returns {number[]} */
const flat = (value) => (Array.isArray(value) ? value.flat(3) : [value]);

/** @param {any} value @param {number[]} shape @param {number} place @param {number} number the table with one number changed */
function changed(value, shape, place, number) {
  const numbers = flat(value).with(place, number);
  const [, width] = shape;
  return width ? Array.from({ length: shape[0] }, (_, row) => numbers.slice(row * width, (row + 1) * width)) : numbers;
}

customElements.define("tripot-lobby", Lobby);
