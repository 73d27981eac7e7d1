// Trieste: a table on the quay. Three mats side by side, in the order in which their cards turn over: Watch, Merchant, Thief.

import { html, nothing } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { mark, symbol } from "../frame/icon.js";
import { capital } from "../text/speech.js";

/**
 * @typedef {import("../frame/scene.js").Scene} Scene
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../frame/card.js").Face} Face
 */

const ART = "/page/art/trieste.svg#";
const HEROES = "/page/art/trieste-heroes.svg#";
const FACTIONS = ["watch", "merchant", "thief"]; // by the names that colours and facts have
const LENGTHY = /\p{L}{12}/u; // a word in a title that is too long for a narrow card
const WORDY = 76; // letters of an effect, beyond which a card on a small screen needs more room
const FROM_HAND = ["play", "pay", "give", "discard"];

const W = {
  treasureDeck: { en: "Treasure deck", fr: "Paquet des Trésors" },
  treasureDiscard: { en: "Treasure discard", fr: "Défausse des Trésors" },
  deck: { en: "Deck", fr: "Paquet" },
  discard: { en: "Discards", fr: "Défausse" },
  gaol: { en: "Gaol", fr: "Prison" },
  infamy: { en: "Infamy", fr: "Infamie" },
  purse: { en: "Purse", fr: "Bourse" },
  forThieves: { en: "for captured thieves", fr: "pour les voleurs capturés" },
  goal: { en: "goal", fr: "but" },
  treasures: { en: "treasures in hand", fr: "Trésors en main" },
  cards: { en: "faction cards in hand", fr: "cartes de faction en main" },
  known: { en: "known in hand", fr: "vues en main" },
  nothing: { en: "No card", fr: "Pas de carte" },
  passed: { en: "Plays no card", fr: "Ne joue pas de carte" },
  down: { en: "face down", fr: "face cachée" },
  negated: { en: "negated", fr: "contrecarrée" },
  treasure: { en: "treasure", fr: "Trésor" },
  hero: { en: "hero", fr: "héros" },
  heroDown: { en: "a hero, face down", fr: "un héros, face cachée" },
  level: { en: "level", fr: "niveau" },
  pick: { en: "To choose from", fr: "À choisir" },
  worth: { en: "worth", fr: "valeur" },
  semicolon: { en: "; ", fr: "\u00a0; " },
  worthUnknown: { en: "only the Merchant knows what they are worth", fr: "le Marchand seul sait ce qu'ils valent" },
  faction: { en: "Faction", fr: "Faction" },
  stages: {
    draw: { en: "Draw", fr: "Pioche" },
    play: { en: "Play", fr: "Jeu" },
    payment: { en: "Payment", fr: "Paiement" },
    effect: { en: "Effect", fr: "Effet" },
    end: { en: "End", fr: "Fin" },
  },
};

/** @param {Scene} scene @param {number} faction how the drawing calls it */
const factionName = ({ facts }, faction) => FACTIONS.find((name) => facts[name] === faction) ?? "treasure";

/** @param {Scene} scene @param {number} faction @param {number} kind the number of a card in hand */
const cardAt = ({ facts }, faction, kind) => (kind < facts.treasures ? facts.treasure_card : facts.before[faction]) + kind;

/** @param {Scene} scene @param {number} faction @param {number} title the number of a card in a faction's pile */
const titleAt = (scene, faction, title) => cardAt(scene, faction, scene.facts.treasures + title);

/** @param {Scene} scene @param {number} number */
const isTreasure = ({ facts }, number) => number >= facts.treasure_card;

/** @param {number[]} counts @returns {number} */
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/** @param {Scene} scene @param {number} number which faction a card belongs to; -1: it is a treasure */
const factionOf = (scene, number) => (isTreasure(scene, number) ? -1 : scene.facts.before.findLastIndex((/** @type {number} */ before) => before + scene.facts.treasures <= number));

