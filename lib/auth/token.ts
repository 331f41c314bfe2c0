import { type Current, derived } from '../runtime/secrets.ts'
import type { Clock } from '../runtime/time.ts'
import type { Role } from '../users/role.ts'
import {
  AUDIENCE,
  type Claims,
  checkTimes,
  describeToken,
  ISSUER,
  type JwtObject,
  readClaims,
  refusal,
  type VerifiedToken,
} from './claims.ts'
import { ALGORITHM, type CompactJwt, readCompactJwt, type SigningKey, signingKey, type TokenKey } from './jwt.ts'
import type { Principal } from './principal.ts'

export interface TokenOptions {
  /** Signs with the first key, verifies with the one that the token names. Other keys also mean another ring. */
  readonly keys: Current<readonly TokenKey[]>
  readonly lifetimeSeconds: number
  readonly clock: Clock
}

export interface Tokens {
  /**
   * Signs the required claims (auth-23), and `iss`, `aud`, `jti` and `uid`.
   * @param uid the id of the account, if there is one
   * @param at its `iat`; now if absent
   */
  issue(username: string, role: Role, uid?: string, at?: Date): Promise<string>
  /**
   * Checks a token in the order of the statuses; the result for a cached token is no promise.
   * @throws ServiceError `TOKEN_INVALID` or `TOKEN_EXPIRED`, or rejects with it
   */
  verify(token: string): VerifiedToken | Promise<VerifiedToken>
}

/** Signs and checks HS512 tokens (auth-22 to auth-34) with jose, behind checks that jose does not make. */
export function createTokens({ keys, lifetimeSeconds, clock }: TokenOptions): Tokens {
  const ring = derived(keys, ringOf)

  async function check(token: string, using: Ring): Promise<VerifiedToken> {
    const jwt = readCompactJwt(token)
    await checkSignature(token, jwt, using)
    const claims = readClaims(jwt)
    checkTimes(claims, clock.now())
    const verified = describeToken(claims)
    using.seen.add({ token, claims, verified })
    return verified
  }

  return {
    async issue(username, role, uid, at = clock.now()) {
      // Only a login signs: every other function would load this for nothing.
      const { SignJWT } = await import('jose/jwt/sign')
      const { signer } = ring.current
      const issuedAt = Math.floor(at.getTime() / 1000)
      return new SignJWT({ role, ...(uid !== undefined && { uid }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: signer.kid })
        .setSubject(username)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(await signer.imported)
    },
    verify(token) {
      const known = ring.current.seen.find(token)
      if (!known) return check(token, ring.current)
      checkTimes(known.claims, clock.now())
      return known.verified
    },
  }
}

/** The check of a bearer token: the principal that it names (auth-34, auth-35). */
export function bearerCheck(tokens: Pick<Tokens, 'verify'>): (token: string) => Principal | Promise<Principal> {
  return (token) => {
    const verified = tokens.verify(token)
    return verified instanceof Promise ? verified.then(toPrincipal) : toPrincipal(verified)
  }
}

function toPrincipal({ username, uid, role, issuedAt, expiresAt }: VerifiedToken): Principal {
  const times = { tokenIssuedAt: issuedAt, tokenExpiresAt: expiresAt }
  return { username, uid, roles: [role], authType: 'JWT', principalType: 'JwtUser', ...times }
}

/** Keys, and the tokens whose signatures they have verified. */
interface Ring {
  readonly signer: SigningKey
  readonly keys: readonly SigningKey[]
  readonly seen: ReturnType<typeof createSeenTokens>
}

function ringOf(given: readonly TokenKey[]): Ring {
  const keys = given.map(signingKey)
  const [signer] = keys
  if (!signer) throw new Error('the ring holds no key')
  return { signer, keys, seen: createSeenTokens() }
}

async function checkSignature(token: string, { header, isCanonical }: CompactJwt, { keys }: Ring): Promise<void> {
  const candidates = isCanonical ? keys.filter(({ kid }) => namedBy(header, kid)) : []
  for (const key of candidates) if (await key.hasSigned(token)) return
  const isUnknown = !keys.some(({ kid }) => namedBy(header, kid))
  throw refusal('INVALID_SIGNATURE', isUnknown ? UNKNOWN_KEY : WRONG_SIGNATURE)
}

const UNKNOWN_KEY = 'The token names an unknown key (kid)'
const WRONG_SIGNATURE = 'JWT signature does not match locally computed signature'

/** A token that names no key may be signed with any of them. */
function namedBy({ kid }: JwtObject, name: string): boolean {
  return kid === undefined || kid === name
}

interface SeenToken {
  readonly token: string
  readonly claims: Claims
  readonly verified: VerifiedToken
}

const ENTRIES = 1000

/**
 * The cache identifies a token by the end of its signature. That is as distinctive as the whole token, and a hash of
 * the whole would take longer than everything else here.
 */
const KEY_LENGTH = 16

/**
 * A bounded cache of tokens whose signature and claims were verified. Two halves: when the newer one is full, the older one
 * is dropped, which is cheaper than to drop each oldest token.
 */
function createSeenTokens() {
  let newer = new Map<string, SeenToken>()
  let older = newer
  const keyOf = (token: string) => token.slice(-KEY_LENGTH)

  function add(seen: SeenToken): void {
    if (newer.size >= ENTRIES / 2) {
      older = newer
      newer = new Map()
    }
    newer.set(keyOf(seen.token), seen)
  }

  return {
    find(token: string): SeenToken | undefined {
      const key = keyOf(token)
      const recent = newer.get(key)
      const seen = recent ?? older.get(key)
      if (seen?.token !== token) return undefined
      if (!recent) add(seen)
      return seen
    },
    add,
  }
}
