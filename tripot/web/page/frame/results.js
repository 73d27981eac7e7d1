// Who won, and the arithmetic behind it.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon, mark } from "./icon.js";

/** @param {import("./drawing.js").Drawing} d @param {import("./drawing.js").Room} room @param {string} table its id */
export const results = (d, room, table) => html`<div class="results">
  <p class="winner">${winners(d)}</p>
  ${room.reckoning ? html`<div class="scroll" tabindex="0" role="region" aria-label=${t("results")}>${room.reckoning(d)}</div>` : nothing}
  <div class="actions">
    <a class="button main" href=${`/tables/${table}#step=0`}>${icon("play")}${t("watchReplay")}</a>
    <a class="button" href=${`/api/tables/${table}/record`} download>${icon("down")}${t("download")}</a>
    <a class="button" href="/">${t("again")}</a>
  </div>
</div>`;

/** @param {import("./drawing.js").Drawing} d */
export function winners(d) {
  const seats = d.round.filter((seat) => d.view.result[seat] > 0).sort((a, b) => a - b);
  if (!seats.length) return t("nobody");
  const names = seats.map((seat, i) => html`${i ? ` ${t("and")} ` : ""}${mark(seat)} ${d.players[seat]}`);
  return html`${names} ${seats.length > 1 ? t("shared") : t("wins")}`;
}
