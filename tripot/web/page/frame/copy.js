// Copies a text to the clipboard.

import { t } from "../text/words.js";

/** @param {import("./page.js").Page} page @param {string} text */
export async function copy(page, text) {
  try {
    await navigator.clipboard.writeText(text);
    page.say(t("copied"));
  } catch {
    page.say(text); // browsers give no clipboard to insecure addresses: shows the link to copy by hand
  }
}
