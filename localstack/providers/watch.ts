import { setTimeout } from 'node:timers/promises'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { systemClock } from '../../lib/runtime/time.ts'
import { type CallLog, type Credential, type CredentialKind, type SeenAnswer, secretCredential } from '../lab/call.ts'
import type { SeeLogin } from './attacks.ts'
import { CLIENT } from './client.ts'
import { EFFECTS } from './effects.ts'
import type { OpenFault } from './faults.ts'

const COMPARED = ['state', 'nonce', 'code_challenge']

/** What a token request may show. */
const SHOWN = ['code', 'refresh_token', 'device_code']

/** Remembers what clients do at one issuer. Gatehouse's own is none of them. */
export function watchClients(provider: Provider, fault: OpenFault, log: CallLog<OpenFault>): SeeLogin {
  provider.use(async (context, next) => {
    const at = systemClock.now()
    await next()
    const { oidc, method, path } = context as KoaContextWithOIDC
    const client = oidc?.client?.clientId
    if (client === undefined || client === CLIENT.id || !['token', 'userinfo'].includes(oidc.route)) return
    const answer = answerOf(context as KoaContextWithOIDC, systemClock.now())
    log.add(client, fault, { at, method, path, credential: credentialOf(oidc), answer })
    if (answer.issued) await setTimeout(EFFECTS[fault]?.delay ?? 0)
  })
  return ({ client, route, params }, { code }) => {
    if (client === undefined || client.clientId === CLIENT.id || route.startsWith('device')) return
    const at = systemClock.now()
    const parameters = COMPARED.filter((name) => params?.[name] !== undefined)
    const answer = { at, status: 303, issued: code === undefined ? undefined : secretCredential('code', code) }
    const call = { at, method: 'GET', path: '/auth', credential: { kind: 'none' }, parameters, answer } as const
    log.add(client.clientId, fault, call)
  }
}

function credentialOf({ params, entities }: KoaContextWithOIDC['oidc']): Credential {
  if (entities.AccessToken && params?.['grant_type'] === undefined)
    return secretCredential('token', entities.AccessToken.jti)
  const name = SHOWN.find((candidate) => params?.[candidate] !== undefined)
  if (name === undefined) return { kind: 'password' }
  return secretCredential(name.replace('_', ' ') as CredentialKind, String(params?.[name]))
}

function answerOf({ status, body }: KoaContextWithOIDC, at: Date): SeenAnswer {
  const { access_token: token, error }: { access_token?: string; error?: string } = Object(body)
  return { at, status, error, issued: token === undefined ? undefined : secretCredential('token', token) }
}
