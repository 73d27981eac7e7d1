// The board as a picture: what is drawn on the page, with its styles, symbols and letters, in one SVG that needs no other file.

const SPACE = "http://www.w3.org/2000/svg";
const EDGE = 40; // what hangs over the edge of a board belongs to it

/** @typedef {{image: CanvasImageSource, width: number, height: number}} Picture width and height as on the page */

/** @param {number} sharp pixels of the picture for one of the page @returns {Promise<Picture | null>} null where a browser keeps such pictures to itself */
export async function boardPicture(sharp = 2) {
  const board = document.querySelector(".board-area > :first-child");
  if (!board) return null;
  const size = board.getBoundingClientRect();
  const [width, height] = [size.width + 2 * EDGE, size.height + 2 * EDGE];
  try {
    const text = new XMLSerializer().serializeToString(await alone(board, size));
    const drawn = Object.assign(new Image(), { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
    await drawn.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: width * sharp, height: height * sharp });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.drawImage(drawn, 0, 0, drawn.naturalWidth * sharp, drawn.naturalHeight * sharp);
    pen.getImageData(0, 0, 1, 1); // throws where it may not be read again
    return { image: canvas, width, height };
  } catch {
    return null;
  }
}

/** @param {Element} board @param {{width: number, height: number}} size @returns {Promise<SVGSVGElement>} as large as the window, so that the same styles apply; the board in its corner */
async function alone(board, { width, height }) {
  const [wide, high] = [Math.max(innerWidth, width + 2 * EDGE), Math.max(innerHeight, height + 2 * EDGE)].map(Math.ceil);
  const root = document.createElementNS(SPACE, "svg");
  const { theme } = document.documentElement.dataset;
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  for (const [name, value] of Object.entries({ width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, "data-theme": dark ? "dark" : "light" })) root.setAttribute(name, String(value));
  const copy = /** @type {HTMLElement} */ (board.cloneNode(true));
  const inside = document.createElementNS(SPACE, "foreignObject");
  for (const [name, value] of Object.entries({ width: wide, height: high })) inside.setAttribute(name, String(value));
  const size = getComputedStyle(document.documentElement).fontSize;
  const style = document.createElementNS(SPACE, "style");
  style.textContent = `${await styles()}
    :root { font-size: ${size}; } .picture-frame { position: relative; left: ${EDGE}px; top: ${EDGE}px; width: ${width}px; height: ${height}px; background: none; font: 400 ${size}/1.4 var(--type); font-variant-numeric: lining-nums; color: var(--ink); }
    .picture-frame .board-area { display: block; height: 100%; } .picture-frame .board-area > * { width: ${width}px; height: ${height}px; }`;
  const frame = Object.assign(document.createElement("div"), { className: `${document.body.className} picture-frame` });
  const table = Object.assign(document.createElement("div"), { className: document.querySelector("main.table")?.className.replace("table", "") ?? "" });
  const area = Object.assign(document.createElement("div"), { className: "board-area" });
  table.style.height = "100%";
  area.append(copy);
  table.append(area);
  frame.append(table);
  inside.append(frame);
  root.append(style, await symbols(copy), inside);
  return root;
}

/** Every rule of the page, its fonts put in. */
async function styles() {
  const text = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join("\n");
  const fonts = [...new Set([...text.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, address]) => address))];
  let found = text;
  for (const address of fonts) found = found.replaceAll(`url("${address}")`, `url("${await inline(address)}")`);
  return found;
}

/** @param {string} address of a file of the page @returns {Promise<string>} the file itself, as an address */
async function inline(address) {
  const file = await (await fetch(address)).blob();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.readAsDataURL(file);
  });
}

/** @param {Element} copy its symbols are pointed to what is returned: the files that they come from */
async function symbols(copy) {
  const kept = document.createElementNS(SPACE, "defs");
  const uses = [...copy.querySelectorAll("use")];
  const files = new Set(uses.map((use) => (use.getAttribute("href") ?? "").split("#")[0]).filter(Boolean));
  for (const file of files) {
    const art = new DOMParser().parseFromString(await (await fetch(file)).text(), "image/svg+xml");
    kept.append(...[...art.documentElement.children].map((part) => document.importNode(part, true)));
  }
  for (const use of uses) use.setAttribute("href", `#${(use.getAttribute("href") ?? "").split("#")[1]}`);
  return kept;
}
