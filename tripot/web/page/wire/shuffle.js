// What this browser adds to the shuffle of each table, and what the table showed before its deal.

import { hex, sha256, unhex } from "./sha256.js";

const KEY = "tripot.shuffle";
const MOST = 60; // tables, the latest ones

/**
 * @typedef {{hash: string, commitments: (string | null)[], contributions: (string | null)[], show: boolean}} Deal what a table message says of its seed
 * @typedef {{values: Record<string, string>, hash?: string, waited?: boolean, commitments?: (string | null)[]}} Kept by seat what was added; the first hash before the deal; whether this browser was there when players were asked; what everyone had announced when this browser showed its part
 */

/** @type {Record<string, Kept>} where the browser stores nothing */
let memory = {};

/** @returns {Record<string, Kept>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? memory;
  } catch {
    return memory;
  }
}

/** @param {string} table @returns {Kept} */
export const keptOf = (table) => all()[table] ?? { values: {} };

/** @param {string} table @param {Kept} content */
function keep(table, content) {
  const { [table]: _, ...others } = all();
  memory = Object.fromEntries([...Object.entries(others), [table, content]].slice(-MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // a reload then adds something else, or nothing
  }
}

/** @param {string} value @returns {string} the hash that announces it */
export const hashOf = (value) => hex(sha256(unhex(value)));

/** @param {string} table @param {number} seat @returns {string} the hash of what this browser adds for a seat: 32 random bytes, drawn once */
export function announce(table, seat) {
  const kept = keptOf(table);
  kept.values[seat] ??= hex(crypto.getRandomValues(new Uint8Array(32)));
  keep(table, kept);
  return hashOf(kept.values[seat]);
}

/** Keeps what a table shows before its deal. @param {string} table @param {number} seat @param {Deal} deal @returns {string | null} what this browser must show now */
export function toShow(table, seat, deal) {
  const kept = keptOf(table);
  if (!deal.contributions.length) {
    // a hash that is first seen after the deal proves nothing of it
    kept.hash ??= deal.hash;
    if (deal.commitments.length) kept.waited = true;
  }
  const value = kept.values[seat];
  const mine = deal.show && value !== undefined && deal.commitments[seat] === hashOf(value);
  if (mine) kept.commitments = deal.commitments;
  keep(table, kept);
  return mine ? value : null;
}
