// Trök's set pieces: the bids side by side, a market renewed, what everyone combines and what it pays, the end.

import { html, nothing } from "../../vendor/lit.js";
import { card } from "../../frame/card.js";
import { mark, symbol } from "../../frame/icon.js";
import { gearFace, upgradeFace } from "../trok.js";

/**
 * @typedef {import("../../frame/scene.js").Scene} Scene
 * @typedef {import("../../frame/set_piece.js").Line} Line
 */

const ART = "/page/art/trok.svg#";

const W = {
  bids: { en: "The bids", fr: "Les offres" },
  bid: { en: "bid", fr: "offre" },
  master: { en: "trade master", fr: "Maître du commerce" },
  combined: { en: "Combinations", fr: "Combinaisons" },
  market: { en: "A new market", fr: "Un nouveau marché" },
  end: { en: "The end", fr: "La fin" },
  perfect: { en: "The perfect combination", fr: "La combinaison parfaite" },
};

/** @param {Scene} scene @param {Line[]} lines @returns {Record<string, any>[]} */
const read = (scene, lines) => lines.map(({ item }) => scene.read(item));

/** @param {number} bag four bits for each kind @param {Scene} scene @returns {number[]} one entry a card */
const cardsIn = (bag, scene) => scene.catalogue.names.gear.flatMap((_, gear) => Array(Math.floor(bag / 16 ** gear) % 16).fill(gear));

/** @param {Scene} scene @param {number} gear @param {string} key */
const laid = (scene, gear, key) => html`<span class="laid-card" data-turn=${key}>${card({ ...gearFace(scene, gear), type: "" })}</span>`;

/** @param {Scene} scene @param {number} sum */
const coins = (scene, sum) => html`<b class="pays">+${sum} ${symbol(`${ART}coin`, "icon", "Aare")}</b>`;

/** All at once, as at the table. @param {Scene} scene @param {Line[]} lines */
function bids(scene, lines) {
  const news = read(scene, lines);
  const master = news.find(({ kind }) => kind === "master")?.seat;
  const { bid, offer } = scene.view;
  const best = Math.max(...scene.round.map((seat) => bid[seat]));
  return html`<div class="bids of-${scene.view.seats}">${scene.round.map((seat) => html`<section class="bid ${seat === master ? "master" : ""} ${bid[seat] === best ? "best" : ""}">
    <p class="who">${mark(seat)} <b>${scene.players[seat]}</b></p>
    <p class="fanned">${offer[seat].flatMap((/** @type {number} */ count, /** @type {number} */ gear) => Array.from({ length: count }, (_, i) => laid(scene, gear, `bid-${seat}-${gear}-${i}`)))}</p>
    <p class="worth">${scene.words(W.bid)} <b>${bid[seat]}</b></p>
    ${seat === master ? html`<p class="crowned">${symbol(`${ART}master`, "icon")}${scene.words(W.master)}</p>` : nothing}
  </section>`)}</div>`;
}

/** @param {Scene} scene @param {Line[]} lines */
const combinations = (scene, lines) => html`<div class="combos">${read(scene, lines).map((news) => combination(scene, news))}</div>`;

/** @param {Scene} scene @param {Record<string, any>} news */
function combination(scene, news) {
  const who = html`<p class="who">${mark(news.seat)} <b>${scene.players[news.seat]}</b></p>`;
  const cards = () => html`<p class="fanned">${cardsIn(news.cards, scene).map((gear, i) => laid(scene, gear, `combo-${news.seat}-${gear}-${i}`))}</p>`;
  if (news.kind === "set_shown") return html`<section class="combo">${who}${cards()}${coins(scene, news.aare)}</section>`;
  if (news.kind === "collection_shown") return html`<section class="combo">${who}${cards()}</section>`;
  if (news.kind === "perfect_shown") return html`<section class="combo perfect">${who}${cards()}<b class="pays">${scene.words(W.perfect)}</b></section>`;
  if (news.kind === "improved") return html`<section class="combo gets">${who}<span class="arrow" aria-hidden="true">→</span>${card(upgradeFace(scene, news.upgrade))}</section>`;
  return nothing;
}

/** @param {Scene} scene @param {Line[]} lines */
function market(scene, lines) {
  const news = read(scene, lines);
  const renewed = news.find(({ kind }) => kind === "renewed");
  const next = news.find(({ kind }) => kind === "market");
  return html`<div class="combos">
    ${renewed ? html`<section class="combo"><p class="who">${mark(renewed.seat)} <b>${scene.players[renewed.seat]}</b></p><p class="fanned">${Array.from({ length: scene.facts.market }, (_, i) => laid(scene, renewed.gears, `old-${i}`))}</p>${coins(scene, renewed.aare)}</section>` : nothing}
    ${news.filter(({ kind }) => kind === "thrud_paid").map((paid) => html`<section class="combo"><p class="who">${mark(paid.seat)} <b>${scene.players[paid.seat]}</b></p>${coins(scene, paid.aare)}</section>`)}
    ${next ? html`<section class="combo gets"><span class="arrow" aria-hidden="true">→</span><p class="fanned">${cardsIn(next.cards, scene).map((gear, i) => laid(scene, gear, `new-${gear}-${i}`))}</p></section>` : nothing}
  </div>`;
}

/** @param {Scene} scene @param {Line[]} lines */
function end(scene, lines) {
  const won = read(scene, lines).map(({ seat }) => seat);
  const { aare, goal } = scene.view;
  const seats = scene.round.slice().sort((a, b) => aare[b] - aare[a]);
  return html`<div class="victory">${symbol(`${ART}coin`, "emblem")}<p>${won.map((seat) => html`${mark(seat)} <b>${scene.players[seat]}</b> `)}</p></div>
  <div class="purses">${seats.map((seat) => html`<div class="count-row ${won.includes(seat) ? "wins" : ""}"><p>${mark(seat)} <b>${scene.players[seat]}</b></p>
    <progress max=${Math.max(goal, ...aare)} value=${aare[seat]} aria-label=${scene.players[seat]}></progress><b class="total">${aare[seat]} ${symbol(`${ART}coin`, "icon", "Aare")}</b></div>`)}</div>`;
}

export { cardsIn };
export const css = "/page/games/reveals/trok.css";

/** @type {Record<string, import("../../frame/scene.js").PieceDrawing>} */
export const pieces = {
  bids: { title: W.bids, outcome: ["master", "tied"], draw: bids },
  combinations: { title: W.combined, draw: combinations },
  market: { title: W.market, draw: market },
  end: { title: W.end, draw: end },
};
