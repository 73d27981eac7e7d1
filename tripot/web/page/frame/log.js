// The log: the news as sentences, the latest first. Every line opens its clause.

import { html, nothing, repeat } from "../vendor/lit.js";
import { t } from "../text/words.js";

/**
 * @param {import("./scene.js").Scene} scene
 * @param {number[][]} log @param {number} seen how many lines were there before @param {(clause: string) => void} why
 */
export function logLines(scene, log, seen, why) {
  const lines = log.map((item, i) => ({ item, i })).filter(({ item }) => scene.catalogue.news[item[1]]);
  return html`<ol class="log-lines" tabindex="0" aria-label=${t("log")}>
    ${repeat(lines.reverse(), ({ i }) => i, ({ item, i }) => html`<li class=${i >= seen ? "fresh" : ""}>
      <span>${scene.story(item)}</span>
      ${clauseOf(scene, item) ? html`<button class="clause" aria-label=${`${t("why")} ${clauseOf(scene, item)}`} @click=${() => why(clauseOf(scene, item))}>${clauseOf(scene, item)}</button>` : nothing}
    </li>`)}
  </ol>`;
}

/** @param {import("./scene.js").Scene} scene @param {number[]} item the first clause behind a piece of news */
export const clauseOf = (scene, item) => scene.catalogue.news[item[1]]?.clause.split(" ")[0] ?? "";
