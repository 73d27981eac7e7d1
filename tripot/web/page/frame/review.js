// The review of a finished game: every seat's chance to win, the sum of its causes, the moments that mattered, every decision.

import { LitElement, html, nothing, svg } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { labelled, t, tr } from "../text/words.js";
import { seatsAt } from "../wire/seat_tokens.js";
import { mark, symbolAt } from "./icon.js";
import * as requests from "../wire/requests.js";

/** @typedef {import("./scene.js").Scene} Scene */

const WIDTH = 640, HEIGHT = 240, LEFT = 84, RIGHT = 34, TOP = 14, BOTTOM = 36;
const ASK_AGAIN = 600; // milliseconds

class ReviewPanel extends LitElement {
  static properties = { scene: { attribute: false }, table: {}, jump: { attribute: false }, again: { attribute: false } };

  constructor() {
    super();
    this.table = "";
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {(step: number) => void} shows a step of the replay */
    this.jump = () => {};
    /** @type {(step: number, seat: number) => void} opens the moment before a decision as a table of one's own */
    this.again = () => {};
    /** @type {requests.ReviewState | null} */
    this.state = null;
    /** @type {requests.Problem | null} */
    this.problem = null;
    this.seat = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.seat = this.scene?.me ?? seatsAt(this.table)[0]?.seat ?? 0;
    void this.follow();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** Starts the review, and asks again until it is there. @param {"POST" | "GET"} [method] */
  async follow(method = "POST") {
    try {
      this.state = await requests.review(this.table, method);
      if (!this.state.review && this.isConnected) this.timer = setTimeout(() => void this.follow("GET"), ASK_AGAIN);
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.problem = error.problem;
    }
    this.requestUpdate();
  }

  async cancel() {
    clearTimeout(this.timer);
    await requests.cancelReview(this.table);
    this.dispatchEvent(new Event("given-up", { bubbles: true }));
  }

  render() {
    if (this.problem) return html`<p role="alert">${this.problem.text[settings.lang]}</p>`;
    if (!this.scene || !this.state) return html`<p class="loading">${t("loading")}</p>`;
    const { review, done, of } = this.state;
    return review ? this.show(this.scene, review) : html`<p>${t("reviewing")}</p>
      <progress class="review-progress" max=${of} .value=${done} aria-label=${t("reviewing")}></progress>
      <p class="actions"><button class="button" @click=${() => void this.cancel()}>${t("giveUp")}</button></p>`;
  }

  /** @param {Scene} scene @param {requests.Review} review */
  show(scene, review) {
    const seats = review.accounts.map(({ seat }) => seat);
    return html`<div class="review">
      ${graph(scene, review)}
      <label class="field"><span>${t("player")}</span><select aria-label=${t("player")} @change=${(/** @type {any} */ event) => { this.seat = Number(event.target.value); this.requestUpdate(); }}>
        ${seats.map((seat) => html`<option value=${seat} ?selected=${seat === this.seat}>${scene.players[seat]}</option>`)}</select></label>
      ${account(review, review.accounts[this.seat])}
      <h3>${t("decisiveMoments")}</h3>
      <ol>${review.moments[this.seat].map((step) => html`<li>${this.head(scene, review, step)}${told(scene, review, step, this.seat)}</li>`)}</ol>
      <details><summary>${t("everyDecision")}</summary>
        <ol class="judged">${review.decisions.map((one, step) => (one.seat === this.seat && one.choices.length ? html`<li>${this.head(scene, review, step)}<p>${judged(scene, review, one)}</p>
          <ul>${one.choices.map(({ decision, value }) => html`<li class=${decision.action === one.chosen.action ? "taken" : ""}><span>${percent(value, review)}</span> <span>${scene.sentence(decision)}${decision.action === one.chosen.action ? html` <span class="soft">· ${t("chosen")}</span>` : nothing}</span></li>`)}</ul></li>` : nothing))}</ol>
      </details>
      <p class="soft">${t("howCounted")}</p>
    </div>`;
  }

  /** Who decided and when, and buttons: the moment itself, and for one's own decision the moment before it. @param {Scene} scene @param {requests.Review} review @param {number} step */
  head(scene, review, step) {
    const { seat, clock } = review.decisions[step];
    const when = `${clockText(scene, clock)} · ${t("step")} ${step + 1}`;
    return html`<div class="moment-head">${mark(seat)} <b>${scene.players[seat]}</b> <span class="soft">${when}</span>
      <button class="button small show-moment" aria-label=${labelled(t("showMoment"), when)} @click=${() => this.jump(step + 1)}>${t("showMoment")}</button>
      ${seat === this.seat ? html`<button class="button small play-again" aria-label=${labelled(t("playAgain"), when)} title=${t("playAgainHow")} @click=${() => this.again(step, seat)}>${t("playAgain")}</button>` : nothing}</div>`;
  }
}

/** @param {number} units @param {requests.Review} review @param {boolean} [signed] */
const percent = (units, { whole }, signed = false) =>
  new Intl.NumberFormat(settings.locale, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: signed ? "exceptZero" : "auto" }).format(units / whole).replace("-", "−");

