import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Trust } from '../../../lib/http/message.ts'
import { type Layers, signed, webhookReceived, webhookResponse } from '../../../lib/http/webhook-call.ts'
import { networksOf } from '../../../lib/runtime/address.ts'
import type { Intake } from '../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { provider as square } from '../../../lib/webhooks/providers/square.ts'
import { createRateLimiter, NO_LIMIT, type RateLimiter, type Throttling } from '../../../lib/webhooks/rate/limiter.ts'
import { paymentSource } from '../../../lib/webhooks/sources/payment.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'
import { type Call, httpEvent } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const SECRET = 'shared secret'

const log = recordingLog()
const intake: Intake & Throttling & Trust = {
  baseUrl: new URL('https://hooks.example.com/'),
  limiter: NO_LIMIT,
  trustedProxies: networksOf(['192.0.2.1']),
  secrets: { current: new Map([['payment', [{ value: SECRET }]]]) },
  toleranceSeconds: undefined,
  maxBodyBytes: 100,
  proofOf: () => 'required',
  clock: fixedClock(),
  audit: logAudit(log),
}

const signatureOf = (body: string | Buffer) => createHmac('sha256', SECRET).update(body).digest('hex')

async function read({ body = '', headers = {} }: Call) {
  const event = httpEvent({ method: 'POST', body, headers: { 'x-signature': signatureOf(body), ...headers } })
  return signed(paymentSource, intake)(event)
}

describe('a signed body', () => {
  it.each([
    ['a text with an odd form', ' { "b" : 1.10,\r\n"a":"\\u0065é😀" }\n'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0x00, 0xfe])],
  ])('is read byte for byte: %s', async (_, body) => {
    expect((await read({ body })).body).toEqual(Buffer.from(body))
  })

  it('keeps content type, user agent and request id, and never credentials, cookies or signatures', async () => {
    const { headers } = await read({
      body: '{}',
      headers: {
        authorization: 'Bearer s3cret',
        cookie: 'JSESSIONID=s3cret',
        'stripe-signature': 't=1,v1=s3cret',
        'content-type': 'application/json',
        'user-agent': 'sender/1',
        'x-request-id': 'r-1',
      },
    })
    expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': 'sender/1', 'x-request-id': 'r-1' })
  })

  it('stores additional headers that the source requires', async () => {
    const body = '{}'
    const headers = { 'x-signature': signatureOf(body), 'x-event': 'push', 'x-other': 'o', 'user-agent': 'sender/1' }
    const source = { ...paymentSource, keptHeaders: ['x-event', 'x-missing'] }
    const { headers: kept } = await signed(source, intake)(httpEvent({ method: 'POST', body, headers }))
    expect(kept).toEqual({ 'user-agent': 'sender/1', 'x-event': 'push' })
  })

  it.each([
    ['', 'https://hooks.example.com/webhooks/payment'],
    ['a=1&b=%2F', 'https://hooks.example.com/webhooks/payment?a=1&b=%2F'],
  ])('W24 may be signed with the address that its sender uses: "%s"', async (rawQueryString, address) => {
    const body = '{}'
    const signature = createHmac('sha256', SECRET).update(address).update(body).digest('base64')
    const headers = { 'x-square-hmacsha256-signature': signature, host: 'elsewhere.example' }
    const event = httpEvent({ method: 'POST', path: '/webhooks/payment', rawQueryString, body, headers })
    const read = await signed({ ...paymentSource, scheme: square.scheme }, intake)(event)
    expect(read.body.toString()).toBe(body)
  })

  it.each([
    ['SIGNATURE_INVALID', 'wrong-signature', { body: '{}', headers: { 'x-signature': '0'.repeat(64) } }],
    ['PAYLOAD_TOO_LARGE', 'too-large', { body: 'x'.repeat(101) }],
  ])('is refused with %s, audited as %s', async (code, reason, call) => {
    expect((await read({ body: 'x'.repeat(100) })).body).toHaveLength(100)
    await expect(read(call)).rejects.toMatchObject({ code })
    expect(log.of('audit').at(-1)).toEqual({ decision: 'refused', source: 'payment', reason })
  })

  it('is refused as too large, and audited, also where a stranger may have sent many members of it', async () => {
    const unsigned: Layers = { ...intake, proofOf: () => 'if-sent', maxBodyBytes: 10_000 }
    const event = httpEvent({ method: 'POST', body: `{${'"n":1,'.repeat(1001)}}` })
    expect(() => signed(paymentSource, unsigned)(event)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
    expect(log.of('audit').at(-1)).toEqual({ decision: 'refused', source: 'payment', reason: 'too-large' })
  })

  it('may come under a coding: its bytes are not decoded, and the coding is kept', async () => {
    const body = gzipSync('{}')
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    const call = await read({ body, headers: { 'x-signature': signature, 'content-encoding': 'GZIP' } })
    expect(call.body.equals(body)).toBe(true)
    expect(call.headers).toEqual({ 'content-encoding': 'gzip' })
  })

  it.each(['identity', ''])('keeps no coding of "%s", which is none', async (coding) => {
    expect((await read({ body: '{}', headers: { 'content-encoding': coding } })).headers).toEqual({})
  })

  it('is refused under a coding if its scheme has to read it', async () => {
    const scheme = { ...paymentSource.scheme, readsBody: true }
    const event = httpEvent({ method: 'POST', body: '{}', headers: { 'content-encoding': 'gzip' } })
    const refused = { code: 'CODING_UNSUPPORTED' }
    expect(() => signed({ ...paymentSource, scheme }, intake)(event)).toThrow(expect.objectContaining(refused))
    expect(log.of('audit').at(-1)).toEqual({ decision: 'refused', source: 'payment', reason: 'encoded' })
  })
})

