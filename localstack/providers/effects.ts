import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import type { Provider } from 'oidc-provider'
import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import type { OpenFault } from './faults.ts'
import type { Keys } from './keys.ts'

/** What a provider does under an attacker's control, or an attacker between it and the client. */
export interface Effect {
  /** Changes what the browser brings back to the client. */
  readonly answer?: (answer: { readonly state?: string }) => object
  /** What happened to a code before the client redeems it. */
  readonly code?: (provider: Provider, code: string) => Promise<unknown>
  /** Another ID token in place of the right one. */
  readonly idToken?: (given: GivenToken) => string | Promise<string>
  /** Changes an answer of the token endpoint that has an ID token. */
  readonly tokens?: (answer: TokenAnswer) => unknown
  /** Milliseconds until such an answer goes out. */
  readonly delay?: number
}

export interface TokenAnswer {
  id_token?: string
  access_token?: string
  token_type?: string
}

interface GivenToken {
  readonly claims: Readonly<Record<string, unknown>>
  readonly alg: string
  /** The private key that has signed it. */
  readonly jwk: Keys['jwks'][number]
  /** Public keys that the provider publishes from now on. */
  readonly published: object[]
}

/** @param published further keys of the provider's JWKS */
export async function forged(token: string, effect: Effect, { jwks }: Keys, published: object[]): Promise<string> {
  const { alg = '' } = decodeProtectedHeader(token)
  const jwk = jwks.find((key) => key['alg'] === alg) ?? {}
  return effect.idToken?.({ claims: decodeJwt(token), alg, jwk, published }) ?? token
}

type Signed = Omit<GivenToken, 'published'>

function signed({ claims, alg, jwk }: Signed, key: Parameters<SignJWT['sign']>[0], kid = jwk['kid'] ?? '') {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(key)
}

const byOtherKey = (kid?: string): Effect => ({
  idToken: async (given) => signed(given, (await generateKeyPair(given.alg)).privateKey, kid),
})

/** A token of the right key with other claims. */
function claiming(changed: (claims: GivenToken['claims']) => object): Effect {
  return {
    idToken: async ({ claims, alg, jwk }) =>
      signed({ claims: { ...claims, ...changed(claims) }, alg, jwk }, await importJWK({ kty: 'RSA', ...jwk }, alg)),
  }
}

const HOUR = 3600
const MAXIMUM_KEYS = 50

const hourAfter = (seconds: unknown, hours = 1) => Number(seconds) + hours * HOUR

const random = () => randomBytes(32).toString('base64url')

const ATTACKER = 'https://attacker.example'

/** The effects by the name of the attack on Gatehouse's own login, or of the fault for a user's client. */
export const EFFECTS: Readonly<Partial<Record<LoginAttack | OpenFault, Effect>>> = {
  // The first character names the cookie with Gatehouse's login: it stays, so that there is a state to compare with.
  'foreign-state': { answer: ({ state = '' }) => ({ state: `${state.slice(0, 1)}${random()}` }) },
  'no-state': { answer: () => ({ state: undefined }) },
  // No cookie of this browser has the login of such a state.
  'other-browser': { answer: () => ({ state: `9${random()}` }) },
  'mixed-up': { answer: () => ({ iss: ATTACKER }) },
  'no-issuer': { answer: () => ({ iss: undefined }) },
  'error-answer': { answer: () => ({ code: undefined, error: 'access_denied' }) },
  'used-code': { code: async ({ AuthorizationCode }, code) => (await AuthorizationCode.find(code))?.consume() },
  // The code of a login that another person began, with a challenge of their own (RFC 9700 section 4.5).
  'other-challenge': {
    async code({ AuthorizationCode }, code) {
      const found = await AuthorizationCode.find(code)
      return found && Object.assign(found, { codeChallenge: random() }).save()
    },
  },
  slow: { delay: 4000 },
  'other-audience': claiming(() => ({ aud: 'another-client' })),
  'other-party': claiming(({ aud }) => ({ aud: [aud, 'another-client'], azp: 'another-client' })),
  'other-issuer': claiming(() => ({ iss: ATTACKER })),
  'old-nonce': claiming(() => ({ nonce: 'the-nonce-of-an-older-login' })),
  'no-nonce': claiming(() => ({ nonce: undefined })),
  expired: claiming(({ iat }) => ({ iat: hourAfter(iat, -1), exp: hourAfter(iat, -1) + 60 })),
  'too-early': claiming(({ iat }) => ({ nbf: hourAfter(iat), exp: hourAfter(iat, 2) })),
  unsigned: { idToken: ({ claims }) => new UnsecuredJWT({ ...claims }).encode() },
  'other-key': byOtherKey(),
  'unknown-key': byOtherKey('unknown-key'),
  // RFC 8725 section 2.1: a client that trusts the token's algorithm uses the public key as a shared secret.
  'public-secret': {
    idToken(given) {
      const key = createPublicKey(createPrivateKey({ key: { kty: 'RSA', ...given.jwk }, format: 'jwk' }))
      const secret = new TextEncoder().encode(key.export({ type: 'spki', format: 'pem' }).toString())
      return signed({ ...given, alg: 'HS256' }, secret)
    },
  },
  'new-key': {
    async idToken({ published, ...given }) {
      const { privateKey, publicKey } = await generateKeyPair(given.alg)
      const kid = randomUUID()
      published.push({ ...(await exportJWK(publicKey)), kid, use: 'sig', alg: given.alg })
      if (published.length > MAXIMUM_KEYS) published.shift()
      return signed(given, privateKey, kid)
    },
  },
  'no-id-token': { tokens: (answer) => delete answer.id_token },
  'no-token-type': { tokens: (answer) => delete answer.token_type },
  'other-token-type': { tokens: (answer) => Object.assign(answer, { token_type: 'N_A' }) },
}
