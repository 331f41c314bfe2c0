import { expect } from 'vitest'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { call } from '../support/client.ts'
import { genericSignature, payment, postJson, postPayment } from '../support/events.ts'
import { linesWith } from '../support/service-log.ts'
import type { AdverseChecks, Checks } from './checks.ts'
import { callUntilRefused, expectLimited, postFrom } from './rate-limit.ts'
import {
  BAD_SIGNATURE,
  eventA,
  eventB,
  expectResponse,
  expectTextA,
  expectTextB,
  hmac,
  orderStatus,
  PROCESSED,
  postA,
  postB,
  postOrder,
  REPLAY,
  secondsFromNow,
  secretOf,
  signatureA,
  signatureB,
} from './webhook-signatures.ts'
import { LOW_LIMIT } from './world.ts'

type Sign = (body: string) => Record<string, string>

const paymentText = () => JSON.stringify(payment())
const overBody = (body: string, secret: string) => ({ 'x-signature': hmac(body, secret).digest('hex') })

/** Whether a path names the provider; only then a name can come in another case. */
const ANY_NAME = Object.values<Route>(ROUTES).some(({ path }) => path === '/webhooks/{provider}')

/** The same schemes, whatever the case of the name. */
async function expectAnyCase(): Promise<void> {
  const [ofA, ofB] = [eventA(), eventB()]
  const signedA = { 'stripe-signature': signatureA(ofA) }
  const signedB = { 'x-hub-signature-256': signatureB(ofB), 'x-github-event': 'push' }
  expectTextA(await call('/webhooks/Stripe', postJson(ofA, signedA)), 'accepted')
  expectTextA(await call('/webhooks/STRIPE', postJson(`${ofA} `, signedA)), 'refused')
  expectTextB(await call('/webhooks/GitHub', postJson(ofB, signedB)), 'accepted')
  expectTextB(await call('/webhooks/GITHUB', postJson(`${ofB} `, signedB)), 'refused')
}

/** A new payment with the headers of a signature, and its answer. */
async function expectPayment(sign: Sign, status: number, message: string): Promise<void> {
  const body = paymentText()
  expectResponse(await postPayment(body, sign(body)), status, message)
}

