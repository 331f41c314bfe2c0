import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Current } from '../runtime/current.ts'

/** CSRF tokens: signed, and bound to one session (OWASP, signed double submit). */
export interface CsrfTokens {
  /** @param sessionKey empty before a login */
  issue(sessionKey: string): string
  isValid(token: string, sessionKey: string): boolean
}

const RANDOM_BYTES = 16

/** @param keys the first signs; any of them may have signed */
export function createCsrfTokens(keys: Current<readonly Buffer[]>): CsrfTokens {
  return {
    issue(sessionKey) {
      const [first] = keys.current
      if (!first) throw new Error('CSRF tokens need a key')
      const random = randomBytes(RANDOM_BYTES).toString('base64url')
      return `${random}.${signature(first, random, sessionKey)}`
    },
    isValid(token, sessionKey) {
      const [, random, given] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? []
      if (random === undefined || given === undefined) return false
      return keys.current.some((key) => isEqual(given, signature(key, random, sessionKey)))
    },
  }
}

function signature(key: Buffer, random: string, sessionKey: string): string {
  return createHmac('sha256', key).update(`${sessionKey}.${random}`).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
