// The rule book of a game: sections of numbered clauses, opened at the one in question.

import { html, nothing } from "../vendor/lit.js";
import { markdown } from "../text/markdown.js";
import { t, tr } from "../text/words.js";

/**
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("../wire/requests.js").Clause} Clause
 */

/**
 * @param {Catalogue} catalogue @param {string} clause the one asked for, or ""
 * @param {string} wanted searched for @param {(clause: string) => void} open @param {(wanted: string) => void} search
 */
export function ruleBook(catalogue, clause, wanted, open, search) {
  const found = catalogue.clauses.filter((one) => matches(one, wanted));
  return html`<div class="rules">
    <input type="search" .value=${wanted} placeholder=${t("search")} aria-label=${t("search")}
      @input=${(/** @type {InputEvent} */ event) => search(/** @type {HTMLInputElement} */ (event.target).value)}>
    ${found.length ? nothing : html`<p class="soft">${t("nothingFound")}</p>`}
    ${found.map((one, i) => html`
      ${i === 0 || tr(found[i - 1].section) !== tr(one.section) ? html`<h3 class="section">${tr(one.section)}</h3>` : nothing}
      ${article(one, one.number === clause, open)}
    `)}
  </div>`;
}

/** @param {Clause} one @param {boolean} asked @param {(clause: string) => void} open */
const article = (one, asked, open) => html`<article
  class="rule ${asked ? "asked" : ""}" id=${`rule-${one.number}`} tabindex="-1"
>
  <h4><span class="number">${one.number}</span> ${tr(one.title)}</h4>
  ${markdown(tr(one.text), open)}
  <p class="sources">${t("source")} : ${one.sources.map((source) => t(/** @type {any} */ (source))).join(", ")}</p>
</article>`;

/** @param {Clause} one @param {string} wanted */
function matches(one, wanted) {
  const plain = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain(`${one.number} ${tr(one.title)} ${tr(one.text)}`).includes(plain(wanted.trim()));
}
