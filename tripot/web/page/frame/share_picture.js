// A picture of the final table, drawn in this browser: title, ranking, the score by round and the board. Nothing is sent anywhere.

import { settings } from "../settings.js";
import { t } from "../text/words.js";
import { boardPicture } from "./board_picture.js";
import { ranking } from "./results.js";
import { height } from "./score_graph.js";

const WIDTH = 1600, HEIGHT = 900, EDGE = 56;
const COLUMN = 500; // of the names; the board stands right of it

/** @typedef {import("./scene.js").Scene} Scene */

/** @param {Scene} scene of a finished game @returns {Promise<Blob>} a PNG */
export async function resultPicture(scene) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const look = getComputedStyle(document.body);
  const colour = (/** @type {string} */ name) => resolved(look.getPropertyValue(name).trim());
  pen.fillStyle = colour("--ground") || "#fff";
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  const type = (/** @type {number} */ size, weight = 400) => (pen.font = `${weight} ${size}px ${look.fontFamily}`);
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, widest = COLUMN) => pen.fillText(text, x, y, widest);
  pen.fillStyle = colour("--ink") || "#000";
  type(64, 800);
  write(scene.words(scene.catalogue.title), EDGE, 108);
  type(30, 600);
  write(new Date().toLocaleDateString(settings.locale, { dateStyle: "long" }), EDGE, 152);
  await board(scene, pen);
  places(scene, pen, type, write, colour);
  graph(scene, pen, colour);
  pen.fillStyle = colour("--soft") || "#666";
  type(24);
  write("Tripot", EDGE, HEIGHT - 32);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)), "image/png"));
}

/** Canvas knows no light-dark() and no variables: let the page work the colour out. @param {string} value */
function resolved(value) {
  const probe = document.createElement("i");
  probe.style.color = value;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** @param {Scene} scene @param {CanvasRenderingContext2D} pen @param {(size: number, weight?: number) => unknown} type @param {(text: string, x: number, y: number, widest?: number) => void} write @param {(name: string) => string} colour */
function places(scene, pen, type, write, colour) {
  const { result } = scene.view;
  ranking(scene).forEach((seat, i) => {
    const y = 226 + i * 62;
    pen.fillStyle = colour(`--mark-${seat}`);
    pen.fillRect(EDGE, y - 30, 10, 40);
    pen.fillStyle = colour("--ink");
    type(34, result[seat] ? 800 : 600);
    write(`${scene.players[seat]}${result[seat] ? ` · ${t("wins")}` : ""}`, EDGE + 28, y - 6, COLUMN - 28);
    type(24);
    write(scene.outcome ? scene.said(scene.outcome.reached[seat]) : "", EDGE + 28, y + 22, COLUMN - 28);
  });
}

/** The board as it lies on the page; where the browser does not give it, the game's sign. @param {Scene} scene @param {CanvasRenderingContext2D} pen */
async function board(scene, pen) {
  const [left, wide, high] = [2 * EDGE + COLUMN, WIDTH - COLUMN - 3 * EDGE, HEIGHT - 2 * EDGE];
  const found = (await boardPicture()) ?? (await sign(scene));
  if (!found) return;
  const scale = Math.min(wide / found.width, high / found.height);
  const [width, height] = [found.width * scale, found.height * scale];
  pen.drawImage(found.image, left + (wide - width) / 2, EDGE + (high - height) / 2, width, height);
}

/** @param {Scene} scene @returns {Promise<import("./board_picture.js").Picture | null>} the game's sign, as it hangs in the lobby */
async function sign(scene) {
  const image = Object.assign(new Image(), { src: `/page/art/${scene.catalogue.game}-sign.svg` });
  const found = await image.decode().then(() => true, () => false);
  return found ? { image, width: 16, height: 9 } : null;
}

/** @param {Scene} scene @param {CanvasRenderingContext2D} pen @param {(name: string) => string} colour */
function graph(scene, pen, colour) {
  const history = scene.outcome?.history ?? [];
  if (history.length < 2) return;
  const top = 226 + scene.view.seats * 62;
  const [left, wide, high] = [EDGE, COLUMN, HEIGHT - top - 80];
  const most = Math.max(1, ...history.flatMap(({ reached }) => reached.map(height)));
  pen.strokeStyle = colour("--line");
  pen.lineWidth = 2;
  pen.strokeRect(left, top, wide, high);
  pen.lineWidth = 6;
  pen.lineJoin = "round";
  history[0].reached.forEach((_, seat) => {
    pen.strokeStyle = colour(`--mark-${seat}`);
    pen.beginPath();
    history.forEach(({ reached }, i) => pen.lineTo(left + (i * wide) / (history.length - 1), top + (1 - height(reached[seat]) / most) * high));
    pen.stroke();
  });
}

/** @param {Scene} scene share the picture where the system can, save it elsewhere */
export async function sharePicture(scene) {
  const name = `${scene.catalogue.game}.png`;
  const picture = new File([await resultPicture(scene)], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [picture] })) {
    await navigator.share({ files: [picture], title: `Tripot · ${scene.words(scene.catalogue.title)}` }).catch(() => {}); // the person changed their mind
    return;
  }
  const href = URL.createObjectURL(picture);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
