// Trieste: a harbour at night. Three rows face each other; cards turn over in order, Watch, Merchant, Thief.

import { html, nothing } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { mark, sign } from "../frame/icon.js";

/**
 * @typedef {import("../frame/drawing.js").Drawing} Drawing
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../frame/card.js").Face} Face
 */

const ART = "/page/art/trieste.svg#";
const FACTIONS = ["watch", "merchant", "thief"];
const WATCH = 0, MERCHANT = 1, THIEF = 2;
const TREASURES = 4, FIRST_TREASURE = 33; // kinds of treasure; the first of them among the cards
const BEFORE = [-3, 8, 19]; // by faction: a kind of card in hand and this make the number of the card
const FIRST_TITLE = [1, 12, 23]; // by faction: its first card
const CELLS = 7, RICHES = 11, TAILS = 9; // as on the victory cards
const FROM_HAND = ["play", "pay", "give", "discard"];
const JACOPO = 5;

const W = {
  turn: { en: "Turn", fr: "Tour" },
  treasureDeck: { en: "Treasure deck", fr: "Paquet Trésor" },
  treasureDiscard: { en: "Treasure discard", fr: "Défausse Trésor" },
  deck: { en: "Deck", fr: "Paquet" },
  discard: { en: "Discards", fr: "Défausse" },
  gaol: { en: "Gaol", fr: "Prison" },
  infamy: { en: "Infamy", fr: "Infamie" },
  purse: { en: "Purse", fr: "Bourse" },
  goal: { en: "goal", fr: "but" },
  treasures: { en: "treasures in hand", fr: "Trésors en main" },
  cards: { en: "cards of the faction in hand", fr: "cartes de la faction en main" },
  known: { en: "known in hand", fr: "connu en main" },
  nothing: { en: "No card yet", fr: "Pas encore de carte" },
  down: { en: "face down", fr: "face cachée" },
  negated: { en: "negated", fr: "contrecarrée" },
  treasure: { en: "treasure", fr: "Trésor" },
  hero: { en: "hero", fr: "héros" },
  heroDown: { en: "a hero, face down", fr: "un héros, face cachée" },
  level: { en: "level", fr: "niveau" },
  pick: { en: "To choose from", fr: "À choisir" },
  worth: { en: "worth", fr: "valeur" },
  worthUnknown: { en: "its worth is the Merchant's secret", fr: "sa valeur est le secret du Marchand" },
  faction: { en: "Faction", fr: "Faction" },
  stages: [
    { en: "", fr: "" },
    { en: "Draw", fr: "Pioche" },
    { en: "Play", fr: "Jeu" },
    { en: "Payment", fr: "Paiement" },
    { en: "Effect", fr: "Effet" },
    { en: "End", fr: "Fin" },
  ],
};

/** @param {number} faction @param {number} kind the number of a card in hand */
const cardAt = (faction, kind) => (kind < TREASURES ? FIRST_TREASURE + kind : BEFORE[faction] + kind);

/** @param {number[]} counts @returns {number} */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {number} number which faction a card belongs to; 3: the treasures */
const factionOf = (number) => (number >= FIRST_TREASURE ? 3 : number >= FIRST_TITLE[THIEF] ? THIEF : number >= FIRST_TITLE[MERCHANT] ? MERCHANT : WATCH);

// --- Cards ----------------------------------------------------------------------------------------------------------

/** @param {Drawing} d @param {number} number @returns {Face} */
function face(d, number) {
  const { cost, level } = d.view;
  const treasure = number >= FIRST_TREASURE;
  const type = d.more("card_types", number);
  return {
    title: d.name("card", number),
    value: treasure ? number - FIRST_TREASURE + 1 : type === d.more("card_types", 28) && number === 28 ? "–" : cost[number],
    level: treasure ? undefined : level[number],
    type: [type, treasure || !level[number] ? "" : `${d.words(W.level)} ${level[number]}`].filter(Boolean).join(" · "),
    effect: treasure ? "" : effect(d, number),
    art: sign(`${ART}card-${number}`),
    kind: `of-${FACTIONS[factionOf(number)] ?? "treasure"}`,
  };
}

