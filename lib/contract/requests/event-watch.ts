import * as z from 'zod/mini'
import { eventStatuses, filterFields } from './event-filter.ts'

/** The longest cursor that the service issues (decision 11): 8 bytes, and 6 for each of 512 events, in Base64. */
const cursor = z.string().check(z.maxLength(4107, 'must be at most 4107 characters'))

/** The changes that a watcher asks for, and the cursor to resume after. */
export const eventWatch = z.object({ status: eventStatuses, source: filterFields.source, cursor: z.optional(cursor) })
