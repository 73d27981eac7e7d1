// Hearts: a green cloth with the trick in the middle, the hand in two rows where it is narrow, and what has been played.

import { html, nothing } from "/page/vendor/lit.js";
import { card, choosable } from "/page/frame/card.js";
import { mark } from "/page/frame/icon.js";

/** @typedef {import("/page/frame/scene.js").Scene} Scene */

const W = {
  trick: { en: "The trick", fr: "La levée" },
  last: { en: "Last trick", fr: "Dernière levée" },
  broken: { en: "Hearts are broken", fr: "Les cœurs sont ouverts" },
  whole: { en: "Hearts are not broken", fr: "Les cœurs ne sont pas ouverts" },
  score: { en: "score", fr: "score" },
  taken: { en: "points in this deal", fr: "points de cette donne" },
  tricks: { en: "tricks", fr: "levées" },
  cards: { en: "cards in hand", fr: "cartes en main" },
  leads: { en: "leads", fr: "entame" },
  gone: { en: "Played so far", fr: "Déjà jouées" },
  passing: { en: "Set aside to pass", fr: "Mises de côté" },
  total: { en: "Total", fr: "Total" },
  deals: { en: "By deal", fr: "Par donne" },
  out: { en: "played", fr: "jouée" },
  mine: { en: "yours", fr: "à vous" },
};

/** @param {Scene} scene @param {number} number */
const suitOf = ({ facts }, number) => Math.floor(number / facts.ranks);

/** @param {Scene} scene @param {number} number a card @returns {import("/page/frame/card.js").Face} */
const face = (scene, number) => ({
  value: scene.name("corner", number),
  title: scene.name("card", number),
  art: html`<b>${scene.facts.signs[suitOf(scene, number)]}</b>`,
  kind: `playing suit-${suitOf(scene, number)} ${scene.facts.red.includes(suitOf(scene, number)) ? "red" : "black"} ${number === scene.facts.queen ? "lady" : ""}`,
  move: `card-${number}`,
});

/** @param {Scene} scene @param {number} seat the total so far */
const score = ({ view }, seat) => view.penalty[seat] - view.credit[seat];

/** @param {Scene} scene the cards of a hand in the order in which people hold them @param {number[]} held @returns {number[]} */
const sorted = ({ facts }, held) => facts.order.flatMap((/** @type {number} */ suit) => Array.from({ length: facts.ranks }, (_, rank) => suit * facts.ranks + rank).filter((number) => held[number]));

// --- The cloth ------------------------------------------------------------------------------------------------------

const PLACES = ["south", "west", "north", "east"]; // from the seat that looks, to the left

/** @param {Scene} scene */
function board(scene) {
  const { trick, last_trick, last_winner, broken, direction, phase } = scene.view;
  const running = trick.some(Boolean);
  const shown = running ? trick : last_trick;
  const title = running || !shown.some(Boolean) ? scene.words(W.trick) : scene.words(W.last);
  return html`<div class="cloth" role="group" aria-label=${title}>
    ${scene.round.map((seat, i) => html`<div class="spot ${PLACES[i]} ${running ? "" : "over"} ${!running && last_winner === seat + 1 ? "won" : ""}">
      ${shown[seat] ? card({ ...face(scene, shown[seat] - 1), from: `seat-${seat}` }) : html`<span class="bare"></span>`}
      <span class="whose">${mark(seat)} ${scene.players[seat]}${scene.view.leader === seat && running ? html` <i>(${scene.words(W.leads)})</i>` : nothing}</span>
    </div>`)}
    <div class="middle">
      ${phase === scene.facts.passing ? html`<b>${scene.name("direction", direction)}</b>` : html`<span class="heart ${broken ? "broken" : ""}" role="img" aria-label=${scene.words(broken ? W.broken : W.whole)} title=${scene.words(broken ? W.broken : W.whole)}>♥</span>`}
      ${!running && shown.some(Boolean) ? html`<span class="note">${scene.words(W.last)}</span>` : nothing}
    </div>
    ${running && last_trick.some(Boolean) ? html`<p class="before"><span>${scene.words(W.last)}</span> ${scene.round.map((seat) => small(scene, last_trick[seat] - 1, last_winner === seat + 1))}</p>` : nothing}
  </div>`;
}

