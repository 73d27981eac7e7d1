// Trieste: a harbour at night. Three rows face each other; cards turn over in order, Watch, Merchant, Thief.

import { html, nothing } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { mark, symbol } from "../frame/icon.js";

/**
 * @typedef {import("../frame/scene.js").Scene} Scene
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

/** @param {Scene} scene @param {number} number @returns {Face} */
function face(scene, number) {
  const { cost, level } = scene.view;
  const treasure = number >= FIRST_TREASURE;
  const type = scene.more("card_types", number);
  return {
    title: scene.name("card", number),
    value: treasure ? number - FIRST_TREASURE + 1 : type === scene.more("card_types", 28) && number === 28 ? "–" : cost[number],
    level: treasure ? undefined : level[number],
    type: [type, treasure || !level[number] ? "" : `${scene.words(W.level)} ${level[number]}`].filter(Boolean).join(" · "),
    effect: treasure ? "" : effect(scene, number),
    art: symbol(`${ART}card-${number}`),
    kind: `of-${FACTIONS[factionOf(number)] ?? "treasure"}`,
  };
}

/** @param {Face} shown the same card lying across, for the rows */
const wide = (shown) => ({ ...shown, kind: `${shown.kind} wide` });

/** @param {Scene} scene @param {number} number what a card does, with the numbers of the deck in play */
function effect(scene, number) {
  const { reach, amount, more } = scene.view;
  const text = scene.more("effects", number)
    .replaceAll("{reach}", String(reach[number]))
    .replaceAll("{amount}", String(amount[number]))
    .replaceAll("{treasures}", scene.name("treasures", amount[number]))
    .replaceAll("{share}", scene.name("share", amount[number]))
    .replaceAll("{more}", String(more[number]));
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** @param {Scene} scene @param {number} hero @returns {Face} */
const heroFace = (scene, hero) => ({
  title: scene.name("hero", hero),
  type: scene.words(W.hero),
  effect: scene.more("hero_effects", hero),
  art: symbol(`${ART}hero-${hero}`),
  kind: `of-${FACTIONS[Math.floor((hero - 1) / 3)]}`,
});

// --- The harbour ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene */
const board = (scene) => html`<div class="harbour">
  <svg class="skyline" viewBox="0 0 760 90" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <circle class="moon" cx="412" cy="30" r="17"></circle>
    <path class="far" d="M0 90V52c60-14 120 6 190-4s130-16 200-2 120-10 190 0 120-8 180 2v42Z"></path>
    <path class="near" transform="translate(0 14)" d="M0 90V62h24V50l16-12 16 12v12h26V34h8v-8l8-16 8 16v8h8v28h20V54l22-16 22 16v8h24V28h6l14-24 14 24h6v34h22V56h40v8h20V46l14-12 14 12v18h28V54h48v8h26V40l18-14 18 14v22h22V22h6l10-18 10 18h6v40h24V52l20-14 20 14v10h28V46h36v16h60V90Z"></path>
  </svg>
  <div class="quay">
    <p class="turn-count">${scene.words(W.turn)} <b>${scene.view.turn}</b></p>
    <ol class="stages">${[1, 2, 3, 4, 5].map((stage) => html`<li class=${stage === scene.view.stage ? "now" : ""} aria-current=${stage === scene.view.stage ? "step" : nothing}>${scene.words(W.stages[stage])}</li>`)}</ol>
    ${treasury(scene)}
  </div>
  ${[WATCH, MERCHANT, THIEF].map((faction) => row(scene, faction))}
</div>`;

/** @param {Scene} scene */
function treasury(scene) {
  const { treasure_size, treasure_discard } = scene.view;
  const legal = scene.offer("draw_treasure");
  return html`<div class="treasury">
    ${pile(scene, scene.words(W.treasureDeck), treasure_size, "of-treasure", legal, "treasure-deck")}
    <div class="thrown" data-move="treasure-discard"><span>${scene.words(W.treasureDiscard)}</span>
      <span class="coins">${treasure_discard.map((/** @type {number} */ count, /** @type {number} */ kind) => html`<span class="coin" title=${scene.name("card", FIRST_TREASURE + kind)}>${symbol(`${ART}card-${FIRST_TREASURE + kind}`, "icon", scene.name("card", FIRST_TREASURE + kind))}${count}</span>`)}</span></div>
  </div>`;
}

/** @param {Scene} scene @param {string} name @param {number} count @param {string} kind @param {Legal | undefined} legal @param {string} move */
function pile(scene, name, count, kind, legal, move) {
  const inside = html`<span class="pile-name">${name}</span><b class="pile-back ${kind}">${count}</b>`;
  return legal
    ? html`<button class="heap open" data-action=${legal.action} data-move=${move} aria-label=${`${name}, ${count}. ${scene.sentence(legal)}`} @click=${() => scene.pick(legal)}>${inside}</button>`
    : html`<div class="heap" data-move=${move}>${inside}</div>`;
}

/** @param {Scene} scene @param {number} faction */
function row(scene, faction) {
  const { seat_of, active, deck_size, discard, over } = scene.view;
  const rob = scene.offer("rob", faction);
  const here = active === faction && !over;
  return html`<section class="row ${FACTIONS[faction]} ${here ? "active" : ""}" aria-label=${scene.name("faction", faction)}>
    <div class="banner-of">
      ${symbol(`${ART}faction-${faction}`, "emblem")}
      <h2>${scene.name("faction", faction)}</h2>
      <span class="soft">${scene.players[seat_of[faction]]}</span>
      ${rob ? html`<button class="button small main" data-action=${rob.action} @click=${() => scene.pick(rob)}>${scene.sentence(rob)}</button>` : nothing}
    </div>
    <div class="heaps">
      ${pile(scene, scene.words(W.deck), deck_size[faction], `of-${FACTIONS[faction]}`, scene.offer("draw_own", faction), `deck-${faction}`)}
      ${thrown(scene, faction, discard[faction])}
    </div>
    <div class="play-slot" data-drop="board">${played(scene, faction)}${hero(scene, faction)}</div>
    <div class="aim">${[gaol, purse, tails][faction](scene)}</div>
  </section>`;
}

/** A discard pile: how many, and which. @param {Scene} scene @param {number} faction @param {number[]} titles */
const thrown = (scene, faction, titles) => html`<div class="heap" data-move=${`discard-${faction}`}>
  <span class="pile-name">${scene.words(W.discard)}</span><b class="pile-back faceup">${total(titles)}</b>
  <span class="titles">${titles.map((count, title) => (count ? html`<span>${scene.name("card", FIRST_TITLE[faction] + title)}${count > 1 ? ` ×${count}` : ""}</span>` : nothing))}</span>
</div>`;

/** The card that a faction plays this turn. @param {Scene} scene @param {number} faction */
function played(scene, faction) {
  const { table, face_down, negated, resolving, seat_of, my_placed, placed } = scene.view;
  const shown = table[faction];
  const mine = placed?.[seat_of[faction]] || (seat_of[faction] === scene.me ? my_placed : 0);
  if (shown) {
    return html`<div class="played ${negated[faction] ? "negated" : ""} ${resolving === shown ? "resolving" : ""}" data-turn=${`played-${faction}-${shown}`}>
      ${card({ ...wide(face(scene, shown)), move: `played-${faction}`, from: `deck-${faction}` })}${negated[faction] ? html`<span class="stamp">${scene.words(W.negated)}</span>` : nothing}</div>`;
  }
  if (mine) {
    return html`<div class="played secret">${card({ ...wide(face(scene, mine)), move: `played-${faction}`, from: `hand-${mine}` })}<span class="stamp">${scene.words(W.down)}</span></div>`;
  }
  if (face_down[faction]) {
    const back = face_down[faction] === 1 ? "treasure" : FACTIONS[faction];
    return html`<div class="played"><div class="card back of-${back}" role="img" aria-label=${`${scene.name("back", face_down[faction] - 1)}, ${scene.words(W.down)}`} data-move=${`played-${faction}`} data-from=${`seat-${seat_of[faction]}`}>${symbol(`${ART}${back === "treasure" ? "card-33" : `faction-${faction}`}`)}</div></div>`;
  }
  return html`<div class="played none"><span>${scene.words(W.nothing)}</span></div>`;
}

/** @param {Scene} scene @param {number} faction */
function hero(scene, faction) {
  const { hero_up, hero_hidden, seat_of, my_hero } = scene.view;
  const known = hero_up[faction] || (hero_hidden[faction] && seat_of[faction] === scene.me ? my_hero : 0);
  if (known) return html`<div class="hero-tag ${hero_up[faction] ? "" : "secret"}">${symbol(`${ART}hero-${known}`, "icon")}<b>${scene.name("hero", known)}</b><span>${scene.more("hero_effects", known)}</span></div>`;
  return hero_hidden[faction] ? html`<div class="hero-tag secret">${scene.words(W.heroDown)}</div>` : nothing;
}

// --- What each is after ---------------------------------------------------------------------------------------------

/** @param {Scene} scene @returns {number[]} the captured thieves, one entry each */
const captives = (scene) => scene.view.captured.flatMap((/** @type {number} */ count, /** @type {number} */ title) => Array(count).fill(FIRST_TITLE[THIEF] + title));

/** @param {Scene} scene */
function gaol(scene) {
  const held = captives(scene);
  return html`<h3>${scene.words(W.gaol)} <b>${held.length}</b> / ${CELLS}</h3>
    <ol class="cells">${Array.from({ length: Math.max(CELLS, held.length) }, (_, i) => {
      const number = held[i];
      return number === undefined
        ? html`<li class="cell"></li>`
        : html`<li class="cell full" data-move=${`cell-${i}`} data-from="played-2" title=${scene.name("card", number)}>${symbol(`${ART}card-${number}`, "", scene.name("card", number))}<b>${scene.view.level[number]}</b></li>`;
    })}</ol>`;
}

/** @param {Scene} scene what the Merchant must hold to win */
function goal(scene) {
  const { hero_up, level } = scene.view;
  return RICHES + captives(scene).reduce((/** @type {number} */ sum, /** @type {number} */ number) => sum + (hero_up[MERCHANT] === JACOPO ? 1 : level[number]), 0);
}

/** @param {Scene} scene what the Merchant's treasure is worth, for those who may know */
function riches(scene) {
  const { seat_of, my_hand, hand } = scene.view;
  const held = hand?.[seat_of[MERCHANT]] ?? (seat_of[MERCHANT] === scene.me ? my_hand : null);
  return held ? worth(held) : null;
}

/** @param {number[]} held */
const worth = (held) => held.slice(0, TREASURES).reduce((sum, count, kind) => sum + count * (kind + 1), 0);

/** @param {Scene} scene */
function purse(scene) {
  const wanted = goal(scene);
  const known = riches(scene);
  const held = scene.view.hand_size[MERCHANT][0];
  return html`<h3>${scene.words(W.purse)} ${known === null ? "" : html`<b>${known}</b> / `}${known === null ? html`<span>· ${scene.words(W.goal)} <b>${wanted}</b></span>` : wanted}</h3>
    ${known === null
      ? html`<p class="coins-row" role="img" aria-label=${`${held} ${scene.words(W.treasures)}`}>${Array.from({ length: Math.min(held, 18) }, () => html`<i class="coin-back"></i>`)}</p><p class="soft">${held} ${scene.words(W.treasures)}; ${scene.words(W.worthUnknown)}</p>`
      : html`<meter min="0" max=${wanted} value=${Math.min(known, wanted)} aria-label=${scene.words(W.purse)}></meter>`}`;
}

/** @param {Scene} scene */
const tails = (scene) => html`<h3>${scene.words(W.infamy)} <b>${scene.view.infamy}</b> / ${TAILS}</h3>
  <p class="tails" role="img" aria-label=${`${scene.words(W.infamy)} ${scene.view.infamy} / ${TAILS}`}>${Array.from({ length: TAILS }, (_, i) => html`<i class=${i < scene.view.infamy ? "grown" : ""}>${symbol(`${ART}tail`)}</i>`)}</p>`;

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const faction = scene.view.faction[seat];
  const [treasures, cards] = scene.view.hand_size[faction];
  const held = scene.view.hand?.[seat];
  return html`
    <div class="faction-badge ${FACTIONS[faction]}">${symbol(`${ART}faction-${faction}`, "emblem", scene.name("faction", faction))}</div>
    <div class="facts">
      <b class="faction-name">${scene.name("faction", faction)}</b>
      <span class="fact" title=${scene.words(W.treasures)}>${symbol(`${ART}card-33`, "icon", scene.words(W.treasures))}<b>${treasures}</b></span>
      <span class="fact" title=${scene.words(W.cards)}>${symbol(`${ART}faction-${faction}`, "icon", scene.words(W.cards))}<b>${cards}</b></span>
      ${seat === scene.me ? html`<span class="fact">${scene.words(W.worth)} <b>${worth(scene.view.my_hand)}</b></span>` : nothing}
    </div>
    <div class="laid">${lasting(scene, faction)}${seat === scene.me ? nothing : knownCards(scene, faction, held)}</div>
  `;
}

