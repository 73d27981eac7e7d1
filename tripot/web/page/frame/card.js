// A card: the same anatomy in all three games. Value or cost at the top left, level beside it, title, picture,
// the effect in one sentence, and the type.

import { html, nothing } from "../vendor/lit.js";
import { capital } from "../text/speech.js";

/**
 * @typedef {object} Face
 * @property {string} title
 * @property {string | number} [value] what stands in the top left corner: value or cost
 * @property {number} [level] pips at the top right
 * @property {string} [type]
 * @property {string} [effect] one sentence
 * @property {unknown} [art]
 * @property {string} [kind] class names: the colour and size
 * @property {string} [move] the name it is known by while it moves
 * @property {string} [from] the name of where it comes from when it appears
 * @property {boolean} [back] lies face down
 */

/**
 * A card that only lies there.
 * @param {Face} face
 */
export const card = (face) =>
  html`<div class="card ${face.kind ?? ""}" role="img" aria-label=${label(face)} data-move=${face.move ?? nothing} data-from=${face.from ?? nothing}>
    ${anatomy(face)}
  </div>`;

/**
 * A card that may be chosen, or could be at other times.
 * @param {Face} face @param {import("./scene.js").Scene} scene @param {import("../wire/requests.js").Legal | undefined} legal
 * @param {{picked?: boolean, drop?: string, back?: import("../wire/requests.js").Legal}} [more] `back`: clicking takes this pick back
 */
export function choosable(face, scene, legal, more = {}) {
  const picked = more.picked ?? scene.isPicked(legal);
  return html`<button
    class="card ${face.kind ?? ""} ${legal || more.back ? "open" : "shut"} ${picked ? "picked" : ""}"
    aria-pressed=${picked ? "true" : nothing}
    aria-disabled=${legal || more.back ? nothing : "true"}
    aria-label=${legal ? `${label(face)}. ${scene.sentence(legal)}` : label(face)}
    data-action=${legal?.action ?? nothing}
    data-drag=${legal ? (more.drop ?? "board") : nothing}
    data-move=${face.move ?? nothing}
    data-from=${face.from ?? nothing}
    @click=${() => (more.back ? scene.drop(more.back) : legal ? scene.pick(legal) : scene.refuse())}
  >
    ${anatomy(face)}
  </button>`;
}

/** @param {Face} face */
function anatomy(face) {
  if (face.back) return html`<span class="card-back"></span>`;
  return html`
    ${face.value === undefined ? nothing : html`<span class="card-value">${face.value}</span>`}
    ${face.level === undefined ? nothing : html`<span class="card-level">${pips(face.level)}</span>`}
    <span class="card-title">${capital(face.title)}</span>
    <span class="card-art">${face.art ?? nothing}</span>
    ${face.effect ? html`<span class="card-effect">${face.effect}</span>` : nothing}
    ${face.type ? html`<span class="card-type">${face.type}</span>` : nothing}
  `;
}

/** @param {number} level */
const pips = (level) => Array.from({ length: level }, () => html`<i class="pip"></i>`);

/** What is printed on it, in the same order: who speaks to the page says what they see. @param {Face} face */
const label = (face) =>
  [[face.value, face.title].filter((part) => part !== undefined).join(" "), face.effect, face.type]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");

/** A row of small face-down cards. @param {number} count @param {string} label */
export const backs = (count, label) =>
  html`<span class="backs" role="img" aria-label=${label}>${Array.from({ length: Math.min(count, 9) }, () => html`<i></i>`)}<b>${count}</b></span>`;