/** A card in a line of words. @param {Scene} scene @param {number} number @param {boolean} [won] */
const small = (scene, number, won = false) =>
  html`<span class="mini ${scene.facts.red.includes(suitOf(scene, number)) ? "red" : ""} ${won ? "won" : ""}" role="img" aria-label=${scene.name("card", number)}>${scene.name("corner", number)}</span>`;

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const { taken, tricks, gone, hand } = scene.view;
  const left = scene.facts.dealt - gone.filter((/** @type {number} */ who) => who === seat + 1).length;
  return html`<div class="facts">
      <span class="score"><b>${score(scene, seat)}</b> <span class="roomy">${scene.words(W.score)}</span></span>
      <span class="fact" title=${scene.words(W.taken)}><span class="red" aria-hidden="true">♥</span><b>${taken[seat]}</b><span class="unseen">${scene.words(W.taken)}</span></span>
      <span class="fact" title=${scene.words(W.tricks)}><span aria-hidden="true">▤</span><b>${tricks[seat]}</b><span class="unseen">${scene.words(W.tricks)}</span></span>
      <span class="fact" title=${scene.words(W.cards)}><span aria-hidden="true">▮</span><b>${left}</b><span class="unseen">${scene.words(W.cards)}</span></span>
    </div>
    ${hand ? html`<div class="laid open-hand">${sorted(scene, hand[seat]).map((number) => small(scene, number))}</div>` : nothing}`;
}

/** @param {Scene} scene */
function hand(scene) {
  const { my_hand, my_given, phase } = scene.view;
  if (!my_hand) return nothing;
  const aside = phase === scene.facts.passing ? my_given.filter(Boolean).map((/** @type {number} */ number) => number - 1) : [];
  const held = my_hand.map((/** @type {number} */ here, /** @type {number} */ number) => here || aside.includes(number));
  return html`<div class="thirteen">${sorted(scene, held).map((number) => {
    const picked = scene.taken("pass", number) ?? scene.taken("play", number);
    const legal = scene.offer("pass", number) ?? scene.offer("play", number);
    return choosable(face(scene, number), scene, legal, picked ? { picked: true, back: picked } : { picked: aside.includes(number) });
  })}</div>`;
}

/** Every card of the pack: who follows the play need not remember it. @param {Scene} scene */
function aside(scene) {
  const { gone, my_hand } = scene.view;
  return html`<table class="pack"><caption>${scene.words(W.gone)}</caption><tbody>${scene.facts.order.map((/** @type {number} */ suit) => html`<tr>
    <th scope="row" class=${scene.facts.red.includes(suit) ? "red" : ""}><span aria-hidden="true">${scene.facts.signs[suit]}</span><span class="unseen">${scene.name("suit", suit)}</span></th>
    ${Array.from({ length: scene.facts.ranks }, (_, rank) => suit * scene.facts.ranks + rank).map((number) => html`<td class="${gone[number] ? "gone" : my_hand?.[number] ? "mine" : ""}">${scene.name("rank_name", number % scene.facts.ranks)}${gone[number] ? html`<span class="unseen">${scene.words(W.out)}</span>` : my_hand?.[number] ? html`<span class="unseen">${scene.words(W.mine)}</span>` : nothing}</td>`)}
  </tr>`)}</tbody></table>`;
}

// --- The result -----------------------------------------------------------------------------------------------------

/** @param {Scene} scene */
function reckoning(scene) {
  const scored = scene.log.map((item) => scene.read(item)).filter(({ kind }) => kind === "scored");
  const seats = scene.round.slice().sort((a, b) => score(scene, a) - score(scene, b));
  return html`<table class="reckoning">
    <thead><tr><td></td><th scope="col">${scene.words(W.deals)}</th><th scope="col">${scene.words(W.total)}</th></tr></thead>
    <tbody>${seats.map((seat) => html`<tr class=${scene.view.result[seat] ? "won" : ""}>
      <th scope="row">${mark(seat)} ${scene.players[seat]}</th>
      <td>${scored.filter((news) => news.seat === seat).map(({ points }) => points).join(" · ")}</td><td class="total">${score(scene, seat)}</td>
    </tr>`)}</tbody>
  </table>`;
}

/** @type {import("/page/frame/scene.js").Drawing} */
export const drawing = { css: "/page/games/outside/hearts/hearts.css", gather: true, board, seat, hand, aside, reckoning, scores: (scene) => scene.round.map((_, seat) => score(scene, seat)) };
