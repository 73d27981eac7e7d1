// Sentences with placeholders for numbers: the template language of tripot/core/speech.py in JavaScript.

/**
 * @typedef {{en: string, fr: string}} Words
 * @typedef {{name: string, clause: string, args: string, en: string, fr: string}} Sentence
 * @typedef {Record<string, Words[]>} Names
 * @typedef {"en" | "fr"} Lang
 */

const HOLE = /\{(\w+)(?:\*(\w+))?(?:\|([^|}]*)\|([^|}]*))?\}/g;

/** @type {Map<string, [string, string][]>} what `holes` has found; there are as many as kinds of sentences */
const known = new Map();

/**
 * (name, table) of every number of a sentence, in order.
 * @param {string} args
 * @returns {[string, string][]}
 */
export function holes(args) {
  let found = known.get(args);
  if (!found) {
    found = args.split(/\s+/).filter(Boolean).map((item) => {
      const [table, name] = item.split(":");
      return [name || table, table];
    });
    known.set(args, found);
  }
  return found;
}

/**
 * The sentence in a language, with its numbers put in.
 * @param {Sentence} sentence
 * @param {(number | number[])[]} numbers
 * @param {Names} names
 * @param {string[]} players
 * @param {Lang} lang
 */
export function say(sentence, numbers, names, players, lang) {
  const parts = holes(sentence.args);
  /** @type {Map<string, [string, any]>} */
  const values = new Map(parts.map(([name, table], i) => [name, [table, numbers[i]]]));
  const text = sentence[lang].replace(HOLE, (whole, name, times, one, many) => {
    const [table, number] = values.get(name) ?? ["number", NaN];
    if (times) return things(Array(values.get(times)?.[1] ?? 1).fill(number), table, names, lang);
    if (one !== undefined) return number === 1 || (lang === "fr" && number === 0) ? one : many;
    if (table === "seat") return players[number];
    if (table === "number") return String(number);
    if (table === "place") return String(number + 1);
    if (table.endsWith("*")) return things(number, table.slice(0, -1), names, lang);
    return names[table][number][lang];
  });
  return spaced(capital(text), lang);
}

/**
 * A bag of things in words: four bits for how many there are of each, or a list of them; one as the table a_… has it, many as …s has them.
 * @param {number | number[]} bag
 * @param {string} table
 * @param {Names} names
 * @param {Lang} lang
 */
function things(bag, table, names, lang) {
  const one = names[`a_${table}`] ?? names[table];
  const many = names[`${table}s`];
  /** @type {string[]} */
  const parts = [];
  names[table].forEach((name, kind) => {
    const count = Array.isArray(bag) ? bag.filter((thing) => thing === kind).length : Math.floor(bag / 16 ** kind) % 16;
    if (count) parts.push(count === 1 ? one[kind][lang] : many ? `${count} ${many[kind][lang]}` : `${count} × ${name[lang]}`);
  });
  return listed(parts, lang);
}

/** @param {string[]} parts @param {Lang} lang one, two and three */
export function listed(parts, lang) {
  const and = lang === "fr" ? " et " : " and ";
  return parts.length > 1 ? parts.slice(0, -1).join(", ") + and + parts.at(-1) : (parts[0] ?? (lang === "fr" ? "rien" : "nothing"));
}

/** @param {string} text @param {Lang} lang with French marks kept on the line of the word before them */
export function spaced(text, lang) {
  return lang === "fr" ? text.replace(/ ([:;!?»%])/g, "\u00a0$1").replaceAll("« ", "«\u00a0") : text;
}

/** @param {string} text */
export function capital(text) {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 32);
  return text ? first.toUpperCase() + text.slice(first.length) : text;
}