/** What lasts beyond a card's own turn. @param {Scene} scene @param {number} faction */
function lasting(scene, faction) {
  const { bounty, curfew, informed, voyage, guarded, insured } = scene.view;
  const tags = [
    [WATCH, 9, total(bounty), `+${total(bounty)}`],
    [WATCH, 32, informed[0] + informed[1], ""],
    [MERCHANT, 21, voyage, `+${voyage}`],
    [MERCHANT, 16, guarded, ""],
    [MERCHANT, 20, insured, ""],
    [THIEF, 10, total(curfew), `+${total(curfew)}`],
  ];
  return tags.filter(([whose, , on]) => whose === faction && on).map(([, number, , text]) => html`<span class="tag">${scene.name("card", Number(number))} ${text}</span>`);
}

/** @param {Scene} scene @param {number} faction @param {number[] | undefined} held all of it, in an open replay */
function knownCards(scene, faction, held) {
  const kinds = held ?? (scene.view.my_knows ?? scene.view.open)[faction];
  if (!total(kinds)) return nothing;
  return html`<span class="known"><span class="soft">${held ? "" : scene.words(W.known)}</span> ${kinds.map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? html`<span class="tag">${scene.name("card", cardAt(faction, kind))}${count > 1 ? ` ×${count}` : ""}</span>` : nothing))}</span>`;
}

