import * as z from 'zod/mini'

/** A number within bounds, both included. */
export function within(minimum: number, maximum: number) {
  return z
    .number()
    .check(z.minimum(minimum, `must be at least ${minimum}`), z.maximum(maximum, `must be at most ${maximum}`))
}

function bounded(form: RegExp, rule: string) {
  return (minimum: number, maximum: number) =>
    z.pipe(z.pipe(z.string().check(z.regex(form, rule)), z.transform(Number)), within(minimum, maximum))
}

/** A decimal number within bounds, written in digits. */
export const decimal = bounded(/^\d+(\.\d+)?$/, 'must be a number')

/** A whole number within bounds, written in digits. */
export const whole = bounded(/^\d+$/, 'must be a whole number')

/** One of a few words. */
export function choice<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

/** A text that has to be there. */
export function required() {
  return z.string({ error: 'must be set' })
}

/**
 * A text that `parse` turns into something better.
 * @param parse throws an Error whose message is the rule that the text broke; it must not quote the text.
 */
export function parsed<T>(parse: (text: string) => T) {
  return z.pipe(
    z.string({ error: 'must be set' }),
    z.transform((text, context): T => {
      try {
        return parse(text)
      } catch (error) {
        context.issues.push({ code: 'custom', message: (error as Error).message, input: undefined })
        return z.NEVER
      }
    }),
  )
}

/** A comma-separated list; blanks around its elements do not count. */
export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
