import { invalid, type ServiceError } from '../errors.ts'
import { depthOf } from '../runtime/json-depth.ts'
import { fromUtf8 } from '../runtime/utf8.ts'

/** A JSON number as its source text: a float would lose digits of an amount. */
export class Numeral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const MAXIMUM_DEPTH = 100

/**
 * Parses a webhook's body: UTF-8 JSON, every number kept as a {@link Numeral}.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parseJson(body: Uint8Array): unknown {
  const text = decode(body)
  if (depthOf(text) > MAXIMUM_DEPTH) throw refused(`must not be nested deeper than ${MAXIMUM_DEPTH}`)
  try {
    return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? new Numeral(context?.source ?? '') : value,
    )
  } catch {
    throw refused('must be JSON')
  }
}

function decode(body: Uint8Array): string {
  const text = fromUtf8(body)
  if (text === undefined) throw refused('must be UTF-8')
  return text
}

function refused(message: string): ServiceError {
  return invalid([{ path: [], message }])
}
