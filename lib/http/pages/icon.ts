import { type ConsoleFacts, FACTS_ID } from '../../contract/console.ts'
import { type Html, html, jsonBlock } from './html.ts'
import type { Manifest, Site } from './site.ts'

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
