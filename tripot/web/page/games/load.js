// Loads the drawing that a game names, with its stylesheet, when a table of the game is first shown, its set pieces when one is near,
// and its pictures for learners when they are wanted.

/** @typedef {import("../frame/scene.js").Drawing} Drawing */

/** @param {string | undefined} name a module of this folder, or outside/GAME/MODULE of another package; without one, or if it cannot be loaded, the table is drawn plainly @returns {Promise<Drawing>} */
export async function loadDrawing(name) {
  const drawing = await find(name ?? "plain");
  await Promise.all([drawing.css, "/page/frame/set_piece.css"].map(addStylesheet));
  return { ...drawing };
}

/** @param {Drawing} drawing loads its set pieces, once: a first visit shows none; until they are there they are told in words @returns {Promise<boolean>} whether they have just come */
export async function loadPieces(drawing) {
  if (drawing.pieces || !drawing.reveals) return false;
  const { css, pieces } = await drawing.reveals();
  await addStylesheet(css);
  const first = !drawing.pieces;
  drawing.pieces = pieces;
  return first;
}

/** @param {string | undefined} name of a drawing, which comes with its set pieces and the pictures for learners; its stylesheets are left to the pictures @returns {Promise<Drawing>} */
export async function loadPictures(name) {
  const drawing = { ...(await find(name ?? "plain")) };
  const { css = [], pictures, pieces } = (await drawing.forLearners?.()) ?? {};
  return { ...drawing, pictures, pieces, pictureSheets: css };
}

/** @param {string} name @returns {Promise<Drawing>} */
async function find(name) {
  const plain = async () => (await import("./plain.js")).drawing;
  if (!/^(outside\/[a-z0-9_]+\/)?[a-z0-9_]+$/.test(name)) return plain();
  try {
    return (await import(`./${name}.js`)).drawing ?? plain();
  } catch {
    return plain();
  }
}

/** @type {Map<string, Promise<unknown>>} stylesheets that are there or on their way */
const sheets = new Map();

/** @param {string} href */
function addStylesheet(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  const loaded = sheets.get(href) ?? new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  sheets.set(href, loaded);
  return loaded;
}
