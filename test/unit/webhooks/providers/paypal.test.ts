import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/paypal.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('PayPal', () => {
  const HEADERS = {
    'paypal-transmission-id': 'id-1',
    'paypal-transmission-time': '2025-10-09T08:53:20Z',
    'paypal-transmission-sig': 'AAAA',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://attacker.example/cert',
  }

  it("signs id, time, the webhook's id and the body's checksum in decimal digits", () => {
    const reading = readingOf(provider.scheme, signedCall(HEADERS, '123456789'), 'WH-1')
    expect(reading?.signed).toBe('id-1|2025-10-09T08:53:20Z|WH-1|3421780262')
  })

  it.each([
    ['another algorithm', { 'paypal-auth-algo': 'SHA1withRSA' }],
    ['no algorithm', { 'paypal-auth-algo': undefined }],
    ['no id', { 'paypal-transmission-id': undefined }],
    ['no time', { 'paypal-transmission-time': undefined }],
    ['no signature', { 'paypal-transmission-sig': undefined }],
  ])('proves nothing with %s', (_, changes) => {
    expect(readingOf(provider.scheme, signedCall({ ...HEADERS, ...changes }, '{}'))).toBeUndefined()
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
      verify(call, {
        scheme: provider.scheme,
        secrets: [{ value: pem(key) }],
        now: new Date(time),
        toleranceSeconds: undefined,
      })
    expect([judged(publicKey).ok, judged(otherKey).ok]).toEqual([true, false])
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })
})
