// An address that leads nowhere says so.

import { html } from "../vendor/lit.js";
import { Page } from "../frame/page.js";
import { topbar } from "../frame/topbar.js";
import { t } from "../text/words.js";

class Nowhere extends Page {
  connectedCallback() {
    super.connectedCallback();
    document.title = `${t("notFound")} · Tripot`;
  }

  render() {
    return html`
      ${topbar({ showSettings: () => this.open("settings") })}
      <main class="join" id="main"><div class="panel">
        <h1>${t("notFound")}</h1>
        <p>${t("nowhere")}</p>
        <output class="link">${location.pathname}</output>
        <p><a class="button main" href="/">${t("lobby")}</a></p>
      </div></main>
      ${this.dialogs()}
    `;
  }
}
customElements.define("tripot-nowhere", Nowhere);
