import * as z from 'zod/mini'
import { readQueued } from '../../runtime/queued.ts'
import type { ReplayHint } from './replay.ts'

const count = z.int().check(z.gte(0))
const replayHint = z.object({ replayId: z.string(), step: count, idle: z.optional(count) })

/** @throws Error for a message that is no hint; the error does not contain its text */
export function readReplayHint(message: string): ReplayHint {
  return readQueued(replayHint, message, 'a message on the replay queue is no hint')
}
