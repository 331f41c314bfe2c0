import { type ConsoleFacts, codePoint, FACTS_ID, UNSEEN } from '../../contract/console.ts'
import type { Manifest, Site } from './site.ts'

/** Text that is HTML already; only {@link html}, {@link jsonBlock} and a library make it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Value = string | Html | undefined | readonly Html[]

/** A template whose values are escaped, unless they come from such a template themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, index) => text + render(values[index])).join(''))
}

function render(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return value.map(render).join('')
}

/** Data for a script of the page (HTML, "data blocks"): no value can end the element. */
export function jsonBlock(id: string, data: object): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${id}">${new Html(json)}</script>`
}

/** Draws a symbol of the sprite `web/icons.svg`. */
export type DrawIcon = (name: string) => Html

export function iconsOf({ icons }: Manifest): DrawIcon {
  return (name) =>
    html`<svg class="i${name === 'gate' ? ' mark' : ''}" aria-hidden="true"><use href="/assets/${icons}#${name}"></use></svg>`
}

/** The facts for the script of a page without a menu: it only draws symbols. */
export function symbolsFor({ manifest }: Pick<Site, 'manifest'>): Html {
  const facts: Pick<ConsoleFacts, 'icons' | 'demoUsers'> = { icons: `/assets/${manifest.icons}`, demoUsers: [] }
  return jsonBlock(FACTS_ID, facts)
}

/** Foreign text for one line: what would not be seen is its code point, as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `[${codePoint(character)}]`)
}
