import * as z from 'zod/mini'
import { fromLocalDateTime } from '../../runtime/time.ts'
import { oneOf, several, wholeNumber } from './bounds.ts'
import { closed, shortText } from './text.ts'

const TIME = 'must be a date-time, YYYY-MM-DDTHH:mm:ss.SSS, with or without Z'

export const localTime = z.pipe(z.pipe(z.string(TIME), z.transform(fromLocalDateTime)), z.date(TIME))

/** The fields of a filter that are the same in a query and in a body. */
export const filterFields = {
  source: z.optional(shortText),
  type: z.optional(shortText),
  from: z.optional(localTime),
  to: z.optional(localTime),
  q: z.optional(shortText),
}

interface Span {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export const inOrder = z.refine<Span>(({ from, to }) => !(from && to) || from <= to, {
  path: ['to'],
  error: 'must not be before from',
})

/** Bounds and default of a page's length. */
export const PAGE = { minimum: 1, maximum: 200, usual: 50 } as const

export const EVENT_STATUSES = ['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY'] as const
const eventStatus = oneOf(EVENT_STATUSES)
/** Any of these statuses; an empty list means every status. */
export const eventStatuses = z.pipe(
  z.set(eventStatus),
  z.transform((given) => (given.size > 0 ? [...given] : undefined)),
)
export const cursor = z.string().check(z.maxLength(4096, 'must be at most 4096 characters'))

/** Names that events have, in a query: each may be given several times, and any of its values will do. */
export const eventNames = { status: several(eventStatus), source: several(shortText), type: several(shortText) }
export const REPEATABLE = Object.keys(eventNames)

export const eventQuery = z
  .strictObject(
    {
      ...filterFields,
      ...eventNames,
      dead: z.optional(
        z.pipe(
          oneOf(['true', 'false']),
          z.transform((word) => word === 'true'),
        ),
      ),
      limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
      cursor: z.optional(cursor),
    },
    { error: closed },
  )
  .check(inOrder)
