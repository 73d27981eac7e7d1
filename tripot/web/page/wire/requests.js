// Requests to the server: the lobby, catalogues, replays and records.

/**
 * @typedef {import("../text/speech.js").Words} Words
 * @typedef {import("../text/speech.js").Sentence} Sentence
 * @typedef {import("./seat_tokens.js").SeatToken} SeatToken
 * @typedef {{reason: string, text: Words, clause: string | null, details: {where: string, what: string}[]}} Problem
 * @typedef {"easy" | "medium" | "hard"} Level
 * @typedef {{name: string, clause: string, text: Words, default: any, shape: number[], highest: number | null, values: string[] | null}} OptionInfo
 * @typedef {{level: Level, name: Words, meaning: Words, bot: string}} LevelInfo
 * @typedef {{name: string, title: Words, tagline: Words, rules: number, seats: number[], seat_names: Words[], options: OptionInfo[], levels: LevelInfo[], engine: string}} GameInfo
 * @typedef {{seat: number, kind: "person" | "bot", name: string | null, level: Level | null, here: boolean, held: Level | null}} SeatInfo
 * @typedef {{id: string, game: string, rules: number, options: Record<string, any>, status: "waiting" | "playing" | "over" | "outdated" | "record", open: boolean, watch: boolean, pace: string, seats: SeatInfo[], waiting: number[], created: string, updated: string, result: number[] | null, mine: number[] | null}} TableInfo
 * @typedef {{seat: number, code: string, path: string}} Invite
 * @typedef {{number: string, section: Words, title: Words, sources: string[], options: string[], text: Words}} Clause
 * @typedef {{name: string, shape: number[], highest: number, meaning: string}} FieldInfo
 * @typedef {{game: string, rules: number, title: Words, tagline: Words, seat_names: Words[], names: Record<string, Words[]>, questions: Record<string, Sentence>, decisions: Record<string, Sentence>, news: Record<string, Sentence>, more: Record<string, any>, clauses: Clause[], options: OptionInfo[], fields: FieldInfo[], facts: Record<string, any>, drawing: string}} Catalogue
 * @typedef {{action: number, key: string, numbers: number[]}} Legal
 * @typedef {Record<string, any>} View
 * @typedef {{seat: number | null, decision: Legal | null, view: View, news: number[][]}} Step
 */

/** A request that was refused, with the server's reason in both languages. */
export class Refused extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.text.en);
    this.problem = problem;
  }
}

/** @type {Problem} */
export const UNREACHABLE = {
  reason: "unreachable",
  text: { en: "The server cannot be reached.", fr: "Le serveur ne répond pas." },
  clause: null,
  details: [],
};

/** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
async function ask(path, init) {
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(UNREACHABLE);
  }
  let body;
  try {
    body = await answer.json();
  } catch {
    throw new Refused(UNREACHABLE);
  }
  if (!answer.ok) throw new Refused(body.error ?? UNREACHABLE);
  return body;
}

/** @param {string} path @param {unknown} body */
const post = (path, body) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** @returns {Promise<{version: string, share: string | null, games: GameInfo[]}>} */
export const games = () => ask("/api/games");

/** @param {"open" | "finished"} list @returns {Promise<{tables: TableInfo[]}>} */
export const tables = (list) => ask(`/api/tables?list=${list}`);

/** @param {{table: string, token: string}[]} seats @returns {Promise<{tables: TableInfo[]}>} */
export const mine = (seats) => post("/api/mine", { seats });

/** @param {string} id @returns {Promise<TableInfo>} */
export const table = (id) => ask(`/api/tables/${encodeURIComponent(id)}`);

/** @param {object} wish @returns {Promise<{table: TableInfo, tokens: SeatToken[], invites: Invite[]}>} */
export const open = (wish) => post("/api/tables", wish);

/** @param {string} id @param {string} name @param {number} seat @returns {Promise<{table: TableInfo, tokens: SeatToken[]}>} */
export const join = (id, name, seat) => post(`/api/tables/${encodeURIComponent(id)}/join`, { name, seat });

/** @param {string} code @returns {Promise<{table: TableInfo, seat: number}>} */
export const invitation = (code) => ask(`/api/invites/${encodeURIComponent(code)}`);

/** @param {string} code @param {string} name @returns {Promise<{table: TableInfo, tokens: SeatToken[]}>} */
export const accept = (code, name) => post(`/api/invites/${encodeURIComponent(code)}`, { name });

/** @param {string} id @param {number | null} seat @returns {Promise<{table: TableInfo, seat: number | null, steps: Step[]}>} */
export const replay = (id, seat) =>
  ask(`/api/tables/${encodeURIComponent(id)}/replay${seat === null ? "" : `?seat=${seat}`}`);

/** @param {string} text a record's JSON @returns {Promise<TableInfo>} */
export const upload = (text) =>
  ask("/api/records", { method: "POST", headers: { "Content-Type": "application/json" }, body: text });

/** @param {string} id @param {string} token save the record of a game that only who sits there may have */
export async function saveRecord(id, token) {
  const answer = await fetch(`/api/tables/${encodeURIComponent(id)}/record`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Refused((await answer.json()).error ?? UNREACHABLE);
  const href = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href, download: `${id}.tripot.json` }).click();
  URL.revokeObjectURL(href);
}

/** @type {Map<string, Promise<Catalogue>>} */
const catalogues = new Map();

/** @param {string} game @param {number | null} rules of older rules @returns {Promise<Catalogue>} asked for once */
export function catalogue(game, rules = null) {
  const address = `/api/catalogue/${encodeURIComponent(game)}${rules === null ? "" : `?rules=${rules}`}`;
  let found = catalogues.get(address);
  if (!found) {
    found = ask(address);
    found.catch(() => catalogues.delete(address));
    catalogues.set(address, found);
  }
  return found;
}
