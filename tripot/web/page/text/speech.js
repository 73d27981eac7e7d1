// Sentences with placeholders for numbers: the template language of tripot/core/speech.py in JavaScript.

/**
 * @typedef {{en: string, fr: string}} Words
 * @typedef {{name: string, clause: string, args: string, en: string, fr: string}} Sentence
 * @typedef {Record<string, Words[]>} Names
 * @typedef {"en" | "fr"} Lang
 */

const HOLE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

/**
 * (name, table) of every number of a sentence, in order.
 * @param {string} args
 * @returns {[string, string][]}
 */
export function holes(args) {
  return args.split(/\s+/).filter(Boolean).map((item) => {
    const [table, name] = item.split(":");
    return [name || table, table];
  });
}

/**
 * The sentence in a language, with its numbers put in.
 * @param {Sentence} sentence
 * @param {number[]} numbers
 * @param {Names} names
 * @param {string[]} players
 * @param {Lang} lang
 */
export function say(sentence, numbers, names, players, lang) {
  const parts = holes(sentence.args);
  /** @type {Map<string, [string, number]>} */
  const values = new Map(parts.map(([name, table], i) => [name, [table, numbers[i]]]));
  const text = sentence[lang].replace(HOLE, (whole, name, one, many) => {
    const [table, number] = values.get(name) ?? ["number", NaN];
    if (one !== undefined) return number === 1 || (lang === "fr" && number === 0) ? one : many;
    if (table === "seat") return players[number];
    if (table === "number") return String(number);
    if (table === "place") return String(number + 1);
    if (table.endsWith("*")) return things(number, names[table.slice(0, -1)], lang);
    return names[table][number][lang];
  });
  return capital(text);
}

/**
 * A bag of things in words: four bits for how many there are of each.
 * @param {number} bag
 * @param {Words[]} names
 * @param {Lang} lang
 */
function things(bag, names, lang) {
  const counts = names.map((_, kind) => Math.floor(bag / 16 ** kind) % 16);
  const parts = names.map((name, kind) => (counts[kind] > 1 ? `${counts[kind]} × ${name[lang]}` : name[lang]));
  return parts.filter((_, kind) => counts[kind]).join(", ") || "0";
}

/** @param {string} text */
export function capital(text) {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 32);
  return text ? first.toUpperCase() + text.slice(first.length) : text;
}
