import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { LAST_ID } from '../../runtime/ids.ts'
import { fromUtf8 } from '../../runtime/utf8.ts'
import type { ChangedFilter, ChangedPosition } from './changed.ts'

const changeId = z.pipe(
  z.string().check(z.regex(/^\d{1,19}$/)),
  z.pipe(
    z.transform((digits: string) => BigInt(digits)),
    z.bigint().check(z.maximum(LAST_ID)),
  ),
)
const content = z.tuple([z.string(), changeId, z.string().check(z.maxLength(2048))])

/** A position as a text that callers pass from page to page, bound to its filter. */
export function changedCursorOf({ changeId: place, key }: ChangedPosition, filter: ChangedFilter): string {
  return Buffer.from(JSON.stringify([digestOf(filter), `${place}`, key])).toString('base64url')
}

/** The position in a cursor; undefined for a text that is no cursor, or the cursor of another filter. */
export function readChangedCursor(cursor: string, filter: ChangedFilter): ChangedPosition | undefined {
  const { success, data } = z.safeParse(content, parsed(cursor))
  if (!success) return undefined
  const [digest, place, key] = data
  return digest === digestOf(filter) ? { changeId: place, key } : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
  } catch {
    return undefined
  }
}

function digestOf(filter: ChangedFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const text = JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
