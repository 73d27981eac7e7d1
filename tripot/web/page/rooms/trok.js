// Trök: a dwarf tavern's market board. The queue of seven above, three market cards below, offers before each player.

import { html, nothing } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { icon, mark, sign } from "../frame/icon.js";
import { capital } from "../text/speech.js";

/**
 * @typedef {import("../frame/drawing.js").Drawing} Drawing
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../frame/card.js").Face} Face
 */

const ART = "/page/art/trok.svg#";
const PLACES = 7; // of the queue
const GREEN = [1, 2, 3], RED = [4, 5, 6], STONE = 7; // kinds of equipment by colour
const FROM_HAND = ["offer", "add", "joker", "give", "store"];

const W = {
  turn: { en: "Turn", fr: "Tour" },
  goal: { en: "Goal", fr: "But" },
  queue: { en: "Queue of improvements", fr: "File des améliorations" },
  market: { en: "Market", fr: "Marché" },
  deck: { en: "Deck", fr: "Pioche" },
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
  place: { en: "place", fr: "place" },
  hidden: { en: "Aare are hidden", fr: "Les Aare sont cachées" },
  known: { en: "known in hand", fr: "connu en main" },
  sets: { en: "Sets", fr: "Lots" },
  incomes: { en: "Income", fr: "Revenus" },
  others: { en: "Market", fr: "Marché" },
  total: { en: "Total", fr: "Total" },
  empty: { en: "empty", fr: "vide" },
};

/** @param {number[]} counts @returns {number} */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {number[]} counts by kind @returns {number[]} one entry a card */
const expand = (counts) => counts.flatMap((count, kind) => Array(count).fill(kind));

// --- Cards ----------------------------------------------------------------------------------------------------------

/** @param {number} gear */
const colour = (gear) => (GREEN.includes(gear) ? "green" : RED.includes(gear) ? "red" : gear === STONE ? "stone" : "grey");

/** @param {Drawing} d @param {number} gear @returns {Face} */
const gearFace = (d, gear) => ({
  title: d.name("gear", gear),
  value: d.name("bid_value", gear),
  type: colour(gear) === "green" ? d.words(W.green) : colour(gear) === "red" ? d.words(W.red) : gear === STONE ? d.words(W.joker) : "",
  art: sign(`${ART}gear-${gear}`),
  kind: `gear ${colour(gear)}`,
});

/** @param {Drawing} d @param {number} upgrade @returns {Face} */
const upgradeFace = (d, upgrade) => ({
  title: d.name("upgrade", upgrade),
  effect: d.more("upgrade_hints", upgrade),
  art: sign(`${ART}upgrade-${upgrade}`),
  kind: `upgrade ${upgrade > 3 ? "dwarf" : "site"}`,
});

/** A card so small that only picture and number are left. @param {Drawing} d @param {number} gear @param {Legal | undefined} legal @param {string} move @param {string} from */
function gearChip(d, gear, legal, move, from) {
  const label = `${d.name("gear", gear)} ${d.name("bid_value", gear)}`;
  const inside = html`${sign(`${ART}gear-${gear}`)}<b>${d.name("bid_value", gear)}</b>${hue(d, gear)}`;
  if (!legal) return html`<span class="gear-chip ${colour(gear)}" role="img" aria-label=${label} title=${label} data-move=${move} data-from=${from}>${inside}</span>`;
  return html`<button class="gear-chip open ${colour(gear)} ${d.isPicked(legal) ? "picked" : ""}" aria-pressed=${d.isPicked(legal) ? "true" : nothing} aria-label=${d.sentence(legal)} title=${label} data-action=${legal.action}
    data-drag="board" data-move=${move} data-from=${from} @click=${() => d.pick(legal)}>${inside}</button>`;
}

/** Green is a leaf, red a flame: not by colour alone. @param {Drawing} d @param {number} gear */
const hue = (d, gear) => (GREEN.includes(gear) ? sign(`${ART}leaf`, "hue", d.words(W.green)) : RED.includes(gear) ? sign(`${ART}flame`, "hue", d.words(W.red)) : nothing);

