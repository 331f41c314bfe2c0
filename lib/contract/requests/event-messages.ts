import * as z from 'zod/mini'
import { EVENT_STATUSES, filterFields } from './events.ts'
import { atMost, cursor, inOrder, oneOf, PAGE, within } from './fields.ts'

/** Any of these statuses; an empty list means every status. */
const statuses = z.pipe(
  z.set(oneOf(EVENT_STATUSES)),
  z.transform((given) => (given.size > 0 ? [...given] : undefined)),
)

const YEARS = 'must be a time of the years 1 to 9999'

/** A time in the range of google.protobuf.Timestamp. */
const time = z
  .date(YEARS)
  .check(z.minimum(new Date('0001-01-01T00:00:00Z'), YEARS), z.maximum(new Date('9999-12-31T23:59:59.999Z'), YEARS))

/** The query of a list as a gRPC message: several statuses, and values in their own types. */
export const eventPage = z
  .object({
    ...filterFields,
    status: statuses,
    from: z.optional(time),
    to: z.optional(time),
    dead: z.optional(z.boolean()),
    limit: z._default(within(PAGE.minimum, PAGE.maximum), PAGE.usual),
    cursor: z.optional(cursor()),
  })
  .check(inOrder())

/**
 * The changes that a watcher asks for over gRPC, and the cursor to resume after. The longest one that the service issues
 * (decision 11) has 8 bytes, and 6 for each of 512 events, in Base64.
 */
export const eventWatch = z.object({
  status: statuses,
  source: filterFields.source,
  cursor: z.optional(atMost(4107)),
})
