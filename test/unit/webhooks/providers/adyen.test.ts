import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/adyen.ts'
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
  const signedOf = (payload: unknown) => readingOf(provider.scheme, signedCall({}, JSON.stringify(payload)))?.signed

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
    expect(readingOf(provider.scheme, signedCall({}, '{'))).toBeUndefined()
  })
})