describe('the rate limiter, before a webhook is read', () => {
  const event = httpEvent({ method: 'POST', body: 'x'.repeat(101) })
  const readWith = (limiter: RateLimiter) => async () => signed(paymentSource, { ...intake, limiter })(event)

  it.each<[string, RateLimiter]>([
    ['at once', { wait: () => 1 }],
    ['when it had to call the counter', { wait: async () => 1 }],
  ])('refuses: %s', async (_, limiter) => {
    await expect(readWith(limiter)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  })

  it('accepts a call that the next layer refuses', async () => {
    await expect(readWith({ wait: async () => 0 })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('W15 receives the source and the address from a trusted proxy', async () => {
    const asked: unknown[] = []
    const limiter: RateLimiter = {
      wait(...call) {
        asked.push(call)
        return 0
      },
    }
    const forwarded = httpEvent({
      method: 'POST',
      body: '{}',
      headers: { 'x-signature': signatureOf('{}'), 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
    })
    const read = signed(paymentSource, { ...intake, limiter })(forwarded)
    expect(read).not.toBeInstanceOf(Promise)
    expect(asked).toEqual([['payment', '203.0.113.9']])
  })

  it('W39 has one budget for addresses of one IPv6 network', async () => {
    const counter = new MemoryCounter()
    const limiter = createRateLimiter({ counter, perMinute: 3, clock: fixedClock(), onFailure: () => {} })
    const codes: string[] = []
    for (const address of ['2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:0db8:0000::0003', '[2001:db8::4]:443']) {
      const headers = { 'x-signature': signatureOf('{}'), 'x-forwarded-for': address }
      const call = async () =>
        signed(paymentSource, { ...intake, limiter })(httpEvent({ method: 'POST', body: '{}', headers }))
      codes.push(
        await call().then(
          () => 'read',
          ({ code }) => code,
        ),
      )
    }
    expect(codes).toEqual(['read', 'read', 'read', 'RATE_LIMIT_EXCEEDED'])
    expect(counter.tallies.size).toBe(1)
  })
})

it.each([
  ['processed', 'Webhook processed successfully'],
  ['received', 'Webhook received'],
  ['duplicate', 'Duplicate event ignored'],
] as const)('an event that is %s is acknowledged with the webhook response: %s', (acceptance, message) => {
  const { statusCode, headers, body = '' } = webhookResponse(acceptance, START)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/json'])
  expect(JSON.parse(body)).toEqual({ success: true, message, timestamp: '2026-01-02T03:04:05.000' })
})

it('a provider is acknowledged in plain text', () => {
  expect(webhookReceived()).toEqual({
    statusCode: 200,
    headers: { 'content-type': expect.stringMatching(/^text\/plain/) },
    body: 'Webhook received',
  })
})

it.each([
  ['no text', '', /^text\/plain/, ''],
  ['JSON', {}, /^application\/json$/, '{}'],
])('a provider can be acknowledged with %s instead', (_, wanted, type, body) => {
  const { statusCode, headers, body: text } = webhookReceived(wanted)
  expect([statusCode, text]).toEqual([200, body])
  expect(headers['content-type']).toMatch(type)
})
