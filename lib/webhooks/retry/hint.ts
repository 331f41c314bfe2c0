import * as z from 'zod/mini'
import type { RetryHint } from '../event.ts'

const count = z.int().check(z.gte(0))
const retryHint = z.object({ source: z.string(), eventId: z.string(), n: count, hops: z.optional(count) })

/** @throws Error for a message that is no hint of ours; its text stays out of the error */
export function readHint(message: string): RetryHint {
  const hint = z.safeParse(retryHint, parsed(message))
  if (hint.success) return hint.data
  throw new Error('a message on the retry queue is no hint')
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
