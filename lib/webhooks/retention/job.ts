import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ended } from '../../runtime/ended.ts'
import { firstIdAt, millisecondsOf } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { EventHead, EventKey } from '../event.ts'
import type { EventDeliveries, PayloadStore } from './payloads.ts'
import type { Retention } from './retention.ts'

/** An event as the walk finds it. */
export type AgedEvent = EventKey & Pick<EventHead, 'id' | 'eventType'>

/** Where a walk over the events of one age is. */
export interface Walk {
  /** One of {@link AgedEvents.lanes}. */
  readonly lane: string
  readonly days: number
  /** The retention of all sources; for another one the walk begins anew. */
  readonly mark: string
}

/** The events by age, and how far they were looked at. All throw ServiceError `UNAVAILABLE`. */
export interface AgedEvents {
  /** The parts of the list, each in the order of receipt. */
  readonly lanes: readonly string[]
  /** Every event up to this id was looked at. */
  reached(walk: Walk): Promise<bigint>
  /** Notes how far a walk has come; never less than another run has. */
  reach(walk: Walk, id: bigint): Promise<void>
  /** Pages of the events above an id, up to another one; each with the id up to which all were in it. */
  between(lane: string, above: bigint, upTo: bigint): AsyncIterable<AgedPage>
  /** Remembers an event whose payload is still needed, because the walk goes on. */
  hold(event: AgedEvent): Promise<void>
  release(event: EventKey): Promise<void>
  /** Pages of the events that are held. */
  held(): AsyncIterable<readonly AgedEvent[]>
}

export interface AgedPage {
  readonly events: readonly AgedEvent[]
  readonly reached: bigint
}

export interface RetentionParts {
  readonly retention: Retention
  readonly aged: AgedEvents
  readonly payloads: Pick<PayloadStore, 'deleteSettled' | 'keepBeside'>
  readonly deliveries: Pick<EventDeliveries, 'stateOf' | 'deleteEnded'>
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
  readonly wait: (milliseconds: number) => Promise<unknown>
}

export interface RetentionResult {
  readonly deleted: number
  /** How many are kept beyond their retention. */
  readonly held: number
  /** Whether all that was due was looked at. */
  readonly isDone: boolean
}

const DAY = 86_400_000

/** How many payloads are deleted in a second at most, and how many at once. */
const RATE = 500
const GROUP = 25

/** How long what is stored beside a held event stays for now, in milliseconds; each run asks for as long again. */
const HELD = 35 * DAY

/**
 * Deletes the payloads that are older than their source's retention. What is still needed is held and looked at again in
 * each run. Runs may end anywhere, and meet. Starts no group after `deadline`; the next run goes on there.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function deleteExpired(parts: RetentionParts, deadline: Date): Promise<RetentionResult> {
  const { retention, aged, payloads, deliveries, clock, metrics, log, wait } = parts
  let deleted = 0
  let held = 0
  let longest = 0

  /** @returns whether the event needs no more looking after */
  async function remove(event: AgedEvent): Promise<boolean> {
    const state = await deliveries.stateOf(event)
    if (state === 'open') return false
    const { kind } = await payloads.deleteSettled(event, clock.now())
    if (kind === 'needed') return false
    if (kind === 'deleted') deleted += 1
    if (state === 'over') await deliveries.deleteEnded(event)
    return true
  }

  /** What cannot be deleted for a fault of ours is held, so that all else goes on. */
  async function look(event: AgedEvent): Promise<boolean> {
    const { source, eventId } = event
    return remove(event).catch((cause) => {
      if (isOutage(cause)) throw cause
      log.error('a payload could not be deleted', { source, eventId, cause })
      return false
    })
  }

  async function keep(event: AgedEvent, isNew: boolean): Promise<void> {
    const now = clock.now().getTime()
    held += 1
    longest = Math.max(longest, now - millisecondsOf(event.id) - retention.daysOf(event.source) * DAY)
    await payloads.keepBeside(event, new Date(now + HELD))
    if (isNew) await aged.hold(event)
  }

  /** @returns whether there was time for all of them */
  async function each(events: readonly AgedEvent[], run: (event: AgedEvent) => Promise<void>): Promise<boolean> {
    for (let start = 0; start < events.length; start += GROUP) {
      const now = clock.now()
      if (now >= deadline) return false
      const group = events.slice(start, start + GROUP)
      await ended(group.map(run))
      await wait(Math.max(0, now.getTime() + (group.length * 1000) / RATE - clock.now().getTime()))
    }
    return true
  }

  /** What was held when the last run ended. */
  async function lookAgain(): Promise<boolean> {
    for await (const page of aged.held()) {
      const isDone = await each(page, async (event) => {
        const isOver = isYoung(event, retention, clock.now()) || (await look(event))
        await (isOver ? aged.release(event) : keep(event, false))
      })
      if (!isDone) return false
    }
    return true
  }

  async function walk(stretch: Walk): Promise<boolean> {
    const upTo = firstIdAt(clock.now().getTime() - stretch.days * DAY)
    const from = await aged.reached(stretch)
    for await (const page of aged.between(stretch.lane, from, upTo)) {
      const concerned = page.events.filter(({ source }) => retention.daysOf(source) === stretch.days)
      const isDone = await each(concerned, async (event) => {
        if (!(await look(event))) await keep(event, true)
      })
      if (!isDone) return false
      await aged.reach(stretch, page.reached)
    }
    return true
  }

  let isDone = await lookAgain()
  const { mark } = retention
  for (const days of retention.spans) {
    for (const lane of aged.lanes) isDone = (await walk({ lane, days, mark })) && isDone
  }
  const result = { deleted, held, isDone }
  metrics.count('RetentionRun')
  metrics.measure('PayloadOverdueAge', longest)
  log[longest > 7 * DAY ? 'warn' : 'info']('payloads deleted', { ...result, overdueMs: longest })
  return result
}

function isOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.is('UNAVAILABLE')
}

/** Whether an event that was held is to be kept by now, because the retention of its source grew: the walk finds it. */
function isYoung({ id, source }: AgedEvent, retention: Retention, now: Date): boolean {
  return millisecondsOf(id) > now.getTime() - retention.daysOf(source) * DAY
}
