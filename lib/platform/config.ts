import { env } from 'node:process'
import * as z from 'zod/mini'

export type Settings = Readonly<Record<string, z.ZodMiniType>>
export type Config<S extends Settings> = { readonly [K in keyof S]: z.output<S[K]> }
export type Environment = Readonly<Record<string, string | undefined>>

/** A rule over several settings, judged once each of them is right by itself. */
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

/** The environment of the process, with the given texts in place of its own. */
export function environmentWith(texts: Environment): Environment {
  return { ...env, ...texts }
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
  const parsed = Object.entries(settings).map(
    ([name, setting]) => [name, z.safeParse(setting, environment[name] || undefined)] as const,
  )
  const wrong = parsed.flatMap(([name, { error }]) => (error?.issues ?? []).map(({ message }) => `${name}: ${message}`))
  const right = Object.fromEntries(parsed.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])))
  const config = right as Config<S>
  const judged = rules.filter((rule) => rule.settings.every((name) => Object.hasOwn(right, name)))
  const broken = judged.map((rule) => rule.broken(config)).filter((problem) => problem !== undefined)
  if (wrong.length + broken.length > 0) throw new ConfigError([...wrong, ...broken].sort())
  return config
}
