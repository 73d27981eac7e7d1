// Animates each element from where it was before an update to where it is now. Honours the wish for reduced motion.

import { settings } from "../settings.js";

const TIME = { calm: 650, brisk: 380, off: 0 };
const EASE = "cubic-bezier(.2,.75,.25,1)";

/** @typedef {{places: Map<string, DOMRect>, turned: Set<string>}} Before */

const atRest = () => settings.still || document.hidden;

/** @param {Element} root its elements are measured before an update @returns {Before} */
export function snapshot(root) {
  const places = new Map();
  if (atRest()) return { places, turned: new Set() };
  for (const element of root.querySelectorAll("[data-move]")) {
    places.set(element.getAttribute("data-move"), element.getBoundingClientRect());
  }
  const turned = new Set([...root.querySelectorAll("[data-turn]")].map((element) => element.getAttribute("data-turn")));
  return { places, turned: /** @type {Set<string>} */ (turned) };
}

/** @param {Element} root @param {Before} before what was where before the update */
export function animate(root, before) {
  if (atRest()) return;
  const duration = TIME[settings.motion];
  for (const element of root.querySelectorAll("[data-move]")) {
    const known = before.places.get(element.getAttribute("data-move") ?? "");
    const from = known ?? before.places.get(element.getAttribute("data-from") ?? "");
    if (from) fly(element, from, !known, duration);
  }
  for (const element of root.querySelectorAll("[data-turn]")) {
    if (before.turned.size && !before.turned.has(element.getAttribute("data-turn") ?? "")) turn(element, duration);
  }
}

/** @param {Element} element @param {DOMRect} from @param {boolean} appears @param {number} duration */
function fly(element, from, appears, duration) {
  const to = element.getBoundingClientRect();
  const dx = from.x + from.width / 2 - to.x - to.width / 2;
  const dy = from.y + from.height / 2 - to.y - to.height / 2;
  if (!to.width || Math.hypot(dx, dy) < 3) return;
  const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1; // drawings count in their own units
  const start = `translate(${dx / scale}px, ${dy / scale}px)${appears ? " scale(0.7)" : ""}`;
  element.animate([{ transform: start, opacity: appears ? 0.4 : 1 }, { transform: "none", opacity: 1 }], { duration, easing: EASE });
}

/** @param {Element} element @param {number} duration */
function turn(element, duration) {
  const style = /** @type {SVGElement | HTMLElement} */ (element).style;
  style.transformBox = "fill-box";
  style.transformOrigin = "center";
  element.animate([{ transform: "scaleX(0.05)" }, { transform: "scaleX(1)" }], { duration, easing: EASE });
}
