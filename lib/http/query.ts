import type * as z from 'zod/mini'
import { invalid } from '../errors.ts'
import type { Reader } from './endpoint.ts'

/**
 * Reads the query as its schema wants it. It comes from the raw text, because an HTTP API joins repeated parameters
 * with commas in its parsed one. A parameter that is known and empty counts as not given.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused parameter
 */
export function query<S extends z.ZodMiniObject>(schema: S): Reader<z.output<S>> {
  return ({ rawQueryString }) => {
    if (!isUtf8(rawQueryString)) throw invalid([{ path: ['query'], message: 'must be percent-encoded UTF-8' }])
    const byName = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name)
    const repeated = [...byName.keys()].filter((name) => byName.get(name)?.length !== 1)
    if (repeated.length > 0) throw invalid(repeated.map((name) => ({ path: [name], message: 'must be given once' })))
    const isGiven = ([name, value]: [string, string]) => value !== '' || !Object.hasOwn(schema.shape, name)
    const given = Object.fromEntries([...byName.values()].flat().filter(isGiven))
    const parsed = schema.safeParse(given)
    if (parsed.success) return parsed.data
    throw invalid(parsed.error.issues, given)
  }
}

/** A gateway that decodes by itself leaves a mark in the place of bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'

function isUtf8(rawQueryString: string): boolean {
  try {
    return !decodeURIComponent(rawQueryString).includes(REPLACEMENT)
  } catch {
    return false
  }
}
