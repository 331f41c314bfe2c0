import type { EventDetail } from './record.ts'

/** More than these are folded up at first. */
const AT_A_GLANCE = 10

/** The events in a batch, as their sender named them. */
export function BatchItems({ event: { items, itemCount } }: { readonly event: EventDetail }) {
  if (itemCount === null) return null
  const missing = itemCount - items.length
  return (
    <details open={itemCount <= AT_A_GLANCE}>
      <summary>Events in it: {itemCount}</summary>
      <ul class="items">
        {items.map(({ id, eventId, eventType }) => (
          <li key={id}>
            {eventId === null ? <span class="muted">without an id</span> : <code>{eventId}</code>} · {eventType}
          </li>
        ))}
      </ul>
      {missing > 0 && <p class="muted">{items.length === 0 ? `${missing}, not listed yet` : `and ${missing} more`}</p>}
    </details>
  )
}
