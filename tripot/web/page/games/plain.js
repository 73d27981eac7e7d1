// A drawing for any game: every field of the view in words, so that a game can be played before it has a drawing of its own.

import { html, nothing } from "../vendor/lit.js";

/** @typedef {import("../frame/scene.js").Scene} Scene */

const FRAME = ["seat", "seats", "phase", "waiting", "over", "result"];

/** @param {Scene} scene @param {(field: import("../wire/requests.js").FieldInfo) => boolean} wanted */
const fields = (scene, wanted) => scene.catalogue.fields.filter((field) => !FRAME.includes(field.name) && field.name in scene.view && wanted(field));

/** @param {unknown} value @returns {string} */
const shown = (value) => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? `(${shown(one)})` : String(one))).join(" ") : String(value));

/** @param {Scene} scene @param {import("../wire/requests.js").FieldInfo} field */
const bySeat = (scene, field) => field.shape.length > 0 && field.shape[0] === scene.view.result.length && !field.name.startsWith("my_");

/** @param {unknown[]} rows */
const list = (rows) => html`<dl class="plain-fields">${rows}</dl>`;

/** @param {string} name @param {string} meaning @param {unknown} value */
const row = (name, meaning, value) => html`<div><dt title=${meaning}>${name.replace(/^my_/, "").replaceAll("_", " ")}</dt><dd>${shown(value)}</dd></div>`;

/** @type {import("../frame/scene.js").Drawing} */
export const drawing = {
  css: "/page/games/plain.css",
  board: (scene) => html`<div class="plain-board" tabindex="0" role="region" aria-label=${scene.words(scene.catalogue.title)}>${list(fields(scene, (field) => !bySeat(scene, field) && !field.name.startsWith("my_")).map((field) => row(field.name, field.meaning, scene.view[field.name])))}</div>`,
  seat: (scene, seat) => list(fields(scene, (field) => bySeat(scene, field)).map((field) => row(field.name, field.meaning, scene.view[field.name][seat]))),
  hand: (scene) => {
    const mine = fields(scene, (field) => field.name.startsWith("my_"));
    return mine.length ? list(mine.map((field) => row(field.name, field.meaning, scene.view[field.name]))) : nothing;
  },
};
