import type * as z from 'zod/mini'
import { invalid, type ServiceError } from '../errors.ts'
import { type GivenJson, parse } from './middleware/parse.ts'
import { type Input, validate } from './middleware/validate.ts'

/**
 * Reads a JSON body as its schema requires it: `VALIDATION_FAILED` has one row for each refused field.
 * @param given as {@link parse} takes it
 */
export function json<S extends z.ZodMiniType>(schema: S, given?: GivenJson): Input<z.output<S>> {
  return [
    parse(given),
    validate(({ body }) => {
      const parsed = schema.safeParse(body)
      if (parsed.success) return parsed.data
      throw refusalOf(parsed.error.issues, body)
    }),
  ]
}

type Issues = z.core.$ZodIssue[]

function refusalOf(issues: Issues, body: unknown): ServiceError {
  const given = issues.flatMap(({ code, path }) => {
    const value = code === 'unrecognized_keys' ? null : rejectedValue(body, path)
    return value === null ? [] : [[path.map(String).join('.'), value]]
  })
  const named = issues.map((issue) => (isMissing(issue, body) ? { ...issue, message: 'is required' } : issue))
  return invalid(named, Object.fromEntries(given))
}

function isMissing({ code, path }: Issues[number], body: unknown): boolean {
  const isDemanded = path.length > 0 && (code === 'invalid_type' || code === 'invalid_value')
  return isDemanded && memberAt(body, path) === undefined
}

/** No answer repeats what stands under these names, or anywhere below them: passwords, secrets, recorded calls, messages. */
const SECRET: ReadonlySet<PropertyKey> = new Set(['password', 'current', 'new', 'secret', 'token', 'request', 'body'])

const MAXIMUM_LENGTH = 100

/**
 * The value at a path of a JSON body as a refusal repeats it: at most a hundred characters, `{…}` for an object, `[…]`
 * for a list. Null for what is missing, null or secret, and for the body as a whole.
 */
export function rejectedValue(body: unknown, path: readonly PropertyKey[]): string | null {
  if (path.length === 0 || path.some((name) => SECRET.has(name))) return null
  const value = memberAt(body, path)
  return value === undefined || value === null ? null : textOf(value)
}

/** Undefined for a member that is not there. */
function memberAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
    body,
  )
}

function textOf(value: NonNullable<unknown>): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (isObject(value)) return Object.keys(value).length === 0 ? '{}' : '{…}'
  const text = String(value)
  return text.length > MAXIMUM_LENGTH ? `${text.slice(0, MAXIMUM_LENGTH - 1).toWellFormed()}…` : text
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
