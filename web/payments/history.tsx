import { recordTime } from '../events/record.ts'
import { Icon } from '../ui/icon.tsx'
import { LiveTime } from '../ui/live-time.tsx'
import type { ListedPayment } from './looks.ts'

/** The events that made a payment or an order, each a link to the inbox. */
export function History({ events }: { readonly events: ListedPayment['events'] }) {
  return (
    <ol class="steps">
      {events.map(({ source, eventId, eventType, outcome, at }) => (
        <li key={`${source}/${eventId}`}>
          <span class="tone" data-tone={outcome === 'applied' ? 'ok' : 'note'}>
            <Icon name={outcome === 'applied' ? 'ok' : 'note'} />
          </span>
          <span class="wrap">
            <b>{outcome === 'applied' ? 'Applied' : 'Superseded'}:</b> {eventType}
          </span>
          <span class="small muted">
            <LiveTime at={recordTime(at)} />
          </span>
          <a class="small wrap" href={`/console/webhooks?event=${encodeURIComponent(`${source}/${eventId}`)}`}>
            {source} {eventId}
          </a>
        </li>
      ))}
    </ol>
  )
}
