import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { invalid } from '../errors.ts'
import { LAST_ID } from './ids.ts'
import { fromUtf8 } from './text.ts'

/** The last time that a `Date` can hold (ECMA-262, "Time Values and Time Range"), in milliseconds. */
const LAST_TIME = 8.64e15

/** Members of a position, as a cursor has them. */
export const member = {
  text: z.string().check(z.maxLength(256)),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  time: z.pipe(
    z.int().check(z.minimum(0), z.maximum(LAST_TIME)),
    z.transform((milliseconds: number) => new Date(milliseconds)),
  ),
  id: z.pipe(
    z.string().check(z.regex(/^\d{1,19}$/)),
    z.pipe(
      z.transform((digits: string) => BigInt(digits)),
      z.bigint().check(z.maximum(LAST_ID)),
    ),
  ),
}

type Members = Readonly<Record<string, z.ZodMiniType<string | boolean | bigint | Date>>>
type Position<M extends Members> = { readonly [name in keyof M]: z.output<M[name]> }

/** Positions in a list, as texts that callers pass from page to page. */
export function listCursor<M extends Members>(list: string, members: M) {
  const position = z.strictObject(members)
  return {
    /** @param selection what the pages select; the cursor is bound to it */
    of(selection: object, at: Position<M>): string {
      const written = Object.keys(members).map((name) => [name, writtenOf(at[name])])
      const content = JSON.stringify([digestOf(list, selection), Object.fromEntries(written)])
      return Buffer.from(content).toString('base64url')
    },

    /**
     * The position after which a page begins; undefined without a cursor.
     * @throws ServiceError `VALIDATION_FAILED` for a text that is no cursor, or one of another list or selection
     */
    read(selection: object, cursor: string | undefined): Position<M> | undefined {
      if (cursor === undefined) return undefined
      const [digest, at, ...more] = contentOf(cursor)
      const { success, data } = z.safeParse(position, at)
      if (success && digest === digestOf(list, selection) && more.length === 0) return data as Position<M>
      throw invalid([{ path: ['cursor'], message: 'must come from a page with the same filter' }], { cursor })
    },
  }
}

function writtenOf(value: Position<Members>[string] | undefined) {
  if (typeof value === 'bigint') return `${value}`
  return value instanceof Date ? value.getTime() : value
}

function contentOf(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(fromUtf8(Buffer.from(cursor, 'base64url')) ?? '')
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

/** The same for any order of the members and of the values of one. */
function digestOf(list: string, selection: object): string {
  const given = Object.entries(selection)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, [value].flat().toSorted()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([list, given]))
    .digest('base64url')
    .slice(0, 16)
}
