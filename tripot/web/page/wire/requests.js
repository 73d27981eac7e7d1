// Requests to the server: the lobby, catalogues, seats, replays and records.

import { seatsAt } from "./seat_tokens.js";

/**
 * @typedef {import("../text/speech.js").Words} Words
 * @typedef {import("../text/speech.js").Sentence} Sentence
 * @typedef {import("./seat_tokens.js").SeatToken} SeatToken
 * @typedef {{reason: string, text: Words, clause: string | null, details: {where: string, what: string}[]}} Problem
 * @typedef {"easy" | "medium" | "hard" | "expert"} Level
 * @typedef {{name: string, clause: string, text: Words, default: any, shape: number[], highest: number | null, values: string[] | null, value_names: Words[] | null}} OptionInfo
 * @typedef {{level: Level, name: Words, meaning: Words, bot: string}} LevelInfo
 * @typedef {{name: string, title: Words, tagline: Words, rules: number, seats: number[], seat_names: Words[], options: OptionInfo[], levels: LevelInfo[], engine: string, primer: boolean, lessons: number}} GameInfo
 * @typedef {{seat: number, kind: "person" | "bot", name: string | null, level: Level | null, here: boolean, held: Level | null, kept_for: string | null}} SeatInfo
 * @typedef {{id: string, game: string, rules: number, options: Record<string, any>, status: "waiting" | "playing" | "over" | "ended" | "outdated" | "record", open: boolean, watch: boolean, listed: boolean, published: boolean, pace: string, seconds: number | null, hints: boolean, host: number | null, watchers: number, seats: SeatInfo[], waiting: number[], created: string, updated: string, result: number[] | null, mine: number[] | null}} TableInfo
 * @typedef {{number: string, section: Words, title: Words, sources: string[], options: string[], text: Words}} Clause
 * @typedef {{name: string, shape: number[], highest: number, meaning: string}} FieldInfo
 * @typedef {{game: string, rules: number, title: Words, tagline: Words, seat_names: Words[], names: Record<string, Words[]>, questions: Record<string, Sentence>, decisions: Record<string, Sentence>, news: Record<string, Sentence>, advice?: Record<string, Words>, primer: boolean, lessons: number, guide: Record<string, Sentence>, more: Record<string, any>, clauses: Clause[], options: OptionInfo[], fields: FieldInfo[], facts: Record<string, any>, staging: Staging, drawing: string}} Catalogue
 * @typedef {{pieces: Record<string, {opens: number[], joins: number[]}>, gathered: number[], headings: number[], told_better: Record<string, number>, actors: Record<string, string>}} Staging how the news are shown
 * @typedef {{key: string, numbers: (number | number[])[]}} Said a sentence of the game's guide
 * @typedef {{action: number, key: string, numbers: number[], ends: boolean, hint?: Said[], warning?: Said | null}} Legal
 * @typedef {{clock: number, reached: number[][]}} Mark what each seat had reached at the end of a round
 * @typedef {{said: Said | null, reached: Said[], history: Mark[]}} Outcome
 * @typedef {Record<string, any>} View
 * @typedef {{piece: string, first: number, end: number, view: View}} Still a set piece of a step
 * @typedef {{seat: number | null, decision: Legal | null, view: View, news: number[][], stills: Still[], draws?: number[][]}} Step
 */

/** A request that was refused, with the server's reason in both languages. */
export class Refused extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.text.en);
    this.problem = problem;
  }
}

const PATIENCE = 15_000; // milliseconds until an answer must come

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
    answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE), ...init });
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

/** @param {string} path @param {unknown} body @param {string | null} [token] of the seat that asks */
const post = (path, body, token) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json", ...bearer(token) }, body: JSON.stringify(body) });

/** @param {string | null} [token] @returns {Record<string, string>} */
const bearer = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

/** @returns {Promise<{version: string, share: string | null, games: GameInfo[]}>} */
export const games = () => ask("/api/games");

/** @param {"open" | "running" | "finished"} list @returns {Promise<{tables: TableInfo[]}>} */
export const tables = (list) => ask(`/api/tables?list=${list}`);

