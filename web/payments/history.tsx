import { recordTime } from '../events/record.ts'
import { Steps, StepView } from '../ui/steps.tsx'
import { LiveTime } from '../ui/times.tsx'
import type { ListedPayment } from './looks.ts'

/** The events that made a payment or an order, each a link to the inbox. */
export function History({ events }: { readonly events: ListedPayment['events'] }) {
  return (
    <Steps>
      {events.map(({ source, eventId, eventType, outcome, at }) => (
        <StepView
          key={`${source}/${eventId}`}
          tone={outcome === 'applied' ? 'ok' : 'note'}
          title={outcome === 'applied' ? 'Applied:' : 'Superseded:'}
          about={eventType}
          time={<LiveTime at={recordTime(at)} />}
        >
          <a href={`/console/webhooks?event=${encodeURIComponent(`${source}/${eventId}`)}`}>
            {source} {eventId}
          </a>
        </StepView>
      ))}
    </Steps>
  )
}
