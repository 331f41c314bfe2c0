import { type ComponentType, render } from 'preact'
import { ISLAND_ID } from '../lib/contract/console.ts'
import { isSessionOver } from './ask.ts'
import { loginHere } from './facts.ts'
import { fillSideMenu } from './side-menu/menu.tsx'
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

/** Says that the session has ended while the page was open. */
function SessionNotice() {
  return (
    <div role="status">
      {isSessionOver.value && (
        <p class="note" data-tone="wait">
          Your session has ended. <a href={loginHere()}>Log in again</a>. This page stays as it is until you leave it.
        </p>
      )}
    </div>
  )
}
