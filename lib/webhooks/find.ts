import { invalid } from '../errors.ts'
import { pick, valueAt } from './pick.ts'
import type { VerifiedCall } from './source.ts'

/** A delivery whose body is parsed. */
export interface Message {
  readonly headers: VerifiedCall['headers']
  readonly signed: VerifiedCall['signed']
  readonly payload: unknown
}

/** Finds something in a message; what it finds is yet to be judged. */
export type Find = (message: Message) => unknown

/** Where an id stands, and what it is worth. */
export interface IdPlace {
  readonly find: Find
  /** False where the signature does not cover it: whoever repeats a call could change it. */
  readonly isSigned: boolean
  /** The body is not signed, so its hash could not stand in for an id. */
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

/** The text, number or truth value there, as text. */
export function textIn(...path: readonly string[]): Find {
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
