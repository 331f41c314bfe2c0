import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { LAST_ID } from '../../runtime/ids.ts'
import { fromUtf8 } from '../../runtime/utf8.ts'
import type { EventFilter, Position } from './list.ts'

const id = z.pipe(
  z.string().check(z.regex(/^\d{1,19}$/)),
  z.pipe(
    z.transform((digits: string) => BigInt(digits)),
    z.bigint().check(z.maximum(LAST_ID)),
  ),
)
const name = z.string().check(z.maxLength(256))
const content = z.tuple([z.string(), id, name, name])

/** A position as a text that callers pass from page to page, bound to its filter. */
export function pageCursorOf({ id, source, eventId }: Position, filter: EventFilter): string {
  return Buffer.from(JSON.stringify([digestOf(filter), `${id}`, source, eventId])).toString('base64url')
}

/** The position in a cursor; undefined for a text that is no cursor, or the cursor of another filter. */
export function readCursor(cursor: string, filter: EventFilter): Position | undefined {
  const { success, data } = z.safeParse(content, parsed(cursor))
  if (!success) return undefined
  const [digest, id, source, eventId] = data
  return digest === digestOf(filter) ? { id, source, eventId } : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
  } catch {
    return undefined
  }
}

function digestOf({ status, source, type, from, to, q, dead }: EventFilter): string {
  const names = [status, source, type].map((given) => given && [given].flat().toSorted())
  const filter = JSON.stringify([...names, from, to, q, dead])
  return createHash('sha256').update(filter).digest('base64url').slice(0, 16)
}
