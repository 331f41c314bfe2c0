import { settleAll } from '../runtime/async.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import { type Announcer, type DrainableAnnouncer, deadDelivery } from '../webhooks/live/announcement.ts'
import { sendHint, wakeRows } from '../work/scan.ts'
import { type Health, takingProbe } from './breaker.ts'
import type { DeliveryHint, DeliveryQueue } from './delivery.ts'
import { type Destination, hasOwnAlarms } from './destination.ts'
import type { DeliveryStore, DueDeliveries, HealthStore } from './stores.ts'

export interface DeliveryScanParts {
  readonly destinations: readonly Destination[]
  readonly store: Pick<DeliveryStore, 'abandon'>
  readonly due: DueDeliveries
  readonly health: HealthStore
  readonly queue: DeliveryQueue
  readonly clock: Clock
  readonly deaths: Announcer
  readonly metrics: Metrics
  readonly log: Log
}

/** The pause before the next hint for the same delivery, in milliseconds. */
const HINT_PAUSE = 300_000

/**
 * The most hints in one scan for each delivery that may be under way at once: what a destination that answers in 0.1 s
 * takes until the next scan.
 */
const HINTS_PER_PLACE = 600

/**
 * Wakes what waits: every delivery whose hint is overdue, and one a minute for a destination whose circuit is open. It
 * ends those whose hint no queue takes, and decides nothing else, so a lost or duplicate hint does no harm. Starts no
 * page after `deadline`.
 * @returns how many hints were sent
 */
export async function scanDeliveries(parts: DeliveryScanParts, deadline: Date): Promise<{ readonly sent: number }> {
  const known = new Map((await parts.health.all()).map((health) => [health.destination, health]))
  const counts = await settleAll(
    parts.destinations.map(async (destination) => {
      const health = await ensureHealth(parts, destination, known.get(destination.name))
      await report(parts, destination, health)
      return wake(parts, destination, health, deadline)
    }),
  )
  const sent = counts.reduce((sum, count) => sum + count, 0)
  parts.log.info('delivery scan', { sent })
  return { sent }
}

/** Writes a destination down, so that what waits for it is found once it is removed. */
async function ensureHealth({ health }: DeliveryScanParts, { name }: Destination, known?: Health): Promise<Health> {
  if (known && !known.removedAt) return known
  return health.change(name, (present) =>
    present.version === 0 || present.removedAt ? { ...present, removedAt: undefined } : undefined,
  )
}

/** How long before their end such deliveries are ended, in milliseconds: longer than scans may be missed. */
const LAST_DAY = 86_400_000

/** What waits for a disabled destination is no news. */
async function report(parts: DeliveryScanParts, destination: Destination, { state }: Health): Promise<void> {
  const { due, clock, metrics } = parts
  const now = clock.now()
  const { oldest, ending } = await due.waiting(destination.name, new Date(now.getTime() + LAST_DAY))
  if (state === 'DISABLED') await settleAll(ending.map(({ hint }) => giveUp(parts, hint, now, EXPIRED)))
  const age = oldest && state !== 'DISABLED' ? Math.max(0, now.getTime() - oldest.getTime()) : 0
  metrics.measure('OldestDeliveryAge', age, { destination: destination.name }, hasOwnAlarms(destination))
}

async function wake(
  parts: DeliveryScanParts,
  destination: Destination,
  { state, heldUntil }: Health,
  deadline: Date,
): Promise<number> {
  const now = parts.clock.now()
  if (state === 'DISABLED' || (heldUntil && heldUntil > now)) return 0
  if (state === 'OPEN') return probe(parts, destination, now)
  const until = new Date(now.getTime() + HINT_PAUSE)
  const most = HINTS_PER_PLACE * destination.concurrency
  return wakeRows(parts.due.dueBy(destination.name, now), {
    ...parts,
    until: () => until,
    giveUp: givingUp(parts, destination, now),
    isOver: (sent) => sent >= most || parts.clock.now() >= deadline,
  })
}

/** One scan alone takes the turn, and sends one delivery. */
async function probe(parts: DeliveryScanParts, destination: Destination, now: Date) {
  const { health, due, log } = parts
  const { name } = destination
  for await (const [first] of due.dueBy(name, now)) {
    if (first === undefined) continue
    let isOurs = false
    await health.change(name, (present) => {
      const taken = takingProbe(present, now)
      isOurs = taken !== undefined
      return taken
    })
    if (!isOurs) return 0
    const hint = { ...first.hint, isProbe: true } as const
    if (!(await sendHint({ ...parts, giveUp: givingUp(parts, destination, now) }, hint))) return 0
    log.info('a destination is tried again', { ...first.hint })
    return 1
  }
  return 0
}

/** A delivery whose hint is refused for good is dead. */
function givingUp(parts: DeliveryScanParts, destination: Destination, now: Date) {
  return (hint: DeliveryHint, refusal: string) => giveUp(parts, hint, now, refusal, hasOwnAlarms(destination))
}

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
    const areDead = await settleAll(page.map(({ hint }) => giveUp(parts, hint, now, NO_DESTINATION)))
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
async function giveUp(
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
