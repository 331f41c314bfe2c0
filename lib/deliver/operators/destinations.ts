import { fail } from '../../errors.ts'
import { localOrNull } from '../../runtime/time.ts'
import { type Health, healthyOf } from '../breaker.ts'
import type { Destination, Target } from '../destination.ts'
import { HANDLERS } from '../handler-file.ts'
import type { DueDeliveries, HealthStore } from '../stores.ts'

export interface DestinationParts {
  readonly destinations: readonly Destination[]
  readonly health: Pick<HealthStore, 'all' | 'change'>
  readonly due: Pick<DueDeliveries, 'waiting'>
}

/** Every configured destination, with what is known of it. @throws ServiceError `UNAVAILABLE` */
export async function listDestinations({ destinations, health, due }: DestinationParts) {
  const known = new Map((await health.all()).map((one) => [one.destination, one]))
  return Promise.all(destinations.map((one) => shownDestination(due, one, known.get(one.name) ?? healthyOf(one.name))))
}

/** @throws ServiceError `DESTINATION_NOT_FOUND` */
export function findDestination(destinations: readonly Destination[], name: string | undefined): Destination {
  const found = destinations.find((one) => one.name === name)
  if (found) return found
  throw fail('DESTINATION_NOT_FOUND')
}

/** The destination as operators see it: absent values are null, times are local date-times. */
export async function shownDestination(due: DestinationParts['due'], { name, target }: Destination, health: Health) {
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
    lastAnswer: health.lastAnswer ?? null,
    lastAnswerAt: localOrNull(health.lastAnswerAt),
  }
}

/** The host, the ARN or the file: paths and queries of a URL may hold secrets. */
function shownTarget(target: Target): string {
  switch (target.to) {
    case 'http':
      return new URL(target.url).host
    case 'sqs':
      return target.queueArn
    case 'eventbridge':
      return target.busArn
    case 'handler':
      return `${HANDLERS}/${target.path}.ts`
  }
}
