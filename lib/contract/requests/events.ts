import * as z from 'zod/mini'
import { closed, flag, inOrder, localTime, oneOf, page, several, shortText } from './fields.ts'

/** The fields of a filter that are the same in a query and in a body. */
export const filterFields = {
  source: z.optional(shortText()),
  type: z.optional(shortText()),
  from: z.optional(localTime()),
  to: z.optional(localTime()),
  q: z.optional(shortText()),
}

export const EVENT_STATUSES = ['RECEIVED', 'PROCESSING', 'PROCESSED', 'FAILED', 'RETRY'] as const
const eventStatus = oneOf(EVENT_STATUSES)

/** Names that events have, in a query: any of the given values will do. */
const eventNames = { status: several(eventStatus), source: several(shortText()), type: several(shortText()) }

const isTrue = z.pipe(
  oneOf(['true']),
  z.transform((): true => true),
)

const eventFilter = {
  ...filterFields,
  ...eventNames,
  dead: z.optional(flag()),
  held: z.optional(isTrue),
  attention: z.optional(isTrue),
}

export const eventQuery = closed({ ...eventFilter, ...page() }, inOrder())

export const countQuery = closed(eventFilter, inOrder())

/** The changes that a listener asks for. */
export const eventStream = closed(eventNames)
