// Which lessons were learnt, and which games were seen in one minute: kept in this browser.

const KEY = "tripot.learnt";
const PRIMED = "tripot.primed";

/** @param {string} game @returns {string[]} the keys of its lessons that were solved */
export function learnt(game) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}")?.[game];
    return Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} game @param {string} key */
export function learn(game, key) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    localStorage.setItem(KEY, JSON.stringify({ ...kept, [game]: [...new Set([...learnt(game), key])] }));
  } catch {
    // without storage, progress lasts until the page is closed
  }
}

/** @param {string} game whether it was shown in one minute here */
export function isPrimed(game) {
  try {
    return Boolean(JSON.parse(localStorage.getItem(PRIMED) ?? "{}")?.[game]);
  } catch {
    return true; // where nothing can be kept, nobody is told again and again
  }
}

/** @param {string} game */
export function primed(game) {
  try {
    localStorage.setItem(PRIMED, JSON.stringify({ ...JSON.parse(localStorage.getItem(PRIMED) ?? "{}"), [game]: true }));
  } catch {
    // see above
  }
}

/** Every game is new again. */
export const forgetPrimers = () => localStorage.removeItem(PRIMED);
