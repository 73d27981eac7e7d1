// Drawn signs: every one is a symbol in one of the files of `art/`.

import { html, svg } from "../vendor/lit.js";

/** @param {string} name a symbol of art/frame.svg @param {string} [label] spoken; without it the sign is decoration */
export const icon = (name, label) => sign(`/page/art/frame.svg#${name}`, "icon", label);

/** @param {string} href @param {string} [kind] @param {string} [label] */
export const sign = (href, kind = "", label = "") =>
  label
    ? html`<svg class=${kind} role="img" aria-label=${label}><use href=${href}></use></svg>`
    : html`<svg class=${kind} aria-hidden="true"><use href=${href}></use></svg>`;

/** @param {number} seat the mark by which a seat is known on the table @param {string} [label] */
export const mark = (seat, label) =>
  html`<span class="mark mark-${seat}">${icon(`mark-${seat}`, label)}</span>`;

/** The same inside a drawing. @param {string} href @param {number} x @param {number} y @param {number} width @param {number} [height] */
export const stamp = (href, x, y, width, height = width) =>
  svg`<use href=${href} x=${x - width / 2} y=${y - height / 2} width=${width} height=${height}></use>`;
