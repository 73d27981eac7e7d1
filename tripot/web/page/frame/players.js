// The players at the table: names, presence, who thinks, and what lies before each.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { face, levelDots } from "./bot_face.js";
import { icon, mark } from "./icon.js";

/**
 * @typedef {import("../wire/requests.js").TableInfo} TableInfo
 * @typedef {import("../wire/requests.js").SeatInfo} SeatInfo
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./scene.js").Drawing} Drawing
 */

/** @param {TableInfo} table @param {Catalogue | {seat_names: import("../text/speech.js").Words[]}} catalogue @param {import("../text/speech.js").Lang} lang */
export const playerNames = (table, catalogue, lang) =>
  table.seats.map(({ seat, name }) => {
    const place = catalogue.seat_names[seat];
    const own = name && name !== place?.en ? name : ""; // bots of older tables are called after their seat
    return own || place?.[lang] || `${t("seat")} ${seat + 1}`;
  });

/**
 * @param {object} p
 * @param {Scene} p.scene @param {Drawing} p.drawing @param {number} p.seat @param {SeatInfo} p.info
 * @param {boolean} p.live @param {((seat: number, hold: boolean) => void) | null} p.hold null: not allowed
 */
export function player({ scene, drawing, seat, info, live, hold }) {
  const turn = scene.waits(seat);
  return html`<section class="seat ${seat === scene.me ? "me" : ""} ${turn ? "turn" : ""}" data-move=${`seat-${seat}`} aria-label=${scene.players[seat]}>
    <div class="seat-head">
      ${mark(seat)}
      <h2 class="seat-name" title=${scene.players[seat]}>${scene.players[seat]}</h2>
      ${note(seat === scene.me, info, turn, live)}
    </div>
    ${live && hold && info.kind === "person" && !info.here
      ? html`<button class="button small" @click=${() => hold(seat, !info.held)}>${icon("bot")}${info.held ? t("stopBot") : t("letBot")}</button>`
      : nothing}
    <div class="seat-body">${drawing.seat(scene, seat)}</div>
  </section>`;
}

/** @param {boolean} me @param {SeatInfo} info @param {boolean} turn @param {boolean} live */
function note(me, info, turn, live) {
  const bot = info.kind === "bot" || info.held;
  if (live && turn && bot) return html`<span class="seat-note thinking">${icon("bot")}<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span class="unseen">${t("thinking")}</span></span>`;
  if (info.held) return html`<span class="seat-note away">${icon("bot")}${t("away")}</span>`;
  if (info.kind === "bot") return html`<span class="seat-note bot">${face(info.name)}${levelDots(info.level)}<span class="unseen">${t("bot")}</span></span>`;
  if (me) return html`<span class="seat-note">${t("you")}</span>`;
  if (live && !info.here) return html`<span class="seat-note away">${icon("away")}${t("away")}</span>`;
  return nothing;
}
