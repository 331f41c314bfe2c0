import { type ComponentChild, render } from 'preact'
import { ISLAND_ID } from '../lib/contract/console.ts'
import { fillSideMenu } from './side-menu/menu.tsx'
import { SessionNotice } from './ui/session-notice.tsx'
import { Toast } from './ui/toast.tsx'

/** Renders a page in the place of what the server rendered for browsers without scripts. */
export function mount(content: ComponentChild): void {
  const island = document.getElementById(ISLAND_ID)
  if (!island) throw new Error(`no element ${ISLAND_ID}`)
  fillSideMenu()
  island.replaceChildren()
  render([<SessionNotice key="session" />, content, <Toast key="toast" />], island)
}
