import * as z from 'zod/mini'
import { TRAIL_ACTIONS, TRAIL_OUTCOMES } from '../trail-actions.ts'
import { oneOf, several, wholeNumber } from './bounds.ts'
import { cursor, inOrder, localTime, PAGE } from './event-filter.ts'
import { closed, shortText } from './text.ts'

/** Which may be given several times. */
const repeatable = { action: several(oneOf(TRAIL_ACTIONS)), outcome: several(oneOf(TRAIL_OUTCOMES)) }
export const REPEATABLE = Object.keys(repeatable)

export const trailQuery = z
  .strictObject(
    {
      actor: z.optional(shortText),
      target: z.optional(shortText),
      ...repeatable,
      q: z.optional(shortText),
      from: z.optional(localTime),
      to: z.optional(localTime),
      reads: z._default(
        z.pipe(
          oneOf(['true', 'false']),
          z.transform((word) => word === 'true'),
        ),
        false,
      ),
      limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
      cursor: z.optional(cursor),
    },
    { error: closed },
  )
  .check(inOrder)
