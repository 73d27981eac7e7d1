// Trieste's set pieces: the three cards of a turn, their cost, their effects; heroes; the end.

import { html, nothing } from "../../vendor/lit.js";
import { card } from "../../frame/card.js";
import { mark, symbol } from "../../frame/icon.js";
import { linesOf, toldLine } from "../../frame/set_piece.js";
import { face, heroFace } from "../trieste.js";

/**
 * @typedef {import("../../frame/scene.js").Scene} Scene
 * @typedef {import("../../frame/set_piece.js").Line} Line
 * @typedef {object} Act what one faction's card has come to this turn
 * @property {number} card 0: face down, or none
 * @property {boolean} passed
 * @property {number[]} paid the treasures
 * @property {number | null} short what it costs and could not be paid
 * @property {boolean} negated
 * @property {boolean} resolves its effect has begun
 * @property {boolean} captured
 * @property {Line[]} lines
 */

const ART = "/page/art/trieste.svg#";
const FACTIONS = ["watch", "merchant", "thief"]; // in the order of the turn
const DRAWN = ["shown", "paid", "resolves"]; // told by the drawing itself; the words are for those who listen

const W = {
  turn: { en: "Turn", fr: "Tour" },
  down: { en: "face down", fr: "face cachée" },
  passed: { en: "plays no card", fr: "ne joue pas de carte" },
  paid: { en: "paid", fr: "payé" },
  free: { en: "costs nothing", fr: "gratuit" },
  short: { en: "cannot pay", fr: "ne peut pas payer" },
  showsHand: { en: "and shows their hand", fr: "et montre sa main" },
  negated: { en: "negated", fr: "contrecarrée" },
  captured: { en: "captured", fr: "capturé" },
  heroes: { en: "A hero", fr: "Un héros" },
  end: { en: "The end", fr: "La fin" },
};

// --- The cards of a turn --------------------------------------------------------------------------------------------

/** @param {Scene} scene @returns {Act[]} by faction, from all that was told since the turn began */
function acts(scene) {
  const { headings } = scene.catalogue.staging;
  const start = scene.log.findLastIndex(([, kind]) => headings.includes(kind));
  /** @type {Act[]} */
  const found = FACTIONS.map(() => ({ card: 0, passed: false, paid: [], short: null, negated: false, resolves: false, captured: false, lines: [] }));
  let acting = -1; // the faction whose card takes effect
  for (const line of linesOf(scene, start + 1)) {
    const news = scene.read(line.item);
    const faction = news.the_faction ?? news.of_faction;
    if (news.kind === "resolves" || news.kind === "negated") acting = faction;
    const act = found[acting >= 0 ? acting : (faction ?? 0)];
    note(scene, found, act, news);
    if (["shown", "cannot_pay", "hand_card", "paid"].includes(news.kind) || acting >= 0) act.lines.push(line);
  }
  return found;
}

/** @param {Scene} scene @param {Act[]} found @param {Act} act whose card it is about @param {Record<string, any>} news */
function note(scene, found, act, news) {
  const thief = found[scene.facts.thief];
  if (news.kind === "shown" || news.kind === "placed_open") act.card = news.card;
  else if (news.kind === "passed") act.passed = true;
  else if (news.kind === "paid" && !act.resolves) act.paid.push(news.card);
  else if (news.kind === "cannot_pay") [act.short, act.negated] = [news.cost, true];
  else if (news.kind === "negated") act.negated = true;
  else if (news.kind === "toll_refused") found[scene.facts.merchant].negated = true;
  else if (news.kind === "resolves") act.resolves = true;
  else if (news.kind === "captured" && news.card === thief.card && !thief.resolves) thief.captured = true;
}

/** @param {Scene} scene @param {Line[]} lines */
function turn(scene, lines) {
  const from = lines[0]?.line ?? 0;
  return html`<div class="trio">${acts(scene).map((act, faction) => column(scene, act, faction, from))}</div>`;
}

/** @param {Scene} scene @param {Act} act @param {number} faction @param {number} from lines before this were told earlier */
function column(scene, act, faction, from) {
  const seat = scene.view.seat_of[faction];
  const over = act.negated || act.captured;
  return html`<div class="act ${FACTIONS[faction]} ${over ? "struck" : ""} ${act.resolves ? "resolves" : ""}" role="group" aria-label=${scene.name("faction", faction)}>
    <header>${symbol(`${ART}faction-${faction}`, "emblem")}<h3>${scene.name("faction", faction)}</h3><span class="who">${mark(seat)} ${scene.players[seat]}</span></header>
    <div class="act-card" data-turn=${`act-${faction}-${act.card}`}>${played(scene, act, faction)}
      ${over ? html`<span class="verdict">${scene.words(act.negated ? W.negated : W.captured)}</span>` : nothing}</div>
    ${cost(scene, act)}
    <ol class="told">${act.lines.map((line) => (DRAWN.includes(scene.read(line.item).kind) ? html`<li class="unseen" data-news=${line.line}>${scene.story(line.item)}</li>` : line.line < from ? html`<li class="earlier">${scene.story(line.item)}</li>` : toldLine(scene, line)))}</ol>
  </div>`;
}

/** @param {Scene} scene @param {Act} act @param {number} faction */
function played(scene, act, faction) {
  if (act.card) return card({ ...face(scene, act.card), move: undefined });
  if (act.passed) return html`<p class="no-card">${scene.words(W.passed)}</p>`;
  return html`<span class="card back of-${FACTIONS[faction]}" role="img" aria-label=${scene.words(W.down)}>${symbol(`${ART}faction-${faction}`)}</span>`;
}

/** What the card cost, and whether it could be paid. @param {Scene} scene @param {Act} act */
function cost(scene, act) {
  if (act.short !== null) return html`<p class="cost bad">${scene.words(W.short)} <b>${act.short}</b> ${scene.words(W.showsHand)}</p>`;
  if (act.paid.length) return html`<p class="cost">${act.paid.map((treasure) => symbol(`${ART}coin-${treasure - scene.facts.treasure_card}`, "icon", scene.name("card", treasure)))} ${scene.words(W.paid)} ✓</p>`;
  return act.card ? html`<p class="cost">${act.resolves ? scene.words(W.free) : ""}</p>` : html`<p class="cost"></p>`;
}

// --- Heroes, the end ------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {Line[]} lines */
const heroes = (scene, lines) => html`<div class="hero-row">${lines.map(({ item }) => scene.read(item)).map(({ hero }) => html`<span data-turn=${`hero-${hero}`}>${card(heroFace(scene, hero))}</span>`)}</div>`;

/** @param {Scene} scene @param {Line[]} lines */
function end(scene, lines) {
  const won = lines.map(({ item }) => scene.read(item)).find(({ kind }) => kind === "won");
  if (!won) return nothing;
  return html`<div class="victory ${FACTIONS[won.the_faction]}">${symbol(`${ART}faction-${won.the_faction}`, "emblem")}<p>${mark(won.seat)} <b>${scene.players[won.seat]}</b></p><p>${scene.name("faction", won.the_faction)}</p></div>`;
}

export const css = "/page/games/reveals/trieste.css";

/** @type {Record<string, import("../../frame/scene.js").PieceDrawing>} */
export const pieces = {
  turn: { title: W.turn, clock: "turn", draw: turn, tellsAll: true },
  heroes: { title: W.heroes, draw: heroes },
  end: { title: W.end, draw: end },
};
