// The tokens of the seats that belong to this browser, in its storage and never in an address.

const KEY = "tripot.seats";
const HIDDEN = "tripot.hidden";

/** @typedef {{seat: number, token: string}} SeatToken */

/** @template T @param {string} key @param {T} nothing @returns {T} */
function read(key, nothing) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? nothing;
  } catch {
    return nothing;
  }
}

/** @param {string} key @param {unknown} content */
const write = (key, content) => localStorage.setItem(key, JSON.stringify(content));

/** @returns {Record<string, SeatToken[]>} */
const all = () => read(KEY, {});

/** @param {string} table @returns {SeatToken[]} */
export function seatsAt(table) {
  return all()[table] ?? [];
}

/** @param {string} table @param {SeatToken[]} tokens */
export function keep(table, tokens) {
  const kept = all();
  const others = (kept[table] ?? []).filter((old) => !tokens.some((token) => token.seat === old.seat));
  kept[table] = [...others, ...tokens].sort((a, b) => a.seat - b.seat);
  write(KEY, kept);
}

/** @param {string} table @param {number} [seat] one seat; without it all seats at that table */
export function forget(table, seat) {
  const kept = all();
  kept[table] = (kept[table] ?? []).filter((one) => seat !== undefined && one.seat !== seat);
  if (!kept[table].length) delete kept[table];
  write(KEY, kept);
}

/** The next table of the same company: whoever sat in one seat sits in the next, with the same token. @param {string} table @param {string} next @param {number} seats */
export function turn(table, next, seats) {
  keep(next, seatsAt(table).map(({ seat, token }) => ({ seat: (seat + 1) % seats, token })));
}

/** The seat of this browser that has the host's rights, or null. @param {{id: string, host: number | null}} table */
export const hostSeat = ({ id, host }) => seatsAt(id).find(({ seat }) => seat === host) ?? null;

/** Every seat, as `POST /api/mine` takes them; the newest 200. */
export function allSeats() {
  return Object.entries(all())
    .flatMap(([table, tokens]) => tokens.map(({ token }) => ({ table, token })))
    .slice(-200);
}

/** @returns {string[]} tables that the person does not want to see in lists */
export const hidden = () => read(HIDDEN, []);

/** @param {string} table @param {boolean} hide */
export const hide = (table, hide) => write(HIDDEN, [...hidden().filter((one) => one !== table), ...(hide ? [table] : [])]);
