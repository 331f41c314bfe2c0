import type { EventKey } from '../../webhooks/event.ts'
import type { EventFilter, Position } from '../../webhooks/operators/list.ts'
import type { DeliveryState, ReplayedList, ReplayRequest } from '../../webhooks/operators/replay.ts'
import type { Delivery, DeliveryStatus, ShownStatus } from '../delivery.ts'
import type { HealthStore } from '../stores.ts'

/** Reads deliveries by their state. All throw ServiceError `UNAVAILABLE`. */
export interface DeliveryStates {
  /** The deliveries of these events to a destination that there are, in the order of the events. */
  of(events: readonly EventKey[], destination: string): Promise<readonly Delivery[]>
  /** What lists say of these events in one line, in their order; undefined where there is nothing. */
  summaries(events: readonly EventKey[]): Promise<readonly (string | undefined)[]>
  /** The events whose delivery to a destination is dead; its filter has neither `q` nor `dead`. */
  dead(destination: string): ReplayedList
}

export interface LackingParts {
  readonly list: ReplayedList
  readonly states: DeliveryStates
  readonly health: Pick<HealthStore, 'read'>
}

/**
 * The list that a replay goes through: of all events, or of those whose delivery has one of the states that its filter
 * names.
 */
export function replayedLists({ list, states, health }: LackingParts) {
  return ({ destination, filter }: Pick<ReplayRequest, 'destination' | 'filter'>): ReplayedList => {
    const { delivery, q, dead } = filter
    if (destination === undefined || delivery === undefined) return list
    if (q === undefined && dead === undefined && areDead(delivery)) return states.dead(destination)
    const find = async (given: EventFilter, after: Position | undefined, limit: number) => {
      const { events, next } = await list.find(given, after, limit)
      const statuses = await statusesOf(delivery, destination, health)
      const deliveries = await states.of(events, destination)
      return { events: deliveries.filter(({ status }) => statuses.includes(status)), next }
    }
    return { find, count: (given) => countAll(find, given) }
  }
}

/** Dead deliveries stand in an index of their own, so that a few among many events are found at once. */
export function areDead(shown: readonly ShownStatus[]): boolean {
  return shown.every((state) => state === 'DEAD')
}

const PAGE = 100

async function countAll(find: ReplayedList['find'], filter: EventFilter): Promise<number> {
  let count = 0
  let after: Position | undefined
  do {
    const page = await find(filter, after, PAGE)
    count += page.events.length
    after = page.next
  } while (after)
  return count
}

/** The states of rows that operators see as these: what waits for a disabled destination is PARKED. */
export async function statusesOf(
  shown: readonly DeliveryState[],
  destination: string,
  health: Pick<HealthStore, 'read'>,
): Promise<readonly DeliveryStatus[]> {
  const isAnyWaiting = shown.includes('PENDING') || shown.includes('PARKED')
  const isDisabled = isAnyWaiting && (await health.read(destination)).state === 'DISABLED'
  const waiting: DeliveryState = isDisabled ? 'PARKED' : 'PENDING'
  return shown.flatMap((one) => {
    if (one === 'DEAD' || one === 'DELIVERED') return [one]
    return one === waiting ? ['PENDING' as const] : []
  })
}
