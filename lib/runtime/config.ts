import { env } from 'node:process'

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type Config<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]['read']> }
export type Environment = Readonly<Record<string, string | undefined>>

/** A rule over several settings, checked when each of them is right by itself. */
export interface Rule<C> {
  readonly settings: readonly (keyof C)[]
  /** What is wrong, in the form `NAME: rule`, or undefined. */
  readonly broken: (config: C) => string | undefined
}

/** Lists every wrong setting by name and rule; values stay out, for some of them are secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[], title = 'Wrong settings') {
    super(`${title}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** An environment with the given texts in place of its own. */
export function environmentWith(texts: Environment, environment: Environment = env): Environment {
  return { ...environment, ...texts }
}

/**
 * Reads the given settings from the environment, where an empty variable counts as unset.
 * @throws ConfigError naming all wrong settings together.
 */
export function loadConfig<S extends Settings>(
  settings: S,
  rules: readonly Rule<Config<S>>[] = [],
  environment: Environment = env,
): Config<S> {
  const right: [string, unknown][] = []
  const wrong: string[] = []
  for (const [name, setting] of Object.entries(settings)) {
    try {
      right.push([name, setting.read(environment[name] || undefined)])
    } catch (error) {
      wrong.push(`${name}: ${(error as Error).message}`)
    }
  }
  const config = Object.fromEntries(right) as Config<S>
  const judged = rules.filter((rule) => rule.settings.every((name) => Object.hasOwn(config, name)))
  const broken = judged.map((rule) => rule.broken(config)).filter((problem) => problem !== undefined)
  if (wrong.length + broken.length > 0) throw new ConfigError([...wrong, ...broken].sort())
  return config
}

/** How one variable of the environment is read. */
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
 * A text that `parse` reads.
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
