// The base of every page: redraws when settings change, shows dialogs, shortcuts and short messages.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import { Refused, readClauses } from "../wire/requests.js";
import { icon } from "./icon.js";
import { dialog } from "./dialog.js";
import { settingsBody } from "./topbar.js";

/** @typedef {{text: string, clause: string}} Toast */

export class Page extends LitElement {
  constructor() {
    super();
    /** @type {string} the dialog that is open: "", "settings", "rules" or one of the page's own */
    this.dialog = "";
    this.clause = "";
    /** @type {import("../wire/requests.js").Catalogue | null} the game whose rules can be opened */
    this.catalogue = null;
    /** @type {typeof import("./rule_book.js") | null} loaded when it is asked for */
    this.rules = null;
    /** @type {Toast | null} */
    this.toast = null;
    this.redraw = () => this.requestUpdate();
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
  }

  createRenderRoot() {
    return this; // one stylesheet, one tree: labels and focus reach everywhere
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.redraw);
    addEventListener("keydown", this.onKey);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.redraw);
    removeEventListener("keydown", this.onKey);
  }

  /** @param {string} name */
  open(name) {
    this.dialog = name;
    this.requestUpdate();
    if (name === "rules") void this.readRules();
  }

  /** Fetches the rule book of the game and what draws it, if they are not there yet. */
  async readRules() {
    try {
      this.rules ??= await import("./rule_book.js");
      if (this.catalogue) await readClauses(this.catalogue);
    } catch (error) {
      this.showError(error);
    }
    this.requestUpdate();
  }

  /** @param {string} name @returns {() => void} closes this dialog, but not another that was opened meanwhile */
  closing(name) {
    return () => {
      if (this.dialog === name) this.open("");
    };
  }

  /** @param {string} clause open the rule book there */
  async why(clause) {
    this.clause = clause;
    this.open("rules");
    await this.readRules();
    await this.updateComplete;
    const rule = this.querySelector(`#rule-${CSS.escape(clause)}`);
    rule?.scrollIntoView({ block: "center" });
    if (rule instanceof HTMLElement) rule.focus({ preventScroll: true });
  }

  /** @param {string} text @param {string} [clause] */
  say(text, clause = "") {
    this.toast = { text, clause };
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => this.hideToast(), 6000);
    this.requestUpdate();
  }

  hideToast() {
    this.toast = null;
    this.requestUpdate();
  }

  /** @param {unknown} error shows why a request was refused */
  showError(error) {
    if (!(error instanceof Refused)) throw error;
    const { text, clause, details } = error.problem;
    this.say([tr(text), ...details.map((detail) => `${detail.where}: ${detail.what}`)].join(" "), clause ?? "");
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.dialog) {
      event.preventDefault(); // the browser would close the dialog only after the next key has reached it
      this.open("");
      return;
    }
    const closing = !this.dialog && target.closest("dialog"); // still drawn, but the key is meant for the page
    if (!closing && target.closest("input, select, textarea, dialog")) return;
    if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.shortcut(event.key, target)) event.preventDefault();
  }

  /** @param {string} key @param {HTMLElement} target @returns {boolean} whether the key meant something */
  shortcut(key, target) {
    if (key === "?") this.open("settings");
    else if (key.toLowerCase() === "r" && this.catalogue) this.open("rules");
    else return false;
    return true;
  }

  dialogs() {
    return html`
      ${dialog({ open: this.dialog === "settings", title: t("settings"), close: this.closing("settings"), body: settingsBody, kind: "narrow" })}
      ${this.catalogue
        ? dialog({
            open: this.dialog === "rules",
            title: `${tr(this.catalogue.title)} · ${t("rules")}`,
            close: this.closing("rules"),
            kind: "side",
            body: () => this.rules?.ruleBook(/** @type {any} */ (this.catalogue), this.clause, (clause) => void this.why(clause)) ?? html`<p class="soft">${t("loading")}</p>`,
          })
        : nothing}
      <div role="status">${this.toast
        ? html`<div class="toast"><span>${this.toast.text}</span>
            ${this.toast.clause && this.catalogue ? html`<button class="clause" @click=${() => void this.why(this.toast?.clause ?? "")}>${t("why")}</button>` : nothing}
            <button class="icon-button" @click=${() => this.hideToast()} aria-label=${t("close")}>${icon("close")}</button></div>`
        : nothing}</div>
    `;
  }
}
