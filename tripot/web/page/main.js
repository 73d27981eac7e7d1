// The entry point: which address shows which page.

import { LitElement, html, keyed } from "./vendor/lit.js";
import { go } from "./wire/address.js";

/** @typedef {{name: string, draw: (named: string) => unknown, load?: () => Promise<unknown>, at: RegExp}} Route */

/** @type {Route[]} */
const ROUTES = [
  { name: "join", at: /^\/join\/([^/]+)$/, load: () => import("./pages/join.js"), draw: (code) => html`<tripot-join .code=${code}></tripot-join>` },
  { name: "replay", at: /^\/tables\/([^/#]+)#(?:step=|review$)/, load: () => import("./pages/replay.js"), draw: (id) => html`<tripot-replay .table=${id}></tripot-replay>` },
  { name: "table", at: /^\/tables\/([^/#]+)/, load: () => import("./pages/table.js"), draw: (id) => html`<tripot-table .table=${id}></tripot-table>` },
  { name: "mine", at: /^\/mine$/, load: () => import("./pages/my_games.js"), draw: () => html`<tripot-my-games></tripot-my-games>` },
  { name: "seat", at: /^\/seat(?:#.*)?$/, load: () => import("./pages/take_seat.js"), draw: () => html`<tripot-take-seat></tripot-take-seat>` },
  { name: "learn", at: /^\/learn\/([^/#]+)/, load: () => import("./pages/learn.js"), draw: (game) => html`<tripot-learn .game=${game}></tripot-learn>` },
  { name: "rules", at: /^\/rules\/([^/#]+)/, load: () => import("./pages/rules.js"), draw: (game) => html`<tripot-rules .game=${game}></tripot-rules>` },
  { name: "lobby", at: /^\/(?:#.*)?$/, load: () => import("./pages/lobby.js"), draw: () => html`<tripot-lobby></tripot-lobby>` },
  { name: "nowhere", at: /^/, load: () => import("./pages/nowhere.js"), draw: () => html`<tripot-nowhere></tripot-nowhere>` },
];

class App extends LitElement {
  constructor() {
    super();
    /** @type {Route | null} */
    this.route = null;
    this.named = "";
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", () => void this.follow());
    addEventListener("click", (event) => this.clicked(event));
    void this.follow();
  }

  /** Shows the page that the address names. */
  async follow() {
    const address = location.pathname + location.hash;
    const route = /** @type {Route} */ (ROUTES.find(({ at }) => at.test(address)));
    const named = decoded(route.at.exec(address)?.[1] ?? "");
    await route.load?.();
    if (this.route !== route || this.named !== named) document.body.className = "";
    this.route = route;
    this.named = named;
    this.requestUpdate();
  }

  /** @param {MouseEvent} event a link to a page of ours is followed without a reload */
  clicked(event) {
    const link = /** @type {Element} */ (event.target).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.hasAttribute("download") || link.target || link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.pathname + link.hash);
  }

  render() {
    return this.route ? keyed(`${this.route.name} ${this.named}`, this.route.draw(this.named)) : html``;
  }
}

/** @param {string} text part of an address; a wrong one is taken as it stands */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

customElements.define("tripot-app", App);

// The page's files are kept for a time without a network; not before all that is shown has come.
if ("serviceWorker" in navigator) addEventListener("load", () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {}));
