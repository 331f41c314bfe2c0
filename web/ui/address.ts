import { type ReadonlySignal, signal } from '@preact/signals'

type Fields = Readonly<Record<string, string>>

/** The state of a page in its address; the text of a field that is absent is empty. */
export interface Address {
  readonly fields: ReadonlySignal<Fields>
  /** Changes fields, as a new entry in the browser's history; what is typed without a stop is one entry. */
  readonly go: (changes: Fields, isTyped?: boolean) => void
  /** The address with these changes, for links. */
  readonly linkTo: (changes: Fields) => string
}

export function pageAddress(names: readonly string[]): Address {
  const fields = signal(read(names))
  let isTyping = false
  addEventListener('popstate', () => {
    isTyping = false
    fields.value = read(names)
  })

  function linkTo(changes: Fields): string {
    const given = Object.entries({ ...fields.peek(), ...changes }).filter(([, value]) => value !== '')
    return `${location.pathname}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
  }

  function go(changes: Fields, isTyped = false): void {
    if (isTyping && isTyped) history.replaceState(null, '', linkTo(changes))
    else history.pushState(null, '', linkTo(changes))
    isTyping = isTyped
    fields.value = read(names)
  }

  return { fields, go, linkTo }
}

function read(names: readonly string[]): Fields {
  const query = new URLSearchParams(location.search)
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']))
}