/** @param {{table: string, token: string}[]} seats @returns {Promise<{tables: TableInfo[]}>} */
export const mine = (seats) => post("/api/mine", { seats });

/** @param {object} wish @returns {Promise<{table: TableInfo, tokens: SeatToken[], link: string}>} */
export const open = (wish) => post("/api/tables", wish);

/** @param {string} id @param {string} name @param {number} seat @returns {Promise<{table: TableInfo, tokens: SeatToken[]}>} */
export const join = (id, name, seat) => post(`/api/tables/${encodeURIComponent(id)}/join`, { name, seat });

/** @param {string} code @returns {Promise<{table: TableInfo, seat: number | null}>} */
export const invitation = (code) => ask(`/api/invites/${encodeURIComponent(code)}`);

/** @param {string} code @param {string} name @param {number | null} seat @returns {Promise<{table: TableInfo, tokens: SeatToken[]}>} */
export const accept = (code, name, seat) => post(`/api/invites/${encodeURIComponent(code)}`, { name, seat });

/** @param {string} id @param {number | null} seat @returns {Promise<{table: TableInfo, seat: number | null, steps: Step[], outcome: Outcome | null, seed?: import("../frame/fair_deal.js").Seed | null}>} */
export const replay = (id, seat) =>
  ask(`/api/tables/${encodeURIComponent(id)}/replay${seat === null ? "" : `?seat=${seat}`}`, { headers: bearer(seatsAt(id)[0]?.token) });

/**
 * @typedef {{decision: Legal, right: boolean, clause: string, told: Words, after: View | null}} LessonChoice
 * @typedef {{seat: number, view: View, choices: LessonChoice[]}} LessonQuestion
 * @typedef {{key: string, title: Words, idea: Words, questions: LessonQuestion[]}} Lesson
 */

/**
 * @typedef {{title: Words, text: Words, shows: string, seat: number, view: View, news: number[][]}} Panel a picture and what it says
 * @typedef {{game: string, primer: Panel[], chapters: {title: Words, text: Words}[], example: Panel[]}} Teaching
 */

/** @param {string} game @returns {Promise<Teaching>} */
export const teaching = (game) => ask(`/api/teaching/${encodeURIComponent(game)}`);

/** @param {string} game @param {string} question @param {string} lang @returns {Promise<{clauses: string[]}>} the clauses that answer, the best first */
export const answers = (game, question, lang) => ask(`/api/rules/${encodeURIComponent(game)}?lang=${lang}&question=${encodeURIComponent(question)}`);

/** @param {string} game @returns {Promise<{game: string, lessons: Lesson[]}>} */
export const lessons = (game) => ask(`/api/lessons/${encodeURIComponent(game)}`);

/**
 * @typedef {{decision: Legal, value: number}} Valued
 * @typedef {{seat: number, clock: number, chosen: Legal, choices: Valued[], missed: number}} Judged
 * @typedef {{seat: number, start: number, result: number, missed: number, decisions: number, cards: number, others: number, counted: number, accuracy: number | null, grade: Words | null}} Account
 * @typedef {{whole: number, playouts: number, chances: number[][], decisions: Judged[], changes: number[][][], accounts: Account[], moments: number[][], reasons: {decision: Words[], cards: Words[]}[][]}} Review
 * @typedef {{done: number, of: number, review: Review | null}} ReviewState
 */

/** @param {string} id @param {"POST" | "GET"} method start a review, or see how far it is @returns {Promise<ReviewState>} */
export const review = (id, method) => ask(`/api/tables/${encodeURIComponent(id)}/review`, { method, headers: bearer(seatsAt(id)[0]?.token) });

/** @param {string} id gives up a review that is being computed */
export const cancelReview = (id) => fetch(`/api/tables/${encodeURIComponent(id)}/review`, { method: "DELETE", headers: bearer(seatsAt(id)[0]?.token) });

/** @typedef {{parts: Legal[], chance: number, low: number, high: number, level: boolean, reasons: Words[]}} HintChoice */

/** @param {string} id @param {number} sequence of the offer @param {string} token of the seat that asks @returns {Promise<{sequence: number, choices: HintChoice[]}>} */
export const hint = (id, sequence, token) => change(id, "hint", { sequence }, token);

