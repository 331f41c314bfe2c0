import type { PaymentStatus } from '../../lib/payments/payment.ts'
import type { Random } from '../support/random.ts'
import type { WeatherName } from './faults.ts'

/** One event of a world: what it is, how its handler behaves, how its sender does. */
export interface EventSpec {
  readonly id: string
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

/** The events of a world: one to four, some of them of one transaction. */
export function eventsOf(random: Random, weather: WeatherName): readonly EventSpec[] {
  return Array.from({ length: random.between(1, 4) }, (_, index) => eventOf(`event-${index}`, random, weather))
}

function eventOf(id: string, random: Random, weather: WeatherName): EventSpec {
  const isHandedOver = random.chance(0.5)
  const behaviour = weather === 'outage' ? { failures: 0, isPoison: false } : behaviourOf(random)
  const kind = isHandedOver
    ? { replayedAt: sometimes(0.2, random, () => random.between(0, 30 * MINUTE)) }
    : { payment: { transactionId: `transaction-${random.between(0, 1)}`, status: random.pick(STATUSES) } }
  return {
    id,
    isHandedOver,
    ...behaviour,
    replayedAt: [],
    ...kind,
    sentAt: random.between(0, 10 * MINUTE),
    repeatedAt: sometimes(0.3, random, () => random.between(0, 90 * MINUTE)),
    copies: random.chance(0.2) ? random.between(2, 4) : 1,
  }
}

function behaviourOf(random: Random): Pick<EventSpec, 'failures' | 'isPoison'> {
  return { failures: random.chance(0.5) ? 0 : random.between(1, 5), isPoison: random.chance(0.1) }
}

function sometimes<T>(probability: number, random: Random, make: () => T): readonly T[] {
  return random.chance(probability) ? [make()] : []
}