// --- Cards ----------------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} number @returns {Face} */
function face(scene, number) {
  const { cost, level } = scene.view;
  const { facts } = scene;
  const treasure = isTreasure(scene, number);
  const type = scene.more("card_types", number);
  const does = treasure ? "" : effect(scene, number);
  const title = scene.name("card", number);
  return {
    title,
    value: treasure ? facts.treasure_value[number - facts.treasure_card] : number === facts.reaction ? "–" : cost[number],
    level: treasure ? undefined : level[number],
    type: [type, treasure || !level[number] ? "" : `${scene.words(W.level)} ${level[number]}`].filter(Boolean).join(" · "),
    effect: does,
    art: symbol(`${ART}${treasure ? `coin-${number - facts.treasure_card}` : `card-${number}`}`),
    kind: `of-${factionName(scene, factionOf(scene, number))}${does.length > WORDY ? " wordy" : ""}${LENGTHY.test(title) ? " lengthy" : ""}`,
  };
}

/** @param {Scene} scene @param {number} number what a card does, with the numbers of the deck in play */
function effect(scene, number) {
  const { reach, amount, more } = scene.view;
  const numbers = [reach[number], amount[number], more[number], amount[number], amount[number]];
  return scene.filled("effects", number, "number:reach number:amount number:more treasures share", numbers);
}

/** @param {Scene} scene @param {number} hero @returns {Face} */
const heroFace = (scene, hero) => ({
  title: scene.name("hero", hero),
  type: scene.words(W.hero),
  effect: scene.more("hero_effects", hero),
  art: symbol(`${HEROES}hero-${hero}`),
  kind: `of-${factionName(scene, Math.floor((hero - 1) / scene.facts.heroes))}`,
});

// --- The harbour ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene */
const board = (scene) => html`<div class="harbour">
  <div class="quay">
    <svg class="skyline" viewBox="0 0 760 60" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <circle class="moon" cx="356" cy="26" r="10"></circle>
      <path class="far" d="M0 60V34c60-14 120 6 190-4s130-16 200-2 120-10 190 0 120-8 180 2v30Z"></path>
      <path class="near" d="M0 60V44h24v-8l16-10 16 10v8h26V24h8v-6l8-14 8 14v6h8v20h20v-6l22-14 22 14v6h24V20h6l14-18 14 18h6v24h22v-4h40v6h20V34l14-10 14 10v12h28v-8h48v6h26V30l18-12 18 12v14h22V14h6l10-12 10 12h6v30h24v-8l20-12 20 12v8h28V34h36v10h140v16Z"></path>
    </svg>
    <div class="paving">
      <ol class="stages">${Object.entries(W.stages).map(([name, words]) => html`<li class=${scene.facts.stages[name] === scene.view.stage ? "now" : ""} aria-current=${scene.facts.stages[name] === scene.view.stage ? "step" : nothing}>${scene.words(words)}</li>`)}</ol>
      ${treasury(scene)}
    </div>
  </div>
  <div class="mats">${FACTIONS.map((name, place) => mat(scene, name, place))}</div>
</div>`;

/** @param {Scene} scene */
function treasury(scene) {
  const { treasure_size, treasure_discard } = scene.view;
  const first = scene.facts.treasure_card;
  const legal = scene.offer("draw_treasure");
  return html`<div class="treasury">
    ${pile(scene, scene.words(W.treasureDeck), treasure_size, "of-treasure", legal, "treasure-deck")}
    <div class="thrown" data-move="treasure-discard"><span>${scene.words(W.treasureDiscard)}</span>
      <span class="coins">${treasure_discard.map((/** @type {number} */ count, /** @type {number} */ kind) => html`<span class="coin ${count ? "" : "none"}" title=${scene.name("card", first + kind)}>${symbol(`${ART}coin-${kind}`, "icon", scene.name("card", first + kind))}${count}</span>`)}</span></div>
  </div>`;
}

