import { useSignal } from '@preact/signals'
import { wordsOf } from '../ask.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty } from '../ui/layout.tsx'
import { Steps, StepView } from '../ui/steps.tsx'
import { ForeignText } from '../ui/text.tsx'
import { LiveTime, ShortTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { deliverAgain, type ShownDelivery } from './calls.ts'
import type { OpenEvent } from './open-event.ts'
import type { EventDetail } from './record.ts'

interface DeliveriesProps extends OpenEvent {
  readonly reread: () => Promise<void>
}

/** The destinations of an event, with the result of each try. */
export function DeliveryList({ event, deliveries, reread }: DeliveriesProps) {
  if (deliveries.length === 0) {
    return (
      <Empty title="No destination takes this event.">
        <p class="muted">
          Destinations are set in <code>gatehouse.config.ts</code>.
        </p>
      </Empty>
    )
  }
  return (
    <>
      <p class="small muted">Each destination has its own attempts. One that fails does not hold back the others.</p>
      {deliveries.map((delivery) => (
        <DeliveryCard key={delivery.destination} event={event} delivery={delivery} reread={reread} />
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
  const { tone, word } = DELIVERY_LOOKS[status]
  return (
    <section class="card stack" aria-label={destination}>
      <div class="row flow">
        <Icon name="route" />
        <b class="wrap">{destination}</b>
        <span class="push">
          <Badge tone={tone} isSolid>
            {word}
          </Badge>
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
        <p class="note small wrap" data-tone={tone}>
          Last answer: <ForeignText text={answer} />
        </p>
      )}
      <Steps>
        {history.map((move) => (
          <Move key={`${move.at} ${move.status}`} move={move} />
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

function Move({ move: { at, status, answer, user, reason } }: { readonly move: ShownDelivery['history'][number] }) {
  const { tone, word } = DELIVERY_LOOKS[status]
  const time = <ShortTime at={at} />
  if (user !== null) {
    return (
      <StepView tone="note" icon="user" title={`Retry requested by ${user}`} time={time}>
        {reason !== null && <ForeignText text={reason} />}
      </StepView>
    )
  }
  return (
    <StepView tone={tone} title={status === 'PENDING' ? 'Failed, to be tried again' : word} time={time}>
      {answer !== null && <ForeignText text={answer} />}
    </StepView>
  )
}

function RedeliverButton({ event, delivery: { destination, status }, reread }: CardProps) {
  const isOrdered = useSignal(false)

  async function order(): Promise<void> {
    isOrdered.value = true
    try {
      await deliverAgain(event, destination)
      await reread()
      tell({ tone: 'ok', title: `${destination} gets the event again` })
    } catch (error) {
      tell({ tone: 'bad', title: `${destination} does not get the event again`, text: wordsOf(error) })
    } finally {
      isOrdered.value = false
    }
  }

  return (
    <button type="button" class="btn" disabled={isOrdered.value} onClick={() => void order()}>
      <Icon name="retry" />
      {status === 'DELIVERED' ? 'Deliver again' : 'Retry now'}
      <span class="hide"> to {destination}</span>
    </button>
  )
}

/** The states of a delivery in plain words. */
export const DELIVERY_LOOKS = {
  PENDING: { tone: 'wait', word: 'Waiting' },
  SENDING: { tone: 'run', word: 'Sending' },
  DELIVERED: { tone: 'ok', word: 'Delivered' },
  DEAD: { tone: 'bad', word: 'Failed' },
  PARKED: { tone: 'note', word: 'Paused' },
} as const satisfies Record<ShownDelivery['status'], { readonly tone: Tone; readonly word: string }>
