import { createHmac, randomUUID } from 'node:crypto'
import type { HttpEvent } from '../../../lib/http/message.ts'
import { GITHUB_SECRET, STRIPE_SECRET } from '../../../test/support/lambda-environment.ts'
import { lambdaEvent } from '../../../test/support/lambda-event.ts'

/** The header with which Stripe signs a body now. */
export function stripeSignature(body: string, secret = STRIPE_SECRET): string {
  const seconds = Math.floor(Date.now() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** What a function gets when Stripe sends this body now. */
export function signedByStripe(body: string, secret?: string): HttpEvent {
  const headers = {
    accept: '*/*; q=0.5, application/xml',
    'content-length': `${body.length}`,
    'content-type': 'application/json; charset=utf-8',
    host: 'api.example',
    'stripe-signature': stripeSignature(body, secret),
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'x-amzn-trace-id': 'Root=1-65a5f0d0-0123456789abcdef01234567',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  }
  return lambdaEvent('POST', '/webhooks/stripe', { headers, body })
}

/** What a function gets when GitHub sends this body. */
export function signedByGithub(body: string): HttpEvent {
  const headers = {
    accept: '*/*',
    'content-length': `${body.length}`,
    'content-type': 'application/json',
    host: 'api.example',
    'user-agent': 'GitHub-Hookshot/0c1a2b3',
    'x-amzn-trace-id': 'Root=1-65a5f0d0-0123456789abcdef01234567',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
    'x-github-delivery': randomUUID(),
    'x-github-event': 'organization',
    'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
  }
  return lambdaEvent('POST', '/webhooks/github', { headers, body })
}
