import * as z from 'zod/mini'
import { filterFields } from './events.ts'
import { closed, inOrder, matching, oneOf, shortText } from './fields.ts'

const ID = 'must be 1 to 128 letters, digits or any of . _ : -'
const RATE = 'must be a whole number from 1 to 1000'

/** Of a delivery, as operators see it. */
export const DELIVERY_STATES = ['DEAD', 'PENDING', 'PARKED', 'DELIVERED'] as const

const replayed = closed(
  {
    status: z.optional(z.literal('FAILED', 'must be FAILED')),
    ...filterFields,
    dead: z.optional(z.boolean('must be true or false')),
    delivery: z.optional(
      z
        .array(oneOf(DELIVERY_STATES), 'must be a list of states')
        .check(z.minLength(1, 'must name a state'), z.maxLength(4, 'names a state twice')),
    ),
  },
  inOrder(),
)

interface Ordered {
  readonly destination?: string | undefined
  readonly filter: { readonly status?: string | undefined; readonly delivery?: readonly string[] | undefined }
}

/** What is delivered again is of any status. */
const ofAnyStatus = z.refine<Ordered>(
  ({ destination, filter: { status } }) => destination === undefined || status === undefined,
  { path: ['filter', 'status'], error: 'must be absent if there is a destination' },
)

/** Deliveries are those to one destination. */
const atDestination = z.refine<Ordered>(
  ({ destination, filter: { delivery } }) => destination !== undefined || delivery === undefined,
  { path: ['filter', 'delivery'], error: 'must be absent if there is no destination' },
)

export const newReplay = closed(
  {
    replayId: matching(/^[\w.:-]{1,128}$/, ID),
    destination: z.optional(shortText()),
    filter: replayed,
    reason: z.optional(shortText()),
    ratePerSecond: z._default(z.int(RATE).check(z.minimum(1, RATE), z.maximum(1000, RATE)), 10),
    dryRun: z._default(z.boolean('must be true or false'), false),
  },
  ofAnyStatus,
  atDestination,
)
