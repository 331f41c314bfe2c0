import { randomUUID } from 'node:crypto'
import { type CryptoKey, compactVerify, errors, SignJWT } from 'jose'
import type { Clock } from '../platform/clock.ts'
import type { Role } from '../users/role.ts'
import { AUDIENCE, type Claims, ISSUER, readClaims, type VerifiedToken, validAt } from './claims.ts'
import { ALGORITHM, type CompactJwt, readCompactJwt } from './compact-jwt.ts'
import { refusal } from './token-status.ts'

export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

export interface TokenOptions {
  /** Signs with the first, verifies with the one that the token names. */
  readonly keys: readonly TokenKey[]
  readonly lifetimeSeconds: number
  readonly clock: Clock
}

const CACHE_ENTRIES = 1000

export interface Tokens {
  /** Signs spec 2.2's claims, and `iss`, `aud` and `jti`. */
  issue(username: string, role: Role): Promise<string>
  /**
   * Checks a token in the order of the statuses; one that was seen before is answered without a promise.
   * @throws ServiceError `TOKEN_INVALID` or `TOKEN_EXPIRED`, or rejects with it
   */
  verify(token: string): VerifiedToken | Promise<VerifiedToken>
}

/** Signs and checks HS512 tokens (spec 2.2) with jose behind a guard for what jose lets through. */
export async function createTokens({ keys, lifetimeSeconds, clock }: TokenOptions): Promise<Tokens> {
  const ring = new Map(await Promise.all(keys.map(async ({ kid, secret }) => [kid, await importKey(secret)] as const)))
  const [first] = keys
  const signer = first && ring.get(first.kid)
  if (!signer) throw new Error('the ring holds no key')
  const cache = new Map<string, Claims>()

  async function check(token: string): Promise<VerifiedToken> {
    const jwt = readCompactJwt(token)
    await checkSignature(token, jwt, ring)
    const claims = readClaims(jwt)
    const verified = validAt(claims, clock.now())
    if (cache.size >= CACHE_ENTRIES) cache.delete(cache.keys().next().value ?? '')
    cache.set(token, claims)
    return verified
  }

  return {
    issue(username, role) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ role })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: first.kid })
        .setSubject(username)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(signer)
    },
    verify(token) {
      const known = cache.get(token)
      return known ? validAt(known, clock.now()) : check(token)
    },
  }
}

/** One import for the life of the process: jose imports a raw secret again at every call. */
function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign', 'verify'])
}

type Ring = ReadonlyMap<string, CryptoKey>

async function checkSignature(token: string, { header, isCanonical }: CompactJwt, ring: Ring): Promise<void> {
  const candidates = isCanonical ? keysFor(header['kid'], ring) : []
  for (const key of candidates) if (await isSignedWith(token, key)) return
  throw refusal('INVALID_SIGNATURE')
}

/** The key that a token names; any of them may have signed one that names none. */
function keysFor(kid: unknown, ring: Ring): readonly CryptoKey[] {
  if (kid === undefined) return [...ring.values()]
  const named = typeof kid === 'string' ? ring.get(kid) : undefined
  return named ? [named] : []
}

async function isSignedWith(token: string, key: CryptoKey): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [ALGORITHM] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}
