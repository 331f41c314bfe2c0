import type { Carrier, DeliveryAnswer, Parcel } from '../../../lib/deliver/carrier.ts'
import { createCircuit } from '../../../lib/deliver/circuit.ts'
import type { DeliveryHint } from '../../../lib/deliver/delivery.ts'
import type { Destination } from '../../../lib/deliver/destination.ts'
import { deliveriesOf } from '../../../lib/deliver/hint.ts'
import { createDeliveries } from '../../../lib/deliver/worker.ts'
import { unavailable } from '../../../lib/errors.ts'
import { recordingAnnouncer } from './announcer.ts'
import { fixedClock, START } from './clock.ts'
import { countingIds } from './ids.ts'
import { recordingLog } from './log.ts'
import { MemoryDeliveries } from './memory-deliveries.ts'
import { recordingMetrics } from './metrics.ts'
import { failedEvent } from './webhooks.ts'

const HOUR = 3_600_000

export const CRM: Destination = {
  name: 'crm',
  from: new Map([['*', ['**']]]),
  concurrency: 5,
  ratePerSecond: undefined,
  timeout: 15_000,
  delays: [5000, 300_000, 1_800_000, 2 * HOUR],
  giveUpAfter: 72 * HOUR,
  target: { to: 'http', url: 'https://crm.example.com/hooks', isPrivate: false, headers: new Map() },
}

export const EVENT = failedEvent({ status: 'PROCESSED', nextRetryAt: undefined, errorMessage: undefined })
export const KEY = { source: EVENT.source, eventId: EVENT.eventId, destination: CRM.name }
export const HINT: DeliveryHint = { ...KEY, n: 0 }

/** A worker with everything that it uses in memory; its destination answers with these, one after the other. */
export function deliveryWorker(
  answers: readonly (DeliveryAnswer | Error)[] = [],
  destination: Destination = CRM,
  wait: (milliseconds: number) => Promise<unknown> = async () => undefined,
) {
  const clock = fixedClock()
  const memory = new MemoryDeliveries()
  const sent: (DeliveryHint & { readonly delayMs: number })[] = []
  const carried: Parcel[] = []
  const rest = [...answers]
  const log = recordingLog()
  const metrics = recordingMetrics()
  const faults = {
    queue: false,
    isEventGone: false,
    isPayloadDeleted: false,
    find: async (): Promise<void> => {},
    carrying: async (): Promise<void> => {},
  }
  const deaths = recordingAnnouncer()
  const carrier: Carrier = {
    async carry(parcel) {
      carried.push(parcel)
      await faults.carrying()
      const answer = rest.shift() ?? { kind: 'delivered', answer: 'HTTP 204' }
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const queue = {
    async send(hint: DeliveryHint, delayMs: number) {
      if (faults.queue) throw unavailable(new Error('the queue is down'))
      sent.push({ ...hint, delayMs })
    },
  }
  memory.add(EVENT, [{ destination: destination.name, sweepAt: new Date(START.getTime() + 40_000) }])
  const worker = createDeliveries({
    destination,
    store: memory.store,
    events: {
      async find() {
        await faults.find()
        if (faults.isPayloadDeleted) return { ...EVENT, payload: undefined }
        return faults.isEventGone ? undefined : EVENT
      },
    },
    circuit: createCircuit(memory.healthStore, destination.name, clock),
    carrier,
    queue,
    wait,
    clock,
    ids: countingIds(),
    random: () => 0,
    deaths,
    metrics,
    log,
  })
  const key = { ...KEY, destination: destination.name }
  const { receive } = deliveriesOf(async (name) => (name === destination.name ? worker : undefined), log)
  return {
    ...worker,
    receive,
    clock,
    memory,
    queue,
    sent,
    carried,
    log,
    deaths,
    metrics,
    faults,
    row: () => memory.find(key),
  }
}

export const refused = (changes: Partial<Extract<DeliveryAnswer, { kind: 'failed' }>> = {}): DeliveryAnswer => ({
  kind: 'failed',
  answer: 'HTTP 503',
  ...changes,
})
