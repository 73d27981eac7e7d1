// The rule book of a game: a search, and sections of numbered clauses, opened at the clause asked for.

import { html, nothing } from "../vendor/lit.js";
import { markdown } from "../text/markdown.js";
import { t, tr } from "../text/words.js";

/**
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("../wire/requests.js").Clause} Clause
 */

/** @param {Catalogue} catalogue @param {string} clause the one asked for, or "" @param {(clause: string) => void} open */
export const ruleBook = (catalogue, clause, open) => html`<div class="rules">
  ${ruleSearch(catalogue, open)}
  ${clauseList(catalogue, clause, open, 3)}
</div>`;

/** The search is loaded when a rule book is opened. @param {Catalogue} catalogue @param {(clause: string) => void} open */
export const ruleSearch = (catalogue, open) => {
  void import("./rule_search.js");
  return html`<tripot-rule-search .catalogue=${catalogue} .open=${open}></tripot-rule-search>`;
};

/** @param {Catalogue} catalogue @param {string} clause @param {(clause: string) => void} open @param {number} level of the sections' headings */
export const clauseList = ({ clauses }, clause, open, level) => html`
  ${clauses.length ? nothing : html`<p class="soft">${t("loading")}</p>`}
  ${clauses.map((one, i) => html`
    ${i === 0 || tr(clauses[i - 1].section) !== tr(one.section) ? html`<div role="heading" aria-level=${level} class="section" id=${`section-${sectionOf(one)}`} tabindex="-1">${tr(one.section)}</div>` : nothing}
    ${article(one, one.number === clause, open, level + 1)}
  `)}`;

/** @param {Clause} clause such as V-2 */
export const sectionOf = ({ number }) => number.split(".")[0];

/** @param {Clause} one @param {boolean} asked @param {(clause: string) => void} open @param {number} level */
const article = (one, asked, open, level) => html`<article
  class="rule ${asked ? "asked" : ""}" id=${`rule-${one.number}`} tabindex="-1"
>
  <div role="heading" aria-level=${level} class="rule-title"><span class="number">${one.number}</span> ${tr(one.title)}</div>
  ${markdown(tr(one.text), open)}
  <details class="sources"><summary>${t("source")}<span class="unseen"> ${one.number}</span></summary>${one.sources.map((source) => t(/** @type {any} */ (source))).join(", ")}</details>
</article>`;
