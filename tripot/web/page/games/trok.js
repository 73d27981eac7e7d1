// Trök: a dwarf tavern's market board. The queue of seven above, three market cards below, offers before each player.

import { html, nothing } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { icon, mark, print, symbol } from "../frame/icon.js";
import { capital } from "../text/speech.js";

/**
 * @typedef {import("../frame/scene.js").Scene} Scene
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../frame/card.js").Face} Face
 */

const ART = "/page/art/trok.svg#";
const FROM_HAND = ["offer", "add", "joker", "give", "store"];

const W = {
  queue: { en: "Queue of improvements", fr: "File des Améliorations" },
  market: { en: "Market", fr: "Marché" },
  deck: { en: "Deck", fr: "Paquet" },
  discard: { en: "Discards", fr: "Défausse" },
  master: { en: "trade master", fr: "Maître du commerce" },
  bid: { en: "bid", fr: "offre" },
  cards: { en: "cards in hand", fr: "cartes en main" },
  offer: { en: "Open cards", fr: "Cartes visibles" },
  stored: { en: "On carts", fr: "Sur les chariots" },
  owned: { en: "Improvements", fr: "Améliorations" },
  chosen: { en: "Set aside", fr: "Mis de côté" },
  taken: { en: "Taken", fr: "Prise" },
  equipment: { en: "equipment", fr: "équipement" },
  green: { en: "green", fr: "vert" },
  red: { en: "red", fr: "rouge" },
  joker: { en: "joker", fr: "joker" },
  place: { en: "place", fr: "rang" },
  hidden: { en: "Aare are hidden", fr: "Les Aare sont cachés" },
  known: { en: "known in hand", fr: "vues en main" },
  sets: { en: "Sets", fr: "Lots" },
  incomes: { en: "Income", fr: "Revenus" },
  others: { en: "Market", fr: "Marché" },
  total: { en: "Total", fr: "Total" },
  copies: { en: "copies", fr: "cartes" },
  thrown: { en: "discarded", fr: "défausse" },
  equipments: { en: "Equipment", fr: "Équipement" },
  empty: { en: "empty", fr: "vide" },
};

/** @param {number[]} counts @returns {number} */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {number[]} counts by kind @returns {number[]} one entry a card */
const expand = (counts) => counts.flatMap((count, kind) => Array(count).fill(kind));

// --- Cards ----------------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} gear */
const colour = ({ facts }, gear) => (facts.green.includes(gear) ? "green" : facts.red.includes(gear) ? "red" : gear === facts.joker ? "stone" : "grey");

/** @param {Scene} scene @param {number} gear @returns {Face} */
const gearFace = (scene, gear) => ({
  title: scene.name("gear", gear),
  value: scene.name("bid_value", gear),
  type: { green: scene.words(W.green), red: scene.words(W.red), stone: scene.words(W.joker), grey: "" }[colour(scene, gear)],
  art: symbol(`${ART}gear-${gear}`),
  kind: `gear ${colour(scene, gear)}`,
});

/** @param {Scene} scene @param {number} upgrade @returns {Face} */
const upgradeFace = (scene, upgrade) => ({
  title: scene.name("upgrade", upgrade),
  effect: scene.more("upgrade_hints", upgrade),
  art: print(`${ART}behind-${upgrade}`, `${ART}upgrade-${upgrade}`),
  kind: `upgrade ${upgrade >= scene.facts.first_dwarf ? "dwarf" : "site"}`,
});

/** A card so small that only picture and number are left. @param {Scene} scene @param {number} gear @param {Legal | undefined} legal @param {string} move @param {string} from */
function gearChip(scene, gear, legal, move, from) {
  const label = `${scene.name("gear", gear)} ${scene.name("bid_value", gear)}`;
  const inside = html`${symbol(`${ART}gear-${gear}`)}<b>${scene.name("bid_value", gear)}</b>${hue(scene, gear)}`;
  if (!legal) return html`<span class="gear-chip ${colour(scene, gear)}" role="img" aria-label=${label} title=${label} data-move=${move} data-from=${from}>${inside}</span>`;
  return html`<button class="gear-chip open ${colour(scene, gear)} ${scene.isPicked(legal) ? "picked" : ""}" aria-pressed=${scene.isPicked(legal) ? "true" : nothing} aria-label=${`${scene.name("bid_value", gear)}, ${scene.sentence(legal)}`} title=${label} data-action=${legal.action}
    data-drag="board" data-move=${move} data-from=${from} @click=${() => scene.pick(legal)}>${inside}</button>`;
}

