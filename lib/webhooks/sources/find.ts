import type { Buffer } from 'node:buffer'
import { invalid } from '../../errors.ts'
import { formFields } from '../../platform/form-fields.ts'
import { fromUtf8 } from '../../platform/utf8.ts'
import { formPayload } from '../form-payload.ts'
import { parseJson } from '../json.ts'
import { pick, valueAt } from '../pick.ts'
import type { Delivery } from '../source.ts'

/** A delivery whose body is parsed. */
export interface Message {
  readonly headers: Delivery['headers']
  readonly signed: Delivery['signed']
  readonly payload: unknown
}

/** Finds something in a message; what it finds is yet to be judged. */
export type Find = (message: Message) => unknown

export function header(name: string): Find {
  return ({ headers }) => headers[name]
}

export function body(...path: readonly string[]): Find {
  return ({ payload }) => valueAt(payload, path)
}

/** The text, number or truth value there, as text. */
export function text(...path: readonly string[]): Find {
  return ({ payload }) => pick(payload, path)
}

/** What the first of them finds. */
export function first(...finds: readonly Find[]): Find {
  return (message) => finds.map((find) => find(message)).find(isThere)
}

/**
 * All of them in one text, or nothing when one is missing. The separator tells where each ends.
 * @throws ServiceError `VALIDATION_FAILED` when it stands in one of them
 */
export function joined(separator: string, ...finds: readonly Find[]): Find {
  return (message) => {
    const pieces = finds.map((find) => find(message))
    if (!pieces.every(isThere)) return undefined
    if (pieces.some((piece) => String(piece).includes(separator)))
      throw invalid([{ path: [], message: `must not hold ${separator} in the parts of its id` }])
    return pieces.join(separator)
  }
}

/** What all elements of a list call themselves; undefined where they differ. */
export function shared(list: readonly string[], name: string): Find {
  return ({ payload }) => {
    const elements = valueAt(payload, list)
    const names = new Set(Array.isArray(elements) ? elements.map((element) => pick(element, [name])) : [])
    return names.size === 1 ? [...names][0] : undefined
  }
}

function isThere(found: unknown): boolean {
  return found !== undefined && found !== null && found !== ''
}

/**
 * JSON, also as the field `payload` of a form.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parsePayload(bytes: Buffer): unknown {
  return parseJson(formPayload(bytes) ?? bytes)
}

const OPENINGS = ['{'.charCodeAt(0), '['.charCodeAt(0)]

/**
 * JSON, or the fields of a form; which of the two its first byte tells, for the content type is ignored.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parseFormOrJson(bytes: Buffer): unknown {
  if (OPENINGS.includes(bytes[0] ?? 0)) return parseJson(bytes)
  const fields = formFields(fromUtf8(bytes) ?? '') ?? []
  if (fields.length === 0) throw invalid([{ path: [], message: 'must be a form or JSON' }])
  return Object.fromEntries(fields)
}
