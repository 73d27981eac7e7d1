// Verräter: the circle of twelve lands, Eagle in black on gold, Rose in white on red.

import { html, nothing, svg } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { mark, sign, stamp } from "../frame/icon.js";

/**
 * @typedef {import("../frame/drawing.js").Drawing} Drawing
 * @typedef {import("../wire/requests.js").View} View
 */

const ART = "/page/art/verrater.svg#";
const HOUSE = ["eagle", "rose"];
const DRAFT = 3, SUPPLY = 4; // of the game's phases, those in which roles lie face down
const OUTER = 480, INNER = 230, MIDDLE = 374;

const W = {
  pile: { en: "Draw pile", fr: "Pioche" },
  discard: { en: "Discards", fr: "Défausse" },
  round: { en: "Round", fr: "Tour" },
  points: { en: "points", fr: "points" },
  cards: { en: "supply cards in hand", fr: "Richesses en main" },
  unbuilt: { en: "cards not yet built", fr: "cartes à bâtir" },
  first: { en: "first player", fr: "premier joueur" },
  strategy: { en: "holds the strategy card", fr: "a la carte Stratégie" },
  hidden: { en: "a role, face down", fr: "un rôle, face cachée" },
  serves: { en: "serves", fr: "sert" },
  peace: { en: "No conflict yet", fr: "Pas encore de conflit" },
  conflict: { en: "Conflict", fr: "Conflit" },
  soFar: { en: "so far", fr: "jusqu'ici" },
  winners: { en: "Points for each winner, by how many win together", fr: "Points de chaque vainqueur, selon leur nombre" },
  place: { en: "place", fr: "place" },
  value: { en: "conflict value", fr: "valeur de conflit" },
  of: { en: "of", fr: "de" },
  role: { en: "role", fr: "rôle" },
  myRole: { en: "My role", fr: "Mon rôle" },
  supply: { en: "supply", fr: "Richesse" },
  lands: { en: "Lands", fr: "Territoires" },
  roles: { en: "Roles", fr: "Rôles" },
  offices: { en: "Offices × cards", fr: "Comptoirs × cartes" },
  total: { en: "Total", fr: "Total" },
  start: { en: "Land", fr: "Territoire" },
};

// --- The circle -----------------------------------------------------------------------------------------------------

/** @param {number} slot @param {number} radius @returns {[number, number]} the middle of a slot, the first one at the top */
const at = (slot, radius) => {
  const angle = ((slot - 3) * Math.PI) / 6;
  return [Math.round(Math.cos(angle) * radius), Math.round(Math.sin(angle) * radius)];
};

/** @param {number} slot the sector of a land, as a path */
function sector(slot) {
  const [a, b] = at(slot - 0.5, OUTER), [c, d] = at(slot + 0.5, OUTER);
  const [e, f] = at(slot + 0.5, INNER), [g, h] = at(slot - 0.5, INNER);
  return `M${a} ${b}A${OUTER} ${OUTER} 0 0 1 ${c} ${d}L${e} ${f}A${INNER} ${INNER} 0 0 0 ${g} ${h}Z`;
}

/** @param {Drawing} d @param {number} slot */
const landOffer = (d, slot) =>
  d.offer("estate", null, null, slot) ?? d.offer("to_office", null, slot) ?? d.offer("to_estate", null, slot);

/** @param {View} view @param {number} slot */
const contested = (view, slot) =>
  view.phase >= DRAFT && view.contested[0] !== view.contested[1] && view.contested.includes(slot);

/** @param {Drawing} d @param {number} slot */
function landLabel(d, slot) {
  const { land, holder, building, owner, land_points } = d.view;
  const kind = land[slot];
  const parts = [
    `${d.words(W.place)} ${slot + 1}`,
    d.name("land", kind),
    d.name("house", holder[slot]),
    `${d.words(W.value)} ${d.name("conflict_value", kind)}`,
    `${d.words(W.points)} ${land_points[kind - 1].join(" ")}`,
  ];
  if (building[slot]) parts.push(`${d.name("building", building[slot])} (${d.players[owner[slot]]})`);
  if (contested(d.view, slot)) parts.push(d.words(W.conflict));
  return parts.join(", ");
}

