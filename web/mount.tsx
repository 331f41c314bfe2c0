import { type ComponentChild, render } from 'preact'
import { ISLAND_ID } from '../lib/contract/console.ts'
import { SessionNotice } from './components/session-notice.tsx'

/** Renders the script's part of a page, below the heading that the server rendered. */
export function mount(content: ComponentChild): void {
  const island = document.getElementById(ISLAND_ID)
  if (!island) throw new Error(`no element ${ISLAND_ID}`)
  island.replaceChildren()
  render([<SessionNotice key="session" />, content], island)
}