/** @param {Face} shown the same card lying across, for the rows */
const wide = (shown) => ({ ...shown, kind: `${shown.kind} wide` });

/** @param {Drawing} d @param {number} number what a card does, with the numbers of the deck in play */
function effect(d, number) {
  const { reach, amount, more } = d.view;
  const text = d.more("effects", number)
    .replaceAll("{reach}", String(reach[number]))
    .replaceAll("{amount}", String(amount[number]))
    .replaceAll("{treasures}", d.name("treasures", amount[number]))
    .replaceAll("{share}", d.name("share", amount[number]))
    .replaceAll("{more}", String(more[number]));
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** @param {Drawing} d @param {number} hero @returns {Face} */
const heroFace = (d, hero) => ({
  title: d.name("hero", hero),
  type: d.words(W.hero),
  effect: d.more("hero_effects", hero),
  art: sign(`${ART}hero-${hero}`),
  kind: `of-${FACTIONS[Math.floor((hero - 1) / 3)]}`,
});

// --- The harbour ----------------------------------------------------------------------------------------------------

/** @param {Drawing} d */
const board = (d) => html`<div class="harbour">
  <svg class="skyline" viewBox="0 0 760 90" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <circle class="moon" cx="412" cy="30" r="17"></circle>
    <path class="far" d="M0 90V52c60-14 120 6 190-4s130-16 200-2 120-10 190 0 120-8 180 2v42Z"></path>
    <path class="near" transform="translate(0 14)" d="M0 90V62h24V50l16-12 16 12v12h26V34h8v-8l8-16 8 16v8h8v28h20V54l22-16 22 16v8h24V28h6l14-24 14 24h6v34h22V56h40v8h20V46l14-12 14 12v18h28V54h48v8h26V40l18-14 18 14v22h22V22h6l10-18 10 18h6v40h24V52l20-14 20 14v10h28V46h36v16h60V90Z"></path>
  </svg>
  <div class="quay">
    <p class="turn-count">${d.words(W.turn)} <b>${d.view.turn}</b></p>
    <ol class="stages">${[1, 2, 3, 4, 5].map((stage) => html`<li class=${stage === d.view.stage ? "now" : ""} aria-current=${stage === d.view.stage ? "step" : nothing}>${d.words(W.stages[stage])}</li>`)}</ol>
    ${treasury(d)}
  </div>
  ${[WATCH, MERCHANT, THIEF].map((faction) => row(d, faction))}
</div>`;

/** @param {Drawing} d */
function treasury(d) {
  const { treasure_size, treasure_discard } = d.view;
  const legal = d.offer("draw_treasure");
  return html`<div class="treasury">
    ${pile(d, d.words(W.treasureDeck), treasure_size, "of-treasure", legal, "treasure-deck")}
    <div class="thrown" data-move="treasure-discard"><span>${d.words(W.treasureDiscard)}</span>
      <span class="coins">${treasure_discard.map((/** @type {number} */ count, /** @type {number} */ kind) => html`<span class="coin" title=${d.name("card", FIRST_TREASURE + kind)}>${sign(`${ART}card-${FIRST_TREASURE + kind}`, "icon", d.name("card", FIRST_TREASURE + kind))}${count}</span>`)}</span></div>
  </div>`;
}

/** @param {Drawing} d @param {string} name @param {number} count @param {string} kind @param {Legal | undefined} legal @param {string} move */
function pile(d, name, count, kind, legal, move) {
  const inside = html`<span class="pile-name">${name}</span><b class="pile-back ${kind}">${count}</b>`;
  return legal
    ? html`<button class="heap open" data-action=${legal.action} data-move=${move} aria-label=${`${name}, ${count}. ${d.sentence(legal)}`} @click=${() => d.pick(legal)}>${inside}</button>`
    : html`<div class="heap" data-move=${move}>${inside}</div>`;
}

/** @param {Drawing} d @param {number} faction */
function row(d, faction) {
  const { seat_of, active, deck_size, discard, over } = d.view;
  const rob = d.offer("rob", faction);
  const here = active === faction && !over;
  return html`<section class="row ${FACTIONS[faction]} ${here ? "active" : ""}" aria-label=${d.name("faction", faction)}>
    <div class="banner-of">
      ${sign(`${ART}faction-${faction}`, "emblem")}
      <h2>${d.name("faction", faction)}</h2>
      <span class="soft">${d.players[seat_of[faction]]}</span>
      ${rob ? html`<button class="button small main" data-action=${rob.action} @click=${() => d.pick(rob)}>${d.sentence(rob)}</button>` : nothing}
    </div>
    <div class="heaps">
      ${pile(d, d.words(W.deck), deck_size[faction], `of-${FACTIONS[faction]}`, d.offer("draw_own", faction), `deck-${faction}`)}
      ${thrown(d, faction, discard[faction])}
    </div>
    <div class="play-slot" data-drop="board">${played(d, faction)}${hero(d, faction)}</div>
    <div class="aim">${[gaol, purse, tails][faction](d)}</div>
  </section>`;
}

/** A discard pile: how many, and which. @param {Drawing} d @param {number} faction @param {number[]} titles */
const thrown = (d, faction, titles) => html`<div class="heap" data-move=${`discard-${faction}`}>
  <span class="pile-name">${d.words(W.discard)}</span><b class="pile-back faceup">${total(titles)}</b>
  <span class="titles">${titles.map((count, title) => (count ? html`<span>${d.name("card", FIRST_TITLE[faction] + title)}${count > 1 ? ` ×${count}` : ""}</span>` : nothing))}</span>
</div>`;

/** The card that a faction plays this turn. @param {Drawing} d @param {number} faction */
function played(d, faction) {
  const { table, face_down, negated, resolving, seat_of, my_placed, placed } = d.view;
  const shown = table[faction];
  const mine = placed?.[seat_of[faction]] || (seat_of[faction] === d.me ? my_placed : 0);
  if (shown) {
    return html`<div class="played ${negated[faction] ? "negated" : ""} ${resolving === shown ? "resolving" : ""}" data-turn=${`played-${faction}-${shown}`}>
      ${card({ ...wide(face(d, shown)), move: `played-${faction}`, from: `deck-${faction}` })}${negated[faction] ? html`<span class="stamp">${d.words(W.negated)}</span>` : nothing}</div>`;
  }
  if (mine) {
    return html`<div class="played secret">${card({ ...wide(face(d, mine)), move: `played-${faction}`, from: `hand-${mine}` })}<span class="stamp">${d.words(W.down)}</span></div>`;
  }
  if (face_down[faction]) {
    const back = face_down[faction] === 1 ? "treasure" : FACTIONS[faction];
    return html`<div class="played"><div class="card back of-${back}" role="img" aria-label=${`${d.name("back", face_down[faction] - 1)}, ${d.words(W.down)}`} data-move=${`played-${faction}`} data-from=${`seat-${seat_of[faction]}`}>${sign(`${ART}${back === "treasure" ? "card-33" : `faction-${faction}`}`)}</div></div>`;
  }
  return html`<div class="played none"><span>${d.words(W.nothing)}</span></div>`;
}

/** @param {Drawing} d @param {number} faction */
function hero(d, faction) {
  const { hero_up, hero_hidden, seat_of, my_hero } = d.view;
  const known = hero_up[faction] || (hero_hidden[faction] && seat_of[faction] === d.me ? my_hero : 0);
  if (known) return html`<div class="hero-tag ${hero_up[faction] ? "" : "secret"}">${sign(`${ART}hero-${known}`, "icon")}<b>${d.name("hero", known)}</b><span>${d.more("hero_effects", known)}</span></div>`;
  return hero_hidden[faction] ? html`<div class="hero-tag secret">${d.words(W.heroDown)}</div>` : nothing;
}

// --- What each is after ---------------------------------------------------------------------------------------------

/** @param {Drawing} d @returns {number[]} the captured thieves, one entry each */
const captives = (d) => d.view.captured.flatMap((/** @type {number} */ count, /** @type {number} */ title) => Array(count).fill(FIRST_TITLE[THIEF] + title));

/** @param {Drawing} d */
function gaol(d) {
  const held = captives(d);
  return html`<h3>${d.words(W.gaol)} <b>${held.length}</b> / ${CELLS}</h3>
    <ol class="cells">${Array.from({ length: Math.max(CELLS, held.length) }, (_, i) => {
      const number = held[i];
      return number === undefined
        ? html`<li class="cell"></li>`
        : html`<li class="cell full" data-move=${`cell-${i}`} data-from="played-2" title=${d.name("card", number)}>${sign(`${ART}card-${number}`, "", d.name("card", number))}<b>${d.view.level[number]}</b></li>`;
    })}</ol>`;
}

/** @param {Drawing} d what the Merchant must hold to win */
function goal(d) {
  const { hero_up, level } = d.view;
  return RICHES + captives(d).reduce((/** @type {number} */ sum, /** @type {number} */ number) => sum + (hero_up[MERCHANT] === JACOPO ? 1 : level[number]), 0);
}

/** @param {Drawing} d what the Merchant's treasure is worth, for those who may know */
function riches(d) {
  const { seat_of, my_hand, hand } = d.view;
  const held = hand?.[seat_of[MERCHANT]] ?? (seat_of[MERCHANT] === d.me ? my_hand : null);
  return held ? worth(held) : null;
}

/** @param {number[]} held */
const worth = (held) => held.slice(0, TREASURES).reduce((sum, count, kind) => sum + count * (kind + 1), 0);

/** @param {Drawing} d */
function purse(d) {
  const wanted = goal(d);
  const known = riches(d);
  const held = d.view.hand_size[MERCHANT][0];
  return html`<h3>${d.words(W.purse)} ${known === null ? "" : html`<b>${known}</b> / `}${known === null ? html`<span>· ${d.words(W.goal)} <b>${wanted}</b></span>` : wanted}</h3>
    ${known === null
      ? html`<p class="coins-row" role="img" aria-label=${`${held} ${d.words(W.treasures)}`}>${Array.from({ length: Math.min(held, 18) }, () => html`<i class="coin-back"></i>`)}</p><p class="soft">${held} ${d.words(W.treasures)}; ${d.words(W.worthUnknown)}</p>`
      : html`<meter min="0" max=${wanted} value=${Math.min(known, wanted)} aria-label=${d.words(W.purse)}></meter>`}`;
}

/** @param {Drawing} d */
const tails = (d) => html`<h3>${d.words(W.infamy)} <b>${d.view.infamy}</b> / ${TAILS}</h3>
  <p class="tails" role="img" aria-label=${`${d.words(W.infamy)} ${d.view.infamy} / ${TAILS}`}>${Array.from({ length: TAILS }, (_, i) => html`<i class=${i < d.view.infamy ? "grown" : ""}>${sign(`${ART}tail`)}</i>`)}</p>`;

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Drawing} d @param {number} seat */
function seat(d, seat) {
  const faction = d.view.faction[seat];
  const [treasures, cards] = d.view.hand_size[faction];
  const held = d.view.hand?.[seat];
  return html`
    <div class="faction-badge ${FACTIONS[faction]}">${sign(`${ART}faction-${faction}`, "emblem", d.name("faction", faction))}</div>
    <div class="facts">
      <b class="faction-name">${d.name("faction", faction)}</b>
      <span class="fact" title=${d.words(W.treasures)}>${sign(`${ART}card-33`, "icon", d.words(W.treasures))}<b>${treasures}</b></span>
      <span class="fact" title=${d.words(W.cards)}>${sign(`${ART}faction-${faction}`, "icon", d.words(W.cards))}<b>${cards}</b></span>
      ${seat === d.me ? html`<span class="fact">${d.words(W.worth)} <b>${worth(d.view.my_hand)}</b></span>` : nothing}
    </div>
    <div class="laid">${lasting(d, faction)}${seat === d.me ? nothing : knownCards(d, faction, held)}</div>
  `;
}

