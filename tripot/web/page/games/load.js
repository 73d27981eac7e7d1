// Loads the drawing that a game names, with its stylesheet, when a table of the game is first shown.

import { drawing as plain } from "./plain.js";

/** @typedef {import("../frame/scene.js").Drawing} Drawing */

/** @param {string | undefined} name a module of this folder; without one, or if it cannot be loaded, the table is drawn plainly @returns {Promise<Drawing>} */
export async function loadDrawing(name) {
  const drawing = await find(name ?? "plain");
  await addStylesheet(drawing.css);
  return drawing;
}

/** @param {string} name @returns {Promise<Drawing>} */
async function find(name) {
  if (!/^[a-z0-9_]+$/.test(name)) return plain;
  try {
    return (await import(`./${name}.js`)).drawing ?? plain;
  } catch {
    return plain;
  }
}

/** @param {string} href */
function addStylesheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(undefined));
    link.addEventListener("error", () => resolve(undefined));
    document.head.append(link);
  });
}
