import { describe, expect, it } from 'vitest'
import { contentOf, messageText } from '../../../lib/messages/message-row.ts'
import { messagesIn } from '../../../lib/messages/tail.ts'

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
