import * as z from 'zod'
import { DELIVERY_STATES } from '../requests/replays.ts'
import { record } from './events.ts'
import { instant, localDateTime, natural, nextCursor } from './shapes.ts'

export const destination = z
  .strictObject({
    name: z.string(),
    to: z.enum(['http', 'sqs', 'eventbridge', 'handler']),
    target: z.string().describe('The host, the ARN, or the file of the handler.'),
    state: z
      .enum(['CLOSED', 'OPEN', 'DISABLED'])
      .describe('OPEN: it failed repeatedly, and one delivery a minute probes it. DISABLED: no delivery goes out.'),
    since: localDateTime.nullable().describe('When it became OPEN or DISABLED.'),
    by: z
      .string()
      .nullable()
      .describe('The user who disabled or enabled it last; null after a 410 of the destination.'),
    reason: z.string().nullable(),
    waiting: natural.describe('How many deliveries wait for it.'),
    oldestAt: localDateTime.nullable().describe('When the oldest waiting delivery was accepted or ordered.'),
    failures: natural.describe('In a row, while it is CLOSED.'),
    lastAnswer: z
      .string()
      .nullable()
      .describe('To the last failure, or the first success after it: a status, or the class of an error.'),
    lastAnswerAt: localDateTime.nullable(),
  })
  .meta({ id: 'Destination', description: 'A receiver of accepted events, and its state.' })

export const destinationList = z
  .strictObject({ destinations: z.array(destination).max(25) })
  .meta({ id: 'DestinationList' })

export const destinationTest = z
  .strictObject({
    delivered: z.boolean(),
    answer: z.string().describe('A status, or the class of an error.'),
    durationMs: natural,
  })
  .meta({ id: 'DestinationTest' })

const moved = ['PENDING', 'SENDING', 'DELIVERED', 'DEAD'] as const

export const delivery = z
  .strictObject({
    destination: z.string(),
    status: z
      .enum([...moved, 'PARKED'])
      .describe('PARKED: it waits for its destination to be enabled. DEAD: it was given up.'),
    attempts: natural.describe('Attempts since the event was accepted, or since the last order.'),
    dueAt: localDateTime.nullable().describe('The time of the next attempt.'),
    deliveredAt: localDateTime.nullable(),
    answer: z.string().nullable().describe('The result of the last attempt: a status, or the class of an error.'),
    history: z.array(
      z
        .strictObject({
          at: localDateTime,
          status: z.enum(moved),
          answer: z.string().nullable(),
          user: z.string().nullable().describe('The operator who ordered it.'),
          reason: z.string().nullable(),
        })
        .meta({ id: 'DeliveryChange' }),
    ),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one destination, with the latest attempts.' })

export const deliveryList = z.strictObject({ deliveries: z.array(delivery) }).meta({ id: 'DeliveryList' })

const listedDelivery = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    type: z.string(),
    receivedAt: localDateTime.describe('When the event was accepted.'),
    ...delivery.shape,
  })
  .meta({ id: 'ListedDelivery', description: 'A delivery, and the event that it delivers.' })

export const deliveryPage = z
  .strictObject({ deliveries: z.array(listedDelivery).max(200), nextCursor })
  .meta({ id: 'DestinationDeliveryList' })

/** The message about a delivery that was given up, which admins receive over STOMP. */
export const DEAD_DELIVERY = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    destination: z.string(),
    status: z.literal('DEAD'),
    answer: z.string().describe('The cause: a status, the class of an error, or the missing object.'),
    at: localDateTime,
  })
  .meta({ id: 'DeadDelivery', description: 'A delivery that was given up.' })

export const replay = z
  .strictObject({
    replayId: z.string().min(1),
    state: z.enum(['RUNNING', 'DONE']),
    matched: natural,
    done: natural.describe('Events of this replay that are PROCESSED, or DELIVERED, by now.'),
    failed: natural.describe('Those that failed again, or whose delivery is DEAD.'),
  })
  .meta({ id: 'Replay', description: 'The progress of a replay.' })

const orderedReplay = replay
  .extend({
    destination: z.string().nullable().describe('The destination of the deliveries; null for a retry of the events.'),
    filter: z
      .strictObject({
        status: z.literal('FAILED').optional(),
        source: z.string().optional(),
        type: z.string().optional(),
        from: localDateTime.optional(),
        to: localDateTime.optional(),
        q: z.string().optional(),
        dead: z.boolean().optional(),
        delivery: z.array(z.enum(DELIVERY_STATES)).optional(),
      })
      .describe('As it was ordered.'),
    reason: z.string().nullable(),
    ratePerSecond: z.int().min(1).max(1000),
    user: z.string().describe('Who ordered it.'),
    acceptedAt: localDateTime.describe('Events received later are not included.'),
  })
  .meta({ id: 'OrderedReplay', description: 'The order of a replay, its user, and its progress.' })

export const replayPage = z
  .strictObject({ replays: z.array(orderedReplay).max(200), nextCursor })
  .meta({ id: 'ReplayList' })

/** A message over STOMP: about the session itself, or about work that its user ordered. */
export const NOTICE = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('token-expiring'), expiresAt: instant }),
    record.pick({ source: true, eventId: true }).extend({
      type: z.literal('retry-finished'),
      status: z.enum(['PROCESSED', 'FAILED']).describe('FAILED: no attempt is left.'),
      at: localDateTime,
    }),
    replay.extend({ type: z.literal('replay-finished'), state: z.literal('DONE'), at: localDateTime }),
  ])
  .meta({ id: 'Notice', description: 'The session ends soon, or an order of its user has finished.' })
