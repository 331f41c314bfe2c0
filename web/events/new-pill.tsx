import { Icon } from '../ui/icon.tsx'
import { newIn } from './event-list.ts'
import { list, showWaiting, waiting } from './reading.ts'

/** Shows the events that have come while rows had to stay in their place. */
export function NewPill() {
  if (!waiting.value || !list.value) return null
  const { size } = newIn(waiting.value, list.value)
  if (size === 0) return null
  return (
    <button
      type="button"
      class="btn main-btn pill"
      onClick={({ currentTarget }) => {
        const rows = currentTarget.closest<HTMLElement>('.rows')
        showWaiting()
        rows?.scrollTo(0, 0)
        rows?.focus()
      }}
    >
      <Icon name="up" />
      {size === 1 ? '1 new event' : `${size} new events`}
    </button>
  )
}
