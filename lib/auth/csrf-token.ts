import { getBuiltinModule } from 'node:process'

const RANDOM_BYTES = 16

/** Loaded on first use: every function can check a token, and most calls have none. */
const nodeCrypto = () => getBuiltinModule('node:crypto')

/**
 * A new CSRF token (OWASP, signed double submit). It is signed with the id of its session, which only the browser
 * knows.
 * @param sessionId empty before a login, when the token has no use
 */
export function newCsrfToken(sessionId: string): string {
  const random = nodeCrypto().randomBytes(RANDOM_BYTES).toString('base64url')
  return `${random}.${signature(sessionId, random)}`
}

export function isCsrfToken(token: string, sessionId: string): boolean {
  const [, random, given] = /^([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  return random !== undefined && given !== undefined && isEqual(given, signature(sessionId, random))
}

function signature(sessionId: string, random: string): string {
  return nodeCrypto().createHmac('sha256', sessionId).update(`csrf.${random}`).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && nodeCrypto().timingSafeEqual(one, other)
}
