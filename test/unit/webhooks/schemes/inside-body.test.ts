import { describe, expect, it } from 'vitest'
import { adyen, linear, mailgun } from '../../../../lib/webhooks/schemes/inside-body.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('Adyen', () => {
  const ITEM = {
    pspReference: 'psp',
    originalReference: null,
    merchantAccountCode: 'account',
    merchantReference: 'order-1',
    amount: { value: 1130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    paymentMethod: 'visa',
    additionalData: { hmacSignature: 'AAAA' },
  }
  const item = (changes: object = {}) => ({ NotificationRequestItem: { ...ITEM, ...changes } })
  const signedOf = (payload: unknown) => readingOf(adyen, signedCall({}, JSON.stringify(payload)))?.signed

  it('signs eight fields of the one item', () => {
    const signed = 'psp::account:order-1:1130:EUR:AUTHORISATION:true'
    expect(signedOf({ notificationItems: [item()] })).toBe(signed)
    expect(signedOf({ notificationItems: [item({ success: true, paymentMethod: 'mc' })] })).toBe(signed)
  })

  it('signs what the item is about as well', () => {
    const signed = 'psp:original:account:order-1:1130:EUR:AUTHORISATION:true'
    expect(signedOf({ notificationItems: [item({ originalReference: 'original' })] })).toBe(signed)
  })

  it.each([
    ['a second item', { notificationItems: [item(), item({ pspReference: 'other' })] }],
    ['a second item that is empty', { notificationItems: [item(), null] }],
    ['no items', { notificationItems: [] }],
    ['items that are no list', { notificationItems: { 0: item(), length: 1 } }],
    ['no signature', { notificationItems: [item({ additionalData: {} })] }],
    ['a signature that is no base64', { notificationItems: [item({ additionalData: { hmacSignature: 'A' } })] }],
    ['the item of a prototype', { __proto__: { notificationItems: [item()] } }],
    ['null', null],
  ])('proves nothing with %s', (_, payload) => {
    expect(signedOf(payload)).toBeUndefined()
  })

  it('proves nothing with a body that is no JSON', () => {
    expect(readingOf(adyen, signedCall({}, '{'))).toBeUndefined()
  })
})

describe('Mailgun', () => {
  const TOKEN = '7'.repeat(50)
  const signedOf = (signature: object) => readingOf(mailgun, signedCall({}, JSON.stringify({ signature })))?.signed

  it('signs time and token', () => {
    expect(signedOf({ timestamp: '1760000000', token: TOKEN, signature: 'a1' })).toBe(`1760000000${TOKEN}`)
    expect(signedOf({ timestamp: 1760000000, token: TOKEN, signature: 'a1' })).toBe(`1760000000${TOKEN}`)
  })

  it.each([
    ['a digit moved from the token to the time', { timestamp: '17600000007', token: TOKEN.slice(1) }],
    ['a digit moved from the time to the token', { timestamp: '176000000', token: `0${TOKEN}` }],
    ['no token', { timestamp: '1760000000' }],
    ['no time', { token: TOKEN }],
  ])('proves nothing with %s', (_, fields) => {
    expect(signedOf({ ...fields, signature: 'a1' })).toBeUndefined()
  })
})

describe('Linear', () => {
  const read = (body: string) => readingOf(linear, signedCall({ 'linear-signature': 'a1' }, body))

  it('signs the body, and the time stands in it in milliseconds', () => {
    expect(read('{"webhookTimestamp":1760000000000}')?.signedAt).toBe(1_760_000_000_000)
  })

  it.each([
    '{}',
    '[]',
    '{"webhookTimestamp":"now"}',
    '{"webhookTimestamp":1.5}',
    '{"webhookTimestamp":null}',
    'no JSON',
  ])('proves nothing without that time: %s', (body) => {
    expect(read(body)).toBeUndefined()
  })
})