/** @param {Scene} scene @param {string} name @param {number} count @param {string} kind @param {Legal | undefined} legal @param {string} move */
function pile(scene, name, count, kind, legal, move) {
  const inside = html`<b class="pile-back ${kind}">${count}</b> <span class="pile-name">${name}</span>`;
  return legal
    ? html`<button class="heap open" data-action=${legal.action} data-move=${move} aria-label=${`${count} ${name}. ${scene.sentence(legal)}`} @click=${() => scene.pick(legal)}>${inside}</button>`
    : html`<div class="heap" data-move=${move}>${inside}</div>`;
}

/** A faction's place at the table: who plays it, what it is after, the card it plays, its piles. @param {Scene} scene @param {string} name @param {number} place in the order of the turn */
function mat(scene, name, place) {
  const faction = scene.facts[name];
  const { seat_of, active, deck_size, discard, over } = scene.view;
  const rob = scene.offer("rob", faction);
  const here = active === faction && !over;
  return html`<section class="mat ${name} ${here ? "active" : ""}" aria-label=${scene.name("faction", faction)}>
    <header class="mat-head">
      ${symbol(`${ART}faction-${faction}`, "emblem")}
      <h2>${scene.name("faction", faction)}</h2>
      <span class="mat-player">${mark(seat_of[faction])}${scene.players[seat_of[faction]]}</span>
    </header>
    <div class="aim">${AIM[name](scene)}</div>
    <div class="play-slot" data-drop="board">${played(scene, faction, place)}</div>
    ${rob ? html`<button class="button small main" data-action=${rob.action} @click=${() => scene.pick(rob)}>${scene.sentence(rob)}</button>` : nothing}
    ${hero(scene, faction)}
    <div class="heaps">
      ${pile(scene, scene.words(W.deck), deck_size[faction], `of-${name}`, scene.offer("draw_own", faction), `deck-${faction}`)}
      <div class="heap" data-move=${`discard-${faction}`} title=${thrown(scene, faction).join(", ") || nothing}><b class="pile-back faceup">${total(discard[faction])}</b><span class="pile-name">${scene.words(W.discard)}</span></div>
    </div>
  </section>`;
}

/** @param {Scene} scene @param {number} faction @returns {string[]} the titles in its discard pile */
const thrown = (scene, faction) => scene.view.discard[faction].flatMap((/** @type {number} */ count, /** @type {number} */ title) => (count ? [`${scene.name("card", titleAt(scene, faction, title))}${count > 1 ? ` ×${count}` : ""}`] : []));

/** The discard piles title by title. @param {Scene} scene */
const aside = (scene) => html`<h2>${scene.words(W.discard)}</h2>
  ${FACTIONS.map((name) => {
    const titles = thrown(scene, scene.facts[name]);
    return html`<p class="thrown-list ${name}"><b>${scene.name("faction", scene.facts[name])}</b> ${titles.length ? titles.join(", ") : "–"}</p>`;
  })}
  <div class="small-screen">${FACTIONS.map((name) => {
    const faction = scene.facts[name];
    const who = scene.view.seat_of[faction];
    return html`<p class="known ${name}"><b>${scene.name("faction", faction)}</b> ${lasting(scene, faction)}${who === scene.me ? nothing : knownCards(scene, faction, scene.view.hand?.[who])}</p>`;
  })}</div>`;