/** What lasts beyond a card's own turn. @param {Drawing} d @param {number} faction */
function lasting(d, faction) {
  const { bounty, curfew, informed, voyage, guarded, insured } = d.view;
  const tags = [
    [WATCH, 9, total(bounty), `+${total(bounty)}`],
    [WATCH, 32, informed[0] + informed[1], ""],
    [MERCHANT, 21, voyage, `+${voyage}`],
    [MERCHANT, 16, guarded, ""],
    [MERCHANT, 20, insured, ""],
    [THIEF, 10, total(curfew), `+${total(curfew)}`],
  ];
  return tags.filter(([whose, , on]) => whose === faction && on).map(([, number, , text]) => html`<span class="tag">${d.name("card", Number(number))} ${text}</span>`);
}

/** @param {Drawing} d @param {number} faction @param {number[] | undefined} held all of it, in an open replay */
function knownCards(d, faction, held) {
  const kinds = held ?? (d.view.my_knows ?? d.view.open)[faction];
  if (!total(kinds)) return nothing;
  return html`<span class="known"><span class="soft">${held ? "" : d.words(W.known)}</span> ${kinds.map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? html`<span class="tag">${d.name("card", cardAt(faction, kind))}${count > 1 ? ` ×${count}` : ""}</span>` : nothing))}</span>`;
}

