import { createHmac, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
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

export function callsOf(event: HttpEvent, status = 200): Calls {
  return { events: [JSON.stringify(event)], status }
}

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

/** What a function gets when Stripe sends this body now. */
export function signedByStripe(body: string, secret = STRIPE_SECRET): HttpEvent {
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const headers = {
    'content-length': `${body.length}`,
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${seconds},v1=${signature}`,
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    ...GATEWAY,
  }
  return lambdaEvent('POST', '/webhooks/stripe', { headers, body })
}

/** What a function gets when GitHub sends this body. */
export function signedByGithub(body: string): HttpEvent {
  const headers = {
    'content-length': `${body.length}`,
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/0c1a2b3',
    'x-github-delivery': randomUUID(),
    'x-github-event': 'organization',
    'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
    ...GATEWAY,
  }
  return lambdaEvent('POST', '/webhooks/github', { headers, body })
}
