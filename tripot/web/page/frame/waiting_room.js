// The waiting room before a game: who sits already, and the invitations for free seats.

import { html, nothing } from "../vendor/lit.js";
import { t, tr } from "../text/words.js";
import { icon, mark } from "./icon.js";
import { playerNames } from "./players.js";
import { settings } from "../settings.js";

/** @typedef {import("./page.js").Page & {sitDown: (seat: number, name: string) => Promise<void>}} Host */

/**
 * @param {Host} page @param {import("../wire/connection.js").TableMessage} info
 * @param {import("../wire/connection.js").Connection} connection @param {string} origin under which others reach this server
 */
export function waitingRoom(page, info, connection, origin) {
  const catalogue = /** @type {import("../wire/requests.js").Catalogue} */ (page.catalogue);
  const names = playerNames(info.table, catalogue, settings.lang);
  return html`<main class="waiting" id="main">
    <img class="game-banner" src=${`/page/art/${info.table.game}-sign.svg`} alt="">
    <h1>${tr(catalogue.title)}</h1>
    <p class="lead">${t("waitingRoom")}. ${t("waitingHint")}</p>
    <ul class="waiting-seats">${info.table.seats.map((seat) => {
      const invite = info.invites.find((one) => one.seat === seat.seat);
      const free = seat.kind === "person" && !seat.name;
      return html`<li class="panel ${free ? "free" : ""}">
        <h2>${mark(seat.seat)} ${free ? `${tr(catalogue.seat_names[seat.seat])} · ${t("freeSeat")}` : names[seat.seat]}</h2>
        ${seat.kind === "bot" ? html`<p class="soft">${icon("bot")} ${t("bot")}</p>` : nothing}
        ${invite ? inviting(page, invite, connection, origin) : nothing}
        ${free && !invite && info.seat === null && info.table.open ? sitting(page, seat.seat) : nothing}
      </li>`;
    })}</ul>
  </main>`;
}

/** @param {import("./page.js").Page} page @param {import("../wire/requests.js").Invite} invite @param {import("../wire/connection.js").Connection} connection @param {string} origin */
function inviting(page, invite, connection, origin) {
  const link = new URL(invite.path, origin).href;
  const fill = () => connection.fill(invite.seat, "medium").catch((error) => page.showError(error));
  return html`<div class="invite">
    <img src=${`/api/invites/${encodeURIComponent(invite.code)}/qr.svg`} width="168" height="168" alt=${`QR: ${link}`}>
    <div>
      <p>${t("share")}</p>
      <output class="link">${link}</output>
      <div class="actions">
        <button class="button main" @click=${() => copy(page, link)}>${icon("link")}${t("copy")}</button>
        <button class="button" @click=${fill}>${icon("bot")}${t("fill")}</button>
      </div>
    </div>
  </div>`;
}

/** A seat that anyone may take. @param {Host} page @param {number} seat */
function sitting(page, seat) {
  const sit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name")).trim();
    settings.change({ name });
    void page.sitDown(seat, name);
  };
  return html`<form class="actions" @submit=${sit}>
    <input type="text" name="name" required maxlength="24" autocomplete="nickname" placeholder=${t("yourName")} aria-label=${t("yourName")} .value=${settings.name}>
    <button class="button main">${t("sitDown")}</button>
  </form>`;
}

/** @param {import("./page.js").Page} page @param {string} text */
export async function copy(page, text) {
  try {
    await navigator.clipboard.writeText(text);
    page.say(t("copied"));
  } catch {
    page.say(text); // browsers give no clipboard to insecure addresses: shows the link to copy by hand
  }
}
