import jsonBodyParser from '@middy/http-json-body-parser'
import type * as z from 'zod/mini'
import { fail, invalid, type ServiceError } from '../errors.ts'
import type { JsonBounds } from '../runtime/bounded.ts'
import { shapeOf } from '../runtime/json-shape.ts'
import { fromUtf8 } from '../runtime/utf8.ts'
import type { Reader } from './endpoint.ts'
import { type HttpEvent, readBody } from './message.ts'
import { memberAt, rejectedValue } from './rejected-value.ts'

const BOUNDS: JsonBounds = { bytes: 1_048_576, members: Number.POSITIVE_INFINITY }
const MAXIMUM_DEPTH = 100

const { before: parse } = jsonBodyParser()

/**
 * Reads a JSON body as its schema requires it.
 * @param given what a call without a body stands for, without which such a call is refused, and other bounds than 1 MiB
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, `MEDIA_TYPE_UNSUPPORTED` for a body that
 * does not say it is JSON, `CODING_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`
 */
export function json<S extends z.ZodMiniType>(
  schema: S,
  given: { readonly absent?: object } & Partial<JsonBounds> = {},
): Reader<z.output<S>> {
  const { absent, ...bounds } = given
  return (event) => {
    const value = absent && !event.body ? absent : jsonBody(event, { ...BOUNDS, ...bounds }).value
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw refusalOf(parsed.error.issues, value)
  }
}

interface JsonBody {
  readonly text: string
  readonly value: unknown
}

/**
 * The JSON of a body, as it was sent and as it was parsed.
 * @throws ServiceError `VALIDATION_FAILED`, `MEDIA_TYPE_UNSUPPORTED`, `CODING_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`
 */
export function jsonBody(event: HttpEvent, bounds = BOUNDS): JsonBody {
  const text = fromUtf8(readBody(event, bounds.bytes))
  if (text === undefined) throw refused('must be UTF-8')
  const { depth, members } = shapeOf(text)
  if (depth > MAXIMUM_DEPTH) throw refused(`must not be nested deeper than ${MAXIMUM_DEPTH}`)
  if (members > bounds.members) throw refused(`must not have more than ${bounds.members} members`)
  const request = { event: { ...event, body: text, isBase64Encoded: false } }
  try {
    parse?.(request as never)
  } catch (error) {
    throw causeOf(error as ParserError)
  }
  return { text, value: request.event.body }
}

/** What @middy/http-json-body-parser throws; the cause of a broken body says why, that of a forbidden key names it. */
interface ParserError {
  readonly statusCode?: number
  readonly cause?: { readonly message?: string }
}

function causeOf({ statusCode, cause }: ParserError): ServiceError {
  if (statusCode === 415) return fail('MEDIA_TYPE_UNSUPPORTED')
  return refused(cause?.message === undefined ? 'must not hold __proto__ or constructor.prototype' : 'must be JSON')
}

function refused(message: string): ServiceError {
  return invalid([{ path: [], message }])
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
