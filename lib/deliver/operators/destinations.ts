import { fail } from '../../errors.ts'
import { localOrNull, toLocalDateTime } from '../../runtime/time.ts'
import { type Health, healthyOf } from '../breaker.ts'
import type { DeliveryMove } from '../delivery.ts'
import { type Destination, shownTarget } from '../destination.ts'
import type { DueDeliveries, HealthStore } from '../stores.ts'
import type { Day } from './day.ts'

export interface DestinationParts {
  readonly destinations: readonly Destination[]
  readonly health: Pick<HealthStore, 'all' | 'change'>
  readonly due: Pick<DueDeliveries, 'waiting'>
}

export interface DestinationListParts extends DestinationParts {
  readonly dayOf: (destination: string) => Promise<Day>
  /** Of what signs deliveries. @throws ServiceError `UNAVAILABLE` */
  readonly publicKeys: () => Promise<(destination: string) => readonly string[]>
}

/**
 * Every configured destination, with what is known of it.
 * @param name only this one, with what is counted of a day
 * @throws ServiceError `DESTINATION_NOT_FOUND`, `UNAVAILABLE`
 */
export async function listDestinations(parts: DestinationListParts, name?: string) {
  const { destinations, health, due, dayOf } = parts
  const wanted = name === undefined ? destinations : [findDestination(destinations, name)]
  const isSigned = wanted.some(({ target }) => target.to === 'http')
  const [stored, day, publicKeys] = await Promise.all([
    health.all(),
    name === undefined ? undefined : dayOf(name),
    isSigned ? parts.publicKeys() : () => [],
  ])
  const known = new Map(stored.map((one) => [one.destination, one]))
  return Promise.all(
    wanted.map(async (one) => ({
      ...(await shownDestination(due, one, known.get(one.name) ?? healthyOf(one.name), day)),
      publicKeys: publicKeys(one.name),
    })),
  )
}

/** @throws ServiceError `DESTINATION_NOT_FOUND` */
export function findDestination(destinations: readonly Destination[], name: string | undefined): Destination {
  const found = destinations.find((one) => one.name === name)
  if (found) return found
  throw fail('DESTINATION_NOT_FOUND')
}

/** The destination as operators see it: absent values are null, times are local date-times. */
export async function shownDestination(
  due: DestinationParts['due'],
  { name, target }: Destination,
  health: Health,
  day?: Day,
) {
  const { count, oldest } = await due.waiting(name)
  return {
    name,
    to: target.to,
    target: shownTarget(target),
    state: health.state,
    since: localOrNull(health.since),
    by: health.by ?? null,
    reason: health.reason ?? null,
    waiting: count,
    oldestAt: localOrNull(oldest),
    failures: health.failures,
    lastDeliveredAt: localOrNull(day?.lastDeliveredAt),
    lastAnswer: lastAnswerOf(health, day?.last),
    day: day?.shown ?? null,
    publicKeys: null as readonly string[] | null,
  }
}

/** The later one of what the circuit noted, and of the last attempt. */
function lastAnswerOf({ lastAnswer: text, lastAnswerAt: at }: Health, last: DeliveryMove | undefined) {
  const isNoted = text !== undefined && at !== undefined && (last === undefined || at > last.at)
  const [when, said] = isNoted ? [at, text] : [last?.at, last?.answer]
  if (when === undefined || said === undefined) return null
  const [, status] = /^HTTP (\d{3})$/.exec(said) ?? []
  return { at: toLocalDateTime(when), status: status === undefined ? null : Number(status), text: said }
}
