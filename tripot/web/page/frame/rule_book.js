// The rule book of a game: sections of numbered clauses, opened at the clause asked for.

import { html, nothing } from "../vendor/lit.js";
import { markdown } from "../text/markdown.js";
import { labelled, t, tr } from "../text/words.js";

/**
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("../wire/requests.js").Clause} Clause
 */

/**
 * @param {Catalogue} catalogue @param {string} clause the one asked for, or ""
 * @param {string} wanted searched for @param {(clause: string) => void} open @param {(wanted: string) => void} search
 * @param {number} [level] of the sections' headings
 */
export function ruleBook(catalogue, clause, wanted, open, search, level = 3) {
  const found = catalogue.clauses.filter((one) => matches(one, wanted));
  return html`<div class="rules">
    <input type="search" .value=${wanted} placeholder=${t("search")} aria-label=${t("search")}
      @input=${(/** @type {InputEvent} */ event) => search(/** @type {HTMLInputElement} */ (event.target).value)}>
    ${found.length ? nothing : html`<p class="soft">${catalogue.clauses.length ? t("nothingFound") : t("loading")}</p>`}
    ${found.map((one, i) => html`
      ${i === 0 || tr(found[i - 1].section) !== tr(one.section) ? html`<div role="heading" aria-level=${level} class="section">${tr(one.section)}</div>` : nothing}
      ${article(one, one.number === clause, open, level + 1)}
    `)}
  </div>`;
}

/** @param {Clause} one @param {boolean} asked @param {(clause: string) => void} open @param {number} level */
const article = (one, asked, open, level) => html`<article
  class="rule ${asked ? "asked" : ""}" id=${`rule-${one.number}`} tabindex="-1"
>
  <div role="heading" aria-level=${level} class="rule-title"><span class="number">${one.number}</span> ${tr(one.title)}</div>
  ${markdown(tr(one.text), open)}
  <p class="sources">${labelled(t("source"), one.sources.map((source) => t(/** @type {any} */ (source))).join(", "))}</p>
</article>`;

/** @param {Clause} one @param {string} wanted */
function matches(one, wanted) {
  const plain = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain(`${one.number} ${tr(one.title)} ${tr(one.text)}`).includes(plain(wanted.trim()));
}
