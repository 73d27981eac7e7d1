// Trieste's pictures for learners: what each faction is after, the cards face down, the cards revealed.

import { html } from "../../vendor/lit.js";
import { symbol } from "../../frame/icon.js";
import { css as revealsCss, pieces } from "../reveals/trieste.js";
import { AIM, FACTIONS, played } from "../trieste.js";

/** @typedef {import("../../frame/scene.js").Scene} Scene */

const ART = "/page/art/trieste.svg#";

/** @param {Scene} scene @param {string} name @param {unknown} inside a faction's place at the table */
const place = (scene, name, inside) => html`<div class="mat ${name}"><header class="mat-head">${symbol(`${ART}faction-${scene.facts[name]}`, "emblem")}<h2>${scene.name("faction", scene.facts[name])}</h2></header>${inside}</div>`;

/** @param {Scene} scene */
const aims = (scene) => html`<div class="goals">${FACTIONS.map((name) => place(scene, name, html`<div class="aim">${AIM[name](scene)}</div>`))}</div>`;

/** @param {Scene} scene */
const hidden = (scene) => html`<div class="slots">${FACTIONS.map((name, i) => place(scene, name, html`<div class="play-slot">${played(scene, scene.facts[name], i)}</div>`))}</div>`;

export const css = [revealsCss, "/page/games/pictures/trieste.css"];
export { pieces };

/** @type {Record<string, import("../../frame/scene.js").PictureDrawing>} */
export const pictures = {
  aims: { draw: aims, width: 20 },
  hidden: { draw: hidden, width: 26 },
  trio: { draw: pieces.turn.draw, width: 26 },
};
