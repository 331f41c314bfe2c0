import { type Html, html } from '../../lib/http/pages/html.ts'

/** The Markdown of descriptions: paragraphs, lists, tables, code and bold text. */
export function markdown(text: string): readonly Html[] {
  return text.split('\n\n').map(block)
}

function block(text: string): Html {
  const lines = text.split('\n')
  if (text.startsWith('- '))
    return html`<ul class="bullets">${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>\n`
  if (text.startsWith('| ')) return table(lines.map((line) => line.slice(2, -2).split(' | ')))
  return html`<p>${inline(text)}</p>\n`
}

function table([head = [], , ...rows]: readonly (readonly string[])[]): Html {
  return html`<details><summary>${head.join(', ')}: ${String(rows.length)}</summary>
<table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
</details>
`
}

/** A line, with code and bold text. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]*`|\*\*[^*]*\*\*)/)
  return html`${parts.map(shown)}`
}

function shown(part: string): Html {
  if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
  return part.startsWith('**') ? html`<b>${part.slice(2, -2)}</b>` : html`${part}`
}
