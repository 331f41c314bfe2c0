import * as z from 'zod/mini'
import { TRAIL_ACTIONS } from '../trail-actions.ts'
import { oneOf, wholeNumber } from './bounds.ts'
import { cursor, localTime, PAGE } from './event-filter.ts'
import { closed } from './text.ts'

const USER = 'must be the id of an account, without quotes, backslashes and asterisks'

interface Span {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

const sinceBeforeUntil = z.refine<Span>(({ since, until }) => !(since && until) || since <= until, {
  path: ['until'],
  error: 'must not be before since',
})

/** The characters that mean something in a search of CloudWatch Logs are in no id. */
const accountId = z.string(USER).check(z.regex(/^[^\p{Cc}\p{Cs}"\\*]{1,256}$/u, USER))

export const trailQuery = z
  .strictObject(
    {
      action: z.optional(oneOf(TRAIL_ACTIONS)),
      user: z.optional(accountId),
      since: z.optional(localTime),
      until: z.optional(localTime),
      limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
      cursor: z.optional(cursor),
    },
    { error: closed },
  )
  .check(sinceBeforeUntil)
