// The curtain between two people at one screen: nothing of the table is on the page while it is down.

import { html } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { mark } from "./icon.js";

/** @param {string} name @param {number} seat @param {() => void} lift */
export const curtain = (name, seat, lift) => html`<main class="curtain">
  <div class="curtain-sign">
    <p>${t("passTo")}</p>
    <h1>${mark(seat)} ${name}</h1>
    <p class="soft">${t("passHint")}</p>
    <button class="button main" autofocus @click=${lift}>${t("iAm")} ${name}</button>
  </div>
</main>`;
