import { env } from 'node:process'
import type { Setting } from './settings/values.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type Config<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]['read']> }
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
