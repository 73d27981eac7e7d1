// The dialog that tells a game in one minute; what it shows is loaded when it opens.

import { html, nothing } from "../vendor/lit.js";
import { t, tr } from "../text/words.js";
import { dialog } from "./dialog.js";

/** @param {{title: import("../text/speech.js").Words, lessons: number, game?: string}} info @param {import("./page.js").Page} page whose dialog "primer" it is @param {string} [game] its name */
export function primerDialog(info, page, game = info.game ?? "") {
  const body = () => {
    void import("./primer.js");
    return html`<tripot-primer .game=${game}></tripot-primer>
      <p class="actions"><button class="button main" autofocus @click=${page.closing("primer")}>${t("letsPlay")}</button>
        ${info.lessons ? html`<a class="button" href=${`/learn/${game}`}>${t("lessons")}</a>` : nothing}<a class="button" href=${`/rules/${game}`}>${t("rules")}</a></p>`;
  };
  return dialog({ open: page.dialog === "primer", title: `${tr(info.title)} · ${t("oneMinute")}`, close: page.closing("primer"), kind: "broad", body });
}
