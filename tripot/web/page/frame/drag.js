// Dragging, in addition to clicking: the player drags what may be chosen to where it would lie.

const FAR_ENOUGH = 8;

/** @param {HTMLElement} root in it, [data-drag] can be carried to [data-drop] of the same name */
export function allowDragging(root) {
  root.addEventListener("pointerdown", (event) => {
    const source = /** @type {Element} */ (event.target).closest("[data-drag]");
    if (!(source instanceof HTMLElement) || event.button !== 0 || event.pointerType === "touch") return;
    carry(root, source, event);
  });
}

/** @param {HTMLElement} root @param {HTMLElement} source @param {PointerEvent} start */
function carry(root, source, start) {
  /** @type {HTMLElement | null} */
  let ghost = null;
  /** @type {Element | null} */
  let over = null;
  const stop = new AbortController();
  const name = source.dataset.drag;

  const move = (/** @type {PointerEvent} */ event) => {
    if (!ghost && Math.hypot(event.x - start.x, event.y - start.y) < FAR_ENOUGH) return;
    ghost ??= ghostOf(source);
    ghost.style.left = `${event.x - ghost.offsetWidth / 2}px`;
    ghost.style.top = `${event.y - ghost.offsetHeight / 2}px`;
    const target = document.elementFromPoint(event.x, event.y)?.closest(`[data-drop="${name}"]`) ?? null;
    if (target !== over) over?.classList.remove("dropping");
    target?.classList.add("dropping");
    over = target;
  };
  const end = () => {
    stop.abort();
    over?.classList.remove("dropping");
    if (!ghost) return;
    ghost.remove();
    // ignores the click that the browser sends after a drag
    root.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
    setTimeout(() => over && drop(source, over));
  };
  addEventListener("pointermove", move, { signal: stop.signal });
  addEventListener("pointerup", end, { signal: stop.signal });
  addEventListener("pointercancel", end, { signal: stop.signal });
}

/** @param {HTMLElement} source */
function ghostOf(source) {
  const ghost = /** @type {HTMLElement} */ (source.cloneNode(true));
  ghost.removeAttribute("data-move");
  ghost.classList.add("dragging");
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  return ghost;
}

/** @param {HTMLElement} source @param {Element} target what is chosen is the thing carried, or the place it was carried to */
function drop(source, target) {
  const chosen = source.dataset.action === undefined ? target : source;
  chosen.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}