export const webhookChecks = {
  '5/webhook-1-secret': async () => {
    const payload = eventA()
    expectTextA(await postA(payload, signatureA(payload, secondsFromNow(0), secretOf('payment'))), 'refused')
    expectTextA(await postA(payload, signatureA(payload)), 'accepted')
    await expectPayment((body) => overBody(body, secretOf('stripe')), 401, BAD_SIGNATURE)
    await expectPayment((body) => overBody(body, secretOf('payment')), 200, PROCESSED)
  },

  '5/webhook-2': async () => {
    const payload = eventA()
    expectTextA(await postA(payload, hmac(payload, secretOf('stripe')).digest('hex')), 'refused', 'the generic scheme')
    expectTextA(await postA(payload, signatureA(payload)), 'accepted')
    const ofA = (body: string) => signatureA(body, secondsFromNow(0), secretOf('payment'))
    await expectPayment((body) => ({ 'x-signature': ofA(body) }), 401, BAD_SIGNATURE)
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
    const ofB = eventB()
    for (const signature of [hmac(ofB, secretOf('github')).digest('hex'), signatureA(ofB)]) {
      expectTextB(await postB(ofB, signature), 'refused', signature)
    }
    expectTextB(await postB(ofB, signatureB(ofB)), 'accepted')
    const order = orderStatus()
    expectResponse(await postOrder(order, { 'x-hub-signature-256': signatureB(order) }), 401, BAD_SIGNATURE)
    expectResponse(await postOrder(order), 200, PROCESSED)
    if (ANY_NAME) await expectAnyCase()
  },

  '5/webhook-5': async () => {
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
    await expectPayment((body) => genericSignature(body, secondsFromNow(-290)), 200, PROCESSED)
    const prefixed: Sign = (body) => ({ 'x-signature': `sha256=${genericSignature(body)['x-signature']}` })
    await expectPayment(prefixed, 200, PROCESSED)
    const refused: readonly Sign[] = [
      (body) => ({ 'x-signature': String(prefixed(body)['x-signature']).toUpperCase() }),
      (body) => ({ 'x-signature': hmac(body, secretOf('payment')).digest('base64') }),
      (body) => ({ ...genericSignature(body), 'x-timestamp': String(secondsFromNow(0)) }),
      (body) => genericSignature(`${body} `),
      () => ({ 'x-signature': '' }),
    ]
    for (const sign of refused) await expectPayment(sign, 401, BAD_SIGNATURE)
  },

  '5/webhook-6': async () => {
    const old = secondsFromNow(-400)
    const wrong = { 'x-signature': '0'.repeat(64), 'x-timestamp': String(old) }
    await expectPayment(() => wrong, 401, BAD_SIGNATURE)
    await expectPayment((body) => genericSignature(body, old), 400, REPLAY)
    expectResponse(await postPayment('{', wrong), 401, BAD_SIGNATURE)
    expectResponse(await postPayment('{', genericSignature('{', old)), 400, REPLAY)
    const invalid = 'Validation failed: body must be JSON'
    expectResponse(await postPayment('{', genericSignature('{', secondsFromNow(0))), 400, invalid)
    const body = payment()
    const text = JSON.stringify(body)
    expectResponse(await postPayment(text, genericSignature(text, secondsFromNow(0))), 200, PROCESSED)
    const audited = await linesWith(['"audit"', String(body['eventId'])])
    expect(audited.map((line) => JSON.parse(line).decision)).toEqual(['processed'])
  },

  '5/webhook-7': async () => {
    await expectPayment(() => ({}), 200, PROCESSED)
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
    await expectPayment(() => genericSignature('{}'), 401, BAD_SIGNATURE)
  },
} satisfies Checks<'5'>

/** Where payments have to be signed, nobody knows another secret, and the limit is low. */
export const adverseWebhookChecks = {
  '5/webhook-6': async () => {
    const [path, address] = ['/webhooks/payment', '198.51.100.3']
    const { through } = await callUntilRefused(path, address)
    expect(through).toBeGreaterThanOrEqual(LOW_LIMIT)
    const body = paymentText()
    const old = genericSignature(body, secondsFromNow(-400))
    const forged = { ...old, 'x-signature': '0'.repeat(64) }
    for (const headers of [forged, old, genericSignature(body)]) {
      expectLimited(await postFrom(address, path, body, headers), 'json')
    }
    expectLimited(await postFrom(address, path, '{', genericSignature('{')), 'json')
    const elsewhere = (headers: object) => postFrom('198.51.100.4', path, body, headers)
    expectResponse(await elsewhere(forged), 401, BAD_SIGNATURE)
    expectResponse(await elsewhere(old), 400, REPLAY)
    expectResponse(await elsewhere(genericSignature(body)), 200, PROCESSED)
    await linesWith(['"audit"', '"reason":"rate-limited"'])
  },

  '5/webhook-1-no-secret': async () => {
    const payload = eventA()
    for (const secret of ['', 'undefined', secretOf('payment')]) {
      expectTextA(await postA(payload, signatureA(payload, secondsFromNow(0), secret)), 'refused', secret)
    }
    const ofB = eventB()
    for (const secret of ['', 'undefined', secretOf('payment')]) {
      expectTextB(await postB(ofB, signatureB(ofB, secret)), 'refused', secret)
    }
    expectResponse(await postOrder(orderStatus()), 401, BAD_SIGNATURE)
    expect(secretOf('payment')).not.toBe('')
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
  },

  '5/webhook-7': async () => {
    await expectPayment(() => ({}), 401, BAD_SIGNATURE)
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
  },
} satisfies AdverseChecks
