// Trök's pictures for learners: the perfect combination, bids, combinations, purses.

import { html, nothing } from "../../vendor/lit.js";
import { card } from "../../frame/card.js";
import { mark, symbol } from "../../frame/icon.js";
import { cardsIn, css as revealsCss, pieces } from "../reveals/trok.js";
import { coins, expand, gearFace, upgradeFace } from "../trok.js";

/** @typedef {import("../../frame/scene.js").Scene} Scene */

const ART = "/page/art/trok.svg#";

/** @param {Scene} scene every card that the seat holds */
const perfect = (scene) => html`<div class="spread-out">${expand(scene.view.my_hand).map((gear) => card(gearFace(scene, gear)))}</div>`;

/** @param {Scene} scene everybody's Aare on the way to the goal, the richest on top */
function purses(scene) {
  const { aare, goal } = scene.view;
  const most = Math.max(...aare);
  return html`<ol class="standing">${scene.round.slice().sort((a, b) => aare[b] - aare[a]).map((seat) => html`<li class=${aare[seat] === most ? "first" : ""}>
    <p>${mark(seat)} <span>${scene.players[seat]}</span> <b>${aare[seat]} ${symbol(`${ART}coin`, "icon")}</b></p>${coins(aare[seat])}<meter min="0" max=${goal} value=${Math.min(aare[seat], goal)}></meter></li>`)}</ol>`;
}

/** A set and what it pays, a collection and what it takes. @param {Scene} scene @param {import("../../frame/set_piece.js").Line[]} lines */
function combined(scene, lines) {
  const news = lines.map(({ item }) => scene.read(item));
  const fan = (/** @type {number} */ bag) => html`<span class="overlapping">${cardsIn(bag, scene).map((gear) => card({ ...gearFace(scene, gear), title: "", type: "" }))}</span>`;
  const taken = news.find(({ kind }) => kind === "improved");
  return html`<div class="gains">
    ${news.filter(({ kind }) => kind === "set_shown").map(({ cards, aare }) => html`<p>${fan(cards)}<b>→</b><b class="pays">+${aare} ${symbol(`${ART}coin`, "icon")}</b></p>`)}
    ${news.filter(({ kind }) => kind === "collection_shown").map(({ cards }) => html`<p>${fan(cards)}<b>→</b>${taken ? card({ ...upgradeFace(scene, taken.upgrade), effect: "" }) : nothing}</p>`)}
  </div>`;
}

export const css = [revealsCss, "/page/games/pictures/trok.css"];
export { pieces };

/** @type {Record<string, import("../../frame/scene.js").PictureDrawing>} */
export const pictures = {
  perfect: { draw: perfect, width: 22 },
  bids: { draw: pieces.bids.draw, width: 34 },
  combined: { draw: combined, width: 27 },
  purses: { draw: purses, width: 20 },
};
