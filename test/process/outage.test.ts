import { createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { judge } from '../support/described.ts'
import {
  DEMO_SECRET,
  GITHUB_SECRET,
  LAMBDA_ENVIRONMENT,
  ORDER_SECRET,
  STRIPE_SECRET,
} from '../support/lambda-environment.ts'
import { invoker, lambdaEvent } from '../support/lambda-event.ts'

beforeAll(() => {
  for (const [name, value] of Object.entries(LAMBDA_ENVIRONMENT)) vi.stubEnv(name, value)
})

async function invoke(name: string, event: Parameters<ReturnType<typeof invoker>>[0]) {
  const { handler } = await import(resolve(`dist/${name}/index.mjs`))
  return invoker(handler)(event)
}

const PAYMENT = '{"transactionId":"t","orderId":"o","status":"COMPLETED","currency":"EUR","amount":1}'

const ORDER = '{"orderId":"o","status":"SHIPPED"}'

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function stripeHeaders(body: string): Record<string, string> {
  const t = Math.floor(Date.now() / 1000)
  return { 'stripe-signature': `t=${t},v1=${hmac(STRIPE_SECRET, `${t}.${body}`)}` }
}

describe('Q15 while the store is down the answer is 503 with Retry-After', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const githubHeaders = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(GITHUB_SECRET, '{}')}` }
  const stripeBody = '{"id":"evt_1","type":"payment_intent.succeeded","data":{}}'

  it.each([
    ['api/auth-login', '/api/auth/login', 'username=admin&password=x', FORM, 'json'],
    ['webhooks/payment', '/webhooks/payment', PAYMENT, {}, 'json'],
    ['webhooks/order-status', '/webhooks/order-status', ORDER, { 'x-signature': hmac(ORDER_SECRET, ORDER) }, 'json'],
    ['webhooks/stripe', '/webhooks/stripe', stripeBody, stripeHeaders(stripeBody), 'plain'],
    ['webhooks/github', '/webhooks/github', '{}', githubHeaders, 'plain'],
    ['webhooks/provider', '/webhooks/demo', '{}', { 'x-signature': hmac(DEMO_SECRET, '{}') }, 'plain'],
  ] as const)('%s', async (name, path, body, headers, type) => {
    const {
      statusCode,
      headers: answered,
      body: text = '',
    } = await invoke(name, lambdaEvent('POST', path, { body, headers }))
    expect(statusCode).toBe(503)
    expect(answered['retry-after']).toMatch(/^\d+$/)
    expect(answered['strict-transport-security']).toContain('max-age=')
    expect(answered['content-type']).toContain(type)
    const answer = {
      status: statusCode,
      headers: answered,
      text,
      ...(text.startsWith('{') && { json: JSON.parse(text) }),
    }
    expect(judge('POST', path, answer)).toEqual([])
    expect(text).toContain('Service temporarily unavailable')
    expect(text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|events|at /)
  })

  it('the retry function keeps its messages', async () => {
    const { handler } = await import(resolve('dist/jobs/retry-event/index.mjs'))
    const record = (messageId: string, body: string) => ({ messageId, body, eventSource: 'aws:sqs' })
    const hint = JSON.stringify({ source: 'payment', eventId: 'e', n: 0 })
    const event = { Records: [record('1', hint), record('2', 'no hint')] }
    const context = { getRemainingTimeInMillis: () => 15_000 }
    const { batchItemFailures } = await handler(event, context)
    expect(batchItemFailures).toHaveLength(2)
    expect(batchItemFailures).toEqual(expect.arrayContaining([{ itemIdentifier: '1' }, { itemIdentifier: '2' }]))
  })
})
