// What has happened, in sentences, the latest first; every line opens its clause.

import { html, nothing, repeat } from "../vendor/lit.js";
import { t } from "../text/words.js";

/**
 * @param {import("./drawing.js").Drawing} d
 * @param {number[][]} log @param {number} seen how many lines were there before @param {(clause: string) => void} why
 */
export function logLines(d, log, seen, why) {
  const lines = log.map((item, i) => ({ item, i })).filter(({ item }) => d.catalogue.news[item[1]]);
  return html`<ol class="log-lines" tabindex="0" aria-label=${t("log")}>
    ${repeat(lines.reverse(), ({ i }) => i, ({ item, i }) => html`<li class=${i >= seen ? "fresh" : ""}>
      <span>${d.story(item)}</span>
      ${clauseOf(d, item) ? html`<button class="clause" aria-label=${`${t("why")} ${clauseOf(d, item)}`} @click=${() => why(clauseOf(d, item))}>${clauseOf(d, item)}</button>` : nothing}
    </li>`)}
  </ol>`;
}

/** @param {import("./drawing.js").Drawing} d @param {number[]} item the first clause behind a piece of news */
export const clauseOf = (d, item) => d.catalogue.news[item[1]]?.clause.split(" ")[0] ?? "";
