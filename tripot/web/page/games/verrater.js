// Verräter: the circle of twelve lands, Eagle in black on gold, Rose in white on red.

import { html, nothing, svg } from "../vendor/lit.js";
import { card, choosable } from "../frame/card.js";
import { mark, symbol, symbolAt } from "../frame/icon.js";

/**
 * @typedef {import("../frame/scene.js").Scene} Scene
 * @typedef {import("../wire/requests.js").View} View
 */

const ART = "/page/art/verrater.svg#";
const HOUSE = ["eagle", "rose"];
const OUTER = 480, INNER = 230, MIDDLE = 374;

const W = {
  pile: { en: "Draw pile", fr: "Pioche" },
  discard: { en: "Discards", fr: "Défausse" },
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
  winners: { en: "Points each, by number of winners", fr: "Points selon le nombre de vainqueurs" },
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
  colon: { en: ": ", fr: "\u00a0: " },
};

// --- The circle -----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} slot @param {number} radius @returns {[number, number]} the middle of a slot, the first one at the top */
const at = ({ view }, slot, radius) => {
  const angle = (slot / view.land.length - 1 / 4) * 2 * Math.PI;
  return [Math.round(Math.cos(angle) * radius), Math.round(Math.sin(angle) * radius)];
};

/** The sector of a land, as a path. @param {Scene} scene @param {number} slot @param {number} [inset] how far inside its edges */
function sector(scene, slot, inset = 0) {
  const outer = OUTER - inset, inner = INNER + inset;
  const half = (/** @type {number} */ radius) => 0.5 - (inset * scene.view.land.length) / (2 * Math.PI * radius);
  const [ax, ay] = at(scene, slot - half(outer), outer), [bx, by] = at(scene, slot + half(outer), outer);
  const [cx, cy] = at(scene, slot + half(inner), inner), [dx, dy] = at(scene, slot - half(inner), inner);
  return `M${ax} ${ay}A${outer} ${outer} 0 0 1 ${bx} ${by}L${cx} ${cy}A${inner} ${inner} 0 0 0 ${dx} ${dy}Z`;
}

/** @param {Scene} scene @param {number} slot */
const landOffer = (scene, slot) =>
  scene.offer("estate", null, null, slot) ?? scene.offer("to_office", null, slot) ?? scene.offer("to_estate", null, slot);

/** Whether a conflict lies on the table. @param {Scene} scene */
const inConflict = ({ facts, view }) => facts.conflict.includes(view.phase) && view.contested[0] !== view.contested[1];

/** @param {Scene} scene @param {number} slot */
const contested = (scene, slot) => inConflict(scene) && scene.view.contested.includes(slot);

/** @param {Scene} scene @param {number} slot */
function landLabel(scene, slot) {
  const { land, holder, building, owner, land_points } = scene.view;
  const kind = land[slot];
  const points = land_points[kind - 1].slice(0, scene.view.seats);
  const parts = [
    `${slot + 1} ${scene.name("land", kind)} ${scene.name("conflict_value", kind)} ${points.join(" · ")}`, // as it is drawn
    `${scene.words(W.place)} ${slot + 1}`,
    scene.name("house", holder[slot]),
    `${scene.words(W.value)} ${scene.name("conflict_value", kind)}`,
    `${scene.words(W.points)} ${points.join(" ")}`,
  ];
  if (building[slot]) parts.push(`${scene.name("building", building[slot])} (${scene.players[owner[slot]]})`);
  if (contested(scene, slot)) parts.push(scene.words(W.conflict));
  return parts.join(", ");
}