// --- The board ------------------------------------------------------------------------------------------------------

/** @param {Drawing} d */
const board = (d) => html`<div class="tavern">
  <div class="lintel">
    <p class="turn-count">${d.words(W.turn)} <b>${d.view.turn}</b></p>
    <p>${d.words(W.goal)} <b>${d.view.goal}</b> ${sign(`${ART}coin`, "icon", "Aare")}</p>
  </div>
  <section class="slate" aria-label=${d.words(W.queue)}>
    <h2>${d.words(W.queue)}</h2>
    <ol class="queue">${Array.from({ length: PLACES }, (_, place) => queued(d, place))}</ol>
  </section>
  <section class="slate counter" aria-label=${d.words(W.market)}>
    ${heap(d, d.words(W.deck), d.view.deck_size, "deck")}
    <div><h2>${d.words(W.market)}</h2>
      <div class="market" data-drop="board">${expand(d.view.market).map((gear, i) => stall(d, gear, i))}</div></div>
    ${taken(d)}
    ${heap(d, d.words(W.discard), total(d.view.discard), "discard", d.view.discard)}
  </section>
</div>`;

/** @param {Drawing} d @param {number} place */
function queued(d, place) {
  const upgrade = d.view.queue[place];
  const number = html`<span class="hook">${place + 1}</span>`;
  if (place >= d.view.queue_size || !upgrade) return html`<li>${number}<div class="card empty" role="img" aria-label=${`${d.words(W.place)} ${place + 1}, ${d.words(W.empty)}`}></div></li>`;
  const legal = d.offer("improve", upgrade, place);
  const face = { ...upgradeFace(d, upgrade), move: `queue-${upgrade}-${place}` };
  return html`<li>${number}${legal ? choosable(face, d, legal) : card(face)}</li>`;
}

/** @param {Drawing} d @param {number} gear @param {number} i */
function stall(d, gear, i) {
  const face = { ...gearFace(d, gear), move: `market-${gear}-${i}`, from: "deck" };
  return choosable(face, d, d.offer("swap", null, gear));
}

/** The card that the player to move has just taken. @param {Drawing} d */
function taken(d) {
  if (!d.view.taken) return nothing;
  const keep = d.offer("keep");
  const face = { ...gearFace(d, d.view.taken - 1), type: d.words(W.taken), move: "taken" };
  return html`<div class="just-taken">${keep ? choosable(face, d, keep) : card(face)}</div>`;
}

/** @param {Drawing} d @param {string} name @param {number} count @param {string} move @param {number[]} [cards] */
const heap = (d, name, count, move, cards) => html`<div class="heap" data-move=${move}>
  <span>${name}</span><b class="heap-back ${cards ? "faceup" : ""}">${count}</b>
  ${cards ? html`<span class="tally">${cards.map((many, gear) => (many ? html`<span title=${d.name("gear", gear)}>${sign(`${ART}gear-${gear}`, "icon", d.name("gear", gear))}${many}</span>` : nothing))}</span>` : nothing}
</div>`;

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Drawing} d @param {number} seat */
function seat(d, seat) {
  const { aare, goal, owned, hand_size, offer, stored, bid, master, turn, open_purses, hand, phase } = d.view;
  const purse = open_purses || seat === d.me || d.view.over ? aare[seat] : null;
  const crowned = master === seat && (turn > 1 || phase > 1);
  const named = d.offer("name", seat);
  const held = hand?.[seat];
  return html`
    <div class="purse">${purse === null ? html`<span class="soft">${d.words(W.hidden)}</span>` : html`<b>${purse}</b> ${sign(`${ART}coin`, "icon", "Aare")}${coins(purse)}`}</div>
    <div class="facts">
      <span class="fact" title=${d.words(W.cards)}>${icon("cards", d.words(W.cards))}<b>${hand_size[seat]}</b></span>
      ${bid[seat] ? html`<span class="fact">${d.words(W.bid)} <b>${bid[seat]}</b></span>` : nothing}
      ${crowned ? html`<span class="fact token" data-move="master" title=${d.words(W.master)}>${sign(`${ART}master`, "icon", d.words(W.master))}</span>` : nothing}
      ${named ? html`<button class="button small main" data-action=${named.action} @click=${() => d.pick(named)}>${d.sentence(named)}</button>` : nothing}
    </div>
    ${purse === null ? nothing : html`<meter min="0" max=${goal} value=${Math.min(purse, goal)} aria-label="Aare"></meter>`}
    <div class="laid">
      ${owned[seat].map((/** @type {number} */ count, /** @type {number} */ upgrade) => (count && upgrade ? badge(d, seat, upgrade, count) : nothing))}
      ${row(d, d.words(W.offer), expand(offer[seat]), (gear, i) => gearChip(d, gear, d.offer("take", gear, seat) ?? (seat === d.me ? d.offer("swap_own", gear) : undefined), `offer-${seat}-${gear}-${i}`, seat === d.me ? `hand-${gear}` : `seat-${seat}`))}
      ${row(d, d.words(W.stored), expand(stored[seat]), (gear, i) => gearChip(d, gear, undefined, `stored-${seat}-${gear}-${i}`, `seat-${seat}`))}
      ${held ? row(d, "", expand(held), (gear, i) => gearChip(d, gear, undefined, `held-${seat}-${gear}-${i}`, "deck")) : nothing}
      ${!held && seat !== d.me && total(d.view.known[seat]) ? known(d, seat) : nothing}
    </div>
  `;
}

