import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { fromUtf8 } from '../../runtime/utf8.ts'
import type { ReplayPosition } from './replays.ts'

/** The last time that a `Date` can hold (ECMA-262, "Time Values and Time Range"), in milliseconds. */
const LAST_TIME = 8.64e15

const content = z.tuple([
  z.int().check(z.minimum(0), z.maximum(LAST_TIME)),
  z.string().check(z.minLength(1), z.maxLength(128)),
])

/** A position as a text that callers pass from page to page. */
export function replayCursorOf({ acceptedAt, replayId }: ReplayPosition): string {
  return Buffer.from(JSON.stringify([acceptedAt.getTime(), replayId])).toString('base64url')
}

/** The position in a cursor; undefined for a text that is none. */
export function readReplayCursor(cursor: string): ReplayPosition | undefined {
  const { success, data } = z.safeParse(content, parsed(cursor))
  if (!success) return undefined
  const [acceptedAt, replayId] = data
  return { acceptedAt: new Date(acceptedAt), replayId }
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
  } catch {
    return undefined
  }
}