/** @param {Scene} scene @param {number} slot */
function land(scene, slot) {
  const { holder, land_points } = scene.view;
  const kind = scene.view.land[slot];
  const legal = landOffer(scene, slot);
  const [x, y] = [at(scene, slot, MIDDLE - 12)[0], at(scene, slot, MIDDLE)[1]]; // words are wide: nearer the middle on the sides
  const [bx, by] = at(scene, slot, INNER + 38);
  const [hx, hy] = at(scene, slot - 0.33, OUTER - 33); // in the canton, clear of picture and building
  const [px, py] = at(scene, slot + 0.37, OUTER - 26);
  const label = legal ? `${landLabel(scene, slot)}. ${scene.sentence(legal)}` : landLabel(scene, slot);
  return svg`<g class="land ${HOUSE[holder[slot]]} ${by ? "" : "at-side"} ${by < 0 && Math.abs(bx) > Math.abs(by) ? (bx < 0 ? "lean-left" : "lean-right") : ""} ${legal ? "open" : ""} ${scene.isPicked(legal) ? "picked" : ""} ${contested(scene, slot) ? "contested" : ""}"
      role=${legal ? "button" : "img"} tabindex=${legal ? "0" : nothing} aria-label=${label} data-drop=${legal ? "board" : nothing}
      data-action=${legal?.action ?? nothing} data-turn=${`land-${slot}-${holder[slot]}`}
      @click=${() => (legal ? scene.pick(legal) : scene.refuse())} @keydown=${(/** @type {KeyboardEvent} */ e) => pressed(e, () => legal && scene.pick(legal))}>
    <path class="field" d=${sector(scene, slot)}></path>
    <path class="hatch" d=${sector(scene, slot)}></path>
    <g class="charge">
      ${symbolAt(`${ART}${HOUSE[holder[slot]]}`, hx, hy, 46)}
      ${symbolAt(`${ART}land-${kind}`, x, y - 28, 104, 62)}
      <text class="land-place" x=${px} y=${py + 9}>${slot + 1}</text>
      <text class="land-name" x=${x} y=${y + 32}>${scene.name("land", kind)}</text>
    </g>
    <g class="value"><circle cx=${bx} cy=${by} r="26"></circle><text x=${bx} y=${by + 12}>${scene.name("conflict_value", kind)}</text></g>
    <text class="charge land-points" x=${x} y=${y + 58}>${land_points[kind - 1].slice(0, scene.view.seats).join(" · ")}</text>
    <path class="edge" d=${sector(scene, slot)}></path>
    ${legal ? svg`<path class="halo" d=${sector(scene, slot, 8)}></path>` : nothing}
  </g>`;
}

