// A room for any game: every public field in words. Nobody has to wait for a drawing to play.

import { html, nothing } from "../vendor/lit.js";

/** @typedef {import("../frame/drawing.js").Drawing} Drawing */

const FRAME = ["seat", "seats", "phase", "waiting", "over", "result"];

/** @param {Drawing} d @param {(field: import("../wire/requests.js").FieldInfo) => boolean} wanted */
const fields = (d, wanted) => d.catalogue.fields.filter((field) => !FRAME.includes(field.name) && field.name in d.view && wanted(field));

/** @param {unknown} value @returns {string} */
const shown = (value) => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? `(${shown(one)})` : String(one))).join(" ") : String(value));

/** @param {Drawing} d @param {import("../wire/requests.js").FieldInfo} field */
const bySeat = (d, field) => field.shape.length > 0 && field.shape[0] === d.view.result.length && !field.name.startsWith("my_");

/** @param {unknown[]} rows */
const list = (rows) => html`<dl class="plain-fields">${rows}</dl>`;

/** @param {string} name @param {string} meaning @param {unknown} value */
const row = (name, meaning, value) => html`<div><dt title=${meaning}>${name.replace(/^my_/, "").replaceAll("_", " ")}</dt><dd>${shown(value)}</dd></div>`;

/** @type {import("../frame/drawing.js").Room} */
export const room = {
  css: "/page/rooms/plain.css",
  board: (d) => html`<div class="plain-board" tabindex="0" role="region" aria-label=${d.words(d.catalogue.title)}>${list(fields(d, (field) => !bySeat(d, field) && !field.name.startsWith("my_")).map((field) => row(field.name, field.meaning, d.view[field.name])))}</div>`,
  seat: (d, seat) => list(fields(d, (field) => bySeat(d, field)).map((field) => row(field.name, field.meaning, d.view[field.name][seat]))),
  hand: (d) => {
    const mine = fields(d, (field) => field.name.startsWith("my_"));
    return mine.length ? list(mine.map((field) => row(field.name, field.meaning, d.view[field.name]))) : nothing;
  },
};
