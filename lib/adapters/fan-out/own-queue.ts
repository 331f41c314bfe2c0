import type { Message } from '@aws-sdk/client-sqs'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import { type FanOutClients, inTime } from './engine.ts'
import { createQueue, deleteQueue, isGone, type Queue, receiveMessages, renewQueue } from './queue.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

export interface OwnQueueParts {
  readonly engine: FanOutClients
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

interface Own {
  readonly queue: Queue
  /** By the ARN of their topic. */
  readonly subscriptions: Map<string, string>
  hasAnswered: boolean
  refusals: number
}

/** How long a queue outlives the last sign of its instance: five times what lies between two. */
const LIFE_MS = 15 * 60_000

/** A queue that was just made may take a second until it is found everywhere (SQS, CreateQueue). */
const EARLY_REFUSALS = 3

/**
 * The queue of this instance, from its making to its end; a lost one is followed by another.
 * @param origin names the instance
 */
export function createOwnQueue({ engine, clock, ids, log }: OwnQueueParts, origin: string) {
  let own: Own | undefined

  const expiry = () => new Date(clock.now().getTime() + LIFE_MS)

  async function make(): Promise<Own> {
    // A new name each time, for SQS refuses that of a queue deleted within the last minute.
    const queue = await createQueue(engine, ids.unique(), expiry())
    return { queue, subscriptions: new Map(), hasAnswered: false, refusals: 0 }
  }

  async function join({ queue, subscriptions }: Own, topicArns: readonly string[]): Promise<void> {
    for (const topicArn of topicArns) subscriptions.set(topicArn, await subscribe(engine, topicArn, queue, origin))
  }

  async function attempt(step: Promise<void>): Promise<void> {
    await step.catch((cause) => log.warn('fan-out: left to be swept', { cause }))
  }

  return {
    get name(): string | undefined {
      return own?.queue.name
    },
    /** The queue, subscribed to all topics; what is missing of that is made. */
    async ready(): Promise<Queue> {
      own ??= await make()
      const { queue, subscriptions } = own
      await join(
        own,
        Object.values(engine.topics).filter((topicArn) => !subscriptions.has(topicArn)),
      )
      return queue
    },
    /** Call it when a request to the queue has succeeded. */
    answered(): void {
      if (own) own.hasAnswered = true
    },
    /** Call it with the error when a request to the queue has failed. */
    failed(cause: unknown): void {
      if (!own || !isGone(cause)) return
      own.refusals += 1
      if (own.hasAnswered || own.refusals > EARLY_REFUSALS) own = undefined
    },
    /** Renews the expiry of the queue, and restores subscriptions that others have ended. */
    async renew(): Promise<void> {
      if (!own) return
      await renewQueue(engine, own.queue, expiry())
      await join(own, Object.values(engine.topics))
    },
    /** Hands over what has arrived, and leaves nothing behind; what cannot be cleared away is logged. */
    async leave(hear: (message: Message) => void): Promise<void> {
      if (!own) return
      const { queue, subscriptions } = own
      await Promise.all(Array.from(subscriptions.values(), (arn) => attempt(unsubscribe(engine, arn))))
      await attempt(drain(queue, hear))
      await attempt(deleteQueue(engine, queue))
    },
  }

  /** A received message stays hidden for a while, so it need not be deleted. */
  async function drain(queue: Queue, hear: (message: Message) => void): Promise<void> {
    for (;;) {
      const messages = await receiveMessages(engine, queue, false, inTime().abortSignal)
      if (messages.length === 0) return
      for (const message of messages) hear(message)
    }
  }
}

export type OwnQueue = ReturnType<typeof createOwnQueue>
