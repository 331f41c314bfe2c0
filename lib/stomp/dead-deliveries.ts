import { Buffer } from 'node:buffer'
import type { Cancel } from '../runtime/timers.ts'
import type { DeadDelivery } from '../webhooks/live/dead-delivery.ts'
import type { BusMessage, EventBus } from './bus.ts'
import { DEAD_DELIVERIES } from './destinations.ts'

interface Sources {
  readonly bus: EventBus
  onDeath(listener: (delivery: DeadDelivery) => void): Cancel
}

/** The bus with the messages that subscribed admins get for deliveries that were given up. */
export function tellingDeaths({ bus, onDeath }: Sources): EventBus {
  return {
    publish: (messages) => bus.publish(messages),
    attach(listener) {
      const detach = bus.attach(listener)
      const ignore = onDeath((delivery) => listener(messageOf(delivery)))
      return () => {
        detach()
        ignore()
      }
    },
  }
}

function messageOf({ kind: _, ...delivery }: DeadDelivery): BusMessage {
  return {
    destination: DEAD_DELIVERIES,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(delivery)),
  }
}