/** @param {Drawing} d */
function hand(d) {
  const { my_hand, faction, my_hero, phase } = d.view;
  if (!my_hand || d.me === null) return nothing;
  const elsewhere = d.legal.filter((legal) => legal.numbers.length && !FROM_HAND.includes(legal.key) && !["draw_own", "rob", "smoke", "fox", "let_go", "be_negated", "stay_hidden"].includes(legal.key));
  const own = faction[d.me];
  return html`
    ${elsewhere.length ? html`<div class="spread" role="group" aria-label=${d.words(W.pick)}>${elsewhere.map((legal) => spreadCard(d, legal))}</div>` : nothing}
    <div class="treasures" role="group" aria-label=${d.words(W.treasures)}>
      ${my_hand.slice(0, TREASURES).map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? heldCard(d, cardAt(own, kind), count) : nothing))}
    </div>
    <div class="fan ${elsewhere.length ? "aside" : ""}" role="group" aria-label=${d.words(W.cards)}>
      ${my_hand.map((/** @type {number} */ count, /** @type {number} */ kind) => (count && kind >= TREASURES ? heldCard(d, cardAt(own, kind), count) : nothing))}
      ${!total(my_hand) && my_hero && phase === 1 ? card(heroFace(d, my_hero)) : nothing}
    </div>
  `;
}

