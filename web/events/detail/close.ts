import { openEvent, place } from '../navigation.ts'
import { recordName } from '../record.ts'

/** Closes the open event, and returns the focus to its row. */
export function closeEvent(): void {
  const { open } = place.peek()
  openEvent(undefined)
  const name = open && recordName(open)
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-event]'))
  rows.find((row) => row.dataset['event'] === name)?.focus()
}
