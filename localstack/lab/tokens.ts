import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { ALGORITHM } from '../../lib/auth/jwt.ts'
import { type SigningKey, signingKey, type TokenKey } from '../../lib/auth/signing-key.ts'

/** How far the clock of `clock-skew` is behind, in seconds. */
export const SKEW = 300

/** How long a token of `clock-skew` lives, in seconds: by the client's clock it has expired when it is issued. */
const SKEWED_LIFE = 240

/** Makes tokens of the service into others of the same user. Each returns what is no token of the service as it is. */
export interface LabTokens {
  /** One that ends a number of seconds after it was issued. */
  shortened(token: string, seconds: number): Promise<string>
  /** One as a service issues it whose clock is behind. */
  behind(token: string): Promise<string>
  /** From {@link behind} to what a service with the right time takes. */
  ahead(token: string): Promise<string>
  /** One whose key no ring has. */
  rotatedOut(token: string): Promise<string>
}

/** @param keys those of the service, of which the first signs */
export function labTokens(keys: readonly TokenKey[]): LabTokens {
  const ring = keys.map(signingKey)
  const old = signingKey({ kid: 'rotated-out', secret: crypto.getRandomValues(new Uint8Array(64)) })
  const [signer = old] = ring

  async function remade(token: string, key: SigningKey, change: (claims: Times) => JWTPayload): Promise<string> {
    for (const { hasSigned } of ring) {
      if (!(await hasSigned(token))) continue
      const claims = decodeJwt<Times>(token)
      const changed = new SignJWT({ ...claims, ...change(claims) })
      return changed.setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.kid }).sign(await key.imported)
    }
    return token
  }

  return {
    shortened: (token, seconds) => remade(token, signer, ({ iat }) => ({ exp: iat + seconds })),
    behind: (token) => remade(token, signer, ({ iat }) => ({ iat: iat - SKEW, exp: iat - SKEW + SKEWED_LIFE })),
    ahead: (token) => remade(token, signer, ({ iat, exp }) => ({ iat: iat + SKEW, exp: exp + SKEW })),
    rotatedOut: (token) => remade(token, old, () => ({})),
  }
}

interface Times {
  readonly iat: number
  readonly exp: number
}