/** @param {Drawing} d @param {Legal} legal a card that lies elsewhere and may be chosen */
const spreadCard = (d, legal) =>
  choosable(legal.key === "hero" || legal.key === "reveal" ? heroFace(d, legal.numbers[0]) : face(d, legal.numbers[0]), d, legal);

/** Equal cards lie on each other. @param {Drawing} d @param {number} number @param {number} count */
function heldCard(d, number, count) {
  const legal = FROM_HAND.map((key) => d.offer(key, number)).find(Boolean) ?? (number === 28 ? d.offer("smoke") : undefined);
  const chosen = FROM_HAND.map((key) => d.taken(key, number)).find(Boolean);
  const times = chosen ? d.times(chosen.action) : 0;
  const small = number >= FIRST_TREASURE ? "small" : "";
  return html`<div class="held ${count > 1 ? "several" : ""}">
    ${choosable({ ...face(d, number), kind: `of-${FACTIONS[factionOf(number)] ?? "treasure"} ${small}`, move: `hand-${number}`, from: number >= FIRST_TREASURE ? "treasure-deck" : `deck-${factionOf(number)}` }, d, legal, { picked: times > 0, back: legal ? undefined : chosen })}
    ${count > 1 || times ? html`<b class="count">${times ? `${times} / ` : "×"}${count}</b>` : nothing}
  </div>`;
}

// --- What just happened ---------------------------------------------------------------------------------------------

/** @param {View} view @param {number} faction */
const isMine = (view, faction) => view.seat_of[faction] === view.seat;

