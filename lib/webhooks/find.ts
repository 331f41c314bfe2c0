import { Numeral } from './json.ts'
import type { VerifiedCall } from './source.ts'

/** A delivery whose body is parsed. */
export interface Message extends VerifiedCall {
  /** Undefined if the body cannot be read. */
  readonly payload: unknown
}

/** Finds a value in a message; the caller has to validate the value. */
export type Find = (message: Message) => unknown

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
 * Joins all the values into one text; undefined if one is missing, or contains the separator, which marks where each
 * ends.
 */
export function joined(separator: string, ...finds: readonly Find[]): Find {
  return (message) => {
    const pieces = finds.map((find) => find(message))
    const isWhole = pieces.every((piece) => isThere(piece) && !String(piece).includes(separator))
    return isWhole ? pieces.join(separator) : undefined
  }
}

/** Those of these texts that there are, for a summary. */
export function summaryOf(...finds: readonly Find[]): Find {
  return (message) =>
    finds
      .map((find) => find(message))
      .filter(isThere)
      .join(' · ')
}

/** An amount in front of its currency: `49.90 EUR`; undefined without an amount. */
export function money(amount: readonly string[], currency: readonly string[]): Find {
  return ({ payload }) => {
    const [sum, unit] = [pick(payload, amount), pick(payload, currency)]
    return sum && unit ? `${sum} ${unit}` : sum
  }
}

/** The value of a member that all elements of a list share; undefined if the elements differ. */
export function shared(list: readonly string[], name: string): Find {
  return ({ payload }) => {
    const elements = valueAt(payload, list)
    const names = new Set(elementsOf(elements).map((element) => pick(element, [name])))
    return names.size === 1 ? [...names][0] : undefined
  }
}

/** The elements of a list; none of anything else. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isThere(found: unknown): boolean {
  return found !== undefined && found !== null && found !== ''
}

/** The value at a path of a parsed payload; undefined if there is none. */
export function valueAt(payload: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isOpen(value, name) ? Reflect.get(value, name) : undefined), payload)
}

/** A payload that has nothing but the values at these paths; its lists are objects. */
export function only(payload: unknown, paths: readonly (readonly string[])[]): unknown {
  const kept: Record<string, unknown> = {}
  for (const path of paths) {
    const [last = '', ...others] = path.toReversed()
    const value = valueAt(payload, path)
    if (value !== undefined) others.reduceRight(entered, kept)[last] = value
  }
  return kept
}

function entered(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const inner = Object.hasOwn(object, name) ? (object[name] as Record<string, unknown>) : {}
  object[name] = inner
  return inner
}

/** The text, number or truth value at a path of a parsed payload, as text; undefined if there is none. */
export function pick(payload: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(payload, path)
  if (found instanceof Numeral) return found.text
  if (typeof found === 'boolean') return String(found)
  return typeof found === 'string' ? found : undefined
}

function isOpen(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Numeral) && Object.hasOwn(value, name)
}
