import { destinationsOf } from '../../../lib/deliver/configured/destinations.ts'
import type { DeliveryHint } from '../../../lib/deliver/delivery.ts'
import { unavailable } from '../../../lib/errors.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import { fixedClock } from './clock.ts'
import { recordingLog } from './log.ts'
import { MemoryDeliveries } from './memory-deliveries.ts'
import { MemoryStore } from './memory-store.ts'
import { failedEvent } from './webhooks.ts'

/** Two destinations of what the source `test` sends; `bus` takes another type of event. */
const CONFIG = {
  destinations: {
    crm: { to: 'http', url: 'https://crm.example.com/hooks/s3cret?token=s3cret', from: { test: ['TEST'] } },
    bus: {
      to: 'eventbridge',
      bus: 'arn:aws:events:eu-central-1:000000000000:event-bus/all',
      from: { test: ['OTHER'] },
    },
    ledger: { to: 'sqs', queue: 'arn:aws:sqs:eu-central-1:000000000000:ledger', from: { '*': ['**'] } },
  },
} as const

/** What operators work with, in memory: an event `test/event-1` that was delivered to no destination yet. */
export async function operatorDesk(event: WebhookEvent = failedEvent({ status: 'PROCESSED' })) {
  const memory = new MemoryDeliveries()
  const store = new MemoryStore({ deliveries: memory })
  const clock = fixedClock()
  const log = recordingLog()
  const sent: { readonly hint: DeliveryHint; readonly delayMs: number }[] = []
  const queue = {
    isDown: false,
    async send(hint: DeliveryHint, delayMs: number) {
      if (queue.isDown) throw unavailable(new Error('the queue is down'))
      sent.push({ hint, delayMs })
    },
  }
  await store.eventStore.insert(event, {})
  const parts = {
    destinations: destinationsOf(CONFIG, 'test'),
    desk: memory.desk,
    due: memory.due,
    dayOf: async (): Promise<never> => {
      throw new Error('nobody asked for a day')
    },
    publicKeys: async () => (): readonly string[] => [],
    health: memory.healthStore,
    events: store.eventReader,
    queue,
    clock,
    audit: logAudit(log),
    log,
  }
  /** Has a delivery to a destination wait since now. */
  const add = (destination: string) => memory.add(event, [{ destination, sweepAt: clock.now() }])
  return { memory, store, clock, log, sent, queue, parts, event, add }
}
