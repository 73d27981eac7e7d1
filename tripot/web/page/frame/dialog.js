// A modal dialog over the page; the browser handles focus and Escape.

import { html, nothing, ref } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon } from "./icon.js";

/**
 * @param {object} dialog
 * @param {boolean} dialog.open
 * @param {string} dialog.title
 * @param {() => void} dialog.close
 * @param {() => unknown} dialog.body drawn only while it is open
 * @param {string} [dialog.kind]
 * @param {string} [dialog.asks] the id of a text to be read out at once: the dialog asks a question
 */
export const dialog = ({ open, title, close, body, kind = "", asks = "" }) => html`<dialog
  class="dialog ${kind}"
  aria-label=${title}
  role=${asks ? "alertdialog" : nothing}
  aria-describedby=${asks || nothing}
  @close=${close}
  @click=${(/** @type {MouseEvent} */ event) => event.target === event.currentTarget && close()}
  ${ref((element) => show(/** @type {HTMLDialogElement | undefined} */ (element), open))}
>
  ${open
    ? html`<div class="dialog-inside">
        <header><h2>${title}</h2><button class="icon-button" @click=${close} aria-label=${t("close")}>${icon("close")}</button></header>
        ${body()}
      </div>`
    : nothing}
</dialog>`;

/** @param {HTMLDialogElement | undefined} dialog @param {boolean} open */
function show(dialog, open) {
  if (!dialog) return;
  // the element may not be in the document yet while it is drawn
  queueMicrotask(() => {
    if (open && !dialog.open && dialog.isConnected) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  });
}
