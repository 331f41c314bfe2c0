import jsonBodyParser from '@middy/http-json-body-parser'
import { invalid, type ServiceError } from '../../errors.ts'
import { broken, fromUtf8, type JsonBounds, repeatedNames, shapeOf } from '../../runtime/text.ts'
import { type HttpEvent, JSON_TYPE, readBody, typeRefused } from '../message.ts'
import type { Middleware } from './call.ts'

const BOUNDS: JsonBounds = { bytes: 1_048_576, members: Number.POSITIVE_INFINITY }
const MAXIMUM_DEPTH = 100

const parser = jsonBodyParser()

/** Other bounds than 1 MiB, and what a call without a body stands for; without it such a call is refused. */
export interface GivenJson extends Partial<JsonBounds> {
  readonly absent?: object
}

/**
 * Puts the value of a JSON body in the place of its text. Refuses with `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`,
 * `CODING_UNSUPPORTED`, and with `MEDIA_TYPE_UNSUPPORTED` a body that does not say it is JSON.
 */
export function parse({ absent, ...bounds }: GivenJson = {}): Middleware {
  return {
    before({ event }) {
      const value = absent && !event.body ? absent : wholeJson(event, { ...BOUNDS, ...bounds })
      Object.assign(event, { body: value, isBase64Encoded: false })
    },
  }
}

function wholeJson(event: HttpEvent, bounds: JsonBounds): unknown {
  const { text, value } = jsonBody(event, bounds)
  const repeated = [...repeatedNames(text)]
  if (repeated.length > 0)
    throw invalid(repeated.map((name) => ({ path: [name], message: broken(name, 'must be sent once') })))
  return value
}

interface JsonBody {
  readonly text: string
  readonly value: unknown
}

/**
 * The JSON of a body, as it was sent and as it was parsed.
 * @throws ServiceError `VALIDATION_FAILED`, `MEDIA_TYPE_UNSUPPORTED`, `CODING_UNSUPPORTED`, `PAYLOAD_TOO_LARGE`
 */
export function jsonBody(event: HttpEvent, bounds = BOUNDS, accept: string = JSON_TYPE['content-type']): JsonBody {
  const text = fromUtf8(readBody(event, bounds.bytes))
  if (text === undefined) throw refused('must be UTF-8')
  const { depth, members } = shapeOf(text)
  if (depth > MAXIMUM_DEPTH) throw refused(`must not be nested deeper than ${MAXIMUM_DEPTH}`)
  if (members > bounds.members) throw refused(`must not have more than ${bounds.members} members`)
  const call = { event: { ...event, body: text, isBase64Encoded: false } }
  try {
    parser.before?.(call as never)
  } catch (error) {
    throw causeOf(error as ParserError, event, accept)
  }
  return { text, value: call.event.body }
}

/** What @middy/http-json-body-parser throws; the cause of a broken body says why, that of a forbidden key names it. */
interface ParserError {
  readonly statusCode?: number
  readonly cause?: { readonly message?: string }
}

function causeOf({ statusCode, cause }: ParserError, event: HttpEvent, accept: string): ServiceError {
  if (statusCode === 415) return typeRefused(event, accept)
  return refused(cause?.message === undefined ? 'must not hold __proto__ or constructor.prototype' : 'must be JSON')
}

function refused(message: string): ServiceError {
  return invalid([{ path: [], message }])
}
