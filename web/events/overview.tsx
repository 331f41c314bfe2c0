import { Badge } from '../ui/badge.tsx'
import { Part } from '../ui/pane.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { Facts, ForeignCode, ForeignText } from '../ui/text.tsx'
import { LiveTime, now, parseTime, relativeTime } from '../ui/times.tsx'
import { AttemptScale } from './attempts.tsx'
import type { ShownDelivery } from './calls.ts'
import { DELIVERY_LOOKS } from './deliveries.tsx'
import { payloadSize } from './hints.ts'
import { attemptsIn } from './history.ts'
import { EventLink, TabLink } from './navigation.tsx'
import type { OpenEvent } from './open-event.ts'
import { LEVELS } from './proof.ts'
import type { EventDetail, EventRecord } from './record.ts'
import { effectsOf, storyOf } from './story.ts'

/** What happened, why, and what to do; then the facts. */
export function Overview({ event, deliveries }: Pick<OpenEvent, 'event' | 'deliveries'>) {
  return (
    <>
      <StoryNote event={event} />
      <Part title="Attempts" region="Attempts">
        <AttemptScale event={event} />
      </Part>
      <Part title="Destinations" region="Destinations">
        <Steps>
          <Handler event={event} />
          {deliveries.map((delivery) => (
            <LastAnswer key={delivery.destination} delivery={delivery} />
          ))}
        </Steps>
      </Part>
      <Part title="Event" region="Event">
        <EventFacts event={event} />
        <BatchItems event={event} />
      </Part>
    </>
  )
}

function StoryNote({ event }: { readonly event: EventDetail }) {
  const { tone, title, text } = storyOf(event)
  const { payment, order } = effectsOf(event)
  return (
    <div class="note stack tight" data-tone={tone}>
      <p>
        <strong>{title}</strong>
      </p>
      <p class="small wrap">
        <ForeignText text={text} />
      </p>
      <p class="row flow">
        {payment !== undefined && <EffectLink kind="payment" id={payment} label="Open the payment" />}
        {payment === undefined && order !== undefined && <EffectLink kind="order" id={order} label="Open the order" />}
        <TabLink tab="payload">Show the payload</TabLink>
      </p>
    </div>
  )
}

interface EffectLinkProps {
  readonly kind: 'payment' | 'order'
  readonly id: string
  readonly label?: string
}

function EffectLink({ kind, id, label }: EffectLinkProps) {
  const view = kind === 'payment' ? {} : { view: 'orders' }
  return (
    <a class="small" href={`/console/payments?${new URLSearchParams({ ...view, q: id, open: id })}`}>
      {label ?? <ForeignText text={id} />}
    </a>
  )
}

/** Our own handler, which comes before all destinations. */
function Handler({ event }: { readonly event: EventDetail }) {
  const { tone } = storyOf(event)
  const runs = attemptsIn(event.history)
  const failed = runs.filter(({ result }) => result === 'failed').length
  const figure =
    event.status === 'FAILED' ? `${failed} failed` : `${runs.length} attempt${runs.length === 1 ? '' : 's'}`
  return <StepView tone={tone} title="gatehouse" about="built-in handler" time={figure} />
}

function LastAnswer({ delivery: { destination, status, attempts, answer } }: { readonly delivery: ShownDelivery }) {
  const { tone, label } = DELIVERY_LOOKS[status]
  const figure = answer === null ? label : `${answer} · ${attempts} ${attempts === 1 ? 'try' : 'tries'}`
  return <StepView tone={tone} title={destination} about={label} time={figure} />
}

function EventFacts({ event }: { readonly event: EventDetail }) {
  const { proof, receivedAt, processedAt, nextRetryAt } = event
  const { tone, name } = LEVELS[proof.level]
  const { payment, order } = effectsOf(event)
  return (
    <Facts
      rows={{
        Received: <LiveTime at={receivedAt} />,
        Processed: processedAt && <LiveTime at={processedAt} />,
        'Next attempt': nextRetryAt && <NextAttempt at={parseTime(nextRetryAt)} />,
        Proof: (
          <span class="row flow">
            <Badge tone={tone}>{name}</Badge>
            {proof.stale && <Badge tone="wait">Came late</Badge>}
            {proof.level !== 'none' && !proof.typeSigned && <Badge tone="wait">Type not signed</Badge>}
            {proof.level !== 'none' && !proof.idSigned && <Badge tone="wait">Id not signed</Badge>}
            <TabLink tab="proof">what was signed</TabLink>
          </span>
        ),
        About: event.summary,
        ...lookAlikes(event),
        Outcome: event.outcome,
        Payment: payment !== undefined && <EffectLink kind="payment" id={payment} />,
        Order: order !== undefined && <EffectLink kind="order" id={order} />,
        Size: payloadSize(event),
      }}
    />
  )
}

function NextAttempt({ at }: { readonly at: Date }) {
  return at > now.value ? <LiveTime at={at} /> : <>any moment, it was due {relativeTime(at, now.value)}</>
}

type LookAlike = Pick<EventRecord, 'source' | 'possibleDuplicateOf' | 'typeConflict' | 'idConflict'>

/** Facts: which event it looks like, and what else came under its id. */
function lookAlikes({ source, possibleDuplicateOf, typeConflict, idConflict }: LookAlike) {
  return {
    'Looks like': possibleDuplicateOf !== null && (
      <>
        <EventLink event={{ source, eventId: possibleDuplicateOf }} />{' '}
        <span class="muted">has the same content{typeConflict ? ', but another type' : ''}: a possible duplicate</span>
      </>
    ),
    'Id conflict': idConflict !== null && (
      <>
        Another content came under this id {times(idConflict.count)}, last <LiveTime at={idConflict.lastAt} />. It was
        not stored.
      </>
    ),
  }
}

/** Not every conflict is counted. */
function times(count: number): string {
  return count === 1 ? 'at least once' : `at least ${count} times`
}

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
            {eventId === null ? <span class="muted">without an id</span> : <ForeignCode text={eventId} />} ·{' '}
            <ForeignText text={eventType} />
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
