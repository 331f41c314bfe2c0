import { signal } from '@preact/signals'
import { openEvent, place } from './navigation.ts'
import { list } from './reading.ts'
import { type EventRecord, recordName } from './record.ts'

const STORED = 'gatehouse.keys'

/** Whether single-key shortcuts are on: users of speech input must be able to turn them off (WCAG 2.1.4). */
export const areKeysOn = signal(localStorage.getItem(STORED) !== 'off')

export const isHelpOpen = signal(false)

/** Whether the open event was come to by keys, which leave the focus where it is. */
export const isWalking = signal(false)

export function toggleKeys(): void {
  areKeysOn.value = !areKeysOn.peek()
  localStorage.setItem(STORED, areKeysOn.peek() ? 'on' : 'off')
}

/** Handles keys everywhere except in input fields and dialogs. */
export function listenToKeys(actions: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined
    const isOff = key.length === 1 && !areKeysOn.peek()
    if (!action || ctrlKey || metaKey || altKey || isOff || isElsewhere(target)) return
    event.preventDefault()
    action()
  })
}

function isElsewhere(target: EventTarget | null): boolean {
  const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), select, textarea')
  return isTyping || document.querySelector('dialog[open], :popover-open') !== null
}

/** Moves by that many rows: opens the next event if one is open, else moves the focus. */
export function moveBy(rows: number): void {
  const links = linksToEvents()
  const { open } = place.peek()
  const name = open ? recordName(open) : focusedEvent()
  const at = links.findIndex((link) => link.dataset['event'] === name)
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + rows))]
  next?.scrollIntoView({ block: 'nearest' })
  if (!open) {
    next?.focus()
    return
  }
  const event = list.peek()?.events.find((each) => recordName(each) === next?.dataset['event'])
  if (!event || recordName(event) === name) return
  isWalking.value = true
  openEvent({ source: event.source, eventId: event.eventId })
}

/** The event that has the focus, or else the open one. */
export function chosenEvent(): EventRecord | undefined {
  const { open } = place.peek()
  const name = focusedEvent() ?? (open && recordName(open))
  return list.peek()?.events.find((each) => recordName(each) === name)
}

/** The name of the event whose row has the focus. */
function focusedEvent(): string | undefined {
  return linksToEvents().find((link) => link === document.activeElement)?.dataset['event']
}

function linksToEvents(): readonly HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>('[data-event]'))
}
