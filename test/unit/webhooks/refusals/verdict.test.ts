import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fail, invalid, type ServiceError } from '../../../../lib/errors.ts'
import type { AuditReason } from '../../../../lib/webhooks/audit.ts'
import type { Receiver } from '../../../../lib/webhooks/explain/explain.ts'
import { refusalVerdict } from '../../../../lib/webhooks/refusals/verdict.ts'
import { WebhookRefused } from '../../../../lib/webhooks/refusals/webhook-refused.ts'
import { generic } from '../../../../lib/webhooks/schemes/generic.ts'
import { START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { signedCall } from '../../../support/signed-call.ts'

const SENDER = { name: 'payment', scheme: generic }
const BODY = '{"a":1}'
const RECEIVER: Receiver = {
  ...SENDER,
  secrets: new Map([['payment', [{ value: 'shared secret' }]]]),
  now: START,
  toleranceSeconds: undefined,
}

async function verdictOf(
  reason: AuditReason,
  headers: Readonly<Record<string, string>> = {},
  {
    size = BODY.length,
    error = fail('SIGNATURE_INVALID') as ServiceError,
    call = () => signedCall(headers, BODY),
  } = {},
) {
  const log = recordingLog()
  const refused = new WebhookRefused(error, SENDER, reason)
  return { log, verdict: await refusalVerdict(refused, { size, call, receiver: RECEIVER }, log) }
}

describe('the verdict on a refused call', () => {
  it('is the result of explain', async () => {
    const { verdict } = await verdictOf('no-readable-signature')
    expect(verdict).toEqual({
      reason: 'header-missing',
      sentence: 'A header is missing or empty: x-signature.',
    })
  })

  it('is its plain reason beyond 64 KiB, without parsing the body', async () => {
    const call = () => expect.unreachable()
    const { verdict, log } = await verdictOf('wrong-signature', {}, { size: 65_537, call })
    expect(verdict).toEqual({ reason: 'wrong-signature', sentence: 'Its signature does not fit.' })
    expect(log.entries).toEqual([])
  })

  it.each<[AuditReason, string, ServiceError]>([
    ['rate-limited', 'Its address sent more calls in a minute', fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 })],
    ['too-large', 'Its body is larger', fail('PAYLOAD_TOO_LARGE')],
    ['encoded', 'Its body came under a content coding, and this source has to read it.', fail('CODING_UNSUPPORTED')],
    [
      'invalid-payload',
      'Validation failed: amount is required; orderId is required.',
      invalid([
        { path: ['orderId'], message: 'is required' },
        { path: ['amount'], message: 'is required' },
      ]),
    ],
  ])('does not concern signatures: %s', async (reason, sentence, error) => {
    const { verdict } = await verdictOf(reason, {}, { error, call: () => expect.unreachable() })
    expect(verdict).toEqual({ reason, sentence: expect.stringContaining(sentence) })
  })

  it('is its plain reason when the same call would be accepted', async () => {
    const signature = createHmac('sha256', 'shared secret').update(BODY).digest('hex')
    const { verdict } = await verdictOf('in-the-future', { 'x-signature': signature })
    expect(verdict).toEqual({ reason: 'in-the-future', sentence: 'It was signed in the future.' })
  })

  it('is its plain reason if explain fails, whose error is not quoted', async () => {
    const call = () => JSON.parse('{"body": s3cret}')
    const { verdict, log } = await verdictOf('wrong-signature', {}, { call })
    expect(verdict.reason).toBe('wrong-signature')
    expect(log.entries).toEqual([
      { level: 'warn', message: 'refusal not explained', fields: { source: 'payment', error: 'SyntaxError' } },
    ])
  })
})
