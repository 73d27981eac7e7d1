// The part of Lit that the page uses, for the type checker.

export type TemplateResult = { readonly _$litType$: number };
export class LitElement extends HTMLElement {
  updateComplete: Promise<boolean>;
  requestUpdate(): void;
  createRenderRoot(): HTMLElement | ShadowRoot;
  connectedCallback(): void;
  disconnectedCallback(): void;
  willUpdate(): void;
  updated(): void;
  render(): unknown;
}
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export const nothing: unique symbol;
export function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;
export function repeat<T>(items: Iterable<T>, key: (item: T, index: number) => unknown, draw: (item: T, index: number) => unknown): unknown;
export function classMap(classes: Record<string, unknown>): unknown;
export function guard(depends: unknown[], draw: () => unknown): unknown;
export function keyed(key: unknown, value: unknown): unknown;
export function live(value: unknown): unknown;
export function ref(taken: (element: Element | undefined) => void): unknown;
