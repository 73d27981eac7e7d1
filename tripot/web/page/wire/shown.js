// How much of each table's news has been on the stage of this browser: a reload or an absence leaves no reveal out.

const KEY = "tripot.shown";
const MOST = 60; // tables, the latest ones

/** @returns {Record<string, number>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} table @param {number | null} seat @returns {number | null} lines of its log; null: none yet */
export const shownAt = (table, seat) => read()[`${table}.${seat}`] ?? null;

/** @param {string} table @param {number | null} seat @param {number} count */
export function keepShown(table, seat, count) {
  const { [`${table}.${seat}`]: _, ...others } = read();
  const kept = [...Object.entries(others), [`${table}.${seat}`, count]].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // without storage a reload shows the table as it stands
  }
}