/** @param {Drawing} d @param {number} slot */
function land(d, slot) {
  const { holder, land_points } = d.view;
  const kind = d.view.land[slot];
  const legal = landOffer(d, slot);
  const [x, y] = [at(slot, MIDDLE - 12)[0], at(slot, MIDDLE)[1]]; // words are wide: nearer the middle on the sides
  const [bx, by] = at(slot, INNER + 44);
  const [hx, hy] = at(slot - 0.33, OUTER - 33); // in the canton, clear of picture and building
  const [px, py] = at(slot + 0.37, OUTER - 26);
  const label = legal ? `${landLabel(d, slot)}. ${d.sentence(legal)}` : landLabel(d, slot);
  return svg`<g class="land ${HOUSE[holder[slot]]} ${legal ? "open" : ""} ${d.isPicked(legal) ? "picked" : ""} ${contested(d.view, slot) ? "contested" : ""}"
      role=${legal ? "button" : "img"} tabindex=${legal ? "0" : nothing} aria-label=${label} data-drop=${legal ? "board" : nothing}
      data-action=${legal?.action ?? nothing} data-turn=${`land-${slot}-${holder[slot]}`}
      @click=${() => (legal ? d.pick(legal) : d.refuse())} @keydown=${(/** @type {KeyboardEvent} */ e) => pressed(e, () => legal && d.pick(legal))}>
    <path class="field" d=${sector(slot)}></path>
    <path class="hatch" d=${sector(slot)}></path>
    <g class="charge">
      ${stamp(`${ART}${HOUSE[holder[slot]]}`, hx, hy, 46)}
      ${stamp(`${ART}land-${kind}`, x, y - 28, 104, 62)}
      <text class="land-place" x=${px} y=${py + 9}>${slot + 1}</text>
      <text class="land-name" x=${x} y=${y + 32}>${d.name("land", kind)}</text>
      <text class="land-points" x=${x} y=${y + 58}>${land_points[kind - 1].slice(0, d.view.seats).join(" · ")}</text>
    </g>
    <g class="value"><circle cx=${bx} cy=${by} r="28"></circle><text x=${bx} y=${by + 13}>${d.name("conflict_value", kind)}</text></g>
    <path class="edge" d=${sector(slot)}></path>
  </g>`;
}

