import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../lib/errors.ts'
import { provider as githubSource } from '../../../../lib/webhooks/providers/github.ts'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { provider as stripeSource } from '../../../../lib/webhooks/providers/stripe.ts'
import { generic } from '../../../../lib/webhooks/schemes/generic.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/by-name.ts'
import { orderStatusSource } from '../../../../lib/webhooks/sources/order-status.ts'
import { paymentSource } from '../../../../lib/webhooks/sources/payment.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'

const NAMES = Object.keys(PROVIDERS)

describe('the source of a name', () => {
  it.each([paymentSource, orderStatusSource, stripeSource, githubSource])('$name is its own', (own) => {
    expect(sourceOf(own.name)).toMatchObject(own)
  })

  it.each(NAMES)('%s verifies by the scheme of its row', (name) => {
    expect(sourceOf(name)).toMatchObject({ name, scheme: PROVIDERS[name as keyof typeof PROVIDERS].scheme })
  })

  it.each(['demo', 'shop.example', 'constructor', 'tostring', '__proto__', 'hasownproperty'])(
    '%s verifies by the generic scheme, its events are kept without an action',
    (name) => {
      const source = sourceOf(name)
      expect(source).toMatchObject({ name, scheme: generic, keptHeaders: [] })
      const { identity, plan, isHandedOver } = source.read({ body: bodyOf({ eventId: 'e' }), headers: {} })
      expect(identity).toEqual({ eventId: 'e', eventType: 'UNKNOWN' })
      expect(plan()).toEqual({ outcome: 'no action' })
      expect(isHandedOver).toBeUndefined()
    },
  )
})

describe('the body of a provider', () => {
  it.each([
    ['no JSON', 'demo', '{'],
    ['nothing', 'demo', ''],
    ['bytes that are no UTF-8', 'demo', Buffer.from([0x22, 0xff, 0x22])],
    ['101 levels', 'demo', `${'['.repeat(101)}${']'.repeat(101)}`],
    ['a form without a payload', 'slack', 'command=%2Fhello'],
    ['a twilio call without a field', 'twilio', ''],
    ['a twilio form that is no UTF-8', 'twilio', Buffer.from([0x41, 0x3d, 0xff])],
    ['twilio JSON that is none', 'twilio', '{'],
    ['a twilio list that is none', 'twilio', '['],
  ])('is refused: %s', (_, name, body) => {
    expect(() => sourceOf(name).read({ body: bodyOf(body), headers: {} })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  it('may be a form with the field payload', () => {
    const body = bodyOf(`payload=${encodeURIComponent('{"type":"block_actions"}')}`)
    expect(sourceOf('slack').read({ body, headers: {} }).identity.eventType).toBe('block_actions')
  })

  it.each([
    ['MessageSid=SM1&MessageStatus=delivered', 'delivered'],
    ['CallSid=CA1&CallStatus=ringing', 'ringing'],
    ['EventType=onMessageAdded&__proto__=x', 'onMessageAdded'],
    ['{"EventType":"x"}', 'x'],
  ])('of twilio may be any form: %s', (body, eventType) => {
    expect(sourceOf('twilio').read({ body: bodyOf(body), headers: {} }).identity.eventType).toBe(eventType)
  })

  it('of twilio is no form of more than a thousand fields', () => {
    const read = () => sourceOf('twilio').read({ body: bodyOf('a&'.repeat(1000)), headers: {} })
    expect(read).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('of any bytes is read or refused, by every provider', () => {
    const bytes = fc.oneof(fc.uint8Array(), fc.json(), fc.string())
    const headers = fc.dictionary(
      fc.constantFrom('webhook-id', 'svix-id', 'x-shopify-topic', 'x-event-key'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), bytes, headers, (name, body, given) => {
        try {
          const { eventId, eventType } = sourceOf(name).read({ body: bodyOf(body), headers: given }).identity
          expect([eventId ?? 'x', eventType].every((text) => /^\P{Cc}{1,256}$/u.test(text))).toBe(true)
        } catch (error) {
          expect(error instanceof ServiceError && error.code).toBe('VALIDATION_FAILED')
        }
      }),
    )
  })
})
