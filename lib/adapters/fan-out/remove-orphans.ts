import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { FanOutClients } from './engine.ts'
import { deleteQueue, expiryOf, listQueues, type Queue } from './queue.ts'
import { listSubscriptions, unsubscribe } from './subscriptions.ts'

/**
 * Removes the queues and subscriptions of instances that died.
 * @param own the name of the queue that is never touched, if there is one
 */
export type RemoveOrphans = (own: string | undefined, signal: AbortSignal) => Promise<void>

/**
 * Removes queues that have expired, with their subscriptions, and subscriptions without a queue. Two sweeps at the same
 * time, also of two instances, do not disturb each other.
 */
export function createOrphanRemoval(engine: FanOutClients, clock: Clock, log: Log): RemoveOrphans {
  let missing: ReadonlySet<string> = new Set()

  async function expiredOf(queues: readonly Queue[], signal: AbortSignal): Promise<readonly Queue[]> {
    const expired: Queue[] = []
    for (const queue of queues) {
      signal.throwIfAborted()
      const expiry = await expiryOf(engine, queue)
      if (expiry && expiry < clock.now()) expired.push(queue)
    }
    return expired
  }

  return async (own, signal) => {
    const queues = await listQueues(engine)
    const expired = await expiredOf(
      queues.filter(({ name }) => name !== own),
      signal,
    )
    const subscriptions = await listSubscriptions(engine)

    const present = new Set([own, ...queues.map(({ name }) => name)])
    const wasMissing = missing
    missing = new Set(subscriptions.map(({ queueName }) => queueName).filter((name) => !present.has(name)))

    const names = new Set(expired.map(({ name }) => name))
    // A queue that is missing once may be new and not listed yet. One that is missing twice, minutes apart, is deleted.
    for (const name of missing.intersection(wasMissing)) names.add(name)
    const ended = subscriptions.filter(({ queueName }) => names.has(queueName))
    for (const { arn } of ended) {
      signal.throwIfAborted()
      await unsubscribe(engine, arn)
    }
    for (const queue of expired) {
      signal.throwIfAborted()
      await deleteQueue(engine, queue)
    }
    if (names.size > 0) log.info('fan-out: swept', { queues: expired.length, subscriptions: ended.length })
  }
}
