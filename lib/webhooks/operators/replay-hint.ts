import * as z from 'zod/mini'
import type { ReplayHint } from './replay.ts'

const count = z.int().check(z.gte(0))
const replayHint = z.object({ replayId: z.string(), step: count, idle: z.optional(count) })

/** @throws Error for a message that is no hint of ours; the error does not contain the message's text */
export function readReplayHint(message: string): ReplayHint {
  const hint = z.safeParse(replayHint, parsed(message))
  if (hint.success) return hint.data
  throw new Error('a message on the replay queue is no hint')
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
