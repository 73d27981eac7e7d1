// Bots have names and faces: each name of `live/seating.py` its own drawing in art/faces.svg.

import { html } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { symbol } from "./icon.js";

const NAMES = ["Ada", "Basil", "Clio", "Darius", "Elsa", "Fausto", "Greta", "Hugo", "Ines", "Livia", "Otto", "Zeno"];
const LEVELS = /** @type {const} */ (["easy", "medium", "hard", "expert"]);
const LEVEL_WORDS = /** @type {const} */ ({ easy: "levelEasy", medium: "levelMedium", hard: "levelHard", expert: "levelExpert" });

/** @param {string | null} name */
export const face = (name) => symbol(`/page/art/faces.svg#${NAMES.includes(name ?? "") ? /** @type {string} */ (name).toLowerCase() : "bot"}`, "face");

/** @param {import("../wire/requests.js").Level | null} level one to four dots, with its name for those who listen */
export const levelDots = (level) =>
  level
    ? html`<span class="level-dots" role="img" aria-label=${t(LEVEL_WORDS[level])} title=${t(LEVEL_WORDS[level])}>${LEVELS.map((one, i) => html`<i class=${i <= LEVELS.indexOf(level) ? "on" : ""}></i>`)}</span>`
    : "";
