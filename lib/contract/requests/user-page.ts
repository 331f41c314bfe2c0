import * as z from 'zod/mini'
import { wholeNumber } from './bounds.ts'
import { cursor, PAGE } from './event-filter.ts'
import { closed } from './text.ts'

export const userQuery = z.strictObject(
  { limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual), cursor: z.optional(cursor) },
  { error: closed },
)