/** @param {Scene} scene @param {number} clock a round or turn; before the first one the game is set up */
const clockText = (scene, clock) => (clock ? scene.said({ key: "clock", numbers: [clock] }) : t("setUp"));

/** @param {Scene} scene @param {requests.Review} review @param {requests.Judged} one */
const judged = (scene, review, one) =>
  html`${scene.sentence(one.chosen)}. ${one.missed ? html`${t("better")} <b>${scene.sentence(one.choices[0].decision)}</b> (${percent(one.missed, review, true)}).` : t("nothingBetter")}`;

/** What a step did to a seat's chance. @param {Scene} scene @param {requests.Review} review @param {number} step @param {number} seat */
function told(scene, review, step, seat) {
  const one = review.decisions[step];
  const [, cards, others] = review.changes[step][seat];
  const own = one.seat === seat;
  const why = review.reasons[seat][review.moments[seat].indexOf(step)];
  return html`<p>${own ? judged(scene, review, one) : html`${scene.sentence(one.chosen)}. ${others ? html`${t("othersChanged")} ${percent(others, review, true)}.` : nothing}`}</p>
    ${why.decision.length ? html`<p>${own ? html`<span class="soft">${t(one.missed ? "itBrings" : "againstNext")}</span> ` : nothing}${why.decision.map(tr).join(" ")}</p>` : nothing}
    ${cards ? html`<p>${t("cardsChanged")} ${percent(cards, review, true)}. ${why.cards.map(tr).join(" ")}</p>` : nothing}`;
}

/** The sum: its lines add up to the result. @param {requests.Review} review @param {requests.Account} one */
const account = (review, one) => html`<p class="lead">${one.accuracy === null ? nothing : html`${t("accuracy")} <b>${one.accuracy}</b> ${one.grade ? labelled(t("ofHundred"), tr(one.grade)) : t("ofHundred")}`}</p>
  <table class="reckoning"><tbody>
    ${line("chanceStart", percent(one.start, review))}
    ${line("ownDecisions", percent(one.decisions, review, true))}
    ${line("theCards", percent(one.cards, review, true))}
    ${line("theOthers", percent(one.others, review, true))}
    ${line("result", percent(one.result, review))}
  </tbody></table>
  ${one.missed ? html`<p>${t("missedInAll")} ${percent(one.missed, review)}.</p>` : nothing}`;

/** @param {import("../text/words.js").Word} word @param {string} number */
const line = (word, number) => html`<tr><th scope="row">${t(word)}</th><td>${number}</td></tr>`;

/** @param {Scene} scene @param {requests.Review} review */
function graph(scene, review) {
  const last = Math.max(1, review.chances.length - 1);
  const x = (/** @type {number} */ i) => LEFT + (i * (WIDTH - LEFT - RIGHT)) / last;
  const y = (/** @type {number} */ units) => TOP + (1 - units / review.whole) * (HEIGHT - TOP - BOTTOM);
  const end = review.chances[review.chances.length - 1];
  const begun = rounds(review).filter(([clock]) => clock);
  const marked = begun.filter((_, i) => i % Math.ceil(begun.length / 8) === 0);
  return html`<figure class="score-graph"><figcaption>${t("chances")}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t("chances")}>
      ${[0, 0.5, 1].map((share) => svg`<path class="grid" d=${`M${LEFT} ${y(share * review.whole)}H${WIDTH - RIGHT}`}></path><text class="tick end" x=${LEFT - 8} y=${y(share * review.whole) + 5}>${wholePercent(share)}</text>`)}
      ${marked.map(([clock, step]) => svg`<text class="tick" x=${x(step)} y=${HEIGHT - 8}>${clock}</text>`)}
      ${end.map((_, seat) => svg`<g class="line mark-${seat} dash-${seat}"><polyline points=${review.chances.map((moment, i) => `${x(i)},${y(moment[seat])}`).join(" ")}></polyline>
        ${end[seat] ? symbolAt(`/page/art/frame.svg#mark-${seat}`, WIDTH - RIGHT + 16, y(end[seat]), 20) : nothing}</g>`)}
    </svg>
    <ul class="graph-key" aria-hidden="true">${end.map((_, seat) => html`<li>${mark(seat)} ${scene.players[seat]}</li>`)}</ul>
    <details><summary>${t("asTable")}</summary><div class="scroll" tabindex="0" role="region" aria-label=${t("chances")}><table class="reckoning">
      <thead><tr><td></td>${end.map((_, seat) => html`<th scope="col">${scene.players[seat]}</th>`)}</tr></thead>
      <tbody>${rounds(review).map(([clock, step]) => html`<tr><th scope="row">${clockText(scene, clock)}</th>${review.chances[step].map((units) => html`<td>${percent(units, review)}</td>`)}</tr>`)}</tbody>
    </table></div></details>
  </figure>`;
}

/** The rounds or turns, and the step where each begins. @param {requests.Review} review @returns {[number, number][]} */
const rounds = (review) =>
  review.decisions.flatMap(({ clock }, step) => (step && review.decisions[step - 1].clock === clock ? [] : [/** @type {[number, number]} */ ([clock, step])]));

/** @param {number} share */
const wholePercent = (share) => new Intl.NumberFormat(settings.locale, { style: "percent" }).format(share);

customElements.define("tripot-review", ReviewPanel);
