import { BusyButton } from '../ui/action.tsx'
import { type Look, LookBadge } from '../ui/badge.tsx'
import { Headers } from '../ui/exchange-parts.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty } from '../ui/layout.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { asForeign, ForeignText } from '../ui/text.tsx'
import { duration, LiveTime, ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { deliverAgain, type ShownDelivery } from './calls.ts'
import type { OpenEvent } from './open-event.ts'
import type { EventDetail } from './record.ts'

/** The states of a delivery in plain words. */
export const DELIVERY_LOOKS = {
  PENDING: { tone: 'wait', label: 'Waiting' },
  SENDING: { tone: 'run', label: 'Sending' },
  DELIVERED: { tone: 'ok', label: 'Delivered' },
  DEAD: { tone: 'bad', label: 'Failed' },
  PARKED: { tone: 'note', label: 'Paused' },
} as const satisfies Record<ShownDelivery['status'], Look>

interface DeliveriesProps extends OpenEvent {
  readonly reread: () => Promise<void>
}

/** The destinations of an event, with the result of each try. */
export function DeliveryList({ event, deliveries, others, reread }: DeliveriesProps) {
  return (
    <>
      {deliveries.length === 0 ? (
        <Empty title="No destination takes this event.">
          <p class="muted">
            Destinations are set in <code>gatehouse.config.ts</code>.
          </p>
        </Empty>
      ) : (
        <p class="small muted">Each destination has its own attempts. One that fails does not hold back the others.</p>
      )}
      {deliveries.map((delivery) => (
        <DeliveryCard key={delivery.destination} event={event} delivery={delivery} reread={reread} />
      ))}
      {others.map(({ destination, unmet }) => (
        <p key={destination} class="small muted wrap">
          <b>{asForeign(destination)}</b>
          {unmet.length > 0
            ? asForeign(` does not get it: ${unmet.join(', ')} does not match.`)
            : ' had no delivery, but would get it as it is configured now.'}
        </p>
      ))}
    </>
  )
}

interface CardProps {
  readonly event: EventDetail
  readonly delivery: ShownDelivery
  readonly reread: () => Promise<void>
}

function DeliveryCard({ event, delivery, reread }: CardProps) {
  const { destination, status, attempts, dueAt, answer, history } = delivery
  const look = DELIVERY_LOOKS[status]
  return (
    <section class="card stack" aria-label={destination}>
      <div class="row flow">
        <Icon name="route" />
        <b class="wrap">{asForeign(destination)}</b>
        <span class="push">
          <LookBadge look={look} isSolid />
        </span>
      </div>
      <p class="small muted">
        {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        {dueAt !== null && (
          <>
            {' · next '}
            <LiveTime at={dueAt} />
          </>
        )}
      </p>
      {answer !== null && (
        <p class="note small wrap" data-tone={look.tone}>
          Last answer: <ForeignText text={answer} />
        </p>
      )}
      <Steps>
        {history.map((move) => (
          <MoveStep key={`${move.at} ${move.status}`} move={move} />
        ))}
      </Steps>
      {status !== 'SENDING' && event.payloadDeletedAt === null && (
        <div class="row">
          <RedeliverButton event={event} delivery={delivery} reread={reread} />
        </div>
      )}
    </section>
  )
}

type Move = ShownDelivery['history'][number]

function MoveStep({ move }: { readonly move: Move }) {
  const { at, status, error, user, reason, ms, request } = move
  const { tone, label } = DELIVERY_LOOKS[status]
  const time = <ShortTime at={at} />
  if (user !== null) {
    return (
      <StepView tone="note" icon="user" title={`Retry requested by ${user}`} time={time}>
        {reason}
      </StepView>
    )
  }
  return (
    <StepView
      tone={tone}
      title={status === 'PENDING' ? 'Failed, to be tried again' : label}
      about={ms !== null && `after ${duration(ms)}`}
      time={time}
    >
      {error}
      {reason}
      {request !== null && <Exchange {...move} />}
    </StepView>
  )
}

/** What an attempt sent, and what came back, as text: nothing of it is run. */
function Exchange({ request, answer }: Pick<Move, 'request' | 'answer'>) {
  return (
    <details>
      <summary>Request and answer</summary>
      {request && <Sent first={`${request.method ?? 'Call'} ${request.url}`} {...request} />}
      {answer && <Sent first={`${answer.status}`} {...answer} />}
    </details>
  )
}

interface SentProps extends Omit<NonNullable<Move['answer']>, 'status'> {
  readonly first: string
}

function Sent({ first, headers, body, encoding, truncated }: SentProps) {
  const notes = [encoding === 'base64' && 'base64', truncated && 'not all of it is kept'].filter(Boolean)
  return (
    <pre class="code">
      {`${first}\n`}
      <Headers entries={Object.entries(headers)} />
      <ForeignText text={`\n${body ?? ''}\n`} />
      {notes.length > 0 && <span class="muted">({notes.join(', ')})</span>}
    </pre>
  )
}

function RedeliverButton({ event, delivery: { destination, status }, reread }: CardProps) {
  async function order(): Promise<void> {
    const { note } = await deliverAgain(event, destination)
    await reread()
    tell({
      tone: note === null ? 'ok' : 'wait',
      title: `${destination} gets the event again`,
      ...(note && { text: note }),
    })
  }

  return (
    <BusyButton icon="retry" run={order} failed={`${destination} does not get the event again`}>
      {status === 'DELIVERED' ? 'Deliver again' : 'Retry now'}
      <span class="hide"> to {asForeign(destination)}</span>
    </BusyButton>
  )
}
