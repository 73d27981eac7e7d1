// The people of a table: who sits where, the link for others, and what the host may change.

import { dealLine } from "./fair_deal.js";
import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import * as requests from "../wire/requests.js";
import { forget, hostSeat, seatsAt } from "../wire/seat_tokens.js";
import { face, levelDots } from "./bot_face.js";
import { icon, mark } from "./icon.js";
import { playerNames } from "./players.js";
import { copy } from "./copy.js";
import { qrCode } from "./qr_code.js";
import { sure } from "./sure.js";

/**
 * @typedef {import("./page.js").Page & {table: string, origin: string, sitDown: (seat: number, name: string) => Promise<void>}} Host
 * @typedef {import("../wire/connection.js").TableMessage} TableMessage
 * @typedef {import("../wire/connection.js").Connection} Connection
 */

/** @param {Host} page @param {TableMessage} info the link that others open to sit down or to watch */
export function linkPanel(page, info) {
  if (!info.link) return nothing;
  const link = new URL(info.link, page.origin).href;
  const host = hostSeat(info.table);
  const renew = () => requests.renewLink(page.table, host?.token ?? "").then(() => page.say(t("renewed")), (error) => page.showError(error));
  return html`<section class="invite" aria-label=${t("share")}>
    ${qrCode(link, `QR: ${link}`)}
    <div>
      <p>${t("share")}</p>
      <output class="link">${link}</output>
      <div class="actions">
        <button class="button main" @click=${() => copy(page, link)}>${icon("link")}${t("copy")}</button>
        ${host ? html`<button class="button" title=${t("renewHint")} @click=${renew}>${t("renew")}</button>` : nothing}
      </div>
    </div>
  </section>`;
}

/** @param {Host} page @param {TableMessage} info @param {Connection} connection */
export function seatList(page, info, connection) {
  const catalogue = /** @type {requests.Catalogue} */ (page.catalogue);
  const names = playerNames(info.table, catalogue, settings.lang);
  return html`<ul class="waiting-seats">${info.table.seats.map((seat) => {
    const free = seat.kind === "person" && !seat.name;
    const title = free ? `${tr(catalogue.seat_names[seat.seat])} · ${seat.kept_for ? `${t("keptFor")} ${seat.kept_for}` : t("freeSeat")}` : names[seat.seat];
    return html`<li class="panel ${free ? "free" : ""}">
      <h3>${mark(seat.seat)} ${seat.kind === "bot" ? face(seat.name) : nothing} <span>${title}</span>
        ${seat.kind === "bot" ? levelDots(seat.level) : nothing}
        ${seat.seat === info.table.host && !free ? html`<span class="tag">${t("host")}</span>` : nothing}
        ${seatsAt(info.table.id).some((mine) => mine.seat === seat.seat) ? html`<span class="tag">${t("you")}</span>` : nothing}
        ${!free && seat.kind === "person" && !seat.here ? html`<span class="soft">${t("away")}</span>` : nothing}
      </h3>
      ${rights(page, info, connection, seat, names[seat.seat])}
    </li>`;
  })}</ul>`;
}

/** What may be done with a seat. @param {Host} page @param {TableMessage} info @param {Connection} connection @param {requests.SeatInfo} seat @param {string} name */
function rights(page, info, connection, seat, name) {
  const free = seat.kind === "person" && !seat.name;
  const host = hostSeat(info.table);
  const mine = seatsAt(info.table.id).some((one) => one.seat === seat.seat);
  if (info.table.status !== "waiting" && info.table.status !== "playing") return nothing;
  if (free && host) return hosting(page, connection, seat, host.token);
  if (free && info.seat === null && info.table.open) return sitting(page, seat);
  if (seat.kind === "person" && !free && host && !mine) {
    const give = () => requests.freeSeat(page.table, host.token, seat.seat).catch((error) => page.showError(error));
    return html`<div class="actions"><button class="button small" title=${t("giveBackHint")} aria-label=${`${t("giveBack")} (${name})`} @click=${give}>${t("giveBack")}</button></div>`;
  }
  return nothing;
}

