import * as z from 'zod/mini'
import { oneOf, several, wholeNumber } from './bounds.ts'
import { cursor, inOrder, localTime, PAGE } from './event-filter.ts'
import { closed, shortText } from './text.ts'

/** Which may be given several times. */
const repeatable = {
  state: several(oneOf(['PENDING', 'SENDING', 'DELIVERED', 'DEAD', 'PARKED'])),
  source: several(shortText),
  type: several(shortText),
}
export const REPEATABLE = Object.keys(repeatable)

export const deliveryQuery = z
  .strictObject(
    {
      ...repeatable,
      from: z.optional(localTime),
      to: z.optional(localTime),
      limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
      cursor: z.optional(cursor),
    },
    { error: closed },
  )
  .check(inOrder)