/** Green is a leaf, red a flame: not by colour alone. @param {Scene} scene @param {number} gear */
const hue = (scene, gear) => (colour(scene, gear) === "green" ? symbol(`${ART}leaf`, "hue", scene.words(W.green)) : colour(scene, gear) === "red" ? symbol(`${ART}flame`, "hue", scene.words(W.red)) : nothing);

// --- The board ------------------------------------------------------------------------------------------------------

/** @param {Scene} scene */
const board = (scene) => html`<div class="tavern">
  <section class="slate" aria-label=${scene.words(W.queue)}>
    <h2>${scene.words(W.queue)}</h2>
    <ol class="queue">${scene.view.queue.map((/** @type {number} */ _, /** @type {number} */ place) => queued(scene, place))}</ol>
  </section>
  <section class="slate counter" aria-label=${scene.words(W.market)}>
    ${heap(scene, scene.words(W.deck), scene.view.deck_size, "deck")}
    <div><h2>${scene.words(W.market)}</h2>
      <div class="market" data-drop="board">${expand(scene.view.market).map((gear, i) => stall(scene, gear, i))}</div></div>
    ${taken(scene)}
    ${heap(scene, scene.words(W.discard), total(scene.view.discard), "discard", scene.view.discard)}
  </section>
</div>`;

/** @param {Scene} scene @param {number} place */
function queued(scene, place) {
  const upgrade = scene.view.queue[place];
  const number = html`<span class="hook">${place + 1}</span>`;
  if (place >= scene.view.queue_size || !upgrade) return html`<li>${number}<div class="card empty" role="img" aria-label=${`${scene.words(W.place)} ${place + 1}, ${scene.words(W.empty)}`}></div></li>`;
  const legal = scene.offer("improve", upgrade, place);
  const face = { ...upgradeFace(scene, upgrade), move: `queue-${upgrade}-${place}` };
  return html`<li>${number}${legal ? choosable(face, scene, legal) : card(face)}</li>`;
}

/** @param {Scene} scene @param {number} gear @param {number} i */
function stall(scene, gear, i) {
  const face = { ...gearFace(scene, gear), move: `market-${gear}-${i}`, from: "deck" };
  return choosable(face, scene, scene.offer("swap", null, gear));
}

/** The card that the player to move has just taken. @param {Scene} scene */
function taken(scene) {
  if (!scene.view.taken) return nothing;
  const keep = scene.offer("keep");
  const face = { ...gearFace(scene, scene.view.taken - 1), type: scene.words(W.taken), move: "taken" };
  return html`<div class="just-taken">${keep ? choosable(face, scene, keep) : card(face)}</div>`;
}

/** @param {Scene} scene @param {string} name @param {number} count @param {string} move @param {number[]} [cards] */
const heap = (scene, name, count, move, cards) => html`<div class="heap" data-move=${move}>
  <span>${name}</span><b class="heap-back ${cards ? "faceup" : ""}">${count}</b>
  ${cards ? html`<span class="tally">${cards.map((many, gear) => (many ? html`<span title=${scene.name("gear", gear)}>${symbol(`${ART}gear-${gear}`, "icon", scene.name("gear", gear))}${many}</span>` : nothing))}</span>` : nothing}
</div>`;

