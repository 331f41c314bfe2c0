import * as z from 'zod/mini'
import { ConfigError, type Environment } from './config.ts'

const object = z.record(z.string(), z.unknown())

/**
 * The settings that the text of a secret holds: a JSON object by their names, in which one that is JSON itself need not
 * be a text. Every name is there, so that it replaces what an environment says.
 * @throws ConfigError that does not quote the text
 */
export function settingsIn(text: string, secret: string, names: readonly string[]): Environment {
  const given = parsed(text)
  if (!given) throw new ConfigError([`${secret}: must be a JSON object`])
  return Object.fromEntries(names.map((name) => [name, asText(given[name])]))
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return z.parse(object, JSON.parse(text))
  } catch {
    return undefined
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
