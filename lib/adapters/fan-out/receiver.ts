import type { Message } from '@aws-sdk/client-sqs'
import type { Log } from '../../runtime/log.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import { pauseAfter } from './backoff.ts'
import type { FanOutClients } from './engine.ts'
import { createOutage } from './outage.ts'
import type { OwnQueue } from './own-queue.ts'
import { type Queue, receiveMessages, removeMessages } from './queue.ts'

export interface ReceiverParts {
  readonly engine: FanOutClients
  readonly timers: Timers
  readonly random: () => number
  readonly log: Log
  readonly own: OwnQueue
  /** Must not throw. */
  readonly hear: (message: Message) => void
}

/** Empties the queue of this instance as long as it runs; while the engine is away, it tries again and again. */
export function createReceiver({ engine, timers, random, log, own, hear }: ReceiverParts) {
  const receiving = createOutage(log, 'receiving')
  const removing = createOutage(log, 'removing messages')
  const listening = Promise.withResolvers<void>()
  const removals = new Set<Promise<void>>()
  let running: Promise<void> | undefined
  let interrupt: Cancel = () => {}
  let isStopping = false
  let isListening = false
  let failures = 0

  async function run(): Promise<void> {
    while (!isStopping) await turn().then(worked, failed)
  }

  async function turn(): Promise<void> {
    const queue = await own.ready()
    const messages = await poll(queue)
    own.answered()
    for (const message of messages) hear(message)
    if (messages.length > 0) remove(queue, messages)
  }

  function worked(): void {
    failures = 0
    receiving.worked()
    if (isListening) return
    isListening = true
    log.info('fan-out: listens', { queue: own.name })
    listening.resolve()
  }

  async function failed(cause: unknown): Promise<void> {
    if (isStopping) return
    isListening = false
    failures += 1
    own.failed(cause)
    receiving.failed(cause)
    await pause(pauseAfter(failures, random()))
  }

  /** The first poll does not wait for a message: it shows whether the queue is there. */
  function poll(queue: Queue): Promise<readonly Message[]> {
    const polling = new AbortController()
    interrupt = () => polling.abort()
    if (isStopping) interrupt()
    return receiveMessages(engine, queue, isListening, polling.signal)
  }

  function pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = timers.after(milliseconds, resolve)
    interrupt = () => {
      cancel()
      resolve()
    }
    return promise
  }

  /** The next poll does not wait for it. */
  function remove(queue: Queue, messages: readonly Message[]): void {
    const removal = removeMessages(engine, queue, messages)
      .then(removing.worked, removing.failed)
      .finally(() => removals.delete(removal))
    removals.add(removal)
  }

  return {
    /** @returns a promise that settles when it receives for the first time, or must stop before */
    start(): Promise<void> {
      running ??= run()
      return listening.promise
    },
    /** Settles when nothing of it runs any more. */
    async stop(): Promise<void> {
      isStopping = true
      interrupt()
      listening.resolve()
      await running
      await Promise.all(removals)
    },
  }
}
