// The tokens of the seats that belong to this browser, in its storage and never in an address.

const KEY = "tripot.seats";

/** @typedef {{seat: number, token: string}} SeatToken */

/** @returns {Record<string, SeatToken[]>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} table @returns {SeatToken[]} */
export function seatsAt(table) {
  return read()[table] ?? [];
}

/** @param {string} table @param {SeatToken[]} tokens */
export function keep(table, tokens) {
  const all = read();
  const others = (all[table] ?? []).filter((old) => !tokens.some((token) => token.seat === old.seat));
  all[table] = [...others, ...tokens].sort((a, b) => a.seat - b.seat);
  localStorage.setItem(KEY, JSON.stringify(all));
}

/** @param {string} table */
export function forget(table) {
  const all = read();
  delete all[table];
  localStorage.setItem(KEY, JSON.stringify(all));
}

/** Every seat, as `POST /api/mine` takes them; the newest 200. */
export function allSeats() {
  return Object.entries(read())
    .flatMap(([table, tokens]) => tokens.map(({ token }) => ({ table, token })))
    .slice(-200);
}
