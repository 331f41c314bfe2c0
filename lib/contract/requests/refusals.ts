import * as z from 'zod/mini'
import { closed, inOrder, localTime, oneOf, page, shortText } from './fields.ts'

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

export const refusalQuery = closed(
  {
    source: z.optional(shortText()),
    reason: z.optional(oneOf(REFUSAL_REASONS)),
    q: z.optional(shortText()),
    from: z.optional(localTime()),
    to: z.optional(localTime()),
    ...page(),
  },
  inOrder(),
)