/** The card that a faction plays this turn. @param {Scene} scene @param {number} faction @param {number} place */
function played(scene, faction, place) {
  const { table, face_down, negated, resolving, seat_of, my_placed, placed } = scene.view;
  const shown = table[faction];
  const mine = placed?.[seat_of[faction]] || (seat_of[faction] === scene.me ? my_placed : 0);
  if (shown) {
    return html`<div class="played ${negated[faction] ? "negated" : ""} ${resolving === shown ? "resolving" : ""}" data-turn=${`played-${faction}-${shown}`}>
      ${card({ ...face(scene, shown), move: `played-${faction}`, from: `deck-${faction}` })}${negated[faction] ? html`<span class="stamp">${scene.words(W.negated)}</span>` : nothing}</div>`;
  }
  if (mine) {
    return html`<div class="played secret">${card({ ...face(scene, mine), move: `played-${faction}`, from: `hand-${mine}` })}<span class="stamp">${scene.words(W.down)}</span></div>`;
  }
  if (face_down[faction]) {
    const back = face_down[faction] === scene.facts.treasure_face_down ? "treasure" : factionName(scene, faction);
    return html`<div class="played"><div class="card back of-${back}" role="img" aria-label=${`${scene.name("back", face_down[faction] - 1)}, ${scene.words(W.down)}`} data-move=${`played-${faction}`} data-from=${`seat-${seat_of[faction]}`}>${symbol(`${ART}${back === "treasure" ? "coin-0" : `faction-${faction}`}`)}</div></div>`;
  }
  const passed = hasPassed(scene, faction);
  return html`<div class="played none" role="img" aria-label=${scene.words(passed ? W.passed : W.nothing)}>${symbol(`${ART}faction-${faction}`)}<b aria-hidden="true">${passed ? scene.words(W.passed) : ["I", "II", "III"][place]}</b></div>`;
}

/** Whether a faction has said that it plays no card this turn. @param {Scene} scene @param {number} faction */
function hasPassed(scene, faction) {
  const start = scene.log.findLastIndex(([, kind]) => scene.catalogue.staging.headings.includes(kind));
  return scene.log.slice(start + 1).map((item) => scene.read(item)).some(({ kind, the_faction }) => kind === "passed" && the_faction === faction);
}

/** @param {Scene} scene @param {number} faction */
function hero(scene, faction) {
  const { hero_up, hero_hidden, seat_of, my_hero } = scene.view;
  const known = hero_up[faction] || (hero_hidden[faction] && seat_of[faction] === scene.me ? my_hero : 0);
  if (known) return html`<div class="hero-tag ${hero_up[faction] ? "" : "secret"}">${symbol(`${HEROES}hero-${known}`, "icon")}<b>${scene.name("hero", known)}</b><span>${scene.more("hero_effects", known)}</span></div>`;
  return hero_hidden[faction] ? html`<div class="hero-tag secret">${scene.words(W.heroDown)}</div>` : nothing;
}

// --- What each is after ---------------------------------------------------------------------------------------------

/** @param {Scene} scene @returns {number[]} the captured thieves, one entry each */
const captives = (scene) => scene.view.captured.flatMap((/** @type {number} */ count, /** @type {number} */ title) => Array(count).fill(titleAt(scene, scene.facts.thief, title)));

/** @param {Scene} scene */
function gaol(scene) {
  const held = captives(scene);
  const { captures, thief } = scene.facts;
  return html`<h3>${scene.words(W.gaol)} <b>${held.length}</b> / ${captures}</h3>
    <ol class="cells">${Array.from({ length: Math.max(captures, held.length) }, (_, i) => {
      const number = held[i];
      return number === undefined
        ? html`<li class="cell"></li>`
        : html`<li class="cell full" data-move=${`cell-${i}`} data-from=${`played-${thief}`} title=${scene.name("card", number)}>${symbol(`${ART}card-${number}`, "", scene.name("card", number))}<b>${scene.view.level[number]}</b></li>`;
    })}</ol>`;
}

/** @param {Scene} scene what the Merchant must hold to win */
const goal = (scene) => scene.goal("purse")?.[1] ?? scene.goal("closed_purse")?.[0] ?? 0;

/** @param {Scene} scene why that is more than at the start [T-4.2] */
function whyMore(scene) {
  const levels = captives(scene).reduce((/** @type {number} */ sum, /** @type {number} */ number) => sum + scene.view.level[number], 0);
  return levels ? html` <small class="soft">(${goal(scene) - levels} + ${levels} ${scene.words(W.forThieves)})</small>` : nothing;
}

