// Icons: each is a symbol in one of the SVG files of `art/`.

import { html, svg } from "../vendor/lit.js";

/** @param {string} name a symbol of art/frame.svg @param {string} [label] spoken; without it the symbol is decoration */
export const icon = (name, label) => symbol(`/page/art/frame.svg#${name}`, "icon", label);

/** @param {string} href @param {string} [kind] @param {string} [label] */
export const symbol = (href, kind = "", label = "") =>
  label
    ? html`<svg class=${kind} role="img" aria-label=${label}><use href=${href}></use></svg>`
    : html`<svg class=${kind} aria-hidden="true"><use href=${href}></use></svg>`;

/** A card's picture in layers, which fills its frame. @param {...string} hrefs symbols of 100 × 100, the lowest first */
export const print = (...hrefs) =>
  html`<svg viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${hrefs.map((href) => svg`<use href=${href} width="100" height="100"></use>`)}</svg>`;

/** @param {number} seat the mark by which a seat is known on the table @param {string} [label] */
export const mark = (seat, label) =>
  html`<span class="mark mark-${seat}">${icon(`mark-${seat}`, label)}</span>`;

/** A symbol inside an SVG drawing, around a point. @param {string} href @param {number} x @param {number} y @param {number} width @param {number} [height] */
export const symbolAt = (href, x, y, width, height = width) =>
  svg`<use href=${href} x=${x - width / 2} y=${y - height / 2} width=${width} height=${height}></use>`;
