import { FACTS_ID } from '../../contract/console.ts'
import { type Html, html, jsonBlock } from './html.ts'
import type { PageContent } from './page.ts'
import { factsOf } from './script-page.ts'
import type { Site } from './site.ts'
import type { View } from './view.ts'

/** The reference of the API; its script adds only the calls that one tries. */
export function docsPage(reference: Html, view: View, site: Site): PageContent {
  const main = html`${reference}\n${jsonBlock(FACTS_ID, factsOf(view, site))}`
  return { title: 'API reference', path: '/docs', frame: 'console', main, script: 'docs' }
}
