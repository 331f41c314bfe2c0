import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { fromUtf8 } from '../../runtime/utf8.ts'
import type { RefusalFilter, RefusalPosition } from './list.ts'

/** The last time that a `Date` can hold (ECMA-262, "Time Values and Time Range"), in milliseconds. */
const LAST_TIME = 8.64e15

const content = z.tuple([
  z.string(),
  z.int().check(z.minimum(0), z.maximum(LAST_TIME)),
  z.string().check(z.maxLength(256)),
])

/** A position as a text that callers pass from page to page, bound to its filter. */
export function refusalCursorOf({ lastAt, id }: RefusalPosition, filter: RefusalFilter): string {
  return Buffer.from(JSON.stringify([digestOf(filter), lastAt.getTime(), id])).toString('base64url')
}

/** The position in a cursor; undefined for a text that is no cursor, or the cursor of another filter. */
export function readRefusalCursor(cursor: string, filter: RefusalFilter): RefusalPosition | undefined {
  const { success, data } = z.safeParse(content, parsed(cursor))
  if (!success) return undefined
  const [digest, lastAt, id] = data
  return digest === digestOf(filter) ? { lastAt: new Date(lastAt), id } : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
  } catch {
    return undefined
  }
}

function digestOf({ source, reason, q, from, to }: RefusalFilter): string {
  const filter = JSON.stringify([source, reason, q, from, to])
  return createHash('sha256').update(filter).digest('base64url').slice(0, 16)
}
