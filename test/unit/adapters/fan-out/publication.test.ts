import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNotification } from '../../../../lib/adapters/fan-out/notification.ts'
import { type Arrived, messagesIn, messageText, textsOf } from '../../../../lib/adapters/fan-out/publication.ts'
import type { BusMessage } from '../../../../lib/stomp/bus.ts'
import { anyText } from '../../../support/any-text.ts'

const PLACE = { origin: 'one', number: 7, after: 5 }

const MESSAGE: BusMessage = {
  destination: '/topic/public/é',
  headers: { 'content-type': 'text/plain', empty: '' },
  body: Buffer.from('grüß \u2028 Gott\n'),
}

const textsFor = (messages: readonly BusMessage[]) => textsOf(PLACE, messages.map(messageText))

function arrivedIn(text: string): Arrived | undefined {
  const notification = readNotification(text)
  return notification?.kind === 'messages' ? notification.arrived : undefined
}

/** What an instance gets of a publication, whatever its size. */
function received(messages: readonly BusMessage[]): readonly BusMessage[] | undefined {
  const parts = textsFor(messages).map((text) => arrivedIn(text))
  if (parts.length === 1) return parts[0]?.content as readonly BusMessage[]
  return messagesIn(parts.map((part) => part?.content as string))
}

describe('messages for other instances', () => {
  it.each<[string, BusMessage]>([
    ['for all', MESSAGE],
    ['for one user', { ...MESSAGE, user: 'zoë' }],
    ['without a body', { ...MESSAGE, body: Buffer.alloc(0) }],
    ['whose body is not UTF-8', { ...MESSAGE, body: Buffer.from([0, 255, 128, 10]) }],
    ['whose body begins with a byte order mark', { ...MESSAGE, body: Buffer.from('\ufeffx') }],
    [
      'with characters that SQS refuses',
      { ...MESSAGE, headers: { odd: '\ufffe\uffff\u0001' }, body: Buffer.from('\uffff') },
    ],
  ])('arrive as they were sent: %s', (_, message) => {
    expect(received([message])).toEqual([message])
  })

  it('arrive together, in one piece, with their number', () => {
    const texts = textsFor([MESSAGE, { ...MESSAGE, destination: '/b' }])
    expect(texts.map(arrivedIn)).toEqual([
      { ...PLACE, part: 0, parts: 1, content: [MESSAGE, { ...MESSAGE, destination: '/b' }] },
    ])
  })

  it('arrive together in parts that SNS accepts, if they exceed its limit', () => {
    const messages = Array.from({ length: 20 }, (_, index) => ({ ...MESSAGE, body: Buffer.alloc(65_536, index) }))
    const texts = textsFor([...messages, { ...MESSAGE, body: Buffer.alloc(2 ** 20, 200) }])
    expect(texts.length).toBeGreaterThan(5)
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(262_000)
    // Byte by byte, a megabyte takes a comparison a third of a second.
    const inHex = (all: readonly BusMessage[] = []) =>
      all.map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body).toString('hex') }))
    expect(inHex(received(messages))).toEqual(inHex(messages))
  })

  it('contain only characters that SQS accepts, and arrive unchanged', () => {
    const body = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      anyText().map((text) => Buffer.from(text)),
    )
    const message = fc.record({ destination: anyText(), headers: fc.dictionary(anyText(), anyText()), body })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (messages) => {
        for (const text of textsFor(messages))
          expect(text).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u)
        expect(received(messages)).toEqual(
          messages.map(({ headers, ...rest }) => ({ ...rest, headers: { ...headers } })),
        )
      }),
    )
  })

  const whole = JSON.parse(textsFor([MESSAGE])[0] ?? '')
  const part = { ...PLACE, part: 0, parts: 2, content: 'AAAA' }
  it.each<[string, object]>([
    ['no number', { ...whole, number: undefined }],
    ['a number that is not an integer', { ...whole, number: 1.5 }],
    ['number 0', { ...whole, number: 0 }],
    ['no number of the last one', { ...whole, after: undefined }],
    ['no origin', { ...whole, origin: undefined }],
    ['a body that is not Base64', { ...whole, messages: [{ destination: '/a', headers: {}, base64: '?' }] }],
    ['a header that is not text', { ...whole, messages: [{ destination: '/a', headers: { a: 1 }, text: '' }] }],
    ['an unknown recipient', { ...whole, messages: [{ destination: '/a', user: null, headers: {}, text: '' }] }],
    ['a part of 0', { ...part, parts: 0 }],
    ['too many parts', { ...part, parts: 201 }],
    ['a part that is not Base64', { ...part, content: '?' }],
  ])('Q12 are ignored with %s', (_, text) => {
    expect(readNotification(JSON.stringify(text))).toBeUndefined()
  })

  it.each(['', 'AAAA', Buffer.from('[1]').toString('base64')])(
    'Q12 are ignored with invalid part numbers: %j',
    (content) => {
      expect(messagesIn([content])).toBeUndefined()
    },
  )
})