/** The building tucked under a land, with its owner's mark. @param {Drawing} d @param {number} slot */
function tab(d, slot) {
  const { building, owner } = d.view;
  const [x, y] = at(slot, OUTER + 44);
  return svg`<g class="tab mark-${owner[slot]}" data-move=${`building-${slot}`} data-from=${`seat-${owner[slot]}`} data-turn=${`building-${slot}-${building[slot]}`}>
    <rect x=${x - 50} y=${y - 32} width="100" height="64" rx="14"></rect>
    ${stamp(`${ART}building-${building[slot]}`, x - 20, y, 46)}
    ${stamp(`/page/art/frame.svg#mark-${owner[slot]}`, x + 26, y, 32)}
  </g>`;
}

/** The border after a slot: where a conflict can lie, or lies. @param {Drawing} d @param {number} slot */
function border(d, slot) {
  const next = (slot + 1) % 12;
  const legal = d.legal.find((one) => one.key === "conflict" && [slot, next].every((end) => [one.numbers[1], one.numbers[3]].includes(end)));
  const here = contested(d.view, slot) && contested(d.view, next);
  if (!legal && !here) return nothing;
  const [x, y] = at(slot + 0.5, INNER - 6);
  return svg`<g class="border ${legal ? "open" : ""} ${d.isPicked(legal) || (here && !legal) ? "picked" : ""}"
      role=${legal ? "button" : "img"} tabindex=${legal ? "0" : nothing} data-action=${legal?.action ?? nothing}
      aria-label=${legal ? d.sentence(legal) : d.words(W.conflict)}
      @click=${() => legal && d.pick(legal)} @keydown=${(/** @type {KeyboardEvent} */ e) => pressed(e, () => legal && d.pick(legal))}>
    <circle class="reach" cx=${x} cy=${y} r="58"></circle>
    <circle class="disc" cx=${x} cy=${y} r="37"></circle>
    ${stamp(`${ART}swords`, x, y, 44)}
  </g>`;
}

/** @param {KeyboardEvent} event @param {() => void} act */
function pressed(event, act) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** @param {Drawing} d */
function board(d) {
  const slots = [...Array(12).keys()];
  return html`<div class="ring">
    <svg class="circle" viewBox="-558 -558 1116 1116" role="group" aria-label=${d.words(W.lands)}>
      <defs>
        <pattern id="or" width="22" height="22" patternUnits="userSpaceOnUse"><circle cx="5" cy="5" r="1.800"></circle><circle cx="16" cy="16" r="1.800"></circle></pattern>
        <pattern id="gules" width="13" height="13" patternUnits="userSpaceOnUse"><path d="M6 0v13"></path></pattern>
      </defs>
      ${slots.map((slot) => (d.view.building[slot] ? tab(d, slot) : nothing))}
      <circle class="rim" r=${OUTER + 4}></circle>
      <circle class="hub" r=${INNER}></circle>
      ${slots.map((slot) => land(d, slot))}
      ${slots.map((slot) => border(d, slot))}
    </svg>
    <div class="ring-centre">${centre(d)}</div>
    ${corners(d)}
  </div>`;
}

// --- In the middle --------------------------------------------------------------------------------------------------

/** @param {Drawing} d */
function centre(d) {
  const { phase } = d.view;
  return html`
    ${phase >= DRAFT && d.view.contested[0] !== d.view.contested[1] ? battle(d) : html`<p class="peace">${sign(`${ART}swords`)}<span>${d.words(W.peace)}</span></p>`}
  `;
}

/** What each house has in the conflict: its land, and the cards on the table. @param {Drawing} d */
function battle(d) {
  const { contested, land, house, played, strength, phase, role_shown } = d.view;
  const fought = role_shown.some((/** @type {number} */ role) => role > 0) && phase > SUPPLY && !d.view.uncounted;
  return html`<div class="battle" role="group" aria-label=${d.words(W.conflict)}>
    ${[0, 1].map((side) => {
      const own = Number(d.name("conflict_value", land[contested[side]]));
      const cards = d.round.filter((seat) => house[seat] === side).reduce((sum, seat) => sum + worth(d, played[seat]), 0);
      const total = fought ? strength[side] : own + cards;
      const ahead = fought && strength[side] > strength[1 - side];
      return html`<div class="force ${HOUSE[side]} ${ahead ? "ahead" : ""}" data-drop="board">
        ${sign(`${ART}${HOUSE[side]}`, "emblem", d.name("house", side))}
        <b class="total">${total}</b>
        <span class="sum">${d.name("land", land[contested[side]])} ${own}${fought ? nothing : html` + ${cards}`}</span>
      </div>`;
    })}
    ${fought ? nothing : html`<span class="so-far">${d.words(W.soFar)}</span>`}
  </div>`;
}

/** @param {Drawing} d @param {number[]} kinds the value of supply cards counted by kind */
const worth = (d, kinds) => kinds.reduce((sum, count, kind) => sum + count * Number(d.name("supply", kind)), 0);

/** Around the circle: the round, and the piles of supply cards. @param {Drawing} d */
function corners(d) {
  const { round, pile_size, discard } = d.view;
  const thrown = discard.reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0);
  return html`
    ${round ? html`<p class="corner round">${d.words(W.round)} <b>${round}</b></p>` : nothing}
    <dl class="corner draw" data-move="pile"><dt>${d.words(W.pile)}</dt><dd class="pile">${pile_size}</dd></dl>
    <dl class="corner thrown" data-move="discard"><dt>${d.words(W.discard)}</dt><dd class="pile faceup">${thrown}</dd>
      <dd class="tally">${tally(d)}</dd></dl>
  `;
}

/** The discard pile card by card. @param {Drawing} d */
const tally = (d) =>
  d.view.discard.map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? html`<span>${count} × <b>${d.name("supply", kind)}</b></span> ` : nothing));

/** The points of every land where there is no room for them in the circle. @param {Drawing} d */
function aside(d) {
  const columns = ["I", "II", "III", "IV"].slice(0, d.view.seats);
  return html`<p class="tally">${d.words(W.discard)} : ${tally(d)}</p><table class="land-table">
    <caption>${d.words(W.winners)}</caption>
    <thead><tr><th scope="col">${d.words(W.start)}</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${d.view.land_points.map((/** @type {number[]} */ row, /** @type {number} */ i) => html`<tr><th scope="row">${d.name("land", i + 1)}</th>
      ${row.slice(0, d.view.seats).map((points) => html`<td>${points}</td>`)}</tr>`)}</tbody>
  </table>`;
}

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Drawing} d @param {number} seat whether a role lies face down before this seat */
function hidesRole(d, seat) {
  const { phase, seats, first, waiting } = d.view;
  if (phase === SUPPLY) return true;
  if (phase !== DRAFT) return false;
  const order = (/** @type {number} */ who) => (who - first + seats) % seats;
  return order(seat) < order(Math.log2(waiting));
}

/** @param {Drawing} d @param {number} seat */
function seat(d, seat) {
  const { house, points, hand_size, unbuilt, first, strategy, role_shown, played, hand, role_kept } = d.view;
  const kept = role_kept?.[seat] || (seat === d.me ? d.view.my_role_kept : 0);
  const thrown = expand(played[seat]);
  return html`
    <div class="shield ${HOUSE[house[seat]]}" data-turn=${`shield-${seat}-${house[seat]}`}>${sign(`${ART}${HOUSE[house[seat]]}`, "emblem", `${d.words(W.serves)} ${d.name("the_house", house[seat])}`)}</div>
    <div class="facts">
      <span class="score"><b>${points[seat]}</b> ${d.words(W.points)}</span>
      <span class="fact" title=${d.words(W.cards)}>${sign(`${ART}supply`, "icon", d.words(W.cards))}<b>${hand_size[seat]}</b></span>
      <span class="fact" title=${d.words(W.unbuilt)}>${sign(`${ART}building-1`, "icon", d.words(W.unbuilt))}<b>${unbuilt[seat]}</b></span>
      ${first === seat ? html`<span class="fact token" title=${d.words(W.first)}>${sign(`${ART}first`, "icon", d.words(W.first))}</span>` : nothing}
      ${strategy === seat ? html`<span class="fact token" data-move="strategy" title=${d.words(W.strategy)}>${sign(`${ART}strategy`, "icon", d.words(W.strategy))}</span>` : nothing}
    </div>
    <div class="laid">
      ${role_shown[seat] ? roleBadge(d, role_shown[seat], false, seat) : kept ? roleBadge(d, kept, true, seat) : hidesRole(d, seat) ? html`<span class="role-badge down" role="img" aria-label=${d.words(W.hidden)}>?</span>` : nothing}
      ${thrown.map((kind, i) => html`<span class="chip supply-chip" data-move=${`played-${seat}-${i}`} data-from=${seat === d.me ? `hand-${kind}` : `seat-${seat}`}>${d.name("supply", kind)}</span>`)}
      ${hand ? html`<span class="open-hand">${expand(hand[seat]).map((kind) => html`<span class="chip">${d.name("supply", kind)}</span>`)}</span>` : nothing}
    </div>
  `;
}

/** @param {Drawing} d @param {number} role @param {boolean} secret @param {number} seat */
const roleBadge = (d, role, secret, seat) =>
  html`<span class="role-badge ${secret ? "secret" : ""}" data-turn=${`role-${seat}-${secret ? 0 : role}`}>${sign(`${ART}role-${role}`, "icon")}${d.name("role", role)}</span>`;

/** @param {number[]} kinds counted by kind @returns {number[]} one entry a card */
const expand = (kinds) => kinds.flatMap((count, kind) => Array(count).fill(kind));

/** @param {Drawing} d */
function hand(d) {
  const { my_hand, my_role_kept, phase } = d.view;
  if (!my_hand) return nothing;
  const drafting = phase === DRAFT && d.legal.some((legal) => legal.key === "keep");
  const roles = drafting ? d.legal.filter((legal) => legal.key === "keep") : [];
  return html`
    ${drafting ? html`<div class="roles" role="group" aria-label=${d.words(W.roles)}>${roles.map((legal) => choosable(roleFace(d, legal.numbers[0]), d, legal))}</div>` : nothing}
    ${!drafting && my_role_kept && phase === SUPPLY ? html`<div class="my-role">${card({ ...roleFace(d, my_role_kept), type: d.words(W.myRole) })}</div>` : nothing}
    <div class="supplies ${drafting ? "aside" : ""}" role="group" aria-label=${d.words(W.cards)}>
      ${expand(my_hand).map((kind, i, all) => {
        if (drafting) return html`<span class="chip">${d.name("supply", kind)}</span>`;
        const nth = i - all.indexOf(kind);
        const legal = d.offer("play", kind) ?? d.offer("drop", kind);
        return choosable({ title: d.words(W.supply), value: d.name("supply", kind), art: sign(`${ART}supply`), kind: "supply", move: `hand-${kind}-${nth}`, from: "pile" }, d, legal, { picked: false });
      })}
    </div>
  `;
}

/** @param {Drawing} d @param {number} role @returns {import("../frame/card.js").Face} */
const roleFace = (d, role) => ({
  title: d.name("role", role),
  type: d.words(W.role),
  effect: d.more("role_hints", role),
  art: sign(`${ART}role-${role}`),
  kind: "role",
  move: `role-card-${role}`,
});

// --- What just happened ---------------------------------------------------------------------------------------------

/** @type {Record<string, (view: View, numbers: number[]) => void>} */
const tell = {
  estate_put: (view, [seat, , place]) => {
    view.building[place] = 1;
    view.owner[place] = seat;
    view.unbuilt[seat] -= 1;
  },
  turned_over: (view, [, building, , place]) => {
    view.building[place] = building;
  },
  supply_played: (view, [seat, kind]) => {
    view.played[seat][kind] += 1;
    view.hand_size[seat] -= 1;
    if (seat === view.seat) view.my_hand[kind] -= 1;
  },
  role_shown: (view, [seat, role]) => {
    view.uncounted = true; // until the houses are compared the strengths are the last conflict's
    view.role_shown[seat] = role;
  },
  turned_traitor: (view, [seat, house]) => {
    view.house[seat] = house;
  },
  house_wins: (view, [house, , strength, against]) => {
    view.uncounted = false;
    view.phase = Math.max(view.phase, SUPPLY + 1);
    view.strength[house] = strength;
    view.strength[1 - house] = against;
    view.holder[view.contested[1 - house]] = house;
  },
  houses_even: (view, [strength]) => {
    view.uncounted = false;
    view.phase = Math.max(view.phase, SUPPLY + 1);
    view.strength = [strength, strength];
  },
  land_scored: (view, [seat, points]) => {
    view.points[seat] += points;
  },
  role_scored: (view, [seat, points]) => {
    view.points[seat] += points;
  },
  offices_scored: (view, [seat, points]) => {
    view.points[seat] += points;
  },
  strategy_taken: (view, [seat]) => {
    view.strategy = seat;
  },
  drew: (view, [seat, count]) => {
    view.hand_size[seat] += count;
    view.pile_size = Math.max(0, view.pile_size - count);
  },
  you_drew: (view, [, kind]) => {
    view.my_hand[kind] += 1;
  },
  dropped: (view, [seat, kind]) => {
    view.hand_size[seat] -= 1;
    view.discard[kind] += 1;
    if (seat === view.seat) view.my_hand[kind] -= 1;
  },
};

/** @param {Drawing} d where every player's points come from */
function reckoning(d) {
  const seats = d.round.slice().sort((a, b) => d.view.points[b] - d.view.points[a]);
  /** @param {string} name @param {number} seat */
  const sum = (name, seat) =>
    d.log.filter((item) => d.catalogue.news[item[1]]?.name === name && item[2] === seat).reduce((total, item) => total + item[3], 0);
  const offices = (/** @type {number} */ seat) => d.log.find((item) => d.catalogue.news[item[1]]?.name === "offices_scored" && item[2] === seat);
  return html`<table class="reckoning">
    <thead><tr><td></td><th scope="col">${d.words(W.lands)}</th><th scope="col">${d.words(W.roles)}</th><th scope="col">${d.words(W.offices)}</th><th scope="col">${d.words(W.total)}</th></tr></thead>
    <tbody>${seats.map((seat) => {
      const last = offices(seat);
      return html`<tr class=${d.view.result[seat] ? "won" : ""}>
        <th scope="row">${mark(seat)} ${d.players[seat]}</th>
        <td>${sum("land_scored", seat)}</td><td>${sum("role_scored", seat)}</td>
        <td>${last ? `${last[4]} × ${last[5]} = ${last[3]}` : "–"}</td><td class="total">${d.view.points[seat]}</td>
      </tr>`;
    })}</tbody>
  </table>`;
}

/** @type {import("../frame/drawing.js").Room} */
export const room = { css: "/page/rooms/verrater.css", board, seat, hand, aside, tell, reckoning, scores: (d) => d.view.points };
