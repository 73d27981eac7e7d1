// The result: who won, and how the scores add up.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon, mark } from "./icon.js";

/** @param {import("./scene.js").Scene} scene @param {import("./scene.js").Drawing} drawing @param {string} table its id */
export const results = (scene, drawing, table) => html`<div class="results">
  <p class="winner">${winners(scene)}</p>
  ${drawing.reckoning ? html`<div class="scroll" tabindex="0" role="region" aria-label=${t("results")}>${drawing.reckoning(scene)}</div>` : nothing}
  <div class="actions">
    <a class="button main" href=${`/tables/${table}#step=0`}>${icon("play")}${t("watchReplay")}</a>
    <a class="button" href=${`/api/tables/${table}/record`} download>${icon("down")}${t("download")}</a>
    <a class="button" href="/">${t("again")}</a>
  </div>
</div>`;

/** @param {import("./scene.js").Scene} scene */
export function winners(scene) {
  const seats = scene.round.filter((seat) => scene.view.result[seat] > 0).sort((a, b) => a - b);
  if (!seats.length) return t("nobody");
  const names = seats.map((seat, i) => html`${i ? ` ${t("and")} ` : ""}${mark(seat)} ${scene.players[seat]}`);
  return html`${names} ${seats.length > 1 ? t("shared") : t("wins")}`;
}
