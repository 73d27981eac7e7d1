// The bar at the top of every page, and the content of the settings dialog.

import { html, nothing } from "../vendor/lit.js";
import { settings } from "../settings.js";
import { labelled, t } from "../text/words.js";
import { forgetAdvice } from "./advice.js";
import { forgetPrimers } from "../wire/progress.js";
import { icon } from "./icon.js";

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const MOTIONS = /** @type {const} */ (["calm", "brisk", "off"]);
const MOTION_WORDS = /** @type {const} */ ({ calm: "motionCalm", brisk: "motionBrisk", off: "motionOff" });
const THEME_SIGNS = { auto: "half", light: "sun", dark: "moon" };

/** @param {{where?: unknown, goal?: unknown, signs?: unknown, showSettings: () => void}} p `goal` stands below the bar, or in it where a screen is low */
export const topbar = ({ where, goal, signs, showSettings }) => html`<header class="topbar"><div class="bar">
  <a class="brand" href="/" aria-label=${`Tripot. ${t("lobby")}`}>${icon("pot")}<span>Tripot</span></a>
  ${where ? html`<span class="where">${where}</span>` : nothing}
  <span class="space"></span>
  ${signs ?? nothing}
  ${otherLanguage()}
  <button class="icon-button" @click=${nextTheme} aria-label=${labelled(t("theme"), t(settings.theme))}>${icon(THEME_SIGNS[settings.theme])}</button>
  <button class="icon-button" @click=${showSettings} aria-label=${t("settings")}>${icon("gear")}</button>
</div>${goal ?? nothing}</header>`;

/** Its first two letters, where a phone has no room for more. */
function otherLanguage() {
  const [lang, begins, ends] = settings.lang === "fr" ? /** @type {const} */ (["en", "En", "glish"]) : /** @type {const} */ (["fr", "Fr", "ançais"]);
  return html`<button class="icon-button lang" lang=${lang} @click=${() => settings.change({ lang })}><span>${begins}<span class="rest">${ends}</span></span></button>`;
}

const nextTheme = () => settings.change({ theme: THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length] });

export const settingsBody = () => html`
  ${pills("language", settings.lang, [["en", "English"], ["fr", "Français"]], (lang) => settings.change({ lang: /** @type {any} */ (lang) }))}
  ${pills("theme", settings.theme, THEMES.map((theme) => [theme, t(theme)]), (theme) => settings.change({ theme: /** @type {any} */ (theme) }))}
  ${pills("motion", settings.motion, MOTIONS.map((motion) => [motion, t(MOTION_WORDS[motion])]), (motion) => settings.change({ motion: /** @type {any} */ (motion) }))}
  ${pills("pauseAt", String(settings.pause), [["0", t("pauseUntil")], ["2", "2 s"], ["4", "4 s"]], (pause) => settings.change({ pause: Number(pause) }))}
  ${check("sounds", settings.sounds, (sounds) => { settings.change({ sounds }); if (sounds) void import("./sounds.js").then(({ play }) => play("turn")); })}
  ${"Notification" in globalThis ? check("notices", settings.notices, (on) => void allowNotices(on)) : nothing}
  ${check("guided", settings.guided, (guided) => { if (guided) { forgetAdvice(); forgetPrimers(); } settings.change({ guided }); })}
  ${check("phrases", settings.phrases, (phrases) => settings.change({ phrases }))}
  <label class="check"><input type="checkbox" .checked=${settings.keys} @change=${(/** @type {Event} */ event) => settings.change({ keys: /** @type {HTMLInputElement} */ (event.target).checked })}><span>${t("keys")}</span></label>
  <dl class="keys" ?hidden=${!settings.keys}>
    ${/** @type {const} */ ([["1–9", "keyDigits"], [t("enter"), "keyEnter"], ["⌫", "keyBack"], ["R", "keyRules"], ["L", "keyLog"], ["H", "keyHint"], [t("space"), "keySpace"], ["← →", "keySteps"], ["?", "keyHelp"]]).map(
      ([key, word]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(word)}</dd></div>`,
    )}
  </dl>
`;

/** @param {boolean} on the browser asks the person, who may refuse */
async function allowNotices(on) {
  settings.change({ notices: on && (await Notification.requestPermission()) === "granted" });
}

/** @param {import("../text/words.js").Word} word @param {boolean} on @param {(on: boolean) => void} change */
export const check = (word, on, change) =>
  html`<label class="check"><input type="checkbox" .checked=${on} @change=${(/** @type {any} */ event) => change(event.target.checked)}><span>${t(word)}</span></label>`;

/** @param {import("../text/words.js").Word} title @param {string} value @param {(readonly [string, string])[]} choices @param {(value: string) => void} change */
export const pills = (title, value, choices, change) => html`<fieldset class="field">
  <legend>${t(title)}</legend>
  <div class="pills">${choices.map(([key, text]) => html`<label><input type="radio" name=${`pills-${title}`} .checked=${key === value} @change=${() => change(key)}><span>${text}</span></label>`)}</div>
</fieldset>`;
