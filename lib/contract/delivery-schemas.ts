import * as z from 'zod'
import { localDateTime, natural } from './schemas.ts'

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

export const listedDelivery = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    type: z.string(),
    receivedAt: localDateTime.describe('When the event was accepted.'),
    ...delivery.shape,
  })
  .meta({ id: 'ListedDelivery', description: 'A delivery, and the event that it delivers.' })

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
