// The little Markdown of the rule books: paragraphs, lists, tables, **bold**, *italic*, `code`, and clause numbers that open.

import { html } from "../vendor/lit.js";

const INLINE = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\b([A-Z]-\d+\.\d+)\b/g;

/**
 * @param {string} text
 * @param {(clause: string) => void} open what a click on a clause number does
 */
export function markdown(text, open) {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split("\n");
    if (lines[0].startsWith("|")) return table(lines, open);
    if (lines.every((line) => line.startsWith("- "))) {
      return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2), open)}</li>`)}</ul>`;
    }
    return html`<p>${inline(lines.join(" "), open)}</p>`;
  });
}

/** @param {string[]} lines @param {(clause: string) => void} open */
function table(lines, open) {
  const rows = lines.map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const [head, , ...body] = rows;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${head[0]}><table>
    <thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell, open)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, open)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** @param {string} text @param {(clause: string) => void} open @returns {unknown[]} */
function inline(text, open) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, bold, italic, code, clause] = found;
    parts.push(text.slice(at, found.index));
    at = found.index + whole.length;
    if (bold) parts.push(html`<strong>${inline(bold, open)}</strong>`);
    else if (italic) parts.push(html`<em>${inline(italic, open)}</em>`);
    else if (code) parts.push(html`<code>${code}</code>`);
    else parts.push(html`<button class="clause" @click=${() => open(clause)}>${clause}</button>`);
  }
  return [...parts, text.slice(at)];
}
