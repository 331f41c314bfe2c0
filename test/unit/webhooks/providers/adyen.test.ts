import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { provider, sample } from '../../../../lib/webhooks/providers/adyen.ts'
import { withSetting } from '../../../../localstack/senders/table.ts'
import { START } from '../../../support/fakes/clock.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'
import { receiverFor, signedBy } from '../../../support/webhook-receiver.ts'

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
    const signed = 'psp:original:account:order-1:1130:EUR:AUTHORISATION:true'
    expect(signedOf({ notificationItems: [item({ originalReference: 'original' })] })).toBe(signed)
    const others = { originalReference: null, success: true, paymentMethod: 'mc' }
    expect(signedOf({ notificationItems: [item(others)] })).toBe(signed.replace('original', ''))
  })

  it.each([
    ['a second item', { notificationItems: [item(), item({ pspReference: 'other' })] }],
    ['an empty second item', { notificationItems: [item(), null] }],
    ['items that are not a list', { notificationItems: { 0: item(), length: 1 } }],
    ['no signature', { notificationItems: [item({ additionalData: {} })] }],
    ['an item in a prototype', { __proto__: { notificationItems: [item()] } }],
  ])('proves nothing with %s', (_, payload) => {
    expect(signedOf(payload)).toBeUndefined()
  })

  it.each([
    ['a second list of items, under an escaped name', '}]}', '}],"notific\\u0061tionItems":[]}'],
    ['a body that is not JSON', '}]}', '}]'],
  ])('proves nothing with %s', (_, from, to) => {
    const text = JSON.stringify({ notificationItems: [item()] })
    expect(readingOf(provider.scheme, signedCall({}, text.replace(from, to)))).toBeUndefined()
  })
})

describe('W17, W22 the fields of an item of Adyen', () => {
  const NAMES = ['pspReference', 'originalReference', 'merchantAccountCode', 'merchantReference']

  /** The item with the first four of its signed fields cut otherwise, in every way that there is. */
  function recut(body: Buffer): readonly Buffer[] {
    const payload = JSON.parse(body.toString())
    const item = payload.notificationItems[0].NotificationRequestItem
    const pieces = NAMES.map((name) => item[name])
      .join(':')
      .split(':')
    const places = [...pieces.keys(), pieces.length]
    return places.flatMap((one) =>
      places.slice(one).flatMap((other) =>
        places.slice(other).map((last) => {
          const borders = [0, one, other, last, pieces.length]
          for (const [index, name] of NAMES.entries())
            item[name] = pieces.slice(borders[index], borders[index + 1]).join(':')
          return Buffer.from(JSON.stringify(payload))
        }),
      ),
    )
  }

  it.each(['order', 'order:1', ':', 'a:b:c', '::'])(
    'cause no second event at any division of the signed text: with the reference %s',
    async (merchantReference) => {
      const { body } = sample().draft('CAPTURE', { id: 'psp-1', at: START })
      const path = ['notificationItems', '0', 'NotificationRequestItem', 'merchantReference']
      const call = signedBy('adyen', sample(), { body: withSetting(body, { path, value: merchantReference }) }, START)
      const outcomes = new Set<string>()
      for (const other of recut(call.body)) {
        const receiver = receiverFor('adyen')
        await receiver.receive(call)
        outcomes.add(await receiver.receive({ ...call, body: other }))
      }
      expect(outcomes).toEqual(new Set(['refused', 'duplicate']))
    },
  )
})
