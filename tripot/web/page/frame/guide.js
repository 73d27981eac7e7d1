// What the game's guide says to the seat that looks: the goal line, what it knows, and one question before a mistake.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { clauses } from "./choice_panel.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("../wire/requests.js").Said} Said
 */

/** How the game ends and is won, and how far it is. @param {Scene} scene */
export function goalLine(scene) {
  const goals = scene.view.guide?.goals ?? [];
  if (!goals.length) return nothing;
  return html`<section class="goal-line" aria-label=${t("goal")} tabindex="0">
    <ul>${goals.map((/** @type {Said} */ said) => html`<li>${scene.said(said)}</li>`)}</ul>
  </section>`;
}

/** What the seat knows of hidden cards, and what others know of its own. @param {Scene} scene @param {(clause: string) => void} why @param {(() => void) | null} chances shows what may lie hidden, where that may be asked */
export function knownCards(scene, why, chances) {
  const known = scene.view.guide?.knowledge ?? [];
  if (!known.length && !chances) return nothing;
  return html`<details class="known-cards panel" open>
    <summary>${scene.me === null ? t("allKnow") : t("youKnow")}</summary>
    ${chances ? html`<button class="button small ask-chances" @click=${chances}>${t("hiddenCards")}</button>` : nothing}
    <ul>${known.map((/** @type {Said} */ said) => html`<li><span>${scene.said(said)}</span> ${clauses(scene.catalogue.guide[said.key]?.clause ?? "", why)}</li>`)}</ul>
  </details>`;
}

/** What would happen, the clause, and two ways on; the server does not insist. @param {Scene} scene @param {import("./choice.js").Choice} choice @param {(clause: string) => void} why @param {() => void} back @param {() => void} on */
export const doubt = (scene, choice, why, back, on) => html`
  <p class="doubt-text" id="doubt-text">${choice.doubt ? scene.said(choice.doubt) : ""}</p>
  <p>${clauses(choice.doubt ? (scene.catalogue.guide[choice.doubt.key]?.clause ?? "") : "", why)}</p>
  <div class="actions">
    <button class="button main" autofocus @click=${back}>${t("goBack")}</button>
    <button class="button" id="all-the-same" @click=${on}>${t("allTheSame")}</button>
  </div>`;
