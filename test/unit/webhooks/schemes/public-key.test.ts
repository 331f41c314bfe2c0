import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { discord, paypal, plaid, sendgrid } from '../../../../lib/webhooks/schemes/public-key.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('where nothing stands between time and body', () => {
  const SENDGRID = 'x-twilio-email-event-webhook'

  it.each([
    ['1760000000', '1760000000{}'],
    ['17600000001', undefined],
    ['176000000', undefined],
    ['', undefined],
  ])('the time has ten digits: "%s"', (time, signed) => {
    const ofDiscord = signedCall({ 'x-signature-ed25519': 'a1', 'x-signature-timestamp': time }, '{}')
    expect(readingOf(discord, ofDiscord)?.signed).toBe(signed)
    const ofSendgrid = signedCall({ [`${SENDGRID}-signature`]: 'AAAA', [`${SENDGRID}-timestamp`]: time }, '{}')
    expect(readingOf(sendgrid, ofSendgrid)?.signed).toBe(signed)
  })
})

describe('Plaid', () => {
  const BODY = '{"webhook_type":"ITEM"}'
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const HEADER = { alg: 'ES256', kid: 'k', typ: 'JWT' }
  const CLAIMS = { iat: 1_760_000_000, request_body_sha256: createHash('sha256').update(BODY).digest('hex') }
  const read = (token: string, body = BODY) => readingOf(plaid, signedCall({ 'plaid-verification': token }, body))

  it('signs a hash of the body and a time', () => {
    expect(read(`${part(HEADER)}.${part(CLAIMS)}.AAAA`)).toEqual({
      signatures: ['000000'],
      signedAt: 1_760_000_000_000,
      signed: `${part(HEADER)}.${part(CLAIMS)}`,
    })
  })

  it.each([
    ['the hash of another body', { ...CLAIMS, request_body_sha256: '00' }],
    ['no hash', { iat: CLAIMS.iat }],
  ])('signs nothing of a body with %s', (_, claims) => {
    expect(read(`${part(HEADER)}.${part(claims)}.AAAA`)).toBeUndefined()
  })

  it.each([
    ['no time', `${part(HEADER)}.${part({ ...CLAIMS, iat: undefined })}.AAAA`],
    ['a time in a text', `${part(HEADER)}.${part({ ...CLAIMS, iat: '1760000000' })}.AAAA`],
    ['the algorithm none', `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.AAAA`],
    ['a symmetric algorithm', `${part({ ...HEADER, alg: 'HS256' })}.${part(CLAIMS)}.AAAA`],
    ['a critical header', `${part({ ...HEADER, crit: ['b64'] })}.${part(CLAIMS)}.AAAA`],
    ['no signature', `${part(HEADER)}.${part(CLAIMS)}.`],
    ['two parts', `${part(HEADER)}.${part(CLAIMS)}`],
    ['four parts', `${part(HEADER)}.${part(CLAIMS)}.AAAA.AAAA`],
    ['padding', `${part(HEADER)}.${part(CLAIMS)}.AAA=`],
    ['parts that are no objects', `${part([])}.${part(1)}.AAAA`],
    ['parts that are no JSON', 'AAAA.AAAA.AAAA'],
    ['nothing', ''],
  ])('proves nothing with %s', (_, token) => {
    expect(read(token)).toBeUndefined()
  })
})

describe('PayPal', () => {
  const HEADERS = {
    'paypal-transmission-id': 'id-1',
    'paypal-transmission-time': '2025-10-09T08:53:20Z',
    'paypal-transmission-sig': 'AAAA',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://attacker.example/cert',
  }

  it("signs id, time, the webhook's id and the body's checksum in decimal digits", () => {
    const reading = readingOf(paypal, signedCall(HEADERS, '123456789'), 'WH-1')
    expect(reading?.signed).toBe('id-1|2025-10-09T08:53:20Z|WH-1|3421780262')
  })

  it.each([
    ['another algorithm', { 'paypal-auth-algo': 'SHA1withRSA' }],
    ['no algorithm', { 'paypal-auth-algo': undefined }],
    ['no id', { 'paypal-transmission-id': undefined }],
    ['no time', { 'paypal-transmission-time': undefined }],
    ['no signature', { 'paypal-transmission-sig': undefined }],
  ])('proves nothing with %s', (_, changes) => {
    expect(readingOf(paypal, signedCall({ ...HEADERS, ...changes }, '{}'))).toBeUndefined()
  })
})

describe('W23 a key that a call brings along or points at', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { publicKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = (key: KeyObject) => `WH-1:${key.export({ type: 'spki', format: 'pem' })}`
  const [time, body] = ['2026-01-02T03:04:05Z', '{"id":"WH-2"}']
  const signature = sign('sha256', Buffer.from(`id|${time}|WH-1|${crc32(body)}`), privateKey).toString('base64')
  const headers = {
    'paypal-transmission-sig': signature,
    'paypal-transmission-id': 'id',
    'paypal-transmission-time': time,
    'paypal-auth-algo': 'SHA256withRSA',
  }

  it.each([
    undefined,
    'https://evil.example/certificate.pem',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    pem(publicKey),
  ])('is not used: %j as the address of a certificate', (address) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const call = signedCall({ ...headers, 'paypal-cert-url': address }, body)
    const judged = (key: KeyObject) =>
      verify(call, { scheme: paypal, secrets: [{ value: pem(key) }], now: new Date(time), toleranceSeconds: undefined })
    expect([judged(publicKey).ok, judged(otherKey).ok]).toEqual([true, false])
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })
})
