import jsonBodyParser from '@middy/http-json-body-parser'
import type * as z from 'zod/mini'
import { fail, invalid, type ServiceError } from '../errors.ts'
import { depthOf } from '../runtime/json-depth.ts'
import { fromUtf8 } from '../runtime/utf8.ts'
import type { Reader } from './endpoint.ts'
import { type HttpEvent, readBody } from './message.ts'

const LIMIT_BYTES = 1_048_576
const MAXIMUM_DEPTH = 100

const { before: parse } = jsonBodyParser()

/**
 * Reads a JSON body as its schema wants it.
 * @param absent what a call without a body stands for; without it such a call is refused
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field, `MEDIA_TYPE_UNSUPPORTED` for a body that
 * does not say it is JSON, `PAYLOAD_TOO_LARGE`
 */
export function json<S extends z.ZodMiniType>(schema: S, absent?: object): Reader<z.output<S>> {
  return (event) => {
    const parsed = schema.safeParse(absent && !event.body ? absent : bodyOf(event))
    if (parsed.success) return parsed.data
    throw invalid(parsed.error.issues)
  }
}

function bodyOf(event: HttpEvent): unknown {
  const body = fromUtf8(readBody(event, LIMIT_BYTES))
  if (body === undefined) throw refused('must be UTF-8')
  if (depthOf(body) > MAXIMUM_DEPTH) throw refused(`must not be nested deeper than ${MAXIMUM_DEPTH}`)
  const request = { event: { ...event, body, isBase64Encoded: false } }
  try {
    parse?.(request as never)
  } catch (error) {
    throw (error as { statusCode?: number }).statusCode === 415
      ? fail('MEDIA_TYPE_UNSUPPORTED')
      : refused('must be JSON')
  }
  return request.event.body
}

function refused(message: string): ServiceError {
  return invalid([{ path: [], message }])
}