/** Every kind of equipment: what it bids, how many there are, how many are out. @param {Scene} scene */
const aside = (scene) => html`<table class="gear-table">
  <thead><tr><th scope="col">${scene.words(W.equipments)}</th><th scope="col">${scene.words(W.bid)}</th><th scope="col">${scene.words(W.copies)}</th><th scope="col">${scene.words(W.thrown)}</th></tr></thead>
  <tbody>${scene.facts.copies.map((/** @type {number} */ copies, /** @type {number} */ gear) => html`<tr class=${colour(scene, gear)}>
    <th scope="row">${symbol(`${ART}gear-${gear}`, "icon")} ${capital(scene.name("gear", gear))}</th><td>${scene.name("bid_value", gear)}</td><td>${copies}</td><td>${scene.view.discard[gear] || "–"}</td></tr>`)}</tbody>
</table>`;

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const { aare, goal, owned, hand_size, offer, stored, bid, master, turn, open_purses, hand, phase } = scene.view;
  const purse = open_purses || seat === scene.me || scene.view.over ? aare[seat] : null;
  const crowned = master === seat && (turn > 1 || phase !== scene.facts.commit);
  const named = scene.offer("name", seat);
  const held = hand?.[seat];
  return html`
    <div class="purse">${purse === null ? html`<span class="soft">${scene.words(W.hidden)}</span>` : html`<b>${purse}</b> ${symbol(`${ART}coin`, "icon", "Aare")}${coins(purse)}`}</div>
    <div class="facts">
      <span class="fact" title=${scene.words(W.cards)}>${icon("cards", scene.words(W.cards))}<b>${hand_size[seat]}</b></span>
      ${bid[seat] ? html`<span class="fact">${scene.words(W.bid)} <b>${bid[seat]}</b></span>` : nothing}
      ${crowned ? html`<span class="fact token" data-move="master" title=${scene.words(W.master)}>${symbol(`${ART}master`, "icon", scene.words(W.master))}</span>` : nothing}
      ${named ? html`<button class="button small main" data-action=${named.action} @click=${() => scene.pick(named)}>${scene.sentence(named)}</button>` : nothing}
    </div>
    ${purse === null ? nothing : html`<meter min="0" max=${goal} value=${Math.min(purse, goal)} aria-label="Aare"></meter>`}
    <div class="laid">
      ${owned[seat].map((/** @type {number} */ count, /** @type {number} */ upgrade) => (count && upgrade ? badge(scene, seat, upgrade, count) : nothing))}
      ${row(scene, scene.words(W.offer), expand(offer[seat]), (gear, i) => gearChip(scene, gear, scene.offer("take", gear, seat) ?? (seat === scene.me ? scene.offer("swap_own", gear) : undefined), `offer-${seat}-${gear}-${i}`, seat === scene.me ? `hand-${gear}` : `seat-${seat}`))}
      ${row(scene, scene.words(W.stored), expand(stored[seat]), (gear, i) => gearChip(scene, gear, undefined, `stored-${seat}-${gear}-${i}`, `seat-${seat}`))}
      ${held ? row(scene, "", expand(held), (gear, i) => gearChip(scene, gear, undefined, `held-${seat}-${gear}-${i}`, "deck")) : nothing}
      ${!held && seat !== scene.me && total(scene.view.known[seat]) ? known(scene, seat) : nothing}
    </div>
  `;
}

/** What everyone saw come into a hand. @param {Scene} scene @param {number} seat */
const known = (scene, seat) => html`<p class="known"><span class="soft">${scene.words(W.known)}</span>
  ${scene.view.known[seat].map((/** @type {number} */ count, /** @type {number} */ gear) => (count ? html`<span class=${colour(scene, gear)}>${symbol(`${ART}gear-${gear}`, "icon", scene.name("gear", gear))}${count > 1 ? html`<b>×${count}</b>` : nothing}</span>` : nothing))}</p>`;

/** Coins that add up: tens, fives and ones. @param {number} sum */
const coins = (sum) => html`<span class="coins" aria-hidden="true">${[10, 5, 1].map((worth, i) => {
  const left = [sum, sum % 10, sum % 5][i];
  return Array.from({ length: Math.floor(left / worth) }, () => html`<i class="c${worth}">${worth}</i>`);
})}</span>`;

