import { randomUUID } from 'node:crypto'
import { type CryptoKey, compactVerify, errors, SignJWT } from 'jose'
import type { Clock } from '../platform/clock.ts'
import { type Current, madeOf } from '../platform/current.ts'
import type { Role } from '../users/role.ts'
import { AUDIENCE, type Claims, ISSUER, readClaims, type VerifiedToken, validAt } from './claims.ts'
import { ALGORITHM, type CompactJwt, readCompactJwt } from './compact-jwt.ts'
import { refusal } from './token-status.ts'

export interface TokenKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

export interface TokenOptions {
  /** Signs with the first, verifies with the one that the token names. Other keys also mean another ring. */
  readonly keys: Current<readonly TokenKey[]>
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
export function createTokens({ keys, lifetimeSeconds, clock }: TokenOptions): Tokens {
  const ring = madeOf(keys, ringOf)

  async function check(token: string, { imported, verified }: Ring): Promise<VerifiedToken> {
    const jwt = readCompactJwt(token)
    await checkSignature(token, jwt, await imported)
    const claims = readClaims(jwt)
    const valid = validAt(claims, clock.now())
    if (verified.size >= CACHE_ENTRIES) verified.delete(verified.keys().next().value ?? '')
    verified.set(token, claims)
    return valid
  }

  return {
    async issue(username, role) {
      const { signer } = ring.current
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ role })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: signer.kid })
        .setSubject(username)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(await signer.imported)
    },
    verify(token) {
      const known = ring.current.verified.get(token)
      return known ? validAt(known, clock.now()) : check(token, ring.current)
    },
  }
}

/** Keys, and the tokens that they were seen to have signed. */
interface Ring {
  readonly signer: { readonly kid: string; readonly imported: Promise<CryptoKey> }
  readonly imported: Promise<ImportedKeys>
  readonly verified: Map<string, Claims>
}

type ImportedKeys = ReadonlyMap<string, CryptoKey>

function ringOf(keys: readonly TokenKey[]): Ring {
  const all = keys.map(({ kid, secret }) => ({ kid, imported: importKey(secret) }))
  const [signer] = all
  if (!signer) throw new Error('the ring holds no key')
  const entries = all.map(async ({ kid, imported }) => [kid, await imported] as const)
  return { signer, imported: Promise.all(entries).then((ready) => new Map(ready)), verified: new Map() }
}

/** One import for the life of the process: jose imports a raw secret again at every call. */
function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-512' }, false, ['sign', 'verify'])
}

async function checkSignature(token: string, { header, isCanonical }: CompactJwt, keys: ImportedKeys): Promise<void> {
  const candidates = isCanonical ? keysFor(header['kid'], keys) : []
  for (const key of candidates) if (await isSignedWith(token, key)) return
  throw refusal('INVALID_SIGNATURE')
}

/** The key that a token names; any of them may have signed one that names none. */
function keysFor(kid: unknown, keys: ImportedKeys): readonly CryptoKey[] {
  if (kid === undefined) return [...keys.values()]
  const named = typeof kid === 'string' ? keys.get(kid) : undefined
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
