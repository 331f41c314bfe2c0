import { signal } from '@preact/signals'

const STORED = 'gatehouse.keys'

/** Whether single-key shortcuts are on: users of speech input must be able to turn them off (WCAG 2.1.4). */
export const areKeysOn = signal(localStorage.getItem(STORED) !== 'off')

export function toggleKeys(): void {
  areKeysOn.value = !areKeysOn.peek()
  localStorage.setItem(STORED, areKeysOn.peek() ? 'on' : 'off')
}

/** Handles keys everywhere except in input fields. */
export function listenToKeys(actions: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined
    const isOff = key.length === 1 && !areKeysOn.peek()
    if (!action || ctrlKey || metaKey || altKey || isOff || isTyping(target)) return
    event.preventDefault()
    action()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), select, textarea')
}

/** Moves the focus by that many rows, or into the list if it is elsewhere. */
export function moveBy(rows: number): void {
  const links = linksToEvents()
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + rows))
  links[next]?.focus()
}

/** The name of the event whose row has the focus. */
export function focusedEvent(): string | undefined {
  return linksToEvents().find((link) => link.closest('li')?.contains(document.activeElement))?.dataset['event']
}

function linksToEvents(): readonly HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>('[data-event]'))
}