/** @param {Scene} scene what the Merchant's treasure is worth, for those who may know */
function riches(scene) {
  const { seat_of, my_hand, hand } = scene.view;
  const seat = seat_of[scene.facts.merchant];
  const held = hand?.[seat] ?? (seat === scene.me ? my_hand : null);
  if (scene.outcome && scene.view.over) return Number(scene.outcome.reached[seat].numbers[0]); // nothing is secret any more
  return held ? worth(scene, held) : null;
}

/** @param {Scene} scene @param {number[]} held */
const worth = ({ facts }, held) => facts.treasure_value.reduce((/** @type {number} */ sum, /** @type {number} */ value, /** @type {number} */ kind) => sum + value * held[kind], 0);

/** @param {Scene} scene */
function purse(scene) {
  const wanted = goal(scene);
  const known = riches(scene);
  const held = scene.view.hand_size[scene.facts.merchant][0];
  return html`<h3>${scene.words(W.purse)} ${known === null ? "" : html`<b>${known}</b> / `}${known === null ? html`<span>· ${scene.words(W.goal)} <b>${wanted}</b></span>` : wanted}${whyMore(scene)}</h3>
    ${known === null
      ? html`<p class="coins-row" role="img" aria-label=${`${held} ${scene.words(W.treasures)}`}>${Array.from({ length: Math.min(held, 18) }, () => html`<i class="coin-back"></i>`)}</p><p class="soft">${held} ${scene.words(W.treasures)}<span class="roomy">${scene.words(W.semicolon)}${scene.words(W.worthUnknown)}</span></p>`
      : html`<meter min="0" max=${wanted} value=${Math.min(known, wanted)} aria-label=${scene.words(W.purse)}></meter>`}`;
}

/** @param {Scene} scene */
const tails = (scene) => html`<h3>${scene.words(W.infamy)} <b>${scene.view.infamy}</b> / ${scene.facts.infamy}</h3>
  <p class="tails" role="img" aria-label=${`${scene.words(W.infamy)} ${scene.view.infamy} / ${scene.facts.infamy}`}>${Array.from({ length: scene.facts.infamy }, (_, i) => html`<i class=${i < scene.view.infamy ? "grown" : ""}>${symbol(`${ART}tail`)}</i>`)}</p>`;

/** @type {Record<string, (scene: Scene) => unknown>} */
const AIM = { watch: gaol, merchant: purse, thief: tails };

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const faction = scene.view.faction[seat];
  const [treasures, cards] = scene.view.hand_size[faction];
  const held = scene.view.hand?.[seat];
  return html`
    <div class="faction-badge ${factionName(scene, faction)}">${symbol(`${ART}faction-${faction}`, "emblem", scene.name("faction", faction))}</div>
    <div class="facts">
      <b class="faction-name">${scene.name("faction", faction)}</b>
      <span class="fact" title=${scene.words(W.treasures)}>${symbol(`${ART}coin-0`, "icon", scene.words(W.treasures))}<b>${treasures}</b></span>
      <span class="fact" title=${scene.words(W.cards)}>${symbol(`${ART}faction-${faction}`, "icon", scene.words(W.cards))}<b>${cards}</b></span>
      ${seat === scene.me ? html`<span class="fact">${scene.words(W.worth)} <b>${worth(scene, scene.view.my_hand)}</b></span>` : nothing}
    </div>
    <div class="laid">${lasting(scene, faction)}${seat === scene.me ? nothing : knownCards(scene, faction, held)}</div>
  `;
}

/** What lasts beyond a card's own turn. @param {Scene} scene @param {number} faction */
const lasting = (scene, faction) =>
  scene.facts.lasting.map((/** @type {{faction: number, field: string, card: number, sum: boolean}} */ one) => {
    const amount = total([scene.view[one.field]].flat());
    return one.faction === faction && amount ? html`<span class="tag">${scene.name("card", one.card)} ${one.sum ? `+${amount}` : ""}</span>` : nothing;
  });

