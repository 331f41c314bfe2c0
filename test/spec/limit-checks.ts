import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { loadConfig } from '../../lib/runtime/config.ts'
import { retrySettings } from '../../lib/runtime/settings/retry.ts'
import { webhookSettings } from '../../lib/runtime/settings/webhooks.ts'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { call, form } from '../support/client.ts'
import { payment, postPayment } from '../support/events.ts'
import { RETRY_DELAYS } from '../support/retry-delays.ts'
import type { AdverseChecks, Checks } from './checks.ts'
import { exhaustedPayment } from './failing-payment.ts'
import { callUntilRefused, expectLimited } from './rate-limit.ts'
import { eventWhen, isDead } from './stored-events.ts'
import {
  eventA,
  expectResponse,
  expectTextA,
  PROCESSED,
  postA,
  secondsFromNow,
  signatureA,
} from './webhook-signatures.ts'
import { LOW_LIMIT } from './world.ts'

const HELLO = '/api/public/hello'
const LOGIN = '/api/auth/login'

/** Without any setting. */
const DEFAULTS = loadConfig({ ...retrySettings, ...webhookSettings }, [], {})

/** In seconds. */
async function tokenLifetime(): Promise<number> {
  const { iat = 0, exp = 0 } = decodeJwt(await tokenOf('admin'))
  return exp - iat
}

/** The limits, with the default settings. */
export const limitChecks = {
  '8/jwt-lifetime': async () => expect(await tokenLifetime()).toBe(24 * 60 * 60),

  '8/tolerance': async () => {
    for (const [seconds, expected] of [
      [-301, 'refused'],
      [-290, 'accepted'],
    ] as const) {
      const payload = eventA()
      expectTextA(await postA(payload, signatureA(payload, secondsFromNow(seconds))), expected, `${seconds}`)
    }
  },

  '8/amount': async () => {
    for (const amount of [0.01, '0.01', 1e30]) expectResponse(await postPayment(payment({ amount })), 200, PROCESSED)
    for (const amount of [0.009, '0.0099999', 0, -1]) {
      const { status, json } = await postPayment(payment({ amount }))
      expect([status, json.message], String(amount)).toEqual([
        400,
        expect.stringMatching(/^Validation failed: amount .*0\.01/),
      ])
    }
  },

  '8/max-attempts': async (world) => {
    const event = await eventWhen(world, 'payment', await exhaustedPayment(), isDead)
    expect(event).toMatchObject({ status: 'FAILED', attempts: 3, nextRetryAt: null })
    expect(DEFAULTS.WEBHOOK_RETRY_MAX_ATTEMPTS).toBe(3)
  },

  '8/delays': async (world) => {
    expect(DEFAULTS.WEBHOOK_RETRY_DELAY_MINUTES).toEqual([5, 15, 60])
    const { receivedAt, history } = await eventWhen(world, 'payment', await exhaustedPayment(), isDead)
    const sinceReceipt = ({ at }: { at: string }) => Date.parse(at) - Date.parse(receivedAt)
    const retries = history.filter(({ status }: { status: string }) => status === 'RETRY').map(sinceReceipt)
    for (const [index, delay] of RETRY_DELAYS.entries()) expect(retries[index]).toBeGreaterThanOrEqual(delay)
  },

  '8/scan-interval': async () => expect(DEFAULTS.WEBHOOK_RETRY_SCAN_INTERVAL_MS).toBe(300_000),

  '8/request-size': async () => {
    const { password } = demoUser('user')
    const tooLong = await call(LOGIN, form({ username: 'user', password, more: 'x'.repeat(1_048_576) }))
    expect([tooLong.status, tooLong.json.message]).toEqual([413, 'Payload too large'])
    const tooWide = await call(HELLO, { headers: { 'x-wide': 'x'.repeat(10_240) } })
    expect([tooWide.status, tooWide.json.message]).toEqual([431, 'Request headers too large'])
    for (let count = 0; count < 110; count++) expect((await call(HELLO)).status).toBe(200)
  },
} satisfies Checks<'8'>

/** Where the limit is low. */
export const adverseLimitChecks = {
  '8/rate-limit': async () => {
    expect(DEFAULTS).toMatchObject({ WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: 100, WEBHOOK_SECURITY_ENABLED: 'true' })
    const since = Date.now()
    const { through, answer } = await callUntilRefused('/webhooks/stripe', '198.51.100.1')
    expect(through).toBeGreaterThanOrEqual(LOW_LIMIT)
    expect(through).toBeLessThanOrEqual(LOW_LIMIT + Math.ceil((LOW_LIMIT * (Date.now() - since)) / 60_000))
    expectLimited(answer, 'text')
  },

  '8/rate-limit-answer': async () => {
    for (const [path, address, kind] of [
      ['/webhooks/payment', '203.0.113.1', 'json'],
      ['/webhooks/order-status', '203.0.113.2', 'json'],
      ['/webhooks/stripe', '203.0.113.3', 'text'],
      ['/webhooks/github', '203.0.113.4', 'text'],
    ] as const) {
      const { through, answer } = await callUntilRefused(path, address)
      expect(through).toBeGreaterThanOrEqual(LOW_LIMIT)
      expectLimited(answer, kind)
    }
  },
} satisfies AdverseChecks
