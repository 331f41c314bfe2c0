import type { HeldEvents } from '../../../lib/deliver/operators/release.ts'
import { withEntry } from '../../../lib/webhooks/event.ts'
import type { OperatorStore } from '../../../lib/webhooks/operators/reset.ts'
import { type MemoryStore, nameOf } from './memory-store.ts'
import { isAlive } from './row-ends.ts'

/** The move of operators on the events of a store in memory, under the conditions of the DynamoDB adapter. */
export function memoryOperatorStore(store: MemoryStore): OperatorStore {
  return {
    reset: async (key, { at, user, orderedBy, reason, replayId }) => {
      await store.eventReader.head(key)
      const event = store.find(key)
      const isTakenUp = replayId !== undefined && event?.replayId === replayId
      const isFailed = event?.status === 'FAILED' && !event.payloadDeletedAt && isAlive(event, at)
      if (!isFailed || isTakenUp) return { kind: 'refused', event }
      const reset = {
        ...event,
        attempts: 0,
        dead: false,
        nextRetryAt: at,
        orderedAt: at,
        orderedBy,
        replayId: replayId ?? event.replayId,
        history: withEntry(event.history, { at, status: 'FAILED', by: 'operator', user, reason }),
      }
      store.events.set(nameOf(key), { event: reset, sweepAt: at })
      return { kind: 'reset', event: reset }
    },
  }
}

/** The release of events in the same way. */
export function memoryHeldEvents(store: MemoryStore): HeldEvents {
  return {
    release: async (key, { at, user, orderedBy, reason }, deliveries) => {
      await store.eventReader.head(key)
      const event = store.find(key)
      if (event?.status !== 'RECEIVED' || !event.held || event.payloadDeletedAt || !isAlive(event, at)) return false
      const { held: _, outcome: _outcome, ...released } = event
      const history = withEntry(event.history, { at, status: 'RECEIVED', by: 'operator', user, reason })
      store.events.set(nameOf(key), { event: { ...released, orderedAt: at, orderedBy, history }, sweepAt: at })
      for (const delivery of deliveries) await store.deliveries.desk.create(delivery, { at, user, reason })
      return true
    },
  }
}