/** @param {Scene} scene @param {number} faction @param {number[] | undefined} held all of it, in an open replay */
function knownCards(scene, faction, held) {
  const kinds = held ?? (scene.view.my_knows ?? scene.view.open)[faction];
  if (!total(kinds)) return nothing;
  return html`<span class="known"><span class="soft">${held ? "" : scene.words(W.known)}</span> ${kinds.map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? html`<span class="tag">${scene.name("card", cardAt(scene, faction, kind))}${count > 1 ? ` ×${count}` : ""}</span>` : nothing))}</span>`;
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
      ${my_hand.slice(0, scene.facts.treasures).map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? heldCard(scene, cardAt(scene, own, kind), count) : nothing))}
    </div>
    <div class="fan ${elsewhere.length ? "aside" : ""}" role="group" aria-label=${scene.words(W.cards)}>
      ${my_hand.map((/** @type {number} */ count, /** @type {number} */ kind) => (count && kind >= scene.facts.treasures ? heldCard(scene, cardAt(scene, own, kind), count) : nothing))}
      ${!total(my_hand) && my_hero && phase === scene.facts.hero ? card(heroFace(scene, my_hero)) : nothing}
    </div>
  `;
}

/** @param {Scene} scene @param {Legal} legal a card that lies elsewhere and may be chosen */
const spreadCard = (scene, legal) =>
  choosable(legal.key === "hero" || legal.key === "reveal" ? heroFace(scene, legal.numbers[0]) : face(scene, legal.numbers[0]), scene, legal);

/** Equal cards lie on each other. @param {Scene} scene @param {number} number @param {number} count */
function heldCard(scene, number, count) {
  const legal = FROM_HAND.map((key) => scene.offer(key, number)).find(Boolean) ?? (number === scene.facts.reaction ? scene.offer("smoke") : undefined);
  const chosen = FROM_HAND.map((key) => scene.taken(key, number)).find(Boolean);
  const times = chosen ? scene.times(chosen.action) : 0;
  const small = isTreasure(scene, number) ? "small" : "";
  return html`<div class="held ${count > 1 ? "several" : ""}">
    ${choosable({ ...face(scene, number), kind: `${face(scene, number).kind} ${small}`, move: `hand-${number}`, from: small ? "treasure-deck" : `deck-${factionOf(scene, number)}` }, scene, legal, { picked: times > 0, back: legal ? undefined : chosen })}
    ${count > 1 || times ? html`<b class="count">${times ? `${times} / ` : "×"}${count}</b>` : nothing}
  </div>`;
}

// --- The result ------------------------------------------------------------------------------------------------------

/** @param {Scene} scene how far each of them came */
function reckoning(scene) {
  const known = riches(scene);
  const { watch, merchant, thief, captures, infamy } = scene.facts;
  const rows = [
    [watch, scene.words(W.gaol), `${captives(scene).length}\u00a0/\u00a0${captures}`],
    [merchant, scene.words(W.purse), html`${known ?? "?"}\u00a0/\u00a0${goal(scene)}${whyMore(scene)}`],
    [thief, scene.words(W.infamy), `${scene.view.infamy}\u00a0/\u00a0${infamy}`],
  ];
  return html`<table class="reckoning"><thead><tr><td></td><th scope="col">${scene.words(W.faction)}</th><td></td><th scope="col">${capital(scene.words(W.goal))}</th></tr></thead><tbody>
    ${rows.map(([faction, name, text]) => {
      const who = scene.view.seat_of[Number(faction)];
      return html`<tr class=${scene.view.result[who] ? "won" : ""}><th scope="row">${mark(who)} ${scene.players[who]}</th><td>${scene.name("faction", Number(faction))}</td><td>${name}</td><td class="total">${text}</td></tr>`;
    })}
  </tbody></table>`;
}

/** @type {import("../frame/scene.js").Drawing} */
export const drawing = { css: "/page/games/trieste.css", reveals: () => import("./reveals/trieste.js"), forLearners: () => import("./pictures/trieste.js"), gather: true, atOnce: ["draw_own"], board, seat, hand, aside, reckoning };

export { AIM, FACTIONS, face, heroFace, played };
