import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import type { BusMessage } from '../../../lib/messages/message.ts'
import { VERSIONS } from '../../../lib/stomp/codec/frame.ts'
import { messageBytes } from '../../../lib/stomp/subscriptions.ts'

const destination = '/topic/public/news'

function messageOf(body: string): BusMessage {
  return { destination, headers: { kind: 'a:b' }, body: Buffer.from(body) }
}

const [FIRST, SECOND] = [messageOf('first'), messageOf('second')]

it('every receiver gets its own and the common headers, in its version, in any order of receivers', () => {
  for (const version of VERSIONS) {
    for (const [subscription, message] of [
      ['s:0', FIRST],
      ['s:1', FIRST],
      ['s:0', SECOND],
      ['s:1', FIRST],
    ] as const) {
      const colon = '\\c'
      const own = `subscription:${subscription.replace(':', colon)}\nmessage-id:1-1\n`
      const length = `content-length:${message.body.length}`
      expect(
        Buffer.from(messageBytes(message, { subscription, 'message-id': '1-1', ack: undefined }, version)),
      ).toEqual(
        Buffer.from(
          `MESSAGE\n${own}kind:a${colon}b\ndestination:${destination}\n${length}\n\n${Buffer.from(message.body)}\0`,
        ),
      )
    }
  }
})
