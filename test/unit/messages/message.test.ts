import { describe, expect, it } from 'vitest'
import { contentOf, messageOf, messageText } from '../../../lib/messages/message.ts'
import { messagesIn } from '../../../lib/messages/tail.ts'
import { deadDelivery } from '../../../lib/webhooks/live/announcement.ts'
import { START } from '../../support/fakes/clock.ts'

const BODIES: readonly (readonly [string, Uint8Array])[] = [
  ['text', Buffer.from('zoë 😀 "\u2028"')],
  ['no UTF-8', Uint8Array.of(0, 255, 192, 128)],
  ['control characters', new Uint8Array(300)],
  ['nothing', new Uint8Array()],
  ['a part of a larger buffer', Buffer.from('--part--').subarray(2, 6)],
]

describe('messages in a row', () => {
  it.each(BODIES)('are read as they were written: %s', (_, body) => {
    const messages = [
      { destination: '/a', user: 'zoë', headers: { 'x.\u0000': '\uffff' }, body },
      { destination: '/b', headers: {}, body },
    ]
    const read = messagesIn(contentOf(messages.map(messageText)))
    expect(read?.map((message) => ({ ...message, body: Uint8Array.from(message.body) }))).toEqual(
      messages.map((message) => ({ ...message, body: Uint8Array.from(body) })),
    )
  })

  it('take no more than four thirds of a body, whatever it is', () => {
    for (const byte of [0, 34, 65, 255]) {
      const text = messageText({ destination: '/a', headers: {}, body: new Uint8Array(180_000).fill(byte) })
      expect(Buffer.byteLength(text), String(byte)).toBeLessThan(240_100)
    }
  })

  it.each(['', 'null', '[1]', '[{"destination":"/a"}]', '[{"destination":"/a","headers":{},"base64":"*"}]'])(
    'are none when nobody of us wrote them: %s',
    (content) => {
      expect(messagesIn(content)).toBeUndefined()
    },
  )
})

const AT = '2026-01-02T03:04:05.000'
const NOTICE = { type: 'retry-finished', source: 'stripe', eventId: 'evt_1', status: 'FAILED', at: AT } as const

const saidIn = ({ body }: { readonly body: Uint8Array }) => JSON.parse(Buffer.from(body).toString())

it('a delivery that is given up is told to the subscribers of deliveries', () => {
  const message = messageOf(deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START))
  expect(message).toMatchObject({ destination: '/topic/deliveries', headers: { 'content-type': 'application/json' } })
  expect(message).not.toHaveProperty('user')
  expect(saidIn(message)).toEqual({
    source: 'stripe',
    eventId: 'evt_1',
    destination: 'crm',
    status: 'DEAD',
    answer: 'HTTP 503',
    at: AT,
  })
})

it('the end of an order is sent to the account that gave it, without its id in the message', () => {
  const message = messageOf({ kind: 'order', orderedBy: 'id-1', notice: NOTICE })
  expect(message).toMatchObject({ destination: '/user/queue/notices', user: 'id-1' })
  expect(saidIn(message)).toEqual(NOTICE)
})
