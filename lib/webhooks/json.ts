import type { Buffer } from 'node:buffer'
import { invalid, rulesIn, ServiceError } from '../errors.ts'
import { fromUtf8, shapeOf } from '../runtime/text.ts'
import type { VerifiedCall } from './source.ts'

/** A JSON number as its source text: a float would lose digits of an amount. */
export class Numeral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const MAXIMUM_DEPTH = 100

/** The bodies that have been read. */
const known = new WeakMap<Uint8Array, { readonly value: unknown }>()

/**
 * Parses a webhook's body, once: UTF-8 JSON, every number kept as a {@link Numeral}.
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function parseJson(body: Uint8Array): unknown {
  const { value } = known.get(body) ?? { value: parse(body) }
  known.set(body, { value })
  return value
}

function parse(body: Uint8Array): unknown {
  const text = decode(body)
  if (shapeOf(text).depth > MAXIMUM_DEPTH) throw refused(`must not be nested deeper than ${MAXIMUM_DEPTH}`)
  try {
    return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? new Numeral(context?.source ?? '') : value,
    )
  } catch {
    throw refused('must be JSON')
  }
}

/** The payload of a body, or why it cannot be read. */
export function attempt<T>(read: () => T): { readonly payload?: T; readonly unreadable?: string } {
  try {
    return { payload: read() }
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) return { unreadable: rulesIn(error) }
    throw error
  }
}

/** The same of the body of a call; one that came under a content coding is never decoded. */
export function attemptBody<T>(
  { body, headers }: VerifiedCall,
  parse: (body: Buffer) => T,
): ReturnType<typeof attempt<T>> {
  const coding = headers['content-encoding']
  return coding === undefined ? attempt(() => parse(body)) : { unreadable: `body is encoded: ${coding}` }
}

/**
 * A text that is the same for two payloads that differ only in some members.
 * @param paths the names of members on the way to each; `*` stands for every element of a list
 */
export function without(payload: unknown, paths: readonly (readonly string[])[]): string {
  return JSON.stringify(omit(payload, paths)) ?? ''
}

function omit(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (value instanceof Numeral) return [value.text]
  if (typeof value !== 'object' || value === null) return value
  const below = (name: string) =>
    paths.filter(([first]) => first === name || (first === '*' && Array.isArray(value))).map((path) => path.slice(1))
  if (Array.isArray(value)) return value.map((element) => omit(element, below('*')))
  const kept = Object.entries(value).filter(([name]) => !below(name).some((path) => path.length === 0))
  return kept.map(([name, member]) => [name, omit(member, below(name))])
}

function decode(body: Uint8Array): string {
  const text = fromUtf8(body)
  if (text === undefined) throw refused('must be UTF-8')
  return text
}

function refused(message: string): ServiceError {
  return invalid([{ path: [], message }])
}
