// Questions to the rule book: the server finds the clauses that answer, the best first.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { markdown } from "../text/markdown.js";
import { counted, t, tr } from "../text/words.js";
import { Refused, answers } from "../wire/requests.js";

const PAUSE = 200; // milliseconds without a key until a question is asked
const LONGEST = 200; // characters of a question
const EXCERPT = 140; // characters of the answers behind the first

class RuleSearch extends LitElement {
  static properties = { catalogue: { attribute: false }, open: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../wire/requests.js").Catalogue | null} with its clauses */
    this.catalogue = null;
    /** @type {(clause: string) => void} shows a clause in the book */
    this.open = () => {};
    this.question = "";
    /** @type {string[] | null} the clauses that were found; null: nothing has been asked */
    this.found = null;
    this.trouble = "";
    this.redraw = () => (this.question ? void this.ask() : this.requestUpdate());
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.redraw);
    clearTimeout(this.timer);
  }

  /** @param {string} question */
  typed(question) {
    this.question = question.trim();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), this.question ? PAUSE : 0);
  }

  async ask() {
    const { question, catalogue } = this;
    clearTimeout(this.timer);
    try {
      const found = question && catalogue ? (await answers(catalogue.game, question, settings.lang)).clauses : null;
      if (question !== this.question) return; // a later question is on its way
      this.found = found;
      this.trouble = "";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble = tr(error.problem.text);
    }
    this.requestUpdate();
  }

  /** @param {SubmitEvent} event Enter opens the best answer */
  async submit(event) {
    event.preventDefault();
    await this.ask();
    if (this.found?.length) this.open(this.found[0]);
  }

  /** @param {KeyboardEvent} event arrows go from the question to the answers and back */
  pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = /** @type {HTMLElement[]} */ ([...this.querySelectorAll("input, .answer")]);
    const next = step && stops[stops.indexOf(/** @type {HTMLElement} */ (event.target)) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  render() {
    const found = this.found?.flatMap((number) => this.catalogue?.clauses.find((clause) => clause.number === number) ?? []);
    return html`<form class="rule-search" role="search" @submit=${this.submit} @keydown=${this.pressed}>
      <input type="search" maxlength=${LONGEST} enterkeyhint="search" placeholder=${t("askRules")} aria-label=${t("search")}
        @input=${(/** @type {InputEvent} */ event) => this.typed(/** @type {HTMLInputElement} */ (event.target).value)}>
      <p role="status" class="soft">${this.trouble || (!found ? nothing : found.length ? counted("answersFound", found.length) : t("nothingFound"))}</p>
      ${found?.length ? html`<ol class="answers" aria-label=${t("answers")}>${found.map((clause, i) => this.answer(clause, i === 0))}</ol>` : nothing}
    </form>`;
  }

  /** @param {import("../wire/requests.js").Clause} clause @param {boolean} whole */
  answer({ number, title, text }, whole) {
    const said = tr(text);
    return html`<li><button type="button" class="plain answer" @click=${() => this.open(number)}>${number} ${tr(title)}</button>
      ${whole ? markdown(said, this.open) : html`<p class="soft">${excerpt(said)}</p>`}</li>`;
  }
}

/** @param {string} text its beginning, without the signs of Markdown */
function excerpt(text) {
  const plain = text.split("\n\n")[0].replace(/[*`]/g, "");
  return plain.length > EXCERPT ? `${plain.slice(0, plain.lastIndexOf(" ", EXCERPT))} …` : plain;
}

customElements.define("tripot-rule-search", RuleSearch);
