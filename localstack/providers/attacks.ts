import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import { decodeJwt } from 'jose'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ATTACK_COOKIE, LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { LAB_PARAMETER } from '../../lib/contract/login-steps.ts'
import { FORGERIES } from './forgeries.ts'
import type { Keys } from './keys.ts'
import { REDIRECTS, STOLEN_CODES } from './redirects.ts'

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
export function playAttacks(provider: Provider, keys: Keys): void {
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
