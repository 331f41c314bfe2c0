import type { PaymentStatus } from '../../lib/payments/payment.ts'
import { ITEMS_AT_ONCE } from '../../lib/webhooks/place.ts'
import type { Random } from '../support/random.ts'
import type { WeatherName } from './faults.ts'
import { HORIZON_SECONDS, type SourceName } from './sources.ts'

/** One event of a world: what it is, how its handler behaves, how its sender does. */
export interface EventSpec {
  /** Names it in its world. */
  readonly id: string
  readonly source: SourceName
  /** What its sender calls it, where senders name events; another event may have the same one. */
  readonly eventId: string
  /** What its body says; another event may say the same. */
  readonly content: string
  /** The number of elements of a batch. */
  readonly elements: number
  readonly isHandedOver: boolean
  /** The handler throws in so many runs of the worker, and at the intake unless 0. */
  readonly failures: number
  /** The handler ends its process. */
  readonly isPoison: boolean
  readonly payment?: { readonly transactionId: string; readonly status: PaymentStatus }
  /** When it is sent first, and when again although it was acknowledged, in milliseconds. */
  readonly sentAt: number
  readonly repeatedAt: readonly number[]
  /** How many copies come at once. */
  readonly copies: number
  /** When its body comes again under an id of its own; only where nobody signs ids. */
  readonly replayedAt: readonly number[]
}

const MINUTE = 60_000
const STATUSES = ['COMPLETED', 'FAILED', 'REFUNDED'] as const

/** Sources in which an event comes, most often those whose events have effects of their own. */
const DRAWN: readonly SourceName[] = [
  ...(['rows', 'rows', 'rows', 'handed-over', 'handed-over', 'handed-over'] as const),
  ...(['unsigned', 'timed', 'news', 'nameless', 'batches'] as const),
]

/** The events of a world: one to three, some of them of one transaction, and what looks like them. */
export function eventsOf(random: Random, weather: WeatherName): readonly EventSpec[] {
  const events = Array.from({ length: random.between(1, 3) }, (_, index) => eventOf(`event-${index}`, random, weather))
  return events.flatMap((event) => [event, ...alike(event, random)])
}

function eventOf(id: string, random: Random, weather: WeatherName): EventSpec {
  const source = random.pick(DRAWN)
  const elements = source === 'batches' ? random.pick([0, 1, 3, ITEMS_AT_ONCE, ITEMS_AT_ONCE + 1]) : 0
  return {
    id,
    source,
    eventId: id,
    content: id,
    elements,
    isHandedOver: source === 'handed-over' || elements > ITEMS_AT_ONCE || (isEither(source) && random.chance(0.3)),
    ...(weather === 'outage' ? { failures: 0, isPoison: false } : behaviourOf(random)),
    ...(source === 'rows' && paymentOf(random)),
    sentAt: random.between(0, 10 * MINUTE),
    ...repetitionsOf(source, random),
  }
}

/** Whether some events of a source are run by the intake, others by a worker. */
function isEither(source: SourceName): boolean {
  return !['rows', 'handed-over', 'batches'].includes(source)
}

function repetitionsOf(source: SourceName, random: Random): Pick<EventSpec, 'copies' | 'repeatedAt' | 'replayedAt'> {
  const isNamed = source === 'handed-over' || source === 'unsigned'
  const isHourly = source === 'nameless'
  return {
    copies: random.chance(source === 'news' ? 0.5 : 0.2) ? random.between(2, 9) : 1,
    repeatedAt: isHourly ? hourly(random) : sometimes(0.3, random, () => random.between(0, 90 * MINUTE)),
    replayedAt: isNamed ? sometimes(0.2, random, () => random.between(0, 30 * MINUTE)) : [],
  }
}

function paymentOf(random: Random): Pick<EventSpec, 'payment'> {
  return { payment: { transactionId: `transaction-${random.between(0, 1)}`, status: random.pick(STATUSES) } }
}

/** The same again after each of some hours, twice at once: as long as its sender repeats, and a little more. */
function hourly(random: Random): readonly number[] {
  return Array.from({ length: random.between(0, 3) }, (_, hour) => {
    const at = (hour + 1) * (HORIZON_SECONDS * 1000 + random.between(0, MINUTE))
    return [at, at + random.between(0, 30)]
  }).flat()
}

/** What another event of a source may have in common with an event. */
const LIKENESSES: Readonly<Record<SourceName, readonly ('eventId' | 'content')[]>> = {
  rows: ['eventId'],
  'handed-over': ['eventId', 'content'],
  unsigned: ['eventId', 'content'],
  timed: ['content'],
  news: ['content'],
  nameless: ['content'],
  batches: [],
}

/** Sometimes other events that are like an event, soon or late. */
function alike(event: EventSpec, random: Random): readonly EventSpec[] {
  const likenesses = LIKENESSES[event.source]
  if (likenesses.length === 0 || !random.chance(0.4)) return []
  return Array.from({ length: random.between(1, 3) }, (_, index) => {
    const id = `${event.id}-alike-${index}`
    const same = random.pick(likenesses)
    const own = { id, eventId: id, content: id, copies: 1, repeatedAt: [], replayedAt: [] }
    const later = random.between(0, random.pick([50, 10 * MINUTE, 150 * MINUTE]))
    return {
      ...event,
      ...own,
      ...(event.payment && paymentOf(random)),
      [same]: event[same],
      sentAt: event.sentAt + later,
    }
  })
}

function behaviourOf(random: Random): Pick<EventSpec, 'failures' | 'isPoison'> {
  return { failures: random.chance(0.5) ? 0 : random.between(1, 5), isPoison: random.chance(0.1) }
}

function sometimes<T>(probability: number, random: Random, make: () => T): readonly T[] {
  return random.chance(probability) ? [make()] : []
}