/** @param {Scene} scene */
function hand(scene) {
  const { my_hand, faction, my_hero, phase } = scene.view;
  if (!my_hand || scene.me === null) return nothing;
  const elsewhere = scene.legal.filter((legal) => legal.numbers.length && !FROM_HAND.includes(legal.key) && !["draw_own", "rob", "smoke", "fox", "let_go", "be_negated", "stay_hidden"].includes(legal.key));
  const own = faction[scene.me];
  return html`
    ${elsewhere.length ? html`<div class="spread" role="group" aria-label=${scene.words(W.pick)}>${elsewhere.map((legal) => spreadCard(scene, legal))}</div>` : nothing}
    <div class="treasures" role="group" aria-label=${scene.words(W.treasures)}>
      ${my_hand.slice(0, TREASURES).map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? heldCard(scene, cardAt(own, kind), count) : nothing))}
    </div>
    <div class="fan ${elsewhere.length ? "aside" : ""}" role="group" aria-label=${scene.words(W.cards)}>
      ${my_hand.map((/** @type {number} */ count, /** @type {number} */ kind) => (count && kind >= TREASURES ? heldCard(scene, cardAt(own, kind), count) : nothing))}
      ${!total(my_hand) && my_hero && phase === 1 ? card(heroFace(scene, my_hero)) : nothing}
    </div>
  `;
}

