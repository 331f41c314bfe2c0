import { invalid } from '../errors.ts'
import { pick, valueAt } from './pick.ts'
import type { VerifiedCall } from './source.ts'

/** A delivery whose body is parsed. */
export interface Message {
  readonly headers: VerifiedCall['headers']
  readonly signed: VerifiedCall['signed']
  readonly payload: unknown
}

/** Finds a value in a message; the caller has to validate the value. */
export type Find = (message: Message) => unknown

/** Where to find an id, and whether the signature covers it. */
export interface IdPlace {
  readonly find: Find
  /** False if the signature does not cover the id: anyone who repeats a call could change it. */
  readonly isSigned: boolean
  /** Set if a call without the id is refused: its body is not signed, so a hash of the body cannot replace the id. */
  readonly isRequired?: true
}

export function inBody(...path: readonly string[]): IdPlace {
  return { find: body(...path), isSigned: true }
}

export function inSignedHeader(name: string): IdPlace {
  return { find: header(name), isSigned: true }
}

export function inHeader(name: string): IdPlace {
  return { find: header(name), isSigned: false }
}

export function header(name: string): Find {
  return ({ headers }) => headers[name]
}

export function body(...path: readonly string[]): Find {
  return ({ payload }) => valueAt(payload, path)
}

/** The text, number or truth value at a path, as text. */
export function textIn(...path: readonly string[]): Find {
  return ({ payload }) => pick(payload, path)
}

/** The result of the first of these that finds something. */
export function first(...finds: readonly Find[]): Find {
  return (message) => finds.map((find) => find(message)).find(isThere)
}

/**
 * Joins all the values into one text; undefined if one is missing. The separator marks where each ends.
 * @throws ServiceError `VALIDATION_FAILED` when a value contains the separator
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

/** The value of a member that all elements of a list share; undefined if the elements differ. */
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