/** @param {number} faction @param {number} number a card as a kind of a hand */
const kindOf = (faction, number) => (number >= FIRST_TREASURE ? number - FIRST_TREASURE : number - BEFORE[faction]);

/** @param {View} view @param {number} faction @param {number} number @param {number} change */
function change(view, faction, number, change) {
  view.hand_size[faction][number >= FIRST_TREASURE ? 0 : 1] += change;
  if (isMine(view, faction)) view.my_hand[kindOf(faction, number)] += change;
}

/** @type {Record<string, (view: View, numbers: number[]) => void>} */
const tell = {
  turn: (view, [turn]) => {
    view.turn = turn;
    view.table = [0, 0, 0];
    view.negated = [0, 0, 0];
  },
  drew_treasure: (view, [faction, count]) => {
    view.hand_size[faction][0] += count;
    view.treasure_size -= count;
  },
  drew_own: (view, [faction]) => {
    view.hand_size[faction][1] += 1;
    view.deck_size[faction] -= 1;
  },
  you_drew: (view, [faction, number]) => {
    if (isMine(view, faction)) view.my_hand[kindOf(faction, number)] += 1;
  },
  placed: (view, [faction, back]) => {
    view.stage = 2;
    view.face_down[faction] = 1 + back;
    view.hand_size[faction][back] -= 1;
  },
  your_card: (view, [faction, number]) => {
    view.my_placed = number;
    view.my_hand[kindOf(faction, number)] -= 1;
  },
  placed_open: (view, [faction, number]) => {
    view.table[faction] = number;
    change(view, faction, number, -1);
  },
  shown: (view, [faction, number]) => {
    view.stage = 3;
    view.table[faction] = number;
    view.face_down[faction] = 0;
    if (isMine(view, faction)) view.my_placed = 0;
  },
  paid: (view, [faction, number]) => {
    change(view, faction, number, -1);
    view.treasure_discard[number - FIRST_TREASURE] += 1;
  },
  cannot_pay: (view, [faction]) => {
    view.negated[faction] = 1;
  },
  resolves: (view, [faction, number]) => {
    view.stage = 4;
    view.active = faction;
    view.resolving = number;
  },
  captured: (view, [number]) => {
    view.captured[number - FIRST_TITLE[THIEF]] += 1;
    if (view.table[THIEF] === number) view.table[THIEF] = 0;
  },
  infamy: (view, [, now]) => {
    view.infamy = now;
  },
  infamy_lost: (view, [, now]) => {
    view.infamy = now;
  },
  hero_shown: (view, [faction, hero]) => {
    view.hero_up[faction] = hero;
    view.hero_hidden[faction] = 0;
  },
  moved: (view, [from, to, count]) => {
    view.hand_size[from][0] -= count;
    view.hand_size[to][0] += count;
  },
};

/** @param {Drawing} d how far each of them came */
function reckoning(d) {
  const known = riches(d);
  const rows = [
    [WATCH, d.words(W.gaol), `${captives(d).length} / ${CELLS}`],
    [MERCHANT, d.words(W.purse), `${known ?? (d.view.result[d.view.seat_of[MERCHANT]] ? "≥" : "?")}${known === null && d.view.result[d.view.seat_of[MERCHANT]] ? " " : " / "}${goal(d)}`],
    [THIEF, d.words(W.infamy), `${d.view.infamy} / ${TAILS}`],
  ];
  return html`<table class="reckoning"><thead><tr><td></td><th scope="col">${d.words(W.faction)}</th><td></td><th scope="col">${d.words(W.goal)}</th></tr></thead><tbody>
    ${rows.map(([faction, name, text]) => {
      const who = d.view.seat_of[Number(faction)];
      return html`<tr class=${d.view.result[who] ? "won" : ""}><th scope="row">${mark(who)} ${d.players[who]}</th><td>${d.name("faction", Number(faction))}</td><td>${name}</td><td class="total">${text}</td></tr>`;
    })}
  </tbody></table>`;
}

/** @type {import("../frame/drawing.js").Room} */
export const room = { css: "/page/rooms/trieste.css", gather: true, atOnce: ["draw_own"], board, seat, hand, tell, reckoning };
