import { type Html, html } from '../../lib/http/pages/html.ts'
import type { Schema } from './document.ts'

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
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table>
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

type Schemas = Readonly<Record<string, Schema>>

/** One value that a schema describes, by the path that leads to it. */
interface Field {
  /** As `events[].id`. */
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

const DEEPEST = 4

/** All members of a schema, those of objects in it included. */
export function fieldsIn(schema: Schema, schemas: Schemas, prefix = '', depth = 0): readonly Field[] {
  const { properties = {}, required = [], items } = resolved(schema, schemas)
  const inside = prefix === '' ? '' : `${prefix}.`
  const own = Object.entries(properties).flatMap(([key, part]): readonly Field[] => {
    const name = `${inside}${key}`
    const field = { name, isRequired: required.includes(key), schema: resolved(part, schemas) }
    return [field, ...(depth < DEEPEST ? fieldsIn(part, schemas, name, depth + 1) : [])]
  })
  return items ? [...own, ...fieldsIn(items, schemas, `${prefix}[]`, depth + 1)] : own
}

/** Follows a reference, and the one alternative beside null. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, anyOf, ...own } = schema
  const named = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
  if (named) return { ...resolved(named, schemas), ...own }
  const others = anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = others
  if (anyOf === undefined || only === undefined || others.length > 1) return schema
  return { ...resolved(only, schemas), ...own, ...(others.length < anyOf.length && { default: null }) }
}

export function fieldList(fields: readonly Field[]): Html {
  return html`<dl class="facts fields">
${fields.map(({ name, isRequired, schema }) => html`<dt><code>${name}</code>${isRequired ? undefined : html` <span class="small">optional</span>`}</dt><dd>${typeOf(schema)}${schema.description === undefined ? undefined : html`<br>${inline(schema.description)}`}</dd>\n`)}</dl>
`
}

/** The type of a value in words, with its limits. */
export function typeOf(schema: Schema): Html {
  const { type = 'anything', format, items } = schema
  const types = [type].flat().map((one) => (one === 'array' && items ? `list of ${wordOf(items)}` : one))
  const limits = [rangeOf(schema), format === undefined ? undefined : format, defaultOf(schema)]
  const words = [types.join(' or '), ...limits.filter((limit) => limit !== undefined)].join(', ')
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return html`<span class="muted">${words}</span>${values.length === 0 ? undefined : html`: ${values.map((value) => html`<code class="chip">${String(value)}</code> `)}`}`
}

function wordOf({ type, $ref }: Schema): string {
  return $ref === undefined ? [type ?? 'anything'].flat().join(' or ') : ($ref.split('/').at(-1) ?? '')
}

function rangeOf({ minimum = 0, maximum, minLength = 0, maxLength, maxItems }: Schema): string | undefined {
  if (maximum !== undefined) return `${minimum} to ${maximum}`
  if (maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  if (maxItems !== undefined) return `at most ${maxItems}`
  return undefined
}

function defaultOf({ default: usual }: Schema): string | undefined {
  if (usual === undefined) return undefined
  return usual === null ? 'or null' : `${usual} if absent`
}
