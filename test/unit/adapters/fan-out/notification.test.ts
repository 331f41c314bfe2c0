import { describe, expect, it } from 'vitest'
import { envelopeOf, readNotification } from '../../../../lib/adapters/fan-out/notification.ts'
import type { BusMessage } from '../../../../lib/stomp/bus.ts'
import { deadDelivery } from '../../../../lib/webhooks/live/dead-delivery.ts'
import { START } from '../../../support/fakes/clock.ts'
import { CHANGE } from '../../../support/fan-out.ts'

const MESSAGE: BusMessage = {
  destination: '/topic/public/é',
  headers: { 'content-type': 'text/plain', empty: '' },
  body: Buffer.from([0, 255, 128, 10]),
}

const DEATH = deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START)

const INSTANT = '2026-01-02T03:04:05.000Z'

describe('what comes out of a queue', () => {
  it.each<[string, BusMessage]>([
    ['for all', MESSAGE],
    ['for one user', { ...MESSAGE, user: 'zoë' }],
    ['without a body', { ...MESSAGE, body: Buffer.alloc(0) }],
    ['with characters that SQS refuses', { ...MESSAGE, headers: { odd: '\ufffe\uffff\u0001' } }],
  ])('is a message %s as it was put in', (_, message) => {
    expect(readNotification(envelopeOf('7', message))).toEqual({ kind: 'message', id: '7', message })
  })

  it('is a change', () => {
    expect(readNotification(JSON.stringify(CHANGE))).toEqual({ kind: 'change', change: CHANGE })
  })

  it('is a delivery that was given up', () => {
    expect(readNotification(JSON.stringify(DEATH))).toEqual({ kind: 'death', delivery: DEATH })
  })

  it('is a change with its proof', () => {
    const change = { ...CHANGE, proof: { level: 'full', key: 'stripe#1', signedAt: INSTANT, stale: true } } as const
    expect(readNotification(JSON.stringify(change))).toEqual({ kind: 'change', change })
  })

  it.each([
    ['a level that we do not know', { level: 'seal', key: null, signedAt: null }],
    ['a time that is none', { level: 'full', key: null, signedAt: 'today' }],
  ])('is a change without the proof where that has %s, as another release may write it', (_, proof) => {
    expect(readNotification(JSON.stringify({ ...CHANGE, proof }))).toEqual({ kind: 'change', change: CHANGE })
  })

  it('may have more fields than we know, as long as instances of two releases run', () => {
    expect(readNotification(JSON.stringify({ ...CHANGE, later: 1 }))).toEqual({ kind: 'change', change: CHANGE })
  })

  it('travels in characters that SQS takes', () => {
    const text = envelopeOf('7', { ...MESSAGE, headers: { odd: '\ufffe\uffff\u0001\ud83d\ude00' } })
    expect(text).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u)
  })

  const envelope = JSON.parse(envelopeOf('7', MESSAGE))
  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a change without a status', JSON.stringify({ ...CHANGE, status: undefined })],
    ['a delivery that was not given up', JSON.stringify({ ...DEATH, status: 'DELIVERED' })],
    ['a message without an id', JSON.stringify({ ...envelope, messageId: undefined })],
    ['a message whose body is no Base64', JSON.stringify({ ...envelope, body: '?' })],
    ['a message with a header that is no text', JSON.stringify({ ...envelope, headers: { a: 1 } })],
    ['a message for nobody we know', JSON.stringify({ ...envelope, user: null })],
  ])('Q12 is none of ours: %s', (_, text) => {
    expect(readNotification(text)).toBeUndefined()
  })
})
