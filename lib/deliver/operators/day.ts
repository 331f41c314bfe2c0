import type { Clock } from '../../runtime/time.ts'
import type { Position } from '../../webhooks/operators/list.ts'
import type { Delivery } from '../delivery.ts'
import type { LackingParts } from './lacking.ts'

export interface DayParts extends Pick<LackingParts, 'list' | 'states'> {
  readonly clock: Clock
}

export type Day = Awaited<ReturnType<typeof count>>

/** In milliseconds: what is counted, how long a count is given again, and after how long no more is read. */
const [DAY, KEPT_FOR, PATIENCE] = [86_400_000, 60_000, 3000]

/** The newest deliveries that are counted, and how many events are looked at at once. */
const [MOST, EVENTS_AT_ONCE] = [10_000, 500]

/**
 * What became of the deliveries to a destination of the events that were accepted within 24 hours. It is counted from their
 * rows, so that no delivery costs a write more. The function throws ServiceError `UNAVAILABLE`.
 */
export function dayCounter(parts: DayParts): (destination: string) => Promise<Day> {
  const kept = new Map<string, { readonly at: number; readonly day: Promise<Day> }>()
  return (destination) => {
    const at = parts.clock.now().getTime()
    const known = kept.get(destination)
    if (known && Math.abs(at - known.at) < KEPT_FOR) return known.day
    const day = count(parts, destination)
    kept.set(destination, { at, day })
    day.catch(() => kept.delete(destination))
    return day
  }
}

async function count({ list, states, clock }: DayParts, destination: string) {
  const begun = clock.now().getTime()
  const from = new Date(begun - DAY)
  const rows: Delivery[] = []
  let after: Position | undefined
  do {
    const page = await list.find({ from }, after, EVENTS_AT_ONCE)
    rows.push(...(await states.of(page.events, destination)))
    after = page.next
  } while (after && rows.length < MOST && clock.now().getTime() - begun < PATIENCE)
  const moves = rows.flatMap(({ history }) => history.findLast(({ attempt }) => attempt !== undefined) ?? [])
  const times = moves.flatMap(({ ms }) => ms ?? []).toSorted((one, other) => one - other)
  const atMost = (part: number) => times[Math.ceil(times.length * part) - 1] ?? null
  const delivered = moves.filter(({ status }) => status === 'DELIVERED').length
  const successRate = moves.length === 0 ? null : Math.round((delivered / moves.length) * 10_000) / 10_000
  return {
    lastDeliveredAt: latest(rows.flatMap(({ deliveredAt: at }) => (at ? [{ at }] : [])))?.at,
    last: latest(moves),
    /** By the last attempt of each. */
    shown: {
      ...{ delivered, failed: moves.length - delivered, successRate },
      ...{ p50Ms: atMost(0.5), p95Ms: atMost(0.95), complete: after === undefined },
    },
  }
}

function latest<T extends { readonly at: Date }>(all: readonly T[]): T | undefined {
  return all.toSorted((one, other) => one.at.getTime() - other.at.getTime()).at(-1)
}