/** What everyone saw come into a hand. @param {Drawing} d @param {number} seat */
const known = (d, seat) => html`<p class="known"><span class="soft">${d.words(W.known)}</span>
  ${d.view.known[seat].map((/** @type {number} */ count, /** @type {number} */ gear) => (count ? html`<span class=${colour(gear)}>${sign(`${ART}gear-${gear}`, "icon", d.name("gear", gear))}${count > 1 ? html`<b>×${count}</b>` : nothing}</span>` : nothing))}</p>`;

/** Coins that add up: tens, fives and ones. @param {number} sum */
const coins = (sum) => html`<span class="coins" aria-hidden="true">${[10, 5, 1].map((worth, i) => {
  const left = [sum, sum % 10, sum % 5][i];
  return Array.from({ length: Math.floor(left / worth) }, () => html`<i class="c${worth}">${worth}</i>`);
})}</span>`;

/** @param {Drawing} d @param {string} name @param {number[]} gears @param {(gear: number, i: number) => unknown} draw */
const row = (d, name, gears, draw) => (gears.length ? html`<div class="chips">${name ? html`<span class="soft">${name}</span>` : nothing}${gears.map(draw)}</div>` : nothing);

/** @param {Drawing} d @param {number} seat @param {number} upgrade @param {number} count */
const badge = (d, seat, upgrade, count) => html`<span class="badge" title=${d.more("upgrade_hints", upgrade)} data-move=${`owned-${seat}-${upgrade}-${count}`} data-from=${`queue-${upgrade}`}>${sign(`${ART}upgrade-${upgrade}`, "icon")}${capital(d.name("upgrade", upgrade))}${count > 1 ? ` ×${count}` : ""}</span>`;

/** @param {Drawing} d */
function hand(d) {
  const { my_hand, my_chosen } = d.view;
  if (!my_hand) return nothing;
  return html`
    ${total(my_chosen) ? html`<div class="chosen" role="group" aria-label=${d.words(W.chosen)}><span class="soft">${d.words(W.chosen)}</span><div class="chips">${expand(my_chosen).map((gear, i) => gearChip(d, gear, undefined, `chosen-${gear}-${i}`, `hand-${gear}`))}</div></div>` : nothing}
    <div class="fan" role="group" aria-label=${d.words(W.cards)}>${my_hand.map((/** @type {number} */ count, /** @type {number} */ gear) => (count ? held(d, gear, count) : nothing))}</div>
  `;
}

