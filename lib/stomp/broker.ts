import type { BusMessage, EventBus, Topic } from '../messages/bus.ts'
import type { Cancel } from '../runtime/async.ts'

/** Must not throw. */
export type Deliver = (message: BusMessage) => void

export interface Broker {
  publish: EventBus['publish']
  subscribe(topic: Topic, deliver: Deliver): Cancel
  /** As the bus: undefined once subscribers receive all that is published from now on. */
  ready: EventBus['ready']
  /** Unsubscribes from the bus. */
  close(): void
}

/** Delivers messages from the bus to the sessions of this process. */
export function createBroker(bus: EventBus): Broker {
  const subscribers = new Map<string, Set<Deliver>>()

  const detach = bus.attach((message) => {
    for (const deliver of subscribers.get(keyOf(message)) ?? []) deliver(message)
  })

  return {
    publish: (messages) => bus.publish(messages),
    subscribe(topic, deliver) {
      const key = keyOf(topic)
      // A function of its own, so that two equal subscriptions are two.
      const own: Deliver = (message) => deliver(message)
      subscribers.set(key, (subscribers.get(key) ?? new Set()).add(own))
      const leave = bus.join()
      return () => {
        leave()
        const rest = subscribers.get(key)
        rest?.delete(own)
        if (rest?.size === 0) subscribers.delete(key)
      }
    },
    ready: () => bus.ready(),
    close: detach,
  }
}

/** No destination holds a line break. */
function keyOf({ destination, user }: Topic): string {
  return user === undefined ? destination : `${destination}\n${user}`
}