/** @param {Scene} scene @param {Legal} legal a card that lies elsewhere and may be chosen */
const spreadCard = (scene, legal) =>
  choosable(legal.key === "hero" || legal.key === "reveal" ? heroFace(scene, legal.numbers[0]) : face(scene, legal.numbers[0]), scene, legal);

/** Equal cards lie on each other. @param {Scene} scene @param {number} number @param {number} count */
function heldCard(scene, number, count) {
  const legal = FROM_HAND.map((key) => scene.offer(key, number)).find(Boolean) ?? (number === 28 ? scene.offer("smoke") : undefined);
  const chosen = FROM_HAND.map((key) => scene.taken(key, number)).find(Boolean);
  const times = chosen ? scene.times(chosen.action) : 0;
  const small = number >= FIRST_TREASURE ? "small" : "";
  return html`<div class="held ${count > 1 ? "several" : ""}">
    ${choosable({ ...face(scene, number), kind: `of-${FACTIONS[factionOf(number)] ?? "treasure"} ${small}`, move: `hand-${number}`, from: number >= FIRST_TREASURE ? "treasure-deck" : `deck-${factionOf(number)}` }, scene, legal, { picked: times > 0, back: legal ? undefined : chosen })}
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

/** @param {Scene} scene how far each of them came */
function reckoning(scene) {
  const known = riches(scene);
  const rows = [
    [WATCH, scene.words(W.gaol), `${captives(scene).length} / ${CELLS}`],
    [MERCHANT, scene.words(W.purse), `${known ?? (scene.view.result[scene.view.seat_of[MERCHANT]] ? "≥" : "?")}${known === null && scene.view.result[scene.view.seat_of[MERCHANT]] ? " " : " / "}${goal(scene)}`],
    [THIEF, scene.words(W.infamy), `${scene.view.infamy} / ${TAILS}`],
  ];
  return html`<table class="reckoning"><thead><tr><td></td><th scope="col">${scene.words(W.faction)}</th><td></td><th scope="col">${scene.words(W.goal)}</th></tr></thead><tbody>
    ${rows.map(([faction, name, text]) => {
      const who = scene.view.seat_of[Number(faction)];
      return html`<tr class=${scene.view.result[who] ? "won" : ""}><th scope="row">${mark(who)} ${scene.players[who]}</th><td>${scene.name("faction", Number(faction))}</td><td>${name}</td><td class="total">${text}</td></tr>`;
    })}
  </tbody></table>`;
}

/** @type {import("../frame/scene.js").Drawing} */
export const drawing = { css: "/page/games/trieste.css", gather: true, atOnce: ["draw_own"], board, seat, hand, tell, reckoning };
