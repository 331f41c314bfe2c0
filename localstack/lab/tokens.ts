import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { ALGORITHM, type SigningKey, signingKey, type TokenKey } from '../../lib/auth/jwt.ts'

/** How far the clock of `clock-skew` is behind, in seconds. */
export const SKEW = 300

/** How long a token of `clock-skew` lives, in seconds: by the client's clock it has expired when it is issued. */
const SKEWED_LIFE = 240

/** The beginning of the id of a token by `behind`, which no token of the service has. */
const MADE = 'lab-'

/**
 * Makes tokens of the service into others of the same user. None lives longer than the one that it is made of: to the
 * service it has the same id and time of issue. Each returns what is no token of the service as it is.
 */
export type LabTokens = ReturnType<typeof labTokens>

/** @param keys those of the service, of which the first signs */
export function labTokens(keys: readonly TokenKey[]) {
  const ring = keys.map(signingKey)
  const old = signingKey({ kid: 'rotated-out', secret: crypto.getRandomValues(new Uint8Array(64)) })
  const [signer = old] = ring

  async function remade(token: string, key: SigningKey, change: (claims: Claims) => JWTPayload | undefined) {
    for (const { hasSigned } of ring) {
      if (!(await hasSigned(token))) continue
      const claims = decodeJwt<Claims>(token)
      const changed = change(claims)
      if (!changed) return token
      const header = { alg: ALGORITHM, typ: 'JWT', kid: key.kid }
      return new SignJWT({ ...claims, ...changed }).setProtectedHeader(header).sign(await key.imported)
    }
    return token
  }

  return {
    /** One that ends a number of seconds after it was issued. */
    shortened: (token: string, seconds: number) =>
      remade(token, signer, ({ iat, exp }) => ({ exp: Math.min(exp, iat + seconds) })),
    /** One as a service issues it whose clock is behind. */
    behind: (token: string) =>
      remade(token, signer, ({ jti = '', iat, exp }) => ({
        jti: `${MADE}${jti}`,
        iat: iat - SKEW,
        exp: Math.min(exp, iat + SKEWED_LIFE) - SKEW,
      })),
    /** From `behind` to what a service with the right time takes; any other token as it is. */
    ahead: (token: string) =>
      remade(token, signer, ({ jti = '', iat, exp }) =>
        jti.startsWith(MADE) ? { jti: jti.slice(MADE.length), iat: iat + SKEW, exp: exp + SKEW } : undefined,
      ),
    /** One whose key no ring has. */
    rotatedOut: (token: string) => remade(token, old, () => ({})),
  }
}

interface Claims {
  readonly jti?: string
  readonly iat: number
  readonly exp: number
}