/** A free seat, for the host: a bot, or a name to keep it for. @param {Host} page @param {Connection} connection @param {requests.SeatInfo} seat @param {string} token */
function hosting(page, connection, seat, token) {
  const place = tr(/** @type {requests.Catalogue} */ (page.catalogue).seat_names[seat.seat]);
  const keep = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name")).trim();
    requests.keepSeat(page.table, token, seat.seat, name || null).catch((error) => page.showError(error));
  };
  return html`<div class="actions">
    <button class="button" @click=${() => connection.fill(seat.seat, settings.level).catch((error) => page.showError(error))} aria-label=${`${t("fill")} (${place})`}>${icon("bot")}${t("fill")}</button>
    <form class="actions keep" @submit=${keep}>
      <input type="text" name="name" maxlength="24" autocomplete="off" placeholder=${t("name")} aria-label=${`${t("keepFor")} (${place})`} .value=${seat.kept_for ?? ""}>
      <button class="button small">${t("keepFor")}</button>
    </form>
  </div>`;
}

/** A seat that anyone may take. @param {Host} page @param {requests.SeatInfo} seat */
function sitting(page, seat) {
  const sit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name")).trim();
    settings.change({ name });
    void page.sitDown(seat.seat, name);
  };
  return html`<form class="actions" @submit=${sit}>
    <input type="text" name="name" required maxlength="24" autocomplete="nickname" placeholder=${t("yourName")} aria-label=${t("yourName")} .value=${settings.name}>
    <button class="button main">${t("sitDown")}</button>
  </form>`;
}

/** Leaving, and ending the table. @param {Host} page @param {TableMessage} info */
export function leaving(page, info) {
  const seats = seatsAt(info.table.id);
  const host = hostSeat(info.table);
  if (!seats.length || !["waiting", "playing"].includes(info.table.status)) return nothing;
  const leave = async () => {
    try {
      for (const { seat, token } of seats) await requests.freeSeat(page.table, token, seat);
      forget(page.table);
      location.assign("/");
    } catch (error) {
      page.showError(error);
    }
  };
  const end = () => requests.endTable(page.table, host?.token ?? "").catch((error) => page.showError(error));
  return html`<div class="leaving">${sure("leave", "leaveHint", leave)}${host ? sure("endTable", "endHint", end) : nothing}</div>`;
}

/** Six words and a code that bring one's seat to another device. @param {import("./company.js").Company} company */
export function otherDevice(company) {
  const address = new URL("/seat", company.page.origin);
  const link = `${address.href}#${(company.pass?.words ?? "").replaceAll(" ", "-")}`;
  const until = company.pass ? new Date(company.pass.until).toLocaleDateString(settings.locale, { weekday: "long", day: "numeric", month: "long" }) : "";
  return html`<section class="other-device" aria-label=${t("otherDevice")}><h3>${t("otherDevice")}</h3>
    <div class="actions">
      <button class="button small" @click=${() => void company.share(false)}>${t("copySeat")}</button>
      <button class="button small" @click=${() => void company.share(true)}>${t("moveSeat")}</button>
      <button class="button small" title=${t("withdrawHint")} @click=${() => void company.withdraw()}>${t("withdrawSeat")}</button>
    </div>
    ${company.pass ? html`<div class="invite">${qrCode(link, `QR: ${t("otherDevice")}`)}
      <div><output class="link six-words">${company.pass.words}</output>
      <p>${t("otherDeviceHint").replace("{address}", `${address.host}${address.pathname}`).replace("{until}", until)}</p></div></div>` : nothing}
  </section>`;
}

/** The waiting room before a game: who sits already, and the link for the others. @param {Host} page @param {TableMessage} info @param {Connection} connection */
export function waitingRoom(page, info, connection) {
  const catalogue = /** @type {requests.Catalogue} */ (page.catalogue);
  return html`<main class="waiting" id="main">
    <img class="game-banner" src=${`/page/art/${info.table.game}-sign.svg`} alt="">
    <h1>${tr(catalogue.title)}</h1>
    <p class="lead">${t("waitingRoom")}. ${t("waitingHint")}</p>
    ${linkPanel(page, info)}
    <h2>${t("allPlayers")}</h2>
    ${seatList(page, info, connection)}
    ${dealLine(info.deal)}
    ${leaving(page, info)}
  </main>`;
}

export { dealLine };
