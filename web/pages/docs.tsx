import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { OPERATIONS_ID, type TriedOperation } from '../../lib/contract/console.ts'
import type * as Panel from '../reference/try-it.tsx'
import { fillSideMenu } from '../side-menu/menu.tsx'
import { Icon } from '../ui/icon.tsx'

const operations: readonly TriedOperation[] = JSON.parse(document.getElementById(OPERATIONS_ID)?.textContent ?? '[]')

fillSideMenu()
startSearch()
for (const operation of operations) {
  const place = document.querySelector(`[data-try="${operation.id}"]`)
  if (place) render(<TryButton operation={operation} />, place)
}

/** Shows only the operations that have each of the words. Errors and the fields of answers do not count. */
function startSearch(): void {
  const search = document.querySelector<HTMLElement>('search')
  const field = search?.querySelector('input')
  const found = search?.querySelector('span')
  if (!search || !field || !found) return
  const sections = [...document.querySelectorAll<HTMLElement>('.operation')]
  const links = document.querySelectorAll<HTMLAnchorElement>('.contents a')
  const searched = (section: HTMLElement) => [...section.querySelectorAll(':scope > :not(details, pre)')]
  const wordsOf = (section: HTMLElement) => searched(section).map(({ textContent }) => textContent.toLowerCase())
  const texts = new Map(sections.map((section) => [section.id, wordsOf(section).join('\n')]))
  search.hidden = false
  field.oninput = () => {
    const words = field.value.toLowerCase().match(/\S+/g) ?? []
    const isHidden = (id: string) => !words.every((word) => texts.get(id)?.includes(word))
    for (const section of sections) section.hidden = isHidden(section.id)
    for (const link of links) link.hidden = isHidden(link.hash.slice(1))
    document.body.classList.toggle('searching', words.length > 0)
    const count = sections.filter(({ hidden }) => !hidden).length
    found.textContent = words.length === 0 ? '' : `${count} of ${sections.length}`
  }
}

/** Opens the form that calls an operation; its script is loaded by then. */
function TryButton({ operation }: { readonly operation: TriedOperation }) {
  const isOpen = useSignal(false)
  const panel = useSignal<typeof Panel | undefined>(undefined)
  const { id, method, path } = operation
  const Content = panel.value?.TryIt

  async function toggle(): Promise<void> {
    isOpen.value = !isOpen.value
    panel.value ??= await import('../reference/try-it.tsx')
  }

  return (
    <>
      <button
        type="button"
        class="btn"
        aria-expanded={isOpen.value}
        aria-label={`Try it: ${method} ${path}`}
        onClick={() => void toggle()}
      >
        <Icon name="send" />
        Try it
      </button>
      {isOpen.value && Content && (
        <section class="card stack try" id={`try-${id}`} aria-label={`Try ${method} ${path}`}>
          <Content operation={operation} />
        </section>
      )}
    </>
  )
}
