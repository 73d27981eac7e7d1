// Verräter's set pieces: the conflict, where roles turn over and both houses add up, and the last counting.

import { html, nothing } from "../../vendor/lit.js";
import { card } from "../../frame/card.js";
import { mark, symbol } from "../../frame/icon.js";
import { roleFace } from "../verrater.js";

/**
 * @typedef {import("../../frame/scene.js").Scene} Scene
 * @typedef {import("../../frame/set_piece.js").Line} Line
 */

const ART = "/page/art/verrater.svg#";
const HOUSE = ["eagle", "rose"];

const W = {
  conflict: { en: "Conflict", fr: "Conflit" },
  changesSides: { en: "changes sides", fr: "change de camp" },
  taken: { en: "goes to", fr: "passe à" },
  hidden: { en: "a role, face down", fr: "un rôle, face cachée" },
  counting: { en: "The last counting", fr: "Le dernier décompte" },
};

/** @param {Scene} scene @param {Line[]} lines @param {string} kind @returns {Record<string, any>[]} the news of a kind */
const all = (scene, lines, kind) => lines.map(({ item }) => scene.read(item)).filter((news) => news.kind === kind);

// --- The conflict ---------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {Line[]} lines */
function conflict(scene, lines) {
  const won = all(scene, lines, "house_wins")[0];
  const over = won || all(scene, lines, "houses_even").length > 0;
  return html`<div class="duel ${over ? "over" : ""}">${[0, 1].map((house) => side(scene, lines, house, won?.the_house === house))}</div>`;
}

/** One house: its land, those who serve it now, and the sum. @param {Scene} scene @param {Line[]} lines @param {number} house @param {boolean} winner */
function side(scene, lines, house, winner) {
  const { contested, land, holder } = scene.view;
  const slot = contested[house];
  const seats = scene.round.filter((seat) => scene.view.house[seat] === house);
  const [value, parts] = [scene.facts.conflict_value[land[slot]], seats.flatMap((seat) => strengths(scene, seat))];
  const total = parts.reduce((sum, { strength }) => sum + strength, value);
  const lost = holder[slot] !== house;
  return html`<section class="camp ${HOUSE[house]} ${winner ? "wins" : ""}" aria-label=${scene.name("house", house)}>
    <header>${symbol(`${ART}${HOUSE[house]}`, "emblem")}<h3>${scene.name("house", house)}</h3><b class="strength">${total}</b></header>
    <div class="prize ${HOUSE[holder[slot]]}" data-turn=${`prize-${house}-${holder[slot]}`}>
      ${symbol(`${ART}land-${land[slot]}`, "view")}<span>${scene.name("land", land[slot])}${lost ? html`<small>${scene.words(W.taken)} ${scene.name("the_house", holder[slot])}</small>` : nothing}</span><b>${value}</b>
    </div>
    ${seats.map((seat) => fighter(scene, lines, seat))}
    <p class="sum">${scene.name("land", land[slot])} ${[value, ...parts.map(({ named }) => named)].join(" + ")} = <b>${total}</b></p>
  </section>`;
}

/** @param {Scene} scene @param {number} seat @returns {{named: string, strength: number}[]} what a player adds: each supply card, and the role once it is shown */
function strengths(scene, seat) {
  const { supply_value, role_strength } = scene.facts;
  const cards = expand(scene.view.played[seat]).map((kind) => supply_value[kind]).sort((a, b) => b - a);
  const role = scene.view.role_shown[seat];
  const brings = role_strength[role] ? [{ named: scene.name("role", role).replaceAll(" ", "\u00a0"), strength: role_strength[role] }] : []; // "Diplomat 5" names its strength
  return [...cards.map((strength) => ({ named: String(strength), strength })), ...brings];
}

/** @param {Scene} scene @param {Line[]} lines @param {number} seat */
function fighter(scene, lines, seat) {
  const role = scene.view.role_shown[seat];
  const turned = all(scene, lines, "turned_traitor").some((news) => news.seat === seat);
  const house = scene.view.house[seat];
  const points = [...all(scene, lines, "land_scored"), ...all(scene, lines, "role_scored")].filter((news) => news.seat === seat).map((news) => news.points);
  const strength = scene.facts.role_strength[role];
  return html`<div class="fighter ${turned ? "turned" : ""}" data-move=${`fighter-${seat}`}>
    <span class="shown" data-turn=${`fighter-role-${seat}-${role}`}>${role ? card({ ...roleFace(scene, role), effect: "", type: "", move: undefined }) : html`<span class="card role down" role="img" aria-label=${scene.words(W.hidden)}><span class="card-back"></span></span>`}</span>
    <p class="who">${mark(seat)} <b>${scene.players[seat]}</b></p>
    <p class="brings">${expand(scene.view.played[seat]).map((kind) => html`<span class="chip supply-chip">${scene.name("supply", kind)}</span>`)}${strength ? html`<span class="chip role-strength">+${strength}</span>` : nothing}</p>
    ${turned ? html`<p class="turncoat">${symbol(`${ART}${HOUSE[1 - house]}`, "emblem left")}<span aria-hidden="true">→</span>${symbol(`${ART}${HOUSE[house]}`, "emblem")} ${scene.words(W.changesSides)}</p>` : nothing}
    ${points.length ? html`<p class="gain">${points.map((one) => html`<b>+${one}</b>`)}</p>` : nothing}
  </div>`;
}

/** @param {number[]} kinds counted by kind @returns {number[]} one entry a card */
const expand = (kinds) => kinds.flatMap((count, kind) => Array(count).fill(kind));

// --- The end --------------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {Line[]} lines */
function end(scene, lines) {
  const scored = all(scene, lines, "offices_scored");
  const won = all(scene, lines, "won").map(({ seat }) => seat);
  const most = Math.max(1, ...scene.view.points);
  return html`${won.length ? victory(scene, won) : nothing}<div class="last-count">${scored.map(({ seat, offices, cards, points }) => html`<div class="count-row ${won.includes(seat) ? "wins" : ""}">
    <p>${mark(seat)} <b>${scene.players[seat]}</b></p>
    <p class="times">${offices} × ${cards} = <b>+${points}</b></p>
    <progress max=${most} value=${scene.view.points[seat]} aria-label=${scene.players[seat]}></progress>
    <b class="total">${scene.view.points[seat]}</b>
  </div>`)}</div>`;
}

/** @param {Scene} scene @param {number[]} seats those who have won, under the arms that they serve */
const victory = (scene, seats) => html`<div class="victory">
  <p class="arms">${seats.map((seat) => html`<span class="shield ${HOUSE[scene.view.house[seat]]}">${symbol(`${ART}${HOUSE[scene.view.house[seat]]}`, "emblem")}</span>`)}</p>
  <p>${seats.map((seat) => html`${mark(seat)} <b>${scene.players[seat]}</b> `)}</p>
</div>`;

export const css = "/page/games/reveals/verrater.css";

/** @type {Record<string, import("../../frame/scene.js").PieceDrawing>} */
export const pieces = {
  conflict: { title: W.conflict, outcome: ["house_wins", "houses_even"], draw: conflict },
  end: { title: W.counting, outcome: ["won"], draw: end },
};
