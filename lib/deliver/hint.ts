import * as z from 'zod/mini'
import type { Log } from '../runtime/log.ts'
import { correlateEvent } from '../runtime/trace.ts'
import { PROOF_LEVELS } from '../webhooks/event.ts'
import { readQueued, received } from '../work/hints.ts'
import type { DeliveryHint } from './delivery.ts'
import type { Deliveries, DeliveryOutcome } from './worker.ts'

const count = z.int().check(z.gte(0))

const carried = z.object({
  id: z.string().check(z.regex(/^\d+$/)),
  eventType: z.string(),
  receivedAt: count,
  repeatsUntil: z.optional(count),
  headers: z.record(z.string(), z.string()),
  payload: z.base64(),
  possibleDuplicateOf: z.optional(z.string()),
  typeConflict: z.optional(z.literal(true)),
  proof: z.object({
    level: z.enum(PROOF_LEVELS),
    key: z.optional(z.string()),
    signedAt: z.optional(z.number()),
    typeSigned: z.boolean(),
    idSigned: z.boolean(),
    stale: z.optional(z.literal(true)),
  }),
})

const deliveryHint = z.object({
  source: z.string(),
  eventId: z.string(),
  destination: z.string(),
  n: count,
  isProbe: z.optional(z.literal(true)),
  hops: z.optional(count),
  carried: z.optional(carried),
})

/** @throws Error for a message that is no hint; the error does not contain its text */
export function readDeliveryHint(message: string): DeliveryHint {
  return readQueued(deliveryHint, message, 'a message on the queue of a destination is no hint')
}

/** Handles the messages on the queues of destinations. @param workerOf undefined for one that was removed */
export function deliveriesOf(workerOf: (destination: string) => Promise<Deliveries | undefined>, log: Log) {
  return {
    /** @throws ServiceError `UNAVAILABLE`, or Error for a message that is no hint: the message must stay on the queue */
    receive(message: string): Promise<DeliveryOutcome> {
      return received('queue of a destination', log, async () => {
        const hint = readDeliveryHint(message)
        correlateEvent(hint)
        const { source, eventId, destination, n } = hint
        const worker = await workerOf(destination)
        const outcome = worker ? await worker.attempt(hint) : 'dropped'
        log.info('delivery', { source, eventId, destination, n, outcome })
        return outcome
      })
    },
  }
}
