/** What one variable of the environment says. */
export interface Setting<T> {
  /**
   * @param text undefined where the variable is not set
   * @throws Error whose message is the rule that the text broke; it must not quote the text
   */
  readonly read: (text: string | undefined) => T
  /** The default of an optional variable. */
  readonly fallback?: T | undefined
}

/**
 * A text that `parse` turns into something better.
 * @param parse throws an Error whose message is the rule that the text broke; it must not quote the text.
 */
export function parsed<T>(parse: (text: string) => T): Setting<T> {
  return {
    read(text) {
      if (text === undefined) throw new Error('must be set')
      return parse(text)
    },
  }
}

/** An optional setting. */
export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return withDefault<T | undefined>(setting, undefined)
}

/** A setting with a default. */
export function withDefault<T>({ read }: Setting<T>, fallback: NoInfer<T>): Setting<T> {
  return { fallback, read: (text) => (text === undefined ? fallback : read(text)) }
}

/** A string, unchanged. */
export const text: Setting<string> = parsed((given) => given)

function bounded(form: RegExp, rule: string, minimum: number, maximum: number): Setting<number> {
  return parsed((given) => {
    const value = Number(given)
    if (!form.test(given)) throw new Error(rule)
    if (value < minimum) throw new Error(`must be at least ${minimum}`)
    if (value > maximum) throw new Error(`must be at most ${maximum}`)
    return value
  })
}

/** A decimal number within bounds, both included, written in digits. */
export function decimal(minimum: number, maximum: number): Setting<number> {
  return bounded(/^\d+(\.\d+)?$/, 'must be a number', minimum, maximum)
}

/** A whole number within bounds, both included, written in digits. */
export function whole(minimum: number, maximum: number): Setting<number> {
  return bounded(/^\d+$/, 'must be a whole number', minimum, maximum)
}

/** One of a few words. */
export function choice<const T extends string>(words: readonly T[]): Setting<T> {
  return parsed((given) => {
    const chosen = words.find((word) => word === given)
    if (chosen === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return chosen
  })
}

/** A comma-separated list; blanks around its elements do not count. */
export function listOf(given: string): readonly string[] {
  return given
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
