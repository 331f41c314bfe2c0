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
    lastDeliveredAt: localDateTime.nullable().describe('Null in the list of all: read it by name.'),
    lastAnswer: z
      .strictObject({
        at: localDateTime,
        status: z.int().nullable(),
        text: z.string().describe('A status, or the class of an error.'),
      })
      .nullable()
      .describe('The last answer. In the list of all: of the last failure, or of the first success after it.'),
    day: z
      .strictObject({
        delivered: natural,
        failed: natural.describe('Dead, or failed in the last attempt.'),
        successRate: z.number().min(0).max(1).nullable(),
        p50Ms: natural.nullable().describe('How long half of the last attempts took at most.'),
        p95Ms: natural.nullable(),
        complete: z.boolean().describe('Whether all of the day was counted.'),
      })
      .nullable()
      .describe('By the last attempt of each delivery. Null in the list of all: read it by name.'),
    publicKeys: z
      .array(z.string())
      .nullable()
      .describe('Those of its Ed25519 signatures, now and next, `whpk_` and base64. Null after a change of its state.'),
  })
  .meta({ id: 'Destination', description: 'A receiver of accepted events, and its state.' })

export const destinationList = z
  .strictObject({ destinations: z.array(destination).max(30) })
  .meta({ id: 'DestinationList' })

export const destinationTest = z
  .strictObject({
    delivered: z.boolean(),
    answer: z.string().describe('A status, or the class of an error.'),
    durationMs: natural,
  })
  .meta({ id: 'DestinationTest' })

const headers = z.record(z.string(), z.string())
const body = {
  body: z.string().nullable(),
  encoding: z.enum(['utf8', 'base64']).describe('base64 for what is no text.'),
  truncated: z.boolean(),
}

const moved = ['PENDING', 'SENDING', 'DELIVERED', 'DEAD'] as const

const delivery = z
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
          at: localDateTime.describe('When it ended.'),
          status: z.enum(moved),
          attempt: natural.nullable().describe('Null for the order of an operator.'),
          replayId: z.string().nullable(),
          user: z.string().nullable().describe('The operator who ordered it.'),
          reason: z.string().nullable().describe('Of an order, or why a success may have had no effect.'),
          ms: natural.nullable().describe('How long it took.'),
          error: z.string().nullable().describe('A status, or the class of an error.'),
          request: z
            .strictObject({ method: z.string().nullable(), url: z.string(), headers, ...body })
            .nullable()
            .describe('Made again from the event, without secrets; the first 4 KiB of its body, of three attempts.'),
          answer: z
            .strictObject({ status: z.int(), headers, ...body })
            .nullable()
            .describe(
              '20 headers, and the first 1 KiB of the body: of the last three failures; 128 bytes of a success.',
            ),
        })
        .meta({ id: 'DeliveryChange' }),
    ),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one destination, with the latest attempts.' })

export const orderedDelivery = z
  .strictObject({ ...delivery.shape, note: z.string().nullable().describe('Why it may have no effect.') })
  .meta({ id: 'OrderedDelivery' })

const otherDestination = z
  .strictObject({
    destination: z.string(),
    unmet: z
      .array(z.string())
      .describe(
        'The fields of the destination, as it is configured now, that the event does not match: `from`, or members of `where`. None if it would get the event now.',
      ),
  })
  .meta({ id: 'OtherDestination', description: 'A destination without a delivery of this event.' })

export const deliveryList = z
  .strictObject({ deliveries: z.array(delivery), others: z.array(otherDestination) })
  .meta({ id: 'DeliveryList' })

const listedDelivery = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    type: z.string(),
    receivedAt: localDateTime.describe('When the event was accepted.'),
    summary: z.string().nullable(),
    ...delivery.shape,
  })
  .meta({
    id: 'ListedDelivery',
    description:
      'A delivery, and the event that it delivers. Its attempts have no request, and of the answer the status.',
  })

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
