import * as z from 'zod/mini'
import { oneOf, wholeNumber } from './bounds.ts'
import { cursor, inOrder, localTime, PAGE } from './event-filter.ts'
import { closed, shortText } from './text.ts'

/** Why the intake refuses calls. */
export const REFUSAL_REASONS = [
  'no-secret',
  'unreadable-secret',
  'unknown-key',
  'no-readable-signature',
  'wrong-signature',
  'too-old',
  'in-the-future',
  'rate-limited',
  'too-large',
  'encoded',
  'invalid-payload',
] as const

export const refusalQuery = z
  .strictObject(
    {
      source: z.optional(shortText),
      reason: z.optional(oneOf(REFUSAL_REASONS)),
      q: z.optional(shortText),
      from: z.optional(localTime),
      to: z.optional(localTime),
      limit: z._default(wholeNumber(PAGE.minimum, PAGE.maximum), PAGE.usual),
      cursor: z.optional(cursor),
    },
    { error: closed },
  )
  .check(inOrder)
