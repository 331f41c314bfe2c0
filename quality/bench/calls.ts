import { createHmac, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Stripe } from 'stripe'
import type { HttpEvent } from '../../lib/http/message.ts'
import { claims, encode, forge, HEADER } from '../../test/support/forge.ts'
import { GITHUB_SECRET, STRIPE_SECRET } from '../../test/support/lambda-environment.ts'
import { lambdaEvent } from '../../test/support/lambda-event.ts'
import { KEY } from './key.ts'

/** The texts of the events that a function gets in turn, and the status of each answer. */
export interface Calls {
  readonly events: readonly string[]
  readonly status: number
}

/** Writes them down for the processes that are measured. @returns the file */
export function written(file: string, calls: Calls): string {
  writeFileSync(file, JSON.stringify(calls))
  return file
}

const callsOf = (event: HttpEvent, status = 200): Calls => ({ events: [JSON.stringify(event)], status })

/** What API Gateway adds. */
const GATEWAY = {
  host: 'api.example',
  'x-amzn-trace-id': 'Root=1-65a5f0d0-0123456789abcdef01234567',
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
}

/** More than any cache of tokens here holds, so that each is new when its turn comes again. */
const NEW_TOKENS = 5000

/** `/api/admin/secure`, by the kind of its token. */
export function bearerCalls(): Readonly<Record<string, Calls>> {
  const admin = () => tokenOf({ sub: 'admin', role: 'ROLE_ADMIN', jti: randomUUID() })
  const forged = `${admin().split('.').slice(0, 2).join('.')}.${encode(Buffer.alloc(64, 1))}`
  const fresh = Array.from({ length: NEW_TOKENS }, () => JSON.stringify(bearerEvent(admin())))
  return {
    '200, the token seen before': callsOf(bearerEvent(admin())),
    '200, every token new': { events: fresh, status: 200 },
    '401, a bad signature': callsOf(bearerEvent(forged), 401),
    '403, another role': callsOf(bearerEvent(tokenOf({ sub: 'user', role: 'ROLE_USER' })), 403),
  }
}

function tokenOf(changes: Record<string, string>): string {
  return forge(claims(changes), HEADER, 'sha512', KEY.toString('base64url'))
}

function bearerEvent(token: string): HttpEvent {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': agent, ...GATEWAY }
  return lambdaEvent('GET', '/api/admin/secure', { headers })
}

/** Signs as a provider does. */
export type Signer = (body: string) => Readonly<Record<string, string>>

export const byStripe = (secret: string): Signer => {
  return (payload) => ({ 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }) })
}

export const byGithub = (secret: string): Signer => {
  return (body) => ({ 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` })
}

/** What a function gets when Stripe sends this body now. @param secret another one than it knows is refused */
export function sentByStripe(body: string, secret = STRIPE_SECRET): Calls {
  const agent = 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'
  const call = webhook('stripe', body, { 'user-agent': agent, ...byStripe(secret)(body) })
  return callsOf(call, secret === STRIPE_SECRET ? 200 : 400)
}

/** What a function gets when GitHub sends this body. */
export function sentByGithub(body: string): Calls {
  const headers = { 'x-github-delivery': randomUUID(), 'x-github-event': 'organization' }
  const agent = 'GitHub-Hookshot/0c1a2b3'
  return callsOf(webhook('github', body, { 'user-agent': agent, ...headers, ...byGithub(GITHUB_SECRET)(body) }))
}

function webhook(source: string, body: string, own: Readonly<Record<string, string>>): HttpEvent {
  const content = { 'content-length': `${body.length}`, 'content-type': 'application/json; charset=utf-8' }
  return lambdaEvent('POST', `/webhooks/${source}`, { headers: { ...content, ...own, ...GATEWAY }, body })
}