/**
 * @typedef {{seat: number | null, label: Words, names: string, one: boolean, chances: [number, number][], ruled_out: number[]}} HiddenPlace
 * @typedef {{sequence: number, weighed: boolean, places: HiddenPlace[]}} Chances
 */

/** @param {string} id @param {string} token of the seat that asks what it can know @returns {Promise<Chances>} */
export const chances = (id, token) => change(id, "chances", {}, token);

/** @param {string} id @param {{step: number, seat: number, name: string | null, level: Level, anew: boolean}} wish a moment of a finished game, against bots @returns {Promise<{table: TableInfo, tokens: SeatToken[], link: string}>} */
export const playOn = (id, wish) => post(`/api/tables/${encodeURIComponent(id)}/play-on`, wish, seatsAt(id)[0]?.token);

/** What the host, or whoever sits at a table, asks of it. @param {string} id @param {string} what @param {object} body @param {string} token @returns {Promise<any>} */
const change = (id, what, body, token) => post(`/api/tables/${encodeURIComponent(id)}/${what}`, body, token);

/** @param {string} id @param {string} token */
export const renewLink = (id, token) => change(id, "link", {}, token);

/** @param {string} id @param {string} token @param {number} seat @param {string | null} name */
export const keepSeat = (id, token, seat, name) => change(id, "keep", { seat, name }, token);

/** @param {string} id @param {string} token @param {number} seat */
export const freeSeat = (id, token, seat) => change(id, "free", { seat }, token);

/** @param {string} id @param {string} token */
export const endTable = (id, token) => change(id, "end", {}, token);

/** @param {string} id @param {string} token @param {boolean} open */
export const publish = (id, token, open) => change(id, "publish", { public: open }, token);

/** @param {string} id @param {string} token @returns {Promise<{table: string, seats: number}>} */
export const rematch = (id, token) => change(id, "rematch", {}, token);

/** @param {string} id @param {string} token @param {boolean} moves @returns {Promise<{words: string, until: string}>} */
export const newPass = (id, token, moves) => change(id, "pass", { moves }, token);

/** @param {string} id @param {string} token */
export const withdraw = (id, token) => change(id, "withdraw", {}, token);

/** @param {string} words @returns {Promise<{table: TableInfo, tokens: SeatToken[]}>} */
export const redeem = (words) => post("/api/passes", { words });

/** @param {string} text a record's JSON @returns {Promise<TableInfo>} */
export const upload = (text) =>
  ask("/api/records", { method: "POST", headers: { "Content-Type": "application/json" }, body: text });

/** @param {string} id saves the record of a game as a file; with this browser's seat, where it has one */
export async function saveRecord(id) {
  const answer = await fetch(`/api/tables/${encodeURIComponent(id)}/record`, { headers: bearer(seatsAt(id)[0]?.token) });
  if (!answer.ok) throw new Refused((await answer.json()).error ?? UNREACHABLE);
  const href = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href, download: `${id}.tripot.json` }).click();
  URL.revokeObjectURL(href);
}

/** @type {Map<string, Promise<Catalogue>>} */
const catalogues = new Map();

/** @param {string} game @param {number | null} rules of older rules @returns {Promise<Catalogue>} asked for once; its rule book comes when it is opened */
export function catalogue(game, rules = null) {
  const address = `/api/catalogue/${encodeURIComponent(game)}?clauses=false${rules === null ? "" : `&rules=${rules}`}`;
  let found = catalogues.get(address);
  if (!found) {
    found = ask(address);
    found.catch(() => catalogues.delete(address));
    catalogues.set(address, found);
  }
  return found;
}

/** @type {WeakMap<Catalogue, Promise<void>>} */
const books = new WeakMap();

/** @param {Catalogue} found fetches its rule book, once */
export function readClauses(found) {
  let reading = books.get(found);
  if (!reading) {
    reading = ask(`/api/catalogue/${encodeURIComponent(found.game)}?rules=${found.rules}`).then(({ clauses }) => void (found.clauses = clauses));
    reading.catch(() => books.delete(found));
    books.set(found, reading);
  }
  return reading;
}
