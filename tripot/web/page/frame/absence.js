// What happened while nobody looked: a short summary, and the choice to see it all or to go on with the game.

import { html, nothing } from "../vendor/lit.js";
import { counted, t } from "../text/words.js";

const MOST_LINES = 8; // the last ones

/**
 * @param {import("./scene.js").Scene} scene @param {import("./playback.js").Absence} absence
 * @param {{seeAll: () => void, goOn: () => void}} answers
 */
export const absenceCard = (scene, { turns, items }, { seeAll, goOn }) => html`<section class="set-piece absence" aria-label=${counted("whileAway", turns)}>
  <h2 class="headline">${counted("whileAway", turns)}</h2>
  ${items.length > MOST_LINES ? html`<p class="soft">…</p>` : nothing}
  <ol class="told">${items.slice(-MOST_LINES).map((item) => html`<li>${scene.story(item)}</li>`)}</ol>
  <p class="piece-foot"><button class="button see-all" @click=${seeAll}>${t("seeAll")}</button><button class="button main go-on" @click=${goOn}>${t("toTheTable")}</button></p>
</section>`;
