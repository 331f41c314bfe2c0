import * as z from 'zod'
import { localDateTime, natural } from './schemas.ts'

export const destination = z
  .strictObject({
    name: z.string(),
    to: z.enum(['http', 'sqs', 'eventbridge', 'handler']),
    target: z.string().describe('The host, the ARN, or the file of the handler.'),
    state: z
      .enum(['CLOSED', 'OPEN', 'DISABLED'])
      .describe('OPEN: it failed again and again, and one delivery a minute tries it. DISABLED: none does.'),
    since: localDateTime.nullable().describe('When it became OPEN or DISABLED.'),
    by: z.string().nullable().describe('Who disabled or enabled it last; null if it disabled itself, with a 410.'),
    reason: z.string().nullable(),
    waiting: natural.describe('How many deliveries wait for it.'),
    oldestAt: localDateTime.nullable().describe('When the oldest of them was accepted, or ordered.'),
    failures: natural.describe('In a row, while it is CLOSED.'),
    lastAnswer: z.string().nullable().describe('A status, or the class of an error.'),
    lastAnswerAt: localDateTime.nullable(),
  })
  .meta({ id: 'Destination', description: 'Where accepted events go, and how that goes.' })

const moved = ['PENDING', 'SENDING', 'DELIVERED', 'DEAD'] as const

export const delivery = z
  .strictObject({
    destination: z.string(),
    status: z
      .enum([...moved, 'PARKED'])
      .describe('PARKED: it waits for its destination to be enabled. DEAD: it was given up.'),
    attempts: natural.describe('Tries since the event was accepted, or since the last order.'),
    dueAt: localDateTime.nullable().describe('When it is tried next.'),
    deliveredAt: localDateTime.nullable(),
    answer: z.string().nullable().describe('What came of the last try: a status, or the class of an error.'),
    history: z.array(
      z.strictObject({
        at: localDateTime,
        status: z.enum(moved),
        answer: z.string().nullable(),
        user: z.string().nullable().describe('The operator who ordered it.'),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one destination, with the latest tries.' })

/** The message about a delivery that was given up, which admins receive over STOMP. */
export const DEAD_DELIVERY = z
  .strictObject({
    source: z.string(),
    eventId: z.string(),
    destination: z.string(),
    status: z.literal('DEAD'),
    answer: z.string().describe('Why: a status, the class of an error, or what there is no more.'),
    at: localDateTime,
  })
  .meta({ id: 'DeadDelivery', description: 'A delivery that was given up.' })
