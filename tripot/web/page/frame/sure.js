// A button that asks once more before it does what cannot be undone.

import { html } from "../vendor/lit.js";
import { t } from "../text/words.js";

/** @typedef {import("../text/words.js").Word} Word */

/** @param {Word} word @param {Word} hint what happens then @param {() => unknown} act */
export const sure = (word, hint, act) =>
  html`<details class="sure"><summary class="button small">${t(word)}</summary><p>${t(hint)} <button class="button small bad" @click=${act}>${t("yesDo")}</button></p></details>`;
