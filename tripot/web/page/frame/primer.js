// A game in one minute: its goal, a turn, how points come, how it ends.

import { html, nothing } from "../vendor/lit.js";
import { t, tr } from "../text/words.js";

/** @param {import("../wire/requests.js").Catalogue} catalogue @param {boolean} open */
export const primer = (catalogue, open) =>
  catalogue.more.primer ? html`<details class="primer" ?open=${open}><summary>${t("oneMinute")}</summary>${catalogue.more.primer.map((/** @type {import("../text/speech.js").Words} */ part) => html`<p>${tr(part)}</p>`)}</details>` : nothing;
