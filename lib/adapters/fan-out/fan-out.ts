import type { Message } from '@aws-sdk/client-sqs'
import type { ServiceMessage } from '../../messages/send.ts'
import type { Cancel, Timers } from '../../runtime/timers.ts'
import type { BusMessage, EventBus } from '../../stomp/bus.ts'
import type { Announcement } from '../../webhooks/live/announcement.ts'
import { createArrivals } from './arrivals.ts'
import { createAudience } from './audience.ts'
import { type Notification, readNotification } from './notification.ts'
import { createOutbox } from './outbox.ts'
import { createOwnQueue, type OwnQueueParts } from './own-queue.ts'
import { publish } from './publish.ts'
import { createReceiver } from './receiver.ts'
import { createOrphanRemoval } from './remove-orphans.ts'
import { createRepeats } from './repeats.ts'
import { createUpkeep, type UpkeepParts } from './upkeep.ts'

/** Lets every instance hear what clients send each other, in order, and what is announced: in no order, and perhaps not all of it. */
export interface FanOut {
  readonly bus: EventBus
  onAnnouncement(listener: (announcement: Announcement) => void): Cancel
  /** Starts listening and retries forever. Settles once it listens, or after the given milliseconds. */
  start(patience: number): Promise<void>
  /** Settles within seconds and deletes its queue and subscriptions if AWS can be reached; does not throw. */
  stop(): Promise<void>
}

/** Size of the dedup window: some minutes of a busy instance. */
const REMEMBERED = 5000

const STOP_MS = 5000

/** Fan-out over SNS, with a queue for this instance. */
export function createFanOut(parts: OwnQueueParts & UpkeepParts): FanOut {
  const { engine, clock, timers, random, ids, log } = parts
  const origin = ids.unique()
  const messages = createAudience<BusMessage>(log)
  const announcements = createAudience<Announcement>(log)
  const repeats = createRepeats(REMEMBERED)
  const outbox = createOutbox({
    origin,
    timers,
    random,
    send: (text) => publish(engine, origin, text),
    deliver: messages.tell,
  })
  const arrivals = createArrivals({ timers, log, deliver: messages.tell })
  const own = createOwnQueue(parts, origin)
  const receiver = createReceiver({ ...parts, own, hear })
  const removeOrphans = createOrphanRemoval(engine, clock, log)
  const upkeep = createUpkeep(parts, async (signal) => {
    await own.renew()
    await removeOrphans(own.name, signal)
  })
  let stopping: Promise<boolean> | undefined

  function hear({ MessageId: id = '', Body: body = '' }: Message): void {
    if (repeats.isRepeat(id)) return
    const notification = readNotification(body)
    if (notification) take(notification)
    else log.warn('fan-out: a message of no known form', { messageId: id })
  }

  function take(notification: Notification): void {
    if (notification.kind === 'announcement') announcements.tell(notification.announcement)
    else if (notification.kind === 'broadcast') deliver(notification.message)
    else if (notification.arrived.origin !== origin) arrivals.take(notification.arrived)
  }

  /** SNS may deliver it twice, and its sender may have sent it twice: each time under another id of SQS. */
  function deliver({ id, ...message }: ServiceMessage): void {
    if (!repeats.isRepeat(id)) messages.tell(message)
  }

  async function leave(): Promise<void> {
    await outbox.idle()
    await Promise.all([receiver.stop(), upkeep.end()])
    await own.leave(hear)
  }

  return {
    bus: { publish: outbox.publish, attach: messages.add },
    onAnnouncement: announcements.add,
    async start(patience) {
      await atMost(timers, patience, receiver.start().then(upkeep.begin))
    },
    async stop() {
      stopping ??= atMost(timers, STOP_MS, leave())
      if (!(await stopping)) log.warn('fan-out: no time to clear away, left to be swept')
    },
  }
}

/** @returns whether it settled within the time */
async function atMost(timers: Timers, milliseconds: number, settled: Promise<void>): Promise<boolean> {
  const { promise: elapsed, resolve } = Promise.withResolvers<boolean>()
  const cancel = timers.after(milliseconds, () => resolve(false))
  const inTime = await Promise.race([settled.then(() => true), elapsed])
  cancel()
  return inTime
}
