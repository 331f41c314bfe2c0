import { signal } from '@preact/signals'
import { Modal } from '../ui/dialog.tsx'
import { openEvent, place } from './navigation.tsx'
import { list } from './reading.ts'
import { type EventRecord, recordName } from './record.ts'

const STORED = 'gatehouse.keys'

/** Whether single-key shortcuts are on: users of speech input must be able to turn them off (WCAG 2.1.4). */
const areKeysOn = signal(localStorage.getItem(STORED) !== 'off')

export const isHelpOpen = signal(false)

/** Whether the open event was come to by keys, which leave the focus where it is. */
export const isWalking = signal(false)

function toggleKeys(): void {
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

/** The keys beside the list, and all of them on request. */
export function KeyLine() {
  return (
    <span class="row wide-only">
      <span class="c2">
        <kbd>j</kbd> <kbd>k</kbd> move
      </span>
      <span class="c3">
        <kbd>Enter</kbd> open
      </span>
      <span class="c3">
        <kbd>r</kbd> retry
      </span>
      <button type="button" class="link" onClick={() => (isHelpOpen.value = true)}>
        <kbd>?</kbd> all keys
      </button>
      {isHelpOpen.value && (
        <Modal title="Keys" close={() => (isHelpOpen.value = false)}>
          <KeyHelp />
        </Modal>
      )}
    </span>
  )
}

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next event; opens it if one is open'],
  ['k', 'Previous event; opens it if one is open'],
  ['Enter', 'Open the event that has the focus'],
  ['r', 'Retry the event that is open or has the focus, if it failed'],
  ['Esc', 'Close'],
  ['?', 'Show the keys'],
] as const

/** The keys of the page, and the switch that turns them off. */
function KeyHelp() {
  return (
    <div class="stack">
      <dl class="facts">
        {KEYS.map(([key, meaning]) => (
          <div class="pair" key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={areKeysOn} onChange={toggleKeys} /> Use single keys
      </label>
    </div>
  )
}
