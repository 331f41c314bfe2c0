import { expect } from 'vitest'
import { genericSignature, payment, postPayment } from '../support/events.ts'
import type { AdverseChecks, Checks } from './checks.ts'
import {
  BAD_SIGNATURE,
  eventA,
  expectResponse,
  expectTextA,
  hmac,
  PROCESSED,
  postA,
  REPLAY,
  secondsFromNow,
  secretOf,
  signatureA,
} from './webhook-signatures.ts'

type Sign = (body: string) => Record<string, string>

const paymentText = () => JSON.stringify(payment())
const overBody = (body: string, secret: string) => ({ 'x-signature': hmac(body, secret).digest('hex') })

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

  '5/webhook-6': async ({ log }) => {
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
    const audited = log().filter((line) => line.includes(String(body['eventId'])) && line.includes('"audit"'))
    expect(audited.map((line) => JSON.parse(line).decision)).toEqual(['processed'])
  },

  '5/webhook-7': async () => {
    await expectPayment(() => ({}), 200, PROCESSED)
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
    await expectPayment(() => genericSignature('{}'), 401, BAD_SIGNATURE)
  },
} satisfies Checks<'5'>

/** Where payments have to be signed, and nobody knows provider A's secret. */
export const adverseWebhookChecks = {
  '5/webhook-1-no-secret': async () => {
    const payload = eventA()
    for (const secret of ['', 'undefined', secretOf('payment')]) {
      expectTextA(await postA(payload, signatureA(payload, secondsFromNow(0), secret)), 'refused', secret)
    }
    expect(secretOf('payment')).not.toBe('')
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
  },

  '5/webhook-7': async () => {
    await expectPayment(() => ({}), 401, BAD_SIGNATURE)
    await expectPayment((body) => genericSignature(body), 200, PROCESSED)
  },
} satisfies AdverseChecks
