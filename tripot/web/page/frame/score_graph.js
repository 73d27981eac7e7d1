// The score by round: a line for each player, and the same numbers as a table for those who do not see lines.

import { html, nothing, svg } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { mark, symbolAt } from "./icon.js";

const WIDTH = 640, HEIGHT = 240, LEFT = 76, RIGHT = 34, TOP = 14, BOTTOM = 36;
const APART = 21; // the marks at the ends of the lines

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("../wire/requests.js").Mark} Mark
 */

/** What a line shows: a number, or how much of a goal of its own it is. @param {number[]} reached */
export const height = ([number, goal]) => (goal ? number / goal : number);

/** @param {Mark[]} history whether every player has a goal of their own */
export const ofGoals = (history) => history.every(({ reached }) => reached.every((numbers) => numbers.length > 1));

/** @param {Scene} scene @param {Mark[]} history */
export function scoreGraph(scene, history) {
  if (history.length < 2) return nothing;
  return html`<figure class="score-graph">
    <figcaption>${t("byRound")}</figcaption>
    ${lines(scene, history)}
    <ul class="graph-key" aria-hidden="true">${scene.round.toSorted((a, b) => a - b).map((seat) => html`<li>${mark(seat)} ${scene.players[seat]}</li>`)}</ul>
    <details><summary>${t("asTable")}</summary>${numbers(scene, history)}</details>
  </figure>`;
}

/** @param {Scene} scene @param {Mark[]} history */
function lines(scene, history) {
  const shares = ofGoals(history);
  const most = Math.max(1, ...history.flatMap(({ reached }) => reached.map(height)));
  const x = (/** @type {number} */ i) => LEFT + (i * (WIDTH - LEFT - RIGHT)) / (history.length - 1);
  const y = (/** @type {number} */ value) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  const steps = shares ? [0, 0.5, 1] : [0, Math.round(most / 2), most];
  const ends = spread(history[history.length - 1].reached.map((numbers) => y(height(numbers))));
  const every = Math.ceil(history.length / 10);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t("byRound")}>
    ${steps.map((value) => svg`<path class="grid" d=${`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`}></path><text class="tick end" x=${LEFT - 8} y=${y(value) + 5}>${shares ? `${Math.round(100 * value)} %` : value}</text>`)}
    ${history.map(({ clock }, i) => (i % every && i !== history.length - 1 ? nothing : svg`<text class="tick" x=${x(i)} y=${HEIGHT - 8}>${clock}</text>`))}
    ${history[0].reached.map((_, seat) => svg`<g class="line mark-${seat} dash-${seat}">
      <polyline points=${history.map(({ reached }, i) => `${x(i)},${y(height(reached[seat]))}`).join(" ")}></polyline>
      ${symbolAt(`/page/art/frame.svg#mark-${seat}`, WIDTH - RIGHT + 16, ends[seat], 20)}
    </g>`)}
  </svg>`;
}

/** The same heights, moved apart where marks would lie on each other. @param {number[]} heights */
function spread(heights) {
  const places = [...heights];
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  order.forEach((seat, i) => {
    if (i) places[seat] = Math.max(places[seat], places[order[i - 1]] + APART);
  });
  const over = Math.max(0, Math.max(...places) - (HEIGHT - BOTTOM));
  return places.map((place) => place - over);
}

/** @param {Scene} scene @param {Mark[]} history */
const numbers = (scene, history) => html`<div class="scroll" tabindex="0" role="region" aria-label=${t("byRound")}><table class="reckoning">
  <thead><tr><td></td>${scene.players.slice(0, scene.view.seats).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${history.map(({ clock, reached }) => html`<tr><th scope="row">${scene.said({ key: "clock", numbers: [clock] })}</th>${reached.map(([number, goal]) => html`<td>${goal ? `${number} / ${goal}` : number}</td>`)}</tr>`)}</tbody>
</table></div>`;
