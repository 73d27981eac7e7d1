// A picture of a part of the table, drawn by the game's own drawing from a view. It has a tree and stylesheets of its own,
// so that several games can be shown on one page. The text beside it says the same in words.

import { LitElement, html } from "../vendor/lit.js";
import { loadPictures } from "../games/load.js";
import { Scene } from "./scene.js";
import { player } from "./players.js";
import { linesOf } from "./set_piece.js";

/**
 * @typedef {import("./scene.js").Drawing} Drawing
 * @typedef {import("../wire/requests.js").Panel} Panel
 */

const FRAME = 0.72; // the height of a framed picture, of its width
const LARGEST = 1.3; // times its own size

class TablePicture extends LitElement {
  static properties = { panel: { attribute: false }, catalogue: { attribute: false }, drawing: { attribute: false }, lang: {}, framed: { type: Boolean } };

  constructor() {
    super();
    /** @type {Panel | null} */
    this.panel = null;
    /** @type {import("../wire/requests.js").Catalogue | null} */
    this.catalogue = null;
    /** @type {Drawing | null} with its pictures and set pieces */
    this.drawing = null;
    /** @type {import("../text/speech.js").Lang} */
    this.lang = "en";
    this.framed = false;
    this.watch = new ResizeObserver(() => this.fit());
  }

  connectedCallback() {
    super.connectedCallback();
    this.inert = true;
    this.ariaHidden = "true";
    this.watch.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch.disconnect();
  }

  updated() {
    const stage = this.shadowRoot?.querySelector(".stage");
    if (stage) this.watch.observe(stage);
  }

  /** Draws a picture of fixed width as large as there is room: in a frame of one shape, or as high as it gets. */
  fit() {
    const stage = /** @type {HTMLElement | null} */ (this.shadowRoot?.querySelector(".stage.fixed"));
    if (!stage?.offsetWidth) return;
    const wide = this.clientWidth / stage.offsetWidth;
    const scale = Math.min(wide, this.framed ? (this.clientWidth * FRAME) / stage.offsetHeight : LARGEST);
    const height = this.framed ? this.clientWidth * FRAME : stage.offsetHeight * scale;
    const [x, y] = [(this.clientWidth - stage.offsetWidth * scale) / 2, (height - stage.offsetHeight * scale) / 2];
    stage.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.style.height = `${Math.ceil(height)}px`;
  }

  render() {
    const { panel, catalogue, drawing } = this;
    if (!panel || !catalogue || !drawing) return html``;
    const players = catalogue.seat_names.map((name) => name[this.lang]);
    const scene = new Scene({ view: panel.view, catalogue, lang: this.lang, players, me: panel.seat, log: panel.news });
    const { draw, width = 0 } = find(drawing, panel.shows);
    const sheets = ["/page/style.css", "/page/frame/picture.css", drawing.css, ...(drawing.pictureSheets ?? [])];
    return html`${sheets.map((href) => html`<link rel="stylesheet" href=${href}>`)}
      <div class="picture game-${catalogue.game}"><div class="stage set-piece shows-${panel.shows} ${width ? "fixed" : ""}" .style=${width ? `width: ${width}rem` : ""}>${draw(scene, linesOf(scene, 0))}</div></div>`;
  }
}

/** @type {Record<string, (scene: Scene, drawing: Drawing) => unknown>} what every game has */
const PARTS = {
  hand: (scene, drawing) => html`<div class="hand">${drawing.hand(scene)}</div>`,
  players: (scene, drawing) => html`<div class="players">${scene.round.map((seat) => player({ scene, drawing, seat, info: { seat, kind: "person", name: null, level: null, here: true, held: null, kept_for: null }, live: false, hold: null }))}</div>`,
};

/** @param {Drawing} drawing @param {string} shows @returns {import("./scene.js").PictureDrawing} */
function find(drawing, shows) {
  const part = PARTS[shows];
  return drawing.pictures?.[shows] ?? drawing.pieces?.[shows] ?? { draw: (scene) => (part ? part(scene, drawing) : drawing.board(scene)) };
}

customElements.define("tripot-picture", TablePicture);

/** @param {import("../wire/requests.js").Catalogue} catalogue @returns {Promise<Drawing>} a drawing with all that pictures need; its stylesheet stays in them */
export const picturesOf = (catalogue) => loadPictures(catalogue.drawing);
