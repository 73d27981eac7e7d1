// The screen between two players who share a browser: it shows nothing of the table.

import { html } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { mark } from "./icon.js";

/** @param {string} name @param {number} seat @param {() => void} reveal */
export const passScreen = (name, seat, reveal) => html`<main class="pass-screen">
  <div class="pass-screen-card">
    <p>${t("passTo")}</p>
    <h1>${mark(seat)} ${name}</h1>
    <p class="soft">${t("passHint")}</p>
    <button class="button main" autofocus @click=${reveal}>${t("iAm")} ${name}</button>
  </div>
</main>`;
