// The panel of a decision: the question, every legal decision as a button, and the picks so far.

import { html, nothing } from "../vendor/lit.js";
import { counted, t, tr } from "../text/words.js";
import { advice } from "./advice.js";
import { icon } from "./icon.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./choice.js").Choice} Choice
 */

/** @param {Scene} scene @param {Choice} choice @param {(clause: string) => void} why @param {boolean} folded whether a small screen hides the list @param {() => void} [unfold] @param {(() => void) | null} [hint] shows which choices are good, where that may be asked */
export function choicePanel(scene, choice, why, folded, unfold = () => {}, hint = null) {
  const question = scene.catalogue.questions[String(scene.view.phase)];
  const waiting = scene.round.filter((seat) => scene.waits(seat));
  if (!scene.legal.length && scene.me !== null && scene.waits(scene.me)) {
    return html`<section class="choice" tabindex="-1" aria-label=${t("choose")}><p class="question">${t("yourTurn")}<span class="dots thinking" aria-hidden="true"> <i></i><i></i><i></i></span></p>${refusal(choice, why)}</section>`;
  }
  if (!scene.legal.length) {
    return html`<section class="choice" tabindex="-1" aria-label=${t("choose")}>
      <p class="question">${scene.view.over ? (question ? tr(question) : "") : html`${waiting.length ? `${t("waitFor")} ${waiting.map((seat) => scene.players[seat]).join(", ")}` : nothing}<span class="dots thinking" aria-hidden="true"> <i></i><i></i><i></i></span>`}</p>
      ${scene.me === null && !scene.view.over ? html`<p class="soft">${t("youWatch")}</p>` : nothing}
      ${refusal(choice, why)}
    </section>`;
  }
  return html`<section class="choice mine ${folded ? "folded" : ""}" tabindex="-1" data-picks=${choice.picks.map(({ action }) => action).join(" ")} aria-label=${t("choose")}>
    <h2 class="question">${choice.offered?.length === 1 ? t("onlyOne") : question ? unbroken(tr(question)) : t("choose")} ${clauses(question?.clause ?? "", why)}${hint && choice.offered?.length > 1 ? html`<button class="clause hint-button" id="hint" @click=${hint}>${t("hint")}</button>` : nothing}</h2>
    ${refusal(choice, why)}
    ${choice.offered?.length > 1 ? advice(scene, `${choice.place}.${choice.sequence}`, choice.changed) : nothing}
    ${choice.picks.length ? html`<ul class="picked-list ${choice.picks.length === 1 && choice.finished ? "alone" : ""}" aria-label=${t("soFar")}>${choice.picks.map((legal) => html`<li>${scene.sentence(legal)}</li>`)}</ul>` : nothing}
    <button class="unfold plain" aria-expanded=${folded ? "false" : "true"} @click=${unfold}>${counted("choices", scene.legal.length)}</button>
    <div class="options" role="group" aria-label=${question ? tr(question) : t("choose")}>
      ${scene.legal.map((legal, i) => html`<button class=${legal.warning ? "risky" : ""} data-action=${legal.action} aria-pressed=${scene.isPicked(legal) ? "true" : "false"} ?disabled=${choice.sent}
        @click=${() => scene.pick(legal)}><kbd aria-hidden="true">${i < 9 ? i + 1 : ""}</kbd><span><span class="label">${scene.sentence(legal)}</span>${hintOf(scene, legal)}</span></button>`)}
    </div>
    ${choice.picks.length ? html`<div class="confirm">
      <button class="button" @click=${() => choice.back()} ?disabled=${choice.sent}>${icon("undo")}${t("takeBack")}</button>
      <button class="button main" id="confirm" @click=${() => choice.confirm()} ?disabled=${choice.sent || !choice.ready}>${icon("check")}${t("confirm")}</button>
    </div>` : nothing}
  </section>`;
}

/** @param {string} text with words such as "prenez-vous" on one line */
const unbroken = (text) => text.replace(/-(?=\p{L})/gu, "-\u2060");

/** @param {Scene} scene @param {import("../wire/requests.js").Legal} legal what it costs and does, under its sentence */
function hintOf(scene, legal) {
  const hint = scene.hint(legal);
  return hint ? html` <small class="hint">${hint}</small>` : nothing;
}

/** @param {Choice} choice @param {(clause: string) => void} why */
const refusal = (choice, why) =>
  choice?.problem
    ? html`<p class="refusal" role="alert">${tr(choice.problem.text)} ${choice.problem.clause ? html`<button class="plain" @click=${() => why(choice.problem?.clause ?? "")}>${t("why")}</button>` : nothing}</p>`
    : nothing;

/** @param {string} numbers one clause or several @param {(clause: string) => void} why */
export const clauses = (numbers, why) =>
  numbers.split(" ").filter(Boolean).map((number) => html`<button class="clause" aria-label=${`${t("why")} ${number}`} @click=${() => why(number)}>${number}</button> `);
