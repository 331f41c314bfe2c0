import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import { decodeJwt, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ATTACK_COOKIE, LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { LAB_PARAMETER } from '../../lib/contract/login-steps.ts'
import type { Keys } from './keys.ts'

/** The field of the login page with the chosen attack. */
export const ATTACK_FIELD = 'attack'

function isAttack(name: string): name is LoginAttack {
  return Object.hasOwn(LOGIN_ATTACKS, name)
}

/** The attack that a posted login page chooses; null for none. */
export function attackIn(form: URLSearchParams): LoginAttack | null {
  const name = form.get(ATTACK_FIELD) ?? ''
  return isAttack(name) ? name : null
}

/** The attack that the lab of the console asks for; null for none. Cookies have no port, so it comes here too. */
export function orderedAttack({ headers }: IncomingMessage): LoginAttack | null {
  const name = parseCookie(headers.cookie ?? '')[ATTACK_COOKIE] ?? ''
  return isAttack(name) ? name : null
}

/** An order is for one login. */
export const forgetAttack = { 'set-cookie': `${ATTACK_COOKIE}=; Max-Age=0; Path=/` } as const

/** Makes a provider do what an attacker, or a provider that was taken over, would do. */
export function mountAttacks(provider: Provider, keys: Keys): void {
  const byCode = new Map<string, LoginAttack>()
  const byToken = new Map<string, LoginAttack>()

  /** After the answer of each endpoint is made. */
  const changes: Readonly<Record<string, (context: KoaContextWithOIDC) => Promise<void>>> = {
    async resume({ oidc, response }) {
      const name = String(oidc.result?.['attack'])
      const location = response.get('location')
      // Without an address to go to, the provider first ends the session of another user.
      if (!isAttack(name) || location === '') return
      const back = new URL(location)
      const code = back.searchParams.get('code') ?? ''
      byCode.set(code, name)
      await STOLEN_CODES[name]?.(provider, code)
      REDIRECTS[name]?.(back)
      back.searchParams.set(LAB_PARAMETER, name)
      response.set('location', back.href)
    },
    async token({ oidc, body }) {
      const attack = byCode.get(String(oidc.params?.['code']))
      const tokens: { id_token?: string; access_token?: string } = Object(body)
      if (!attack || tokens.id_token === undefined) return
      byToken.set(String(tokens.access_token), attack)
      const forged = await FORGERIES[attack]?.(decodeJwt(tokens.id_token), keys)
      if (forged !== undefined) tokens.id_token = forged
    },
    async userinfo({ request, body }) {
      const [, token = ''] = request.get('authorization').split(' ')
      if (byToken.get(token) === 'other-user') Object.assign(Object(body), { sub: 'somebody-else' })
    },
  }

  provider.on('grant.error', (context, error) => {
    Object.assign(Object(context.body), { error_description: error.error_detail ?? error.error_description })
  })
  provider.use(async (context, next) => {
    await next()
    const { oidc } = context as KoaContextWithOIDC
    await changes[oidc?.route]?.(context as KoaContextWithOIDC)
  })
}

type Forge = (claims: JWTPayload, keys: Keys) => string | Promise<string>

/** ID tokens that Gatehouse has to refuse: all but the last two are signed by the right key. */
const FORGERIES: Readonly<Partial<Record<LoginAttack, Forge>>> = {
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

const random = () => randomBytes(32).toString('base64url')

/** What an attacker changes in the address that leads the browser back to Gatehouse. */
const REDIRECTS: Readonly<Partial<Record<LoginAttack, (back: URL) => void>>> = {
  // The first character names the cookie with the login: it stays, so that there is a state to compare with.
  'foreign-state': ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')?.at(0)}${random()}`),
  'no-state': ({ searchParams }) => searchParams.delete('state'),
  // No cookie of this browser has the login of such a state.
  'other-browser': ({ searchParams }) => searchParams.set('state', `9${random()}`),
  'other-callback': (back) => {
    back.pathname = '/login/oauth2/code/github'
  },
  'mixed-up': ({ searchParams }) => searchParams.set('iss', 'https://attacker.example'),
  'error-answer': ({ searchParams }) => {
    searchParams.delete('code')
    searchParams.set('error', 'access_denied')
  },
}

/** What an attacker did with a code before Gatehouse redeems it. */
const STOLEN_CODES: Readonly<Partial<Record<LoginAttack, (provider: Provider, code: string) => Promise<unknown>>>> = {
  'used-code': async ({ AuthorizationCode }, code) => (await AuthorizationCode.find(code))?.consume(),
  // The code of a login that somebody else began, with a challenge of their own (RFC 9700 section 4.5).
  'other-challenge': async ({ AuthorizationCode }, code) => {
    const found = await AuthorizationCode.find(code)
    return found && Object.assign(found, { codeChallenge: random() }).save()
  },
}
