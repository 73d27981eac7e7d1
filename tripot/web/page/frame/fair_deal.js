// The check of a finished game's luck, computed in this browser: hash, contributions, key and every roll.

import { html, nothing } from "../vendor/lit.js";
import { counted, t } from "../text/words.js";
import { hmac, unhex } from "../wire/sha256.js";
import { hashOf, keptOf } from "../wire/shuffle.js";

/**
 * @typedef {import("../text/words.js").Word} Word
 * @typedef {{generator: string, secret: string, contributions: ([string | null, string | null] | null)[]}} Seed
 * @typedef {{fits: boolean | null, text: string}} Finding null: nothing to compare with
 */

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @param {Seed} seed @returns {Uint8Array} */
const keyOf = (seed) => hmac(unhex(seed.secret), bytes(["tripot deal 1", ...seed.contributions.map((part) => part?.[1] ?? "-")].join("\n")));

/** @param {Uint8Array} key @returns {(number: number) => number} the words of a key, 32 bits each */
function wordsOf(key) {
  let at = -1;
  /** @type {DataView} */ let block = new DataView(new ArrayBuffer(32));
  return (number) => {
    if (at !== number >> 3) {
      at = number >> 3;
      const counter = new DataView(new ArrayBuffer(8));
      counter.setUint32(4, at);
      block = new DataView(hmac(key, new Uint8Array(counter.buffer)).buffer);
    }
    return block.getUint32((number & 7) * 4);
  };
}

/** @param {Seed} seed @param {number[][]} draws @returns {number} the first roll that does not follow from the seed; -1: all do */
export function firstWrong(seed, draws) {
  const word = wordsOf(keyOf(seed));
  return draws.findIndex(([sides, outcome], number) => Number((BigInt(word(number)) * BigInt(sides)) >> 32n) !== outcome);
}

/** @param {string} table @param {Seed} seed @param {number[][]} draws @param {string[]} players @returns {Finding[]} */
export function check(table, seed, draws, players) {
  const kept = keptOf(table);
  const hash = hashOf(seed.secret);
  const say = (/** @type {boolean | null} */ fits, /** @type {Word} */ word, name = "") => ({ fits, text: t(word).replace("{name}", name) });
  const findings = [kept.hash === undefined ? say(null, "hashUnseen") : say(kept.hash === hash, kept.hash === hash ? "hashFits" : "hashWrong")];
  const listed = kept.commitments ?? undefined;
  // A list that is longer or shorter than the one before the deal is another one: it decides what the key is made of.
  for (let seat = 0; seat < Math.max(seed.contributions.length, listed?.length ?? 0, players.length); seat++) {
    const [announced, value] = seed.contributions[seat] ?? [null, null];
    const name = players[seat] ?? String(seat + 1);
    const own = kept.values[seat];
    const mine = listed && own;
    const foreign = listed ? (listed[seat] ?? null) !== announced : announced !== null && seat >= players.length;
    const wrong = foreign || (value !== null && hashOf(value) !== announced) || (mine !== undefined && mine !== value);
    if (wrong) findings.push(say(false, "addedOther", name));
    else if (value !== null) findings.push(say(true, mine ? "addedMine" : "added", name));
    else if (kept.waited && own !== undefined) findings.push(say(null, "addedLeftOut", name));
    else if (announced !== null) findings.push(say(null, "addedWithheld", name));
  }
  const wrong = firstWrong(seed, draws);
  findings.push({ fits: wrong < 0, text: wrong < 0 ? counted("rollsFit", draws.length) : counted("rollWrong", wrong + 1) });
  return findings;
}

/** @param {string} table @param {Seed | null} seed @param {number[][]} draws @param {string[]} players */
export function fairDeal(table, seed, draws, players) {
  if (!seed) return html`<p>${t("luckUnchecked")}</p>`;
  const findings = check(table, seed, draws, players);
  const fair = findings.every(({ fits }) => fits !== false);
  return html`<p role="status" class="verdict ${fair ? "" : "bad"}"><b>${t(fair ? "luckFits" : "luckWrong")}</b></p>
    <ul class="findings">${findings.map(({ fits, text }) => html`<li class=${fits === false ? "bad" : ""}><span aria-hidden="true">${fits === null ? "–" : fits ? "✓" : "✗"}</span> ${text}</li>`)}</ul>
    <p class="soft">${t("rollsHint")}</p>
    ${hashLine(hashOf(seed.secret))}`;
}

/** @param {string} hash */
export const hashLine = (hash) => html`<p class="hash"><span>${t("seedHash")}</span> <code>${hash}</code></p>`;

/** The line at the table. @param {import("../wire/shuffle.js").Deal | null | undefined} deal */
export const dealLine = (deal) => (deal ? html`<section class="deal" aria-label=${t("fairDeal")}><h3>${t("fairDeal")}</h3><p class="soft">${t(deal.commitments.length ? "fairDealHint" : "fairDealAlone")}</p>${hashLine(deal.hash)}</section>` : nothing);
