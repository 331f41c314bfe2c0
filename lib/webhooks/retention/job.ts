import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ended } from '../../runtime/ended.ts'
import { firstIdAt, millisecondsOf } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { EventHead, EventKey } from '../event.ts'
import type { EventDeliveries, PayloadStore } from './payloads.ts'
import type { Retention } from './retention.ts'

/** An event as the walk reads it. */
export type AgedEvent = EventKey & Pick<EventHead, 'id' | 'eventType'>

/** The position of a walk over the events of one age. */
export interface Walk {
  /** One of {@link AgedEvents.lanes}. */
  readonly lane: string
  readonly days: number
  /** The retention of all sources; with another one the walk starts from the beginning. */
  readonly mark: string
}

/** The events by age, and the progress of the walks. All throw ServiceError `UNAVAILABLE`. */
export interface AgedEvents {
  /** The parts of the list, each in the order of receipt. */
  readonly lanes: readonly string[]
  /** The id up to which every event was processed. */
  reached(walk: Walk): Promise<bigint>
  /** Stores the progress of a walk; never less than another run has stored. */
  reach(walk: Walk, id: bigint): Promise<void>
  /** Pages of the events above an id, up to another one; each with the id up to which it is complete. */
  between(lane: string, above: bigint, upTo: bigint): AsyncIterable<AgedPage>
  /** Remembers an event whose payload is still needed, so that the walk can continue. */
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
  /** Whether every due event was processed. */
  readonly isDone: boolean
}

const DAY = 86_400_000

/** The maximum number of payloads that are deleted in a second, and at once. */
const RATE = 500
const GROUP = 25

/** How long the rows beside a held event are kept for now, in milliseconds; each run extends it. */
const HELD = 35 * DAY

/**
 * Deletes the payloads that are older than their source's retention. A payload that is still needed is held, and each
 * run checks it again. Runs may stop anywhere, and may overlap. No group starts after `deadline`; the next run
 * continues.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function deleteExpired(parts: RetentionParts, deadline: Date): Promise<RetentionResult> {
  const { retention, aged, payloads, deliveries, clock, metrics, log, wait } = parts
  let deleted = 0
  let held = 0
  let longest = 0

  /** @returns whether nothing is left to do for the event */
  async function remove(event: AgedEvent): Promise<boolean> {
    const state = await deliveries.stateOf(event)
    if (state === 'open') return false
    const { kind } = await payloads.deleteSettled(event, clock.now())
    if (kind === 'needed') return false
    if (kind === 'deleted') deleted += 1
    if (state === 'over') await deliveries.deleteEnded(event)
    return true
  }

  /** An event that cannot be deleted because of a bug is held, so that the others can be deleted. */
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

  /** The events that were held when the last run ended. */
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

/** Whether the retention of a source grew, so that it covers a held event again: the walk will find the event. */
function isYoung({ id, source }: AgedEvent, retention: Retention, now: Date): boolean {
  return millisecondsOf(id) > now.getTime() - retention.daysOf(source) * DAY
}
