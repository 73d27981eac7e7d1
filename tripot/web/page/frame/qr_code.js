// QR codes: bytes, error correction M, versions 1 to 10 (up to 213 bytes), by ISO/IEC 18004.

import { html } from "../vendor/lit.js";

// by version
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]; // error correction codewords in a block
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const CENTRES = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** @param {string} text @param {string} label the drawing of a code, or nothing if the text is too long */
export function qrCode(text, label) {
  const modules = qrModules(text);
  if (!modules) return "";
  const size = modules.length + 8; // a quiet zone of four modules on each side
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return html`<svg class="qr-code" viewBox="0 0 ${size} ${size}" role="img" aria-label=${label} shape-rendering="crispEdges"><path fill="#fff" d=${`M0 0h${size}v${size}H0z`}></path><path fill="#000" d=${path}></path></svg>`;
}

/** @param {string} text @param {number} [mask] the one to use; else the best @returns {boolean[][] | null} rows of modules, true: dark */
export function qrModules(text, mask) {
  const bytes = new TextEncoder().encode(text);
  const version = CODEWORDS.findIndex((all, i) => dataSize(i) * 8 >= 4 + (i < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (!version) return null;
  const words = withChecks(dataWords(bytes, version), version);
  const tried = (mask === undefined ? MASKS.map((_, i) => i) : [mask]).map((one) => drawn(words, version, one));
  const costs = tried.map(penalty);
  return tried[costs.indexOf(Math.min(...costs))];
}

/** @param {number} i version − 1 */
const dataSize = (i) => CODEWORDS[i] - CHECKS[i] * BLOCKS[i];

// --- Codewords ---

/** @param {Uint8Array} bytes @param {number} version @returns {number[]} */
function dataWords(bytes, version) {
  const size = dataSize(version - 1);
  /** @type {number[]} */
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(0b0100, 4); // bytes
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, size * 8 - bits.length));
  put(0, -bits.length & 7);
  const words = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(i * 8, i * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  for (let i = 0; words.length < size; i++) words.push(i % 2 ? 0x11 : 0xec);
  return words;
}

/** @param {number[]} data @param {number} version @returns {number[]} the blocks with their checks, interleaved */
function withChecks(data, version) {
  const count = BLOCKS[version - 1];
  const checks = CHECKS[version - 1];
  const short = Math.floor(data.length / count);
  const long = data.length % count; // the last blocks have one more
  const blocks = Array.from({ length: count }, (_, i) => {
    const start = i * short + Math.max(0, i - (count - long));
    return data.slice(start, start + short + (i >= count - long ? 1 : 0));
  });
  const made = blocks.map((block) => remainder(block, checks));
  const across = (/** @type {number[][]} */ rows, /** @type {number} */ length) =>
    Array.from({ length }, (_, i) => rows.filter((row) => i < row.length).map((row) => row[i])).flat();
  return [...across(blocks, short + 1), ...across(made, checks)];
}

/** Multiplication in GF(256) by the polynomial 0x11d. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> i) & 1) * a);
  return product;
}

/** @param {number[]} data @param {number} degree the remainder by the Reed-Solomon generator @returns {number[]} */
function remainder(data, degree) {
  let generator = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    generator = [...generator, 0].map((value, j) => value ^ (j ? times(generator[j - 1], root) : 0));
  }
  const rest = [...data, ...new Array(degree).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i];
    generator.forEach((value, j) => { rest[i + j] ^= times(value, factor); });
  }
  return rest.slice(data.length);
}

// --- Modules ---

/** @param {number[]} words @param {number} version @param {number} mask @returns {boolean[][]} */
function drawn(words, version, mask) {
  const size = 17 + version * 4;
  /** @type {(boolean | undefined)[][]} */
  const modules = Array.from({ length: size }, () => new Array(size).fill(undefined));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    if (y >= 0 && y < size && x >= 0 && x < size) modules[y][x] = dark;
  };
  patterns(set, size, version);
  formats(set, size, version, mask);
  const bits = words.flatMap((word) => Array.from({ length: 8 }, (_, i) => Boolean((word >> (7 - i)) & 1)));
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the timing pattern
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (modules[y][x] === undefined) modules[y][x] = (bits[next++] ?? false) !== MASKS[mask](x, y);
      }
    }
  }
  return /** @type {boolean[][]} */ (modules);
}

/** @typedef {(x: number, y: number, dark: boolean) => void} Set */

/** @param {Set} set @param {number} size @param {number} version finder, timing and alignment patterns */
function patterns(set, size, version) {
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    square(4, (x, y, ring) => set(cx + x, cy + y, ring !== 2 && ring !== 4));
  }
  const centres = CENTRES[version - 1];
  const last = centres.at(-1);
  for (const cx of centres) {
    for (const cy of centres) {
      if ((cx === 6 && (cy === 6 || cy === last)) || (cy === 6 && cx === last)) continue; // a finder is there
      square(2, (x, y, ring) => set(cx + x, cy + y, ring !== 1));
    }
  }
}

/** @param {number} radius @param {(x: number, y: number, ring: number) => void} draw */
function square(radius, draw) {
  for (let y = -radius; y <= radius; y++) for (let x = -radius; x <= radius; x++) draw(x, y, Math.max(Math.abs(x), Math.abs(y)));
}

/** @param {Set} set @param {number} size @param {number} version @param {number} mask */
function formats(set, size, version, mask) {
  const format = (((0b00 << 3) | mask) << 10 | division((0b00 << 3) | mask, 0x537, 10)) ^ 0x5412; // 00: correction M
  const bit = (/** @type {number} */ value, /** @type {number} */ i) => Boolean((value >> i) & 1);
  for (let i = 0; i < 15; i++) {
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit(format, i));
    set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, bit(format, i));
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const numbered = (version << 12) | division(version, 0x1f25, 12);
  for (let i = 0; i < 18; i++) {
    set(size - 11 + (i % 3), Math.floor(i / 3), bit(numbered, i));
    set(Math.floor(i / 3), size - 11 + (i % 3), bit(numbered, i));
  }
}

/** @param {number} value @param {number} generator @param {number} degree the remainder over GF(2) */
function division(value, generator, degree) {
  let rest = value;
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator);
  return rest;
}

/** @param {boolean[][]} modules how hard a code is to read */
function penalty(modules) {
  const size = modules.length;
  const columns = modules.map((_, x) => modules.map((row) => row[x]));
  let cost = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) cost += run.length - 2;
    for (let i = 0; i + 11 <= size; i++) if (["10111010000", "00001011101"].includes(text.slice(i, i + 11))) cost += 40;
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const four = Number(modules[y][x]) + Number(modules[y - 1][x]) + Number(modules[y][x - 1]) + Number(modules[y - 1][x - 1]);
      if (four % 4 === 0) cost += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length / size ** 2;
  return cost + Math.floor(Math.abs(dark * 20 - 10)) * 10;
}
