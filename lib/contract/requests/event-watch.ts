import * as z from 'zod/mini'
import { cursor, eventStatuses, filterFields } from './event-filter.ts'

/** Which changes somebody wants to be told of, and from where on. */
export const eventWatch = z.object({ status: eventStatuses, source: filterFields.source, cursor: z.optional(cursor) })
