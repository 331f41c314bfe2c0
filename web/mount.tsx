import { type ComponentType, render } from 'preact'
import { ISLAND_ID } from '../lib/contract/console.ts'
import { fillSideMenu } from './side-menu/menu.tsx'
import { SessionNotice } from './ui/session-notice.tsx'
import { Toast } from './ui/toast.tsx'

/**
 * Renders a page in the place of what the server rendered for browsers without scripts. It takes a component and not an
 * element: the first element of a page, kept in properties, would keep all that the page ever showed.
 */
export function mount(Page: ComponentType): void {
  const island = document.getElementById(ISLAND_ID)
  if (!island) throw new Error(`no element ${ISLAND_ID}`)
  fillSideMenu()
  island.replaceChildren()
  render(<Island Page={Page} />, island)
}

function Island({ Page }: { readonly Page: ComponentType }) {
  return (
    <>
      <SessionNotice />
      <Page />
      <Toast />
    </>
  )
}
