// Which lessons were learnt: kept in this browser.

const KEY = "tripot.learnt";

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
