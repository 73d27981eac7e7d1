// The log: the news as sentences under the heading of their round or turn, the latest first. Every line opens its clause.

import { guard, html, nothing, repeat } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { holes } from "../text/speech.js";
import { mark } from "./icon.js";
import { repeated } from "./playback.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {{item: number[], line: number}} Entry a piece of news, and its place in the log
 * @typedef {object} Log
 * @property {number[][]} items
 * @property {number} seen how many lines were there before
 * @property {(clause: string) => void} why
 * @property {number} [told] in a replay, how many lines have happened at the step that is shown
 * @property {(line: number) => void} [jump] in a replay, goes to the moment of a line
 */

/** @param {Scene} scene @param {Log} log */
export function logLines(scene, log) {
  const names = scene.players.join("\n");
  return html`<ol class="log-lines" tabindex="0" aria-label=${t("log")}>
    ${repeat(sections(scene, log.items), (section) => section[0]?.line, (section) => {
      const [first] = section;
      const headed = scene.catalogue.staging.headings.includes(first.item[1]);
      return html`<li class="log-section">
        ${headed ? html`<h3 data-news=${first.line}>${sentence(scene, log, first)}</h3>` : nothing}
        <ol>${repeat((headed ? section.slice(1) : section).reverse(), ({ line }) => line, (entry) => unlessSame(scene, log, entry, names))}</ol>
      </li>`;
    })}
  </ol>`;
}

/** @param {Scene} scene @param {number[][]} items @returns {Entry[][]} the lines by round or turn, the latest first; nothing is said twice */
function sections(scene, items) {
  const twice = repeated(scene.catalogue, items);
  /** @type {Entry[][]} */
  const found = [];
  items.forEach((item, line) => {
    if (!scene.catalogue.news[item[1]] || twice.has(item)) return;
    if (!found.length || scene.catalogue.staging.headings.includes(item[1])) found.push([]);
    found.at(-1)?.push({ item, line });
  });
  return found.reverse();
}

/** A line is drawn once, however often the table is. @param {Scene} scene @param {Log} log @param {Entry} entry @param {string} names */
function unlessSame(scene, log, entry, names) {
  const { item, line } = entry;
  const told = log.told ?? log.items.length;
  const kind = line >= told ? "to-come" : line >= log.seen ? "fresh" : "";
  const seat = seatOf(scene, item);
  return guard([item, kind, seat, scene.lang, names], () => row(scene, log, entry, kind, seat));
}

/** @param {Scene} scene @param {Log} log @param {Entry} entry @param {string} kind @param {number | null} seat */
function row(scene, log, entry, kind, seat) {
  const { item, line } = entry;
  const clause = clauseOf(scene, item);
  return html`<li class=${kind} data-news=${line}>
    <span class="log-mark">${seat === null ? nothing : mark(seat)}</span>
    <span class="line">${sentence(scene, log, entry)}</span>
    ${clause ? html`<button class="clause" aria-label=${`${t("why")} ${clause}`} @click=${() => log.why(clause)}>${clause}</button>` : nothing}
  </li>`;
}

/** @param {Scene} scene @param {Log} log @param {Entry} entry */
const sentence = (scene, { jump }, { item, line }) => (jump ? html`<button class="jump" @click=${() => jump(line)}>${scene.story(item)}</button>` : scene.story(item));

/** @param {Scene} scene @param {number[]} item @returns {number | null} the player that a piece of news is about */
function seatOf(scene, item) {
  const { actors } = scene.catalogue.staging;
  const args = holes(scene.catalogue.news[item[1]].args);
  const place = args.findIndex(([, table]) => table === "seat" || table in actors);
  if (place < 0) return null;
  const field = actors[args[place][1]];
  return field ? scene.view[field][item[2 + place]] : item[2 + place];
}

/** @param {Scene} scene @param {number[]} item the first clause behind a piece of news */
export const clauseOf = (scene, item) => scene.catalogue.news[item[1]]?.clause.split(" ")[0] ?? "";
