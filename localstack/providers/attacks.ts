import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ATTACK_COOKIE, LOGIN_ATTACKS, type LoginAttack } from '../../lib/contract/login-attacks.ts'
import { LAB_PARAMETER } from '../../lib/contract/login-steps.ts'
import { EFFECTS, forged, type TokenAnswer } from './effects.ts'
import type { OpenFault } from './faults.ts'
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

/** Called with each answer that leads back to a client. */
export type SeeLogin = (oidc: KoaContextWithOIDC['oidc'], answer: Partial<Record<string, string>>) => void

/**
 * Makes a provider do what an attacker, or a provider that was taken over, would do.
 * @param fault what it does at every login; without it, what the user chooses for one login of Gatehouse
 */
export function mountAttacks(provider: Provider, keys: Keys, fault: OpenFault | undefined, see: SeeLogin): void {
  const byCode = new Map<unknown, LoginAttack | OpenFault>()
  const byToken = new Map<string | undefined, LoginAttack | OpenFault>()
  const published: object[] = []

  /** After the answer of each endpoint is made. */
  const changes: Readonly<Record<string, (context: KoaContextWithOIDC) => Promise<void> | void>> = {
    resume({ oidc, response }) {
      const back = URL.parse(response.get('location'))
      if (oidc.result?.['attack'] !== 'other-callback' || !back) return
      back.pathname = '/login/oauth2/code/github'
      response.set('location', back.href)
    },
    async token(context) {
      const { params } = context.oidc
      const name = fault ?? byCode.get(params?.['code'])
      const tokens: TokenAnswer = Object(context.body)
      if (name === undefined || tokens.id_token === undefined) return
      byToken.set(tokens.access_token, name)
      tokens.id_token = await forged(tokens.id_token, EFFECTS[name] ?? {}, keys, published)
      EFFECTS[name]?.tokens?.(tokens)
      if (name !== 'refresh-refused' || params?.['grant_type'] !== 'refresh_token') return
      context.status = 400
      context.body = { error: 'invalid_grant', error_description: 'The refresh token is of no more use' }
    },
    userinfo({ request, body }) {
      const [, token = ''] = request.get('authorization').split(' ')
      if (byToken.get(token) === 'other-user') Object.assign(Object(body), { sub: 'somebody-else' })
    },
    jwks(context) {
      context.body = { keys: [...Object(context.body).keys, ...published] }
    },
    discovery({ body }) {
      if (fault === 'pkce-unasked') Object.assign(Object(body), { code_challenge_methods_supported: undefined })
    },
  }

  provider.on('authorization.success', ({ oidc }, given = {}) => {
    const answer = given as Partial<Record<string, string>>
    const { code } = answer
    const chosen = String(oidc.result?.['attack'])
    const name = fault ?? (isAttack(chosen) ? chosen : undefined)
    if (name !== undefined && code !== undefined) {
      byCode.set(code, name)
      void EFFECTS[name]?.code?.(provider, code)
      Object.assign(answer, EFFECTS[name]?.answer?.(answer), !fault && { [LAB_PARAMETER]: name })
    }
    see(oidc, answer)
  })
  provider.on('grant.error', (context, error) => {
    Object.assign(Object(context.body), { error_description: error.error_detail ?? error.error_description })
  })
  provider.use(async (context, next) => {
    await next()
    const { oidc } = context as KoaContextWithOIDC
    await changes[oidc?.route]?.(context as KoaContextWithOIDC)
  })
}
