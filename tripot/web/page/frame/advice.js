// What a question decides and what good players look at: said the first times that it comes, then no more.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import { icon } from "./icon.js";

const KEY = "tripot.advised";
const TIMES = 3; // that each question is explained

/** @type {Set<string>} questions of this visit that have been counted */
const counted = new Set();

/** @returns {Record<string, number>} by game and phase, how often it has been said */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} question @param {number} times */
function write(question, times) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [question]: times }));
  } catch {
    // without storage it is said until the page is closed
  }
}

/** Everything is explained again. */
export function forgetAdvice() {
  counted.clear();
  localStorage.removeItem(KEY);
}

/** @param {import("./scene.js").Scene} scene @param {string} moment names this question among all others @param {() => void} changed */
export function advice(scene, moment, changed) {
  const question = `${scene.catalogue.game}.${scene.view.phase}`;
  const said = scene.catalogue.advice?.[String(scene.view.phase)];
  const before = read()[question] ?? 0;
  if (!settings.guided || !said || (before >= TIMES && !counted.has(moment))) return nothing;
  if (!counted.has(moment)) {
    counted.add(moment);
    write(question, before + 1);
  }
  const enough = () => { write(question, TIMES); counted.clear(); changed(); };
  return html`<p class="advice" role="note"><span>${tr(said)}</span><button class="icon-button" aria-label=${t("adviceEnough")} title=${t("adviceEnough")} @click=${enough}>${icon("close")}</button></p>`;
}
