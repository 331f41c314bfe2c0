import type * as z from 'zod/mini'
import { invalid } from '../errors.ts'
import { type Input, validate } from './middleware/validate.ts'

/** Reads the query of a call as {@link readQuery} does. */
export function query<S extends z.ZodMiniObject>(schema: S): Input<z.output<S>> {
  return [validate(({ rawQueryString }) => readQuery(rawQueryString, schema))]
}

/**
 * Reads a query by its schema. It uses the raw text, because an HTTP API joins repeated parameters with commas in the
 * parsed one. A known parameter with an empty value counts as missing.
 * A list of the schema may be given several times.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused parameter
 */
export function readQuery<S extends z.ZodMiniObject>(rawQueryString: string, schema: S): z.output<S> {
  if (!isUtf8(rawQueryString)) throw invalid([{ path: ['query'], message: 'must be percent-encoded UTF-8' }])
  const byName = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name)
  const isList = (name: string) => Object.hasOwn(schema.shape, name) && takesList(schema.shape[name])
  const isRepeated = (name: string) => byName.get(name)?.length !== 1 && !isList(name)
  const repeated = [...byName.keys()].filter(isRepeated)
  if (repeated.length > 0) throw invalid(repeated.map((name) => ({ path: [name], message: 'must be given once' })))
  const isGiven = ([name, value]: [string, string]) => value !== '' || !Object.hasOwn(schema.shape, name)
  const given = [...byName].flatMap(([name, pairs]) => {
    const values = pairs.filter(isGiven).map(([, value]) => value)
    return values.length > 0 ? [[name, values] as const] : []
  })
  const parsed = schema.safeParse(
    Object.fromEntries(given.map(([name, values]) => [name, isList(name) ? values : values[0]])),
  )
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(0, 1) }))
  throw invalid(issues, Object.fromEntries(given.map(([name, values]) => [name, values.join()])))
}

function takesList(schema: z.core.$ZodType | undefined): boolean {
  const def = schema?._zod.def
  return def?.type === 'optional' ? takesList((def as z.core.$ZodOptionalDef).innerType) : def?.type === 'array'
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
