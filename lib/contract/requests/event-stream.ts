import * as z from 'zod/mini'
import { oneOf } from './bounds.ts'
import { EVENT_STATUSES } from './event-filter.ts'
import { closed, shortText } from './text.ts'

const several = <T extends z.ZodMiniType>(one: T) => z.optional(z.array(one))

/** The changes that a listener wants: each parameter may be given several times, and any of its values will do. */
export const eventStream = z.strictObject(
  { source: several(shortText), type: several(shortText), status: several(oneOf(EVENT_STATUSES)) },
  { error: closed },
)
