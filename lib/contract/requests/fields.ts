import * as z from 'zod/mini'
import { fromLocalDateTime } from '../../runtime/time.ts'

// Functions make the schemas: a bundle holds those that its function reads, and no other one.

type Checks<S extends z.core.$ZodLooseShape> = z.core.$ZodCheck<z.output<z.ZodMiniObject<S, z.core.$strict>>>[]

/** An object without unknown properties. */
export function closed<S extends z.core.$ZodLooseShape>(shape: S, ...checks: Checks<S>) {
  return z.strictObject(shape, { error: refusalOf }).check(...checks)
}

/** The message for an unknown property of an object, or for a value that is no object. */
function refusalOf({ code }: { readonly code: string }): string {
  return code === 'unrecognized_keys' ? 'is not known' : 'must be a JSON object'
}

export function matching(pattern: RegExp, rule: string) {
  return z.string(rule).check(z.regex(pattern, rule))
}

/** The name of a key or a passkey. */
/* @__NO_SIDE_EFFECTS__ */
export function label() {
  return matching(/^[^\p{Cc}\p{Cs}]{1,64}$/u, 'must be 1 to 64 characters without control characters')
}

/** A name, a part of one, or a few words. */
export function shortText() {
  return matching(/^[^\p{Cc}\p{Cs}]{1,256}$/u, 'must be 1 to 256 characters without control characters')
}

export function atMost(characters: number) {
  return z.string().check(z.maxLength(characters, `must be at most ${characters} characters`))
}

/** A number within bounds, both included. */
export function within(minimum: number, maximum: number) {
  return z
    .number()
    .check(z.minimum(minimum, `must be at least ${minimum}`), z.maximum(maximum, `must be at most ${maximum}`))
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

/** `true` or `false` in a query. */
export function flag() {
  return z.pipe(
    oneOf(['true', 'false']),
    z.transform((word) => word === 'true'),
  )
}

const MAXIMUM_VALUES = 50

/** A parameter that may be given several times. */
export function several<T extends z.ZodMiniType>(one: T) {
  return z.optional(z.array(one).check(z.maxLength(MAXIMUM_VALUES, `must be given at most ${MAXIMUM_VALUES} times`)))
}

const TIME = 'must be a date-time, YYYY-MM-DDTHH:mm:ss.SSS, with or without Z'

export function localTime() {
  return z.pipe(z.pipe(z.string(TIME), z.transform(fromLocalDateTime)), z.date(TIME))
}

interface Span {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export function inOrder() {
  return z.refine<Span>(({ from, to }) => !(from && to) || from <= to, {
    path: ['to'],
    error: 'must not be before from',
  })
}

/** Bounds and default of a page's length. */
export const PAGE = { minimum: 1, maximum: 200, usual: 50 } as const

export function cursor() {
  return atMost(4096)
}

/** The name of a source of events. */
export const SOURCE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** The name that a destination of STOMP ends with, after `/topic/public/` or `/user/queue/`. */
export const DESTINATION_NAME = '[\\w.~/-]{1,200}'

/** The part of a list, in a query. */
export function page() {
  const digits = matching(/^\d+$/, 'must be a whole number')
  const length = z.pipe(z.pipe(digits, z.transform(Number)), within(PAGE.minimum, PAGE.maximum))
  return { limit: z._default(length, PAGE.usual), cursor: z.optional(cursor()) }
}
