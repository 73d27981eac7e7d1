// A sheet laid over the table: a modal dialog, so that focus and Escape behave.

import { html, nothing, ref } from "../vendor/lit.js";
import { t } from "../text/words.js";
import { icon } from "./icon.js";

/**
 * @param {object} sheet
 * @param {boolean} sheet.open
 * @param {string} sheet.title
 * @param {() => void} sheet.close
 * @param {() => unknown} sheet.body drawn only while it is open
 * @param {string} [sheet.kind]
 */
export const sheet = ({ open, title, close, body, kind = "" }) => html`<dialog
  class="sheet ${kind}"
  aria-label=${title}
  @close=${close}
  @click=${(/** @type {MouseEvent} */ event) => event.target === event.currentTarget && close()}
  ${ref((element) => show(/** @type {HTMLDialogElement | undefined} */ (element), open))}
>
  ${open
    ? html`<div class="sheet-inside">
        <header><h2>${title}</h2><button class="sign" @click=${close} aria-label=${t("close")}>${icon("close")}</button></header>
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
