import { ConfigError, type Environment } from './config.ts'
import type { Log } from './log.ts'
import { metricMembers } from './metrics.ts'
import type { Clock } from './time.ts'

/** A value that can be replaced while the process runs; read `current` at each use. */
export interface Current<T> {
  readonly current: T
}

/** A value computed from another one, and computed again whenever that one was replaced. */
export function derived<T, U>(source: Current<T>, make: (value: T) => U): Current<U> {
  let value = source.current
  let made = make(value)
  return {
    get current() {
      if (source.current !== value) {
        value = source.current
        made = make(value)
      }
      return made
    },
  }
}

/** Where secrets are kept. */
export interface SecretSource {
  /**
   * The text of a secret as it is now; undefined when there is none of that name.
   * @throws ServiceError `UNAVAILABLE`
   */
  read(name: string): Promise<string | undefined>
}

/** How a secret is read and parsed. */
export interface CachedSecret<T> {
  readonly name: string
  readonly source: SecretSource
  /** How old it may be when it is used, in milliseconds. */
  readonly maximumAge: number
  /** @throws for a text that cannot be used */
  readonly parse: (text: string | undefined) => T
}

/** Secrets that are read once, and again when they are too old. */
export interface SecretCache {
  /** @throws as the source and `understand` do, for the first reading alone */
  load<T>(keeping: CachedSecret<T>): Promise<Current<T>>
  /**
   * Reads secrets again that are too old; no promise if none is. A secret that cannot be read or parsed keeps its last
   * value, and the failure is logged.
   */
  refresh(): Promise<void> | undefined
}

/** After a reading that failed, so that an outage does not hold up every call, in milliseconds. */
const RETRY_INTERVAL = 30_000

interface SecretCacheParts {
  readonly clock: Clock
  readonly log: Log
  /** Under which readings that failed are counted. */
  readonly serviceName: string
}

export function createSecretCache({ clock, log, serviceName }: SecretCacheParts): SecretCache {
  const refreshing: (() => Promise<void> | undefined)[] = []
  const now = () => clock.now().getTime()
  const unread = () => metricMembers(serviceName, 'SecretUnread', clock.now())

  return {
    async load({ name, source, maximumAge, parse }) {
      let readAt = now()
      let dueAt = readAt + maximumAge
      let text = await source.read(name).catch((cause) => {
        log.error('secret cannot be read', { secret: name, cause, ...unread() })
        throw cause
      })
      let current = parse(text)
      let isFailing = false

      async function readAgain(): Promise<void> {
        const next = await source.read(name)
        if (next !== text) current = parse(next)
        text = next
        if (isFailing) log.info('secret read again', { secret: name })
        isFailing = false
      }

      function stay(cause: unknown): void {
        dueAt = Math.min(dueAt, now() + RETRY_INTERVAL)
        if (!isFailing) log.warn('secret stays as it was', { secret: name, cause, ...unread() })
        isFailing = true
      }

      let reading: Promise<void> | undefined
      refreshing.push(() => {
        const isFresh = now() >= readAt && now() < dueAt
        if (reading || isFresh) return reading
        readAt = now()
        dueAt = readAt + maximumAge
        reading = readAgain()
          .catch(stay)
          .finally(() => {
            reading = undefined
          })
        return reading
      })
      return {
        get current() {
          return current
        },
      }
    },

    refresh() {
      const readings = refreshing.flatMap((refresh) => refresh() ?? [])
      return readings.length === 0 ? undefined : Promise.all(readings).then(() => undefined)
    },
  }
}

/**
 * The settings in the text of a secret: a JSON object by their names, in which a setting that is JSON itself need not
 * be a text. It has every name, so that an absent one hides that of the environment.
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
