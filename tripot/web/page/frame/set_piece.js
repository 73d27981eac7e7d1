// A set piece on the stage: a reveal, a conflict, the end. It is drawn by the game, told in its sentences, and stays until the person goes on.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon } from "./icon.js";
import { repeated } from "./playback.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./playback.js").Piece} Piece
 * @typedef {{item: number[], line: number}} Line a piece of news, and its place in the log
 */

/**
 * @param {object} p
 * @param {Scene} p.scene with the log as far as it has been told @param {import("./scene.js").Drawing} p.drawing
 * @param {Piece} p.piece @param {number} p.together how many pieces of news are told at this moment @param {() => void} p.goOn
 */
export function setPiece({ scene, drawing, piece, together, goOn }) {
  const lines = linesOf(scene, piece.from);
  const drawn = piece.known ? drawing.pieces?.[piece.name] : undefined;
  const outcome = piece.held ? lines.findLast(({ item }) => drawn?.outcome?.includes(scene.catalogue.news[item[1]].name)) : undefined;
  const last = outcome ?? (together === 1 ? lines.at(-1) : undefined);
  return html`<section class="set-piece ${piece.held ? "still" : ""}" data-piece=${piece.name} aria-label=${t("reveal")} @click=${(/** @type {Event} */ event) => outside(event) && goOn()}>
    <header class="piece-head">${drawn ? html`<h2>${scene.words(drawn.title)} ${drawn.clock ? scene.view[drawn.clock] : nothing}</h2>` : nothing}
      <p class="headline">${last ? scene.story(last.item) : nothing}</p></header>
    ${drawn ? html`<div class="piece-drawing">${drawn.draw(scene, lines)}</div>` : nothing}
    ${drawn?.tellsAll ? nothing : html`<ol class="told">${lines.map((line) => toldLine(scene, line))}</ol>`}
    <p class="piece-foot"><button class="button main go-on" @click=${goOn}>${piece.held ? t("goOn") : t("skip")}${icon("next")}</button></p>
  </section>`;
}

/** @param {Scene} scene @param {Line} line a sentence of the set piece */
export const toldLine = (scene, { item, line }) => html`<li data-news=${line}>${scene.story(item)}</li>`;

/** @param {Scene} scene @param {number} from @returns {Line[]} what has been told since that line, without repetitions */
export function linesOf(scene, from) {
  const items = scene.log.slice(from);
  const twice = repeated(scene.catalogue, items);
  return items.map((item, i) => ({ item, line: from + i })).filter(({ item }) => scene.catalogue.news[item[1]] && !twice.has(item));
}

/** @param {Event} event whether it touched no control, so that it means the stage */
const outside = (event) => !(/** @type {HTMLElement} */ (event.target).closest("button, a"));
