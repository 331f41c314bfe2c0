import type * as z from 'zod/mini'
import { invalid, type ServiceError } from '../errors.ts'
import { type GivenJson, parse } from './middleware/parse.ts'
import { type Input, validate } from './middleware/validate.ts'
import { memberAt, rejectedValue } from './rejected-value.ts'

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
