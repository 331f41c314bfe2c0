import { ForeignText } from '../../ui/text.tsx'
import type { EventDetail } from '../record.ts'

/** More than these are folded up at first. */
const AT_A_GLANCE = 10

/** The events in a batch, as their sender named them. */
export function BatchItems({ event: { items, itemCount } }: { readonly event: EventDetail }) {
  if (itemCount === null) return null
  const missing = itemCount - items.length
  return (
    <details class="stack" open={itemCount <= AT_A_GLANCE}>
      <summary>Events in the batch: {itemCount.toLocaleString('en')}</summary>
      <ul class="stack tight small">
        {items.map(({ id, eventId, eventType }) => (
          <li key={id} class="wrap">
            {eventId === null ? (
              <span class="muted">without an id</span>
            ) : (
              <code>
                <ForeignText text={eventId} />
              </code>
            )}{' '}
            · <ForeignText text={eventType} />
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <p class="muted small">
          {items.length === 0 ? `${missing} not listed yet` : `and ${missing.toLocaleString('en')} more`}
        </p>
      )}
    </details>
  )
}
