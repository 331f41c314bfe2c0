import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/catalog.ts'
import { orderStatusSource } from '../../../../lib/webhooks/sources/order-status.ts'
import { paymentSource } from '../../../../lib/webhooks/sources/payment.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'

const NAMES = Object.keys(PROVIDERS)

describe('the source of a name', () => {
  it.each([paymentSource, orderStatusSource])('$name is its own', (own) => {
    expect(sourceOf(own.name)).toBe(own)
  })

  it.each(['stripe', 'github'] as const)('%s reads with the handlers of its own endpoint', (name) => {
    expect(sourceOf(name).read).toBe(PROVIDERS[name].read)
  })

  it.each(NAMES)('%s verifies by the scheme of its row', (name) => {
    expect(sourceOf(name)).toMatchObject({ name, scheme: { ...PROVIDERS[name as keyof typeof PROVIDERS].scheme } })
  })

  it.each(['demo', 'shop.example', 'constructor', 'tostring', '__proto__', 'hasownproperty'])(
    '%s verifies by the generic scheme, and its events are stored without an action',
    (name) => {
      const source = sourceOf(name)
      expect(source).toMatchObject({ name, keptHeaders: [] })
      expect(source.scheme).toBe(generic)
      const { identity, plan, isHandedOver } = source.read({ body: bodyOf({ eventId: 'e' }), headers: {} })
      expect(identity).toMatchObject({ rule: 'signed-id', eventId: 'e', eventType: 'UNKNOWN' })
      expect(plan()).toEqual({ outcome: 'no action' })
      expect(isHandedOver).toBeUndefined()
    },
  )
})

describe('the body of a provider', () => {
  it.each<[string, string, string | Buffer, string]>([
    ['no JSON', 'demo', '{', 'must be JSON'],
    ['bytes that are not UTF-8', 'demo', Buffer.from([0x22, 0xff, 0x22]), 'must be UTF-8'],
    ['an empty slack call', 'slack', '', 'must be a form or JSON'],
    ['a twilio call without a field', 'twilio', '', 'must be a form or JSON'],
    ['a twilio form that is not UTF-8', 'twilio', Buffer.from([0x41, 0x3d, 0xff]), 'must be a form or JSON'],
    ['a twilio form of more than a thousand fields', 'twilio', 'a&'.repeat(1000), 'must be a form or JSON'],
    ['malformed twilio JSON', 'twilio', '{', 'must be JSON'],
    ['malformed mailgun JSON', 'mailgun', '{', 'must be JSON'],
  ])('that is unreadable shows the reason: %s', (_, name, body, rule) => {
    const { unreadable, items } = sourceOf(name).read({ body: bodyOf(body), headers: {} })
    expect(unreadable).toBe(`Validation failed: body ${rule}`)
    expect(items).toBeUndefined()
  })

  it.each([
    ['zendesk', 'Hello'],
    ['docusign', '<a/>'],
    ['twilio', ' {"a":1}'],
    ['mailgun', 'a=1'],
  ])('may be in another format of %s than JSON: %s', (name, body) => {
    expect(sourceOf(name).read({ body: bodyOf(body), headers: {} }).unreadable).toBeUndefined()
  })

  it.each([
    ['MessageSid=SM1&MessageStatus=delivered', 'delivered'],
    ['CallSid=CA1&CallStatus=ringing', 'ringing'],
    ['EventType=onMessageAdded&__proto__=x', 'onMessageAdded'],
    ['{"EventType":"x"}', 'x'],
  ])('of twilio may be any form: %s', (body, eventType) => {
    expect(sourceOf('twilio').read({ body: bodyOf(body), headers: {} }).identity.eventType).toBe(eventType)
  })

  it('of any bytes is read, by every provider', () => {
    const bytes = fc.oneof(fc.uint8Array(), fc.json(), fc.string())
    const headers = fc.dictionary(
      fc.constantFrom('webhook-id', 'svix-id', 'x-shopify-topic', 'x-event-key'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), bytes, headers, (name, body, given) => {
        const read = () => sourceOf(name).read({ body: bodyOf(body), headers: { 'x-github-event': 'push', ...given } })
        const { eventId, eventType } = read().identity
        expect([eventId ?? 'x', eventType].every((text) => /^\P{Cc}{1,256}$/u.test(text))).toBe(true)
      }),
    )
  })
})
