// What this browser's owner prefers: language, light or dark, the pace of what is shown. Kept in its storage.

/** @typedef {import("./text/speech.js").Lang} Lang */

const KEY = "tripot.settings";
const guessed = /** @type {Lang} */ (navigator.language.startsWith("fr") ? "fr" : "en");

class Settings extends EventTarget {
  constructor() {
    super();
    const kept = read();
    /** @type {Lang} */
    this.lang = kept.lang === "fr" || kept.lang === "en" ? kept.lang : guessed;
    /** @type {"auto" | "light" | "dark"} */
    this.theme = ["light", "dark"].includes(kept.theme) ? kept.theme : "auto";
    /** @type {"calm" | "brisk" | "off"} how long news are shown before the next */
    this.motion = ["calm", "brisk", "off"].includes(kept.motion) ? kept.motion : "brisk";
    /** @type {string} */
    this.name = typeof kept.name === "string" ? kept.name : "";
    this.keys = kept.keys !== false; // single keys as short cuts
    this.dress();
  }

  /** @param {Partial<Pick<Settings, "lang" | "theme" | "motion" | "name" | "keys">>} changes */
  change(changes) {
    Object.assign(this, changes);
    const { lang, theme, motion, name, keys } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ lang, theme, motion, name, keys }));
    } catch {
      // a browser without storage forgets them when the page is closed
    }
    this.dress();
    this.dispatchEvent(new Event("change"));
  }

  dress() {
    document.documentElement.lang = this.lang;
    document.documentElement.dataset.theme = this.theme;
  }

  /** Whether things may move; the system's wish for less motion wins. */
  get still() {
    return this.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
}

/** @returns {any} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

export const settings = new Settings();
