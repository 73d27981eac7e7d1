// The shell of a table: players, board, hand and rail, around whatever room the game is played in.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon } from "./icon.js";
import { logLines } from "./log.js";
import { player } from "./players.js";

/**
 * @typedef {object} Shell
 * @property {import("./drawing.js").Drawing} d
 * @property {import("./drawing.js").Room} room
 * @property {import("../wire/requests.js").TableInfo} table
 * @property {boolean} live
 * @property {((seat: number, hold: boolean) => void) | null} hold
 * @property {unknown} rail what is to be decided, or the replay's buttons
 * @property {number[] | null} item the piece of news being told
 * @property {boolean} busy whether more is to be told
 * @property {() => void} skip
 * @property {number} seen log lines that are not new
 * @property {(clause: string) => void} why
 * @property {string} moment names how far the table has come
 */

/** @param {Shell} shell */
export function tableShell({ d, room, table, live, hold, rail, item, busy, skip, seen, why, moment }) {
  const order = d.me === null ? d.round : [...d.round.slice(1), d.me];
  const hand = d.me === null ? nothing : room.hand(d);
  return html`<main class="table seats-${d.view.seats}" id="main" tabindex="-1" data-moment=${moment}>
    <h1 class="unseen">${d.words(d.catalogue.title)}</h1>
    <div class="players" role="group" aria-label=${t("allPlayers")}>
      ${order.map((seat) => player({ d, room, seat, info: table.seats[seat], live, hold }))}
    </div>
    <div class="stage" role="group" aria-label=${t("table")} data-drop="board">
      ${room.board(d)}
      ${item ? html`<div class="caption ${busy ? "" : "fading"}"><span>${d.story(item)}</span>
        ${busy ? html`<button class="sign" @click=${skip} aria-label=${t("skip")} title=${t("skip")}>${icon("skip")}</button>` : nothing}</div>` : nothing}
    </div>
    ${hand === nothing ? nothing : html`<div class="hand" role="group" aria-label=${t("hand")}>${hand}</div>`}
    ${room.aside ? html`<div class="aside">${room.aside(d)}</div>` : nothing}
    <div class="rail">
      ${rail}
      <section class="log" aria-label=${t("log")}>
        <h2>${t("log")}</h2>
        ${logLines(d, d.log, seen, why)}
      </section>
    </div>
  </main>`;
}
