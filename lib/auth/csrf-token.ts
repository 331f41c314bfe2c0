import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM_BYTES = 16

/**
 * A new CSRF token (OWASP, signed double submit). The id of its session signs it, which only the browser knows.
 * @param sessionId empty before a login, where nobody asks for the token
 */
export function newCsrfToken(sessionId: string): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url')
  return `${random}.${signature(sessionId, random)}`
}

export function isCsrfToken(token: string, sessionId: string): boolean {
  const [, random, given] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  return random !== undefined && given !== undefined && isEqual(given, signature(sessionId, random))
}

function signature(sessionId: string, random: string): string {
  return createHmac('sha256', sessionId).update(`csrf.${random}`).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
