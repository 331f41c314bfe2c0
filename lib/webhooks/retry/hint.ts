import * as z from 'zod/mini'
import { readQueued } from '../../work/hints.ts'
import type { RetryHint } from '../event.ts'

const count = z.int().check(z.gte(0))
const retryHint = z.object({ source: z.string(), eventId: z.string(), n: count, hops: z.optional(count) })

/** @throws Error for a message that is no hint; the error does not contain its text */
export function readHint(message: string): RetryHint {
  return readQueued(retryHint, message, 'a message on the retry queue is no hint')
}