/** @param {Scene} scene @param {string} name @param {number[]} gears @param {(gear: number, i: number) => unknown} draw */
const row = (scene, name, gears, draw) => (gears.length ? html`<div class="chips" role="group" aria-label=${name || scene.words(W.cards)} title=${name || nothing}>${name === scene.words(W.stored) ? symbol(`${ART}upgrade-3`, "icon") : nothing}${gears.map(draw)}</div>` : nothing);

/** @param {Scene} scene @param {number} seat @param {number} upgrade @param {number} count */
const badge = (scene, seat, upgrade, count) => html`<span class="badge" title=${scene.more("upgrade_hints", upgrade)} data-move=${`owned-${seat}-${upgrade}-${count}`} data-from=${`queue-${upgrade}`}>${symbol(`${ART}upgrade-${upgrade}`, "icon")}${capital(scene.name("upgrade", upgrade))}${count > 1 ? ` ×${count}` : ""}</span>`;

/** @param {Scene} scene */
function hand(scene) {
  const { my_hand, my_chosen } = scene.view;
  if (!my_hand) return nothing;
  return html`
    ${total(my_chosen) ? html`<div class="chosen" role="group" aria-label=${scene.words(W.chosen)}><span class="soft">${scene.words(W.chosen)}</span><div class="chips">${expand(my_chosen).map((gear, i) => gearChip(scene, gear, undefined, `chosen-${gear}-${i}`, `hand-${gear}`))}</div></div>` : nothing}
    <div class="fan" role="group" aria-label=${scene.words(W.cards)}>${my_hand.map((/** @type {number} */ count, /** @type {number} */ gear) => (count ? held(scene, gear, count) : nothing))}</div>
  `;
}

/** Equal cards lie on each other. @param {Scene} scene @param {number} gear @param {number} count */
function held(scene, gear, count) {
  const legal = FROM_HAND.map((key) => scene.offer(key, gear)).find(Boolean);
  const chosen = FROM_HAND.map((key) => scene.taken(key, gear)).find(Boolean);
  const times = chosen ? scene.times(chosen.action) : 0;
  return html`<div class="held ${count > 1 ? "several" : ""}">
    ${choosable({ ...gearFace(scene, gear), move: `hand-${gear}`, from: "deck" }, scene, legal, { picked: times > 0, back: legal ? undefined : chosen })}
    ${count > 1 || times ? html`<b class="count">${times ? `${times} / ` : "×"}${count}</b>` : nothing}
  </div>`;
}

// --- The result ------------------------------------------------------------------------------------------------------

/** @param {Scene} scene where everybody's Aare come from */
function reckoning(scene) {
  const seats = scene.round.slice().sort((a, b) => scene.view.aare[b] - scene.view.aare[a]);
  /** @param {number} seat @param {string} kind of news */
  const sum = (seat, kind) => scene.total(kind, seat, "aare");
  return html`<table class="reckoning"><thead><tr><td></td><th scope="col">${scene.words(W.sets)}</th><th scope="col">${scene.words(W.incomes)}</th><th scope="col">${scene.words(W.others)}</th><th scope="col">${scene.words(W.total)}</th></tr></thead>
    <tbody>${seats.map((seat) => html`<tr class=${scene.view.result[seat] ? "won" : ""}><th scope="row">${mark(seat)} ${scene.players[seat]}</th>
      <td>${sum(seat, "set_shown")}</td><td>${sum(seat, "income")}</td><td>${sum(seat, "renewed") + sum(seat, "thrud_paid")}</td><td class="total">${scene.view.aare[seat]}</td></tr>`)}</tbody></table>`;
}

/** @type {import("../frame/scene.js").Drawing} */
export const drawing = { css: "/page/games/trok.css", reveals: () => import("./reveals/trok.js"), forLearners: () => import("./pictures/trok.js"), gather: true, board, seat, hand, aside, reckoning };

export { coins, expand, gearFace, upgradeFace };