/** Equal cards lie on each other. @param {Drawing} d @param {number} gear @param {number} count */
function held(d, gear, count) {
  const legal = FROM_HAND.map((key) => d.offer(key, gear)).find(Boolean);
  const chosen = FROM_HAND.map((key) => d.taken(key, gear)).find(Boolean);
  const times = chosen ? d.times(chosen.action) : 0;
  return html`<div class="held ${count > 1 ? "several" : ""}">
    ${choosable({ ...gearFace(d, gear), move: `hand-${gear}`, from: "deck" }, d, legal, { picked: times > 0, back: legal ? undefined : chosen })}
    ${count > 1 || times ? html`<b class="count">${times ? `${times} / ` : "×"}${count}</b>` : nothing}
  </div>`;
}

// --- What just happened ---------------------------------------------------------------------------------------------

/** @param {number} code several cards in one number, four bits a kind @returns {number[]} by kind */
export const bagOf = (code) => Array.from({ length: 8 }, (_, kind) => Math.floor(code / 16 ** kind) % 16);

/** @type {Record<string, (view: View, numbers: number[]) => void>} */
const tell = {
  turn: (view, [turn]) => {
    view.turn = turn;
  },
  offered: (view, [seat, code, bid]) => {
    view.offer[seat] = bagOf(code);
    view.bid[seat] = bid;
    view.hand_size[seat] -= total(bagOf(code));
    if (seat === view.seat) view.my_chosen = view.my_chosen.map(() => 0);
  },
  master: (view, [seat]) => {
    view.master = seat;
  },
  took: (view, [, other, gear]) => {
    view.offer[other][gear] = Math.max(0, view.offer[other][gear] - 1);
    view.taken = 1 + gear;
  },
  kept: (view, [seat, gear]) => {
    view.taken = 0;
    view.hand_size[seat] += 1;
    if (seat === view.seat) view.my_hand[gear] += 1;
  },
  swapped: (view, [seat, put, got]) => {
    view.taken = 0;
    view.market[put] += 1;
    view.market[got] -= 1;
    view.hand_size[seat] += 1;
    if (seat === view.seat) view.my_hand[got] += 1;
  },
  market: (view, [code]) => {
    view.market = bagOf(code);
  },
  renewed: (view, [seat, , aare]) => {
    view.aare[seat] += aare;
  },
  thrud_paid: (view, [seat, aare]) => {
    view.aare[seat] += aare;
  },
  set_shown: (view, [seat, , code, aare]) => {
    view.aare[seat] += aare;
    view.hand_size[seat] -= total(bagOf(code));
  },
  improved: (view, [seat, upgrade, place]) => {
    view.owned[seat][upgrade] += 1;
    view.queue.splice(place, 1);
    view.queue.push(0);
    view.queue_size -= 1;
  },
  queued: (view, [upgrade, place]) => {
    view.queue[place] = upgrade;
    view.queue_size = Math.max(view.queue_size, place + 1);
  },
  income: (view, [seat, aare]) => {
    view.aare[seat] += aare;
  },
};

/** @param {Drawing} d where everybody's Aare come from */
function reckoning(d) {
  const seats = d.round.slice().sort((a, b) => d.view.aare[b] - d.view.aare[a]);
  /** @param {number} seat @param {string} name @param {number} place of the sum among the numbers */
  const sum = (seat, name, place) => d.log.filter((item) => d.catalogue.news[item[1]]?.name === name && item[2] === seat).reduce((all, item) => all + item[2 + place], 0);
  return html`<table class="reckoning"><thead><tr><td></td><th scope="col">${d.words(W.sets)}</th><th scope="col">${d.words(W.incomes)}</th><th scope="col">${d.words(W.others)}</th><th scope="col">${d.words(W.total)}</th></tr></thead>
    <tbody>${seats.map((seat) => html`<tr class=${d.view.result[seat] ? "won" : ""}><th scope="row">${mark(seat)} ${d.players[seat]}</th>
      <td>${sum(seat, "set_shown", 3)}</td><td>${sum(seat, "income", 1)}</td><td>${sum(seat, "renewed", 2) + sum(seat, "thrud_paid", 1)}</td><td class="total">${d.view.aare[seat]}</td></tr>`)}</tbody></table>`;
}

/** @type {import("../frame/drawing.js").Room} */
export const room = { css: "/page/rooms/trok.css", gather: true, board, seat, hand, tell, reckoning };
