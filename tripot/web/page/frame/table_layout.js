// The layout of a table: players beside the board, the hand and what is to be decided in one dock, so that both are always in sight.

import { html, nothing } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { knownCards } from "./guide.js";
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
 * @property {number[][]} items the pieces of news being told
 * @property {boolean} busy whether more is to be told
 * @property {unknown} [stage] a set piece over the table
 * @property {() => void} skip
 * @property {number} seen log lines that are not new
 * @property {import("./log.js").Log} [log] where it holds more than what has been told
 * @property {(clause: string) => void} why
 * @property {(() => void) | null} [chances] shows what may lie hidden, where that may be asked
 * @property {string} moment names how far the table has come
 */

/** @param {Layout} shell */
export function tableLayout({ scene, drawing, table, live, hold, rail, items, busy, stage = nothing, skip, seen, log, why, chances = null, moment }) {
  const order = scene.me === null ? scene.round : [...scene.round.slice(1), scene.me];
  const hand = scene.me === null ? nothing : drawing.hand(scene);
  return html`<main class="table seats-${scene.view.seats}" id="main" tabindex="-1" data-moment=${moment}>
    <h1 class="unseen">${scene.words(scene.catalogue.title)}</h1>
    <div class="beside" tabindex="0" role="region" aria-label=${t("allPlayers")}>
      <div class="players">
        ${order.map((seat) => player({ scene, drawing, seat, info: table.seats[seat], live, hold }))}
      </div>
      <div class="reference">${knownCards(scene, why, chances)}${drawing.aside ? drawing.aside(scene) : nothing}</div>
    </div>
    <div class="board-area" role="group" aria-label=${t("table")} data-drop="board">
      ${drawing.board(scene)}
      ${items.length && stage === nothing ? html`<div class="caption ${busy ? "" : "fading"}"><span>${items.map((item) => scene.story(item)).join(" · ")}</span>
        ${busy ? html`<button class="icon-button" @click=${skip} aria-label=${t("skip")} title=${t("skip")}>${icon("skip")}</button>` : nothing}</div>` : nothing}
    </div>
    ${stage}
    <div class="dock">
      ${hand === nothing ? nothing : html`<div class="hand" role="group" aria-label=${t("hand")}>${hand}</div>`}
      <div class="rail">
        ${rail}
        ${knownCards(scene, why, chances)}
        <section class="log" aria-label=${t("log")}>
          <h2>${t("log")}</h2>
          ${logLines(scene, log ?? { items: scene.log, seen, why })}
        </section>
      </div>
    </div>
  </main>`;
}