/** The building tucked under a land, with its owner's mark. @param {Scene} scene @param {number} slot */
function tab(scene, slot) {
  const { building, owner } = scene.view;
  const [x, y] = [at(scene, slot, OUTER + 60)[0], at(scene, slot, OUTER + 44)[1]]; // wider than high
  return svg`<g class="tab mark-${owner[slot]}" data-move=${`building-${slot}`} data-from=${`seat-${owner[slot]}`} data-turn=${`building-${slot}-${building[slot]}`}>
    <rect x=${x - 50} y=${y - 32} width="100" height="64" rx="14"></rect>
    ${symbolAt(`${ART}building-${building[slot]}`, x - 20, y, 46)}
    ${symbolAt(`/page/art/frame.svg#mark-${owner[slot]}`, x + 26, y, 32)}
  </g>`;
}

/** The border after a slot: where a conflict can lie, or lies. @param {Scene} scene @param {number} slot */
function border(scene, slot) {
  const next = (slot + 1) % scene.view.land.length;
  const legal = scene.legal.find((one) => one.key === "conflict" && [slot, next].every((end) => [one.numbers[1], one.numbers[3]].includes(end)));
  const here = contested(scene, slot) && contested(scene, next);
  if (!legal && !here) return nothing;
  const [x, y] = at(scene, slot + 0.5, INNER - 6);
  return svg`<g class="border ${legal ? "open" : ""} ${scene.isPicked(legal) || (here && !legal) ? "picked" : ""}"
      role=${legal ? "button" : "img"} tabindex=${legal ? "0" : nothing} data-action=${legal?.action ?? nothing}
      aria-label=${legal ? scene.sentence(legal) : scene.words(W.conflict)}
      @click=${() => legal && scene.pick(legal)} @keydown=${(/** @type {KeyboardEvent} */ e) => pressed(e, () => legal && scene.pick(legal))}>
    <circle class="reach" cx=${x} cy=${y} r="58"></circle>
    <circle class="disc" cx=${x} cy=${y} r="37"></circle>
    ${symbolAt(`${ART}swords`, x, y, 44)}
  </g>`;
}

/** @param {KeyboardEvent} event @param {() => void} act */
function pressed(event, act) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** As engravers hatch gold and red. */
const hatching = svg`<defs>
    <pattern id="or" width="22" height="22" patternUnits="userSpaceOnUse"><circle cx="5" cy="5" r="1.800"></circle><circle cx="16" cy="16" r="1.800"></circle></pattern>
    <pattern id="gules" width="13" height="13" patternUnits="userSpaceOnUse"><path d="M6 0v13"></path></pattern>
  </defs>`;

/** @param {Scene} scene */
function board(scene) {
  const slots = [...scene.view.land.keys()];
  return html`<div class="ring">
    <div class="ring-centre">${centre(scene)}</div>
    <svg class="circle" viewBox="-558 -558 1116 1116" role="group" aria-label=${scene.words(W.lands)}>
      ${hatching}
      ${slots.map((slot) => (scene.view.building[slot] ? tab(scene, slot) : nothing))}
      <circle class="rim" r=${OUTER + 4}></circle>
      <circle class="hub" r=${INNER}></circle>
      ${slots.map((slot) => land(scene, slot))}
      ${slots.map((slot) => border(scene, slot))}
    </svg>
    ${corners(scene)}
  </div>`;
}

// --- In the middle --------------------------------------------------------------------------------------------------

/** @param {Scene} scene */
const centre = (scene) => (inConflict(scene) ? battle(scene) : html`<p class="peace">${symbol(`${ART}swords`)}<span>${scene.words(W.peace)}</span></p>`);

/** What each house has in the conflict: its land, and the cards on the table. @param {Scene} scene */
function battle(scene) {
  const { contested, land, house, played, strength, role_shown } = scene.view;
  const fought = role_shown.some(Boolean) && strength.some(Boolean); // until the houses are compared the strengths are 0
  return html`<div class="battle ${at(scene, contested[0], MIDDLE)[1] > 0 ? "low" : ""}" role="group" aria-label=${scene.words(W.conflict)}>
    ${[0, 1].map((side) => {
      const own = scene.facts.conflict_value[land[contested[side]]];
      const cards = scene.round.filter((seat) => house[seat] === side).reduce((sum, seat) => sum + worth(scene, played[seat]), 0);
      const total = fought ? strength[side] : own + cards;
      const ahead = fought && strength[side] > strength[1 - side];
      return html`<div class="force ${HOUSE[side]} ${ahead ? "ahead" : ""}" data-drop="board">
        ${symbol(`${ART}${HOUSE[side]}`, "emblem", scene.name("house", side))}
        <b class="total">${total}</b>
        <span class="sum">${scene.name("land", land[contested[side]])} ${own}${fought ? nothing : html` + ${cards}`}</span>
      </div>`;
    })}
    ${fought ? nothing : html`<span class="so-far">${scene.words(W.soFar)}</span>`}
  </div>`;
}

/** @param {Scene} scene @param {number[]} kinds the value of supply cards counted by kind */
const worth = (scene, kinds) => kinds.reduce((sum, count, kind) => sum + count * scene.facts.supply_value[kind], 0);

/** Around the circle: the piles of supply cards. @param {Scene} scene */
function corners(scene) {
  const { pile_size, discard } = scene.view;
  const thrown = discard.reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0);
  return html`
    <dl class="corner draw" data-move="pile"><dt>${scene.words(W.pile)}</dt><dd class="pile">${pile_size}</dd></dl>
    <dl class="corner thrown" data-move="discard"><dt>${scene.words(W.discard)}</dt><dd class="pile faceup">${thrown}</dd>
      <dd class="tally">${tally(scene)}</dd></dl>
  `;
}

/** The discard pile card by card. @param {Scene} scene */
const tally = (scene) =>
  scene.view.discard.map((/** @type {number} */ count, /** @type {number} */ kind) => (count ? html`<span>${count} × <b>${scene.name("supply", kind)}</b></span>` : nothing));

/** The points of every land where there is no drawing for them in the circle. @param {Scene} scene */
function aside(scene) {
  const columns = ["I", "II", "III", "IV"].slice(0, scene.view.seats);
  return html`<p class="tally">${scene.words(W.discard)}${scene.words(W.colon)}${tally(scene)}</p><table class="land-table">
    <caption>${scene.words(W.winners)}</caption>
    <thead><tr><th scope="col">${scene.words(W.start)}</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${scene.view.land_points.map((/** @type {number[]} */ row, /** @type {number} */ i) => html`<tr><th scope="row">${scene.name("land", i + 1)}</th>
      ${row.slice(0, scene.view.seats).map((points) => html`<td>${points}</td>`)}</tr>`)}</tbody>
  </table>`;
}

// --- The players ----------------------------------------------------------------------------------------------------

/** @param {Scene} scene @param {number} seat whether a role lies face down before this seat */
function hidesRole(scene, seat) {
  const { phase, seats, first, waiting } = scene.view;
  if (phase === scene.facts.roles_kept) return true;
  if (phase !== scene.facts.draft) return false;
  const order = (/** @type {number} */ who) => (who - first + seats) % seats;
  return order(seat) < order(Math.log2(waiting));
}

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const { house, points, hand_size, unbuilt, first, strategy, role_shown, played, hand, role_kept } = scene.view;
  const kept = role_kept?.[seat] || (seat === scene.me ? scene.view.my_role_kept : 0);
  const thrown = expand(played[seat]);
  return html`
    <div class="shield ${HOUSE[house[seat]]}" data-turn=${`shield-${seat}-${house[seat]}`}>${symbol(`${ART}${HOUSE[house[seat]]}`, "emblem", `${scene.words(W.serves)} ${scene.name("the_house", house[seat])}`)}</div>
    <div class="facts">
      <span class="score"><b>${points[seat]}</b> <span class="roomy">${scene.words(W.points)}</span></span>
      <span class="fact" title=${scene.words(W.cards)}>${symbol(`${ART}supply`, "icon", scene.words(W.cards))}<b>${hand_size[seat]}</b></span>
      <span class="fact" title=${scene.words(W.unbuilt)}>${symbol(`${ART}building-1`, "icon", scene.words(W.unbuilt))}<b>${unbuilt[seat]}</b></span>
      ${first === seat ? html`<span class="fact token" title=${scene.words(W.first)}>${symbol(`${ART}first`, "icon", scene.words(W.first))}</span>` : nothing}
      ${strategy === seat ? html`<span class="fact token" data-move="strategy" title=${scene.words(W.strategy)}>${symbol(`${ART}strategy`, "icon", scene.words(W.strategy))}</span>` : nothing}
    </div>
    <div class="laid">
      ${role_shown[seat] ? roleBadge(scene, role_shown[seat], false, seat) : kept ? roleBadge(scene, kept, true, seat) : hidesRole(scene, seat) ? html`<span class="role-badge down" role="img" aria-label=${scene.words(W.hidden)}>?</span>` : nothing}
      ${thrown.map((kind, i) => html`<span class="chip supply-chip" data-move=${`played-${seat}-${i}`} data-from=${seat === scene.me ? `hand-${kind}` : `seat-${seat}`}>${scene.name("supply", kind)}</span>`)}
      ${hand ? html`<span class="open-hand">${expand(hand[seat]).map((kind) => html`<span class="chip">${scene.name("supply", kind)}</span>`)}</span>` : nothing}
    </div>
  `;
}

/** @param {Scene} scene @param {number} role @param {boolean} secret @param {number} seat */
const roleBadge = (scene, role, secret, seat) =>
  html`<span class="role-badge ${secret ? "secret" : ""}" data-turn=${`role-${seat}-${secret ? 0 : role}`}>${symbol(`${ART}role-${role}`, "icon")}${scene.name("role", role)}</span>`;

/** @param {number[]} kinds counted by kind @returns {number[]} one entry a card */
const expand = (kinds) => kinds.flatMap((count, kind) => Array(count).fill(kind));

/** @param {Scene} scene */
function hand(scene) {
  const { my_hand, my_role_kept, phase } = scene.view;
  if (!my_hand) return nothing;
  const drafting = phase === scene.facts.draft && scene.legal.some((legal) => legal.key === "keep");
  const roles = drafting ? scene.legal.filter((legal) => legal.key === "keep") : [];
  return html`
    ${drafting ? html`<div class="roles" role="group" aria-label=${scene.words(W.roles)}>${roles.map((legal) => choosable(roleFace(scene, legal.numbers[0]), scene, legal))}</div>` : nothing}
    ${!drafting && my_role_kept && phase === scene.facts.roles_kept ? html`<div class="my-role">${card({ ...roleFace(scene, my_role_kept), type: scene.words(W.myRole) })}</div>` : nothing}
    <div class="supplies ${drafting ? "aside" : ""}" role="group" aria-label=${scene.words(W.cards)}>
      ${expand(my_hand).map((kind, i, all) => {
        if (drafting) return html`<span class="chip">${scene.name("supply", kind)}</span>`;
        const nth = i - all.indexOf(kind);
        const legal = scene.offer("play", kind) ?? scene.offer("drop", kind);
        return choosable({ ...supplyFace(scene, kind), move: `hand-${kind}-${nth}`, from: "pile" }, scene, legal, { picked: false });
      })}
    </div>
  `;
}

/** @param {Scene} scene @param {number} kind @returns {import("../frame/card.js").Face} */
const supplyFace = (scene, kind) => ({ title: scene.words(W.supply), value: scene.name("supply", kind), art: symbol(`${ART}supply-${kind}`), kind: "supply" });

/** @param {Scene} scene @param {number} role @returns {import("../frame/card.js").Face} */
const roleFace = (scene, role) => ({
  title: scene.name("role", role),
  type: scene.words(W.role),
  effect: scene.more("role_hints", role),
  art: symbol(`${ART}role-print-${role}`),
  kind: "role",
  move: `role-card-${role}`,
});

// --- The result ------------------------------------------------------------------------------------------------------

/** @param {Scene} scene where every player's points come from */
function reckoning(scene) {
  const seats = scene.round.slice().sort((a, b) => scene.view.points[b] - scene.view.points[a]);
  return html`<table class="reckoning">
    <thead><tr><td></td><th scope="col">${scene.words(W.lands)}</th><th scope="col">${scene.words(W.roles)}</th><th scope="col">${scene.words(W.offices)}</th><th scope="col">${scene.words(W.total)}</th></tr></thead>
    <tbody>${seats.map((seat) => {
      const [offices, cards, points] = ["offices", "cards", "points"].map((number) => scene.total("offices_scored", seat, number));
      return html`<tr class=${scene.view.result[seat] ? "won" : ""}>
        <th scope="row">${mark(seat)} ${scene.players[seat]}</th>
        <td>${scene.total("land_scored", seat, "points")}</td><td>${scene.total("role_scored", seat, "points")}</td>
        <td>${scene.view.over ? `${offices} × ${cards} = ${points}` : "–"}</td><td class="total">${scene.view.points[seat]}</td>
      </tr>`;
    })}</tbody>
  </table>`;
}

/** @type {import("../frame/scene.js").Drawing} */
export const drawing = { css: "/page/games/verrater.css", reveals: () => import("./reveals/verrater.js"), forLearners: () => import("./pictures/verrater.js"), board, seat, hand, aside, reckoning, scores: (scene) => scene.view.points };

export { at, border, hatching, land, roleBadge, roleFace, supplyFace, tab };
