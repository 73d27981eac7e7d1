// The layout of a table: players, board, hand and rail, filled by the game's drawing.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon } from "./icon.js";
import { logLines } from "./log.js";
import { player } from "./players.js";

/**
 * @typedef {object} Layout
 * @property {import("./scene.js").Scene} scene
 * @property {import("./scene.js").Drawing} drawing
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

/** @param {Layout} shell */
export function tableLayout({ scene, drawing, table, live, hold, rail, item, busy, skip, seen, why, moment }) {
  const order = scene.me === null ? scene.round : [...scene.round.slice(1), scene.me];
  const hand = scene.me === null ? nothing : drawing.hand(scene);
  return html`<main class="table seats-${scene.view.seats}" id="main" tabindex="-1" data-moment=${moment}>
    <h1 class="unseen">${scene.words(scene.catalogue.title)}</h1>
    <div class="players" role="group" aria-label=${t("allPlayers")}>
      ${order.map((seat) => player({ scene, drawing, seat, info: table.seats[seat], live, hold }))}
    </div>
    <div class="board-area" role="group" aria-label=${t("table")} data-drop="board">
      ${drawing.board(scene)}
      ${item ? html`<div class="caption ${busy ? "" : "fading"}"><span>${scene.story(item)}</span>
        ${busy ? html`<button class="icon-button" @click=${skip} aria-label=${t("skip")} title=${t("skip")}>${icon("skip")}</button>` : nothing}</div>` : nothing}
    </div>
    ${hand === nothing ? nothing : html`<div class="hand" role="group" aria-label=${t("hand")}>${hand}</div>`}
    ${drawing.aside ? html`<div class="aside">${drawing.aside(scene)}</div>` : nothing}
    <div class="rail">
      ${rail}
      <section class="log" aria-label=${t("log")}>
        <h2>${t("log")}</h2>
        ${logLines(scene, scene.log, seen, why)}
      </section>
    </div>
  </main>`;
}
