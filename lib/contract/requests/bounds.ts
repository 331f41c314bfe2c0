import * as z from 'zod/mini'

/** A number within bounds, both included. */
export function within(minimum: number, maximum: number) {
  return z
    .number()
    .check(z.minimum(minimum, `must be at least ${minimum}`), z.maximum(maximum, `must be at most ${maximum}`))
}

/** A whole number within bounds, both included, written in digits. */
export function wholeNumber(minimum: number, maximum: number) {
  const digits = z.string().check(z.regex(/^\d+$/, 'must be a whole number'))
  return z.pipe(z.pipe(digits, z.transform(Number)), within(minimum, maximum))
}

const MAXIMUM_VALUES = 50

/** A parameter that may be given several times. */
export function several<T extends z.ZodMiniType>(one: T) {
  return z.optional(z.array(one).check(z.maxLength(MAXIMUM_VALUES, `must be given at most ${MAXIMUM_VALUES} times`)))
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}
