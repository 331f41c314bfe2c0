import * as z from 'zod/mini'
import { within } from './bounds.ts'
import { cursor, eventStatuses, filterFields, inOrder, PAGE } from './event-filter.ts'

const TIME = 'must be a time of the years 1 to 9999'

/** A time in the range of google.protobuf.Timestamp. */
const time = z
  .date(TIME)
  .check(z.minimum(new Date('0001-01-01T00:00:00Z'), TIME), z.maximum(new Date('9999-12-31T23:59:59.999Z'), TIME))

/** The query of a list as a gRPC message: several statuses, and values in their own types. */
export const eventPage = z
  .object({
    ...filterFields,
    status: eventStatuses,
    from: z.optional(time),
    to: z.optional(time),
    dead: z.optional(z.boolean()),
    limit: z._default(within(PAGE.minimum, PAGE.maximum), PAGE.usual),
    cursor: z.optional(cursor),
  })
  .check(inOrder)
