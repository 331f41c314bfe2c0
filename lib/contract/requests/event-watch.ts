import * as z from 'zod/mini'
import { eventStatuses, filterFields } from './event-filter.ts'

/** The longest that a process gives out (decision 11): 8 bytes, and 6 for each of 512 events, in Base64. */
const cursor = z.string().check(z.maxLength(4107, 'must be at most 4107 characters'))

/** Which changes somebody wants to be told of, and from where on. */
export const eventWatch = z.object({ status: eventStatuses, source: filterFields.source, cursor: z.optional(cursor) })
