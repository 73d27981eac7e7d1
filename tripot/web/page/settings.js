// The player's settings: language, theme, pace of the news. Stored in the browser.

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
    /** @type {"calm" | "brisk" | "off"} how long each piece of news is shown */
    this.motion = ["calm", "brisk", "off"].includes(kept.motion) ? kept.motion : "brisk";
    /** @type {number} seconds that a set piece stays; 0: until the person goes on */
    this.pause = [0, 2, 4].includes(kept.pause) ? kept.pause : 0;
    /** @type {string} */
    this.name = typeof kept.name === "string" ? kept.name : "";
    this.keys = kept.keys !== false; // single keys as short cuts
    /** @type {import("./wire/requests.js").Level} of the bots, as last chosen */
    this.level = ["easy", "hard", "expert"].includes(kept.level) ? kept.level : "medium";
    this.sounds = kept.sounds === true;
    this.notices = kept.notices === true; // the browser's notification when it is your turn
    this.guided = kept.guided !== false; // whether questions are explained the first times
    this.phrases = kept.phrases !== false; // whether phrases of others are shown
    this.apply();
  }

  /** @param {Partial<Pick<Settings, "lang" | "theme" | "motion" | "pause" | "name" | "keys" | "level" | "sounds" | "notices" | "phrases" | "guided">>} changes */
  change(changes) {
    Object.assign(this, changes);
    const { lang, theme, motion, pause, name, keys, level, sounds, notices, phrases, guided } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ lang, theme, motion, pause, name, keys, level, sounds, notices, phrases, guided }));
    } catch {
      // without storage the settings last until the page is closed
    }
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  apply() {
    document.documentElement.lang = this.lang;
    document.documentElement.dataset.theme = this.theme;
  }

  /** How dates and numbers are written: as the browser asks for, or as most readers of the language write them. */
  get locale() {
    return navigator.languages.find((one) => one.startsWith(`${this.lang}-`)) ?? { en: "en-GB", fr: "fr-FR" }[this.lang];
  }

  /** Whether nothing may move: set here, or by the system's wish for reduced motion. */
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
