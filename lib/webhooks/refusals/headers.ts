import type { Headers } from '../schemes/scheme.ts'

/** Headers whose values are no secrets, for any sender. Never add credentials, cookies, tokens or signatures. */
const SHOWN = ['content-encoding', 'content-length', 'content-type', 'user-agent', 'x-request-id']

/** The most that one row stores of a stranger's headers. */
const MAXIMUM_HEADERS = 50
const MAXIMUM_NAME = 64
const MAXIMUM_VALUE = 256

/**
 * The headers of a refused call as operators see them: null for every value that is not known to be harmless.
 * @param others further headers that the source stores, in lower case
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
