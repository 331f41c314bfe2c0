import { ConfigError, type Environment } from './config.ts'

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
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
