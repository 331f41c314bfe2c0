import { getBuiltinModule } from 'node:process'
import { fail } from '../../errors.ts'
import type { HttpEvent } from '../message.ts'

/** What the edge adds to each call that it passes on. */
const HEADER = 'gatehouse-edge'

/**
 * Lets only calls through that the edge passed on, and takes its secret from them: nothing stores it.
 * @param secrets none without an edge
 * @throws ServiceError `NOT_BY_DOMAIN`
 */
export function onlyByEdge(event: HttpEvent, secrets: readonly string[]): void {
  if (secrets.length === 0) return
  const { [HEADER]: given = '', ...headers } = event.headers
  Object.assign(event, { headers })
  if (!secrets.some((secret) => isEqual(given, secret))) throw fail('NOT_BY_DOMAIN')
}

/** Loaded on first use: most stages have no edge. */
function isEqual(given: string, expected: string): boolean {
  const { createHash, timingSafeEqual } = getBuiltinModule('node:crypto')
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digestOf(given), digestOf(expected))
}
