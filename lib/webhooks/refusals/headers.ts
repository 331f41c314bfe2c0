import type { Headers } from '../schemes/scheme.ts'

/** Headers whose values are no secrets, whoever sends them. Credentials, cookies, tokens and signatures never get in. */
const SHOWN = ['content-encoding', 'content-length', 'content-type', 'user-agent', 'x-request-id']

/** What one row may hold of what a stranger sends. */
const MAXIMUM_HEADERS = 50
const MAXIMUM_NAME = 64
const MAXIMUM_VALUE = 256

/**
 * The headers of a refused call as operators see them: null for every value that is not known to be harmless.
 * @param others headers that the source stores besides, in lower case
 */
export function shownHeaders(headers: Headers, others: readonly string[] = []): Record<string, string | null> {
  const shown = new Set([...SHOWN, ...others])
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAXIMUM_HEADERS)
      .map(([name, value = '']) => [
        name.slice(0, MAXIMUM_NAME),
        shown.has(name) ? value.slice(0, MAXIMUM_VALUE) : null,
      ]),
  )
}
