// Verräter's pictures for learners: who leads, two lands in conflict, both houses, offices times cards.

import { html, nothing } from "../../vendor/lit.js";
import { mark, symbol } from "../../frame/icon.js";
import { at, border, hatching, land, roleBadge, supplyFace, tab } from "../verrater.js";
import { card } from "../../frame/card.js";
import { css as revealsCss, pieces } from "../reveals/verrater.js";

/** @typedef {import("../../frame/scene.js").Scene} Scene */

const ART = "/page/art/verrater.svg#";
const HOUSE = ["eagle", "rose"];
const AROUND = { width: 620, height: 400 }; // of the circle's units, that show two lands

/** @param {Scene} scene everybody's points, the first on top */
const scores = (scene) => html`<ol class="standing">${scene.round.slice().sort((a, b) => scene.view.points[b] - scene.view.points[a]).map((seat, place) => html`<li class=${place ? "" : "first"}>
  <span class="shield ${HOUSE[scene.view.house[seat]]}">${symbol(`${ART}${HOUSE[scene.view.house[seat]]}`, "emblem")}</span>${mark(seat)} <span>${scene.players[seat]}</span><b>${scene.view.points[seat]}</b></li>`)}</ol>`;

/** The two lands of the conflict, cut out of the circle, and the roles that are kept. @param {Scene} scene */
function lands(scene) {
  const all = scene.view.land.length;
  const [one, two] = scene.view.contested;
  const left = (one + 1) % all === two ? one : two;
  const [x, y] = at(scene, left + 0.5, 362);
  const near = [-1, 0, 1, 2].map((step) => (left + step + all) % all);
  return html`<svg class="circle cutting" viewBox="${x - AROUND.width / 2} ${y - AROUND.height / 2} ${AROUND.width} ${AROUND.height}">${hatching}
      ${near.map((slot) => (scene.view.building[slot] ? tab(scene, slot) : nothing))}${near.map((slot) => land(scene, slot))}${border(scene, left)}</svg>
    ${scene.view.phase === scene.facts.roles_kept ? html`<p class="kept">${scene.round.map((seat) => html`<span>${mark(seat)}<span class="role-badge down">?</span></span>`)}</p>` : nothing}`;
}

/** Both houses after the reveal: who stands where, the strength, and what each player scores. @param {Scene} scene @param {import("../../frame/set_piece.js").Line[]} lines */
function houses(scene, lines) {
  const { house, role_shown, strength, contested } = scene.view;
  const points = (/** @type {number} */ seat) => lines.map(({ item }) => scene.read(item)).filter((news) => ["land_scored", "role_scored"].includes(news.kind) && news.seat === seat).reduce((sum, news) => sum + news.points, 0);
  return html`<div class="facing">${[0, 1].map((side) => html`<div class="camp ${HOUSE[side]} ${strength[side] > strength[1 - side] ? "wins" : ""}">
    <p class="strong">${symbol(`${ART}${HOUSE[side]}`, "emblem")}<b>${strength[side]}</b>${symbol(`${ART}land-${scene.view.land[contested[side]]}`, "view")}</p>
    ${scene.round.filter((seat) => house[seat] === side).map((seat) => html`<p class="backer">${mark(seat)}${roleBadge(scene, role_shown[seat], false, seat)}${points(seat) ? html`<b class="gain">+${points(seat)}</b>` : nothing}</p>`)}
  </div>`)}</div>`;
}

/** @param {Scene} scene the offices of the seat that looks, times its cards */
function offices(scene) {
  const { building, owner, my_hand } = scene.view;
  const own = building.flatMap((/** @type {number} */ kind, /** @type {number} */ slot) => (kind === scene.facts.office && owner[slot] === scene.me ? [slot] : []));
  const cards = my_hand.flatMap((/** @type {number} */ count, /** @type {number} */ kind) => Array(count).fill(kind));
  return html`<div class="sum-of"><span class="own">${own.map(() => html`<span class="office">${symbol(`${ART}building-${scene.facts.office}`)}${mark(scene.me ?? 0)}</span>`)}</span>
    <b>×</b><span class="supplies">${cards.map((/** @type {number} */ kind) => card(supplyFace(scene, kind)))}</span><b>= +${own.length * cards.length}</b></div>`;
}

export const css = [revealsCss, "/page/games/pictures/verrater.css"];
export { pieces };

/** @type {Record<string, import("../../frame/scene.js").PictureDrawing>} */
export const pictures = {
  scores: { draw: scores, width: 20 },
  lands: { draw: lands, width: 24 },
  houses: { draw: houses, width: 24 },
  offices: { draw: offices, width: 25 },
};
