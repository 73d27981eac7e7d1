// The rooms by game; each comes with its stylesheet when it is first entered.

import { room as plain } from "./plain.js";

/** @typedef {import("../frame/drawing.js").Room} Room */

const DRAWN = ["verrater"];

/** @param {string} game @returns {Promise<Room>} */
export async function enter(game) {
  const room = DRAWN.includes(game) ? /** @type {{room: Room}} */ (await import(`./${game}.js`)).room : plain;
  await dress(room.css);
  return room;
}

/** @param {string} href */
function dress(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(undefined));
    link.addEventListener("error", () => resolve(undefined));
    document.head.append(link);
  });
}
