import { generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { Keys } from './keys.ts'

type Forge = (claims: JWTPayload, keys: Keys) => string | Promise<string>

/** ID tokens that Gatehouse has to refuse: all but the last two are signed by the right key. */
export const FORGERIES: Readonly<Partial<Record<LoginAttack, Forge>>> = {
  'other-audience': signedWith({ aud: 'another-client' }),
  'other-issuer': signedWith({ iss: 'https://attacker.example' }),
  'old-nonce': signedWith({ nonce: 'the-nonce-of-an-older-login' }),
  expired: (claims, keys) =>
    signedWith({ iat: hourBefore(claims.iat), exp: hourBefore(claims.iat) + 60 })(claims, keys),
  unsigned: (claims) => new UnsecuredJWT(claims).encode(),
  'other-key': async (claims, { jwks: [jwk] }) => {
    const { privateKey } = await generateKeyPair('RS256')
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: jwk?.['kid'] ?? '' }).sign(privateKey)
  },
}

function signedWith(changes: JWTPayload): Forge {
  return async (claims, { jwks: [jwk] }) => {
    const key = await importJWK({ kty: 'RSA', ...jwk }, 'RS256')
    const token = new SignJWT({ ...claims, ...changes })
    return token.setProtectedHeader({ alg: 'RS256', kid: jwk?.['kid'] ?? '' }).sign(key)
  }
}

function hourBefore(seconds = 0): number {
  return seconds - 3600
}
