import type { Clock } from '../runtime/clock.ts'
import { ended } from '../runtime/ended.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Announcer, DrainableAnnouncer } from '../webhooks/live/announcement.ts'
import { deadDelivery } from '../webhooks/live/dead-delivery.ts'
import type { DeliveryHint } from './delivery.ts'
import type { Health } from './health.ts'
import type { DeliveryStore, DueDeliveries, HealthStore } from './stores.ts'

export interface RemovedParts {
  /** The names of the configured destinations. */
  readonly names: ReadonlySet<string>
  readonly store: Pick<DeliveryStore, 'abandon'>
  readonly due: Pick<DueDeliveries, 'dueBy'>
  readonly health: Pick<HealthStore, 'all' | 'change' | 'remove'>
  readonly clock: Clock
  readonly deaths: DrainableAnnouncer
  readonly metrics: Metrics
  readonly log: Log
}

const NO_DESTINATION = 'no such destination'

/** Later than any time of a row. */
const END_OF_TIME = new Date(8.64e15)

/** How long functions of the previous deployment may continue to accept events for it, in milliseconds. */
const STILL_COMING = 3_600_000

/**
 * Ends deliveries that wait for destinations that are no longer configured; an operator can order them again once they
 * are. A try that is under way ends first. Starts no page after `deadline`.
 */
export async function endRemoved(parts: RemovedParts, deadline: Date): Promise<void> {
  const known = await parts.health.all()
  for (const health of known) {
    if (!parts.names.has(health.destination)) await endAll(parts, health, deadline)
  }
}

async function endAll(parts: RemovedParts, { destination, removedAt }: Health, deadline: Date) {
  const { due, health, clock, log } = parts
  const began = clock.now()
  let isRest = false
  for await (const page of due.dueBy(destination, END_OF_TIME)) {
    const now = clock.now()
    if (now >= deadline) return
    const areDead = await ended(page.map(({ hint }) => giveUp(parts, hint, now, NO_DESTINATION)))
    await parts.deaths.drained()
    isRest ||= areDead.includes(false)
  }
  if (removedAt === undefined) {
    await health.change(destination, (present) => ({ ...present, removedAt: present.removedAt ?? began }))
    return
  }
  if (isRest || began.getTime() < removedAt.getTime() + STILL_COMING) return
  await health.remove(destination)
  log.info('nothing waits for a removed destination any more', { destination })
}

/** The reason of a delivery that waited for its destination to be enabled until its event ended. It raises no alarm. */
export const EXPIRED = 'expired'

/** Ends a delivery that waits. @param isApart whether its destination has alarms of its own @returns whether it is dead now */
export async function giveUp(
  { store, deaths, metrics }: Pick<RemovedParts, 'store' | 'metrics'> & { readonly deaths: Announcer },
  hint: DeliveryHint,
  now: Date,
  reason: string,
  isApart = false,
): Promise<boolean> {
  const { kind } = await store.abandon(hint, now, reason)
  if (kind === 'lost') return false
  const { destination } = hint
  metrics.count(reason === EXPIRED ? 'ExpiredDeliveries' : 'DeadDeliveries', { destination }, isApart)
  deaths.announce(deadDelivery(hint, reason, now))
  return true
}
