// The entry point: which address shows which page.

import { LitElement, html, keyed } from "./vendor/lit.js";
import "./pages/lobby.js";
import { go } from "./wire/address.js";

/** @typedef {{name: string, draw: (named: string) => unknown, load?: () => Promise<unknown>, at: RegExp}} Route */

/** @type {Route[]} */
const ROUTES = [
  { name: "join", at: /^\/join\/([^/]+)$/, load: () => import("./pages/join.js"), draw: (code) => html`<tripot-join .code=${code}></tripot-join>` },
  { name: "replay", at: /^\/tables\/([^/#]+)#step=/, load: () => import("./pages/replay.js"), draw: (id) => html`<tripot-replay .table=${id}></tripot-replay>` },
  { name: "table", at: /^\/tables\/([^/#]+)/, load: () => import("./pages/table.js"), draw: (id) => html`<tripot-table .table=${id}></tripot-table>` },
  { name: "rules", at: /^\/rules\/([^/#]+)/, load: () => import("./pages/rules.js"), draw: (game) => html`<tripot-rules .game=${game}></tripot-rules>` },
  { name: "lobby", at: /^/, draw: () => html`<tripot-lobby></tripot-lobby>` },
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
    const named = decodeURIComponent(route.at.exec(address)?.[1] ?? "");
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

customElements.define("tripot-app", App);
