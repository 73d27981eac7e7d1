// The result, said to the person who looks: who won and by how much, how the scores add up and grew, and what to do next.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon, mark } from "./icon.js";
import { scoreGraph } from "./score_graph.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./scene.js").Drawing} Drawing
 * @typedef {object} Next what the buttons do
 * @property {string} table its id
 * @property {() => void} review the game, decision by decision
 * @property {() => void} save the record, as a file
 * @property {(() => void) | null} share make a picture of the result and share or save it
 * @property {unknown} [more] further buttons, such as the one that plays again with those who stayed
 */

/** @param {Scene} scene @param {Drawing} drawing @param {Next} next */
export const results = (scene, drawing, next) => html`<div class="results">
  <p class="winner">${verdict(scene)}</p>
  ${scene.outcome?.said ? html`<p class="lead">${winners(scene)}</p>` : nothing}
  ${drawing.reckoning ? html`<div class="scroll" tabindex="0" role="region" aria-label=${t("results")}>${drawing.reckoning(scene)}</div>` : reached(scene)}
  <div class="actions">
    ${next.more ?? nothing}
    <a class="button" href=${`/tables/${next.table}#step=0`}>${icon("play")}${t("watchReplay")}</a>
    <button class="button" id="review-game" @click=${next.review}>${icon("scroll")}${t("reviewGame")}</button>
    ${next.share ? html`<button class="button" id="share" @click=${next.share}>${icon("link")}${t("sharePicture")}</button>` : nothing}
    <button class="button" id="save-record" @click=${next.save}>${icon("down")}${t("download")}</button>
    <a class="button" href="/">${t("again")}</a>
  </div>
  ${scene.outcome ? scoreGraph(scene, scene.outcome.history) : nothing}
</div>`;

/** The seats, the best first. @param {Scene} scene */
export function ranking(scene) {
  const said = scene.outcome?.reached ?? [];
  return scene.round.toSorted((a, b) => scene.view.result[b] - scene.view.result[a] || rank(said[b]) - rank(said[a]) || a - b);
}

/** @param {Scene} scene make a picture of the result; what draws it is loaded when it is wanted */
export const share = async (scene) => (await import("./share_picture.js")).sharePicture(scene);

/** What each player reached, where the drawing does not add it up itself. @param {Scene} scene */
function reached(scene) {
  if (!scene.outcome) return nothing;
  const said = scene.outcome.reached;
  return html`<ol class="reached">${ranking(scene).map((seat) => html`<li class=${scene.view.result[seat] ? "won" : ""}>${mark(seat)} <b>${scene.players[seat]}</b> <span>${scene.said(said[seat])}</span></li>`)}</ol>`;
}

/** @param {import("../wire/requests.js").Said} [said] by what share of a goal, or by the number alone */
const rank = ({ numbers: [number, goal] } = { key: "", numbers: [0] }) => (goal ? Number(number) / Number(goal) : Number(number));

/** The end as it is said to the seat that looks; to spectators, who won. @param {Scene} scene */
export const verdict = (scene) => (scene.outcome?.said ? scene.said(scene.outcome.said) : winners(scene));

/** @param {Scene} scene */
export function winners(scene) {
  const seats = scene.round.filter((seat) => scene.view.result[seat] > 0).sort((a, b) => a - b);
  if (!seats.length) return t("nobody");
  const names = seats.map((seat, i) => html`${i ? ` ${t("and")} ` : ""}${mark(seat)} ${scene.players[seat]}`);
  return html`${names} ${seats.length > 1 ? t("shared") : t("wins")}`;
}
