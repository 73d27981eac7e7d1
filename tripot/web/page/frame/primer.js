// A game in one minute: four pictures of its own table, and what they say. Loaded when it is wanted.

import { LitElement, html } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { t, tr } from "../text/words.js";
import { primed } from "../wire/progress.js";
import * as requests from "../wire/requests.js";
import { picturesOf } from "./picture.js";

class Primer extends LitElement {
  static properties = { game: {} };

  constructor() {
    super();
    this.game = "";
    /** @type {{teaching: requests.Teaching, catalogue: requests.Catalogue, drawing: import("./scene.js").Drawing} | null} */
    this.shown = null;
    this.loading = "";
    this.trouble = "";
    this.redraw = () => this.requestUpdate();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.redraw);
  }

  /** The page may name the game before this file is there. */
  willUpdate() {
    if (this.game === this.loading) return;
    this.loading = this.game;
    void this.load();
  }

  async load() {
    try {
      const [teaching, catalogue] = await Promise.all([requests.teaching(this.game), requests.catalogue(this.game)]);
      this.shown = { teaching, catalogue, drawing: await picturesOf(catalogue) };
      primed(this.game);
    } catch (error) {
      if (!(error instanceof requests.Refused)) throw error;
      this.trouble = tr(error.problem.text);
    }
    this.requestUpdate();
  }

  render() {
    if (!this.shown) return html`<p class="soft" role="status">${this.trouble || t("loading")}</p>`;
    const { teaching, catalogue, drawing } = this.shown;
    return html`<ol class="primer">${teaching.primer.map((panel) => html`<li>${panelFigure(panel, catalogue, drawing)}</li>`)}</ol>`;
  }
}

/** @param {requests.Panel} panel @param {requests.Catalogue} catalogue @param {import("./scene.js").Drawing} drawing @param {unknown} [text] as it is said, where it is not in a row of pictures */
export const panelFigure = (panel, catalogue, drawing, text = null) => html`<figure class="panel-figure">
  <tripot-picture .panel=${panel} .catalogue=${catalogue} .drawing=${drawing} .lang=${settings.lang} .framed=${text === null}></tripot-picture>
  <figcaption><b>${tr(panel.title)}</b> <span>${text ?? tr(panel.text)}</span></figcaption>
</figure>`;

customElements.define("tripot-primer", Primer);
