import { describe, expect, it } from 'vitest'
import { MAXIMUM_BODY_BYTES, snsBroadcast } from '../../../../lib/adapters/fan-out/broadcast.ts'
import { readNotification } from '../../../../lib/adapters/fan-out/notification.ts'
import type { ServiceMessage } from '../../../../lib/messages/send.ts'

const MESSAGE: ServiceMessage = {
  id: 'm-1',
  destination: '/topic/public/a',
  headers: { 'content-type': 'text/plain', sender: 'admin' },
  body: Buffer.from('grüß \u0000 Gott'),
}

/** SNS, which fails so often. */
function sns(failures = 0) {
  const taken: (readonly unknown[])[] = []
  let left = failures
  const broadcast = snsBroadcast(async (...publication) => {
    taken.push(publication)
    left -= 1
    if (left >= 0) throw new Error('SNS answered 500')
  }, 'arn:messages')
  return { taken, broadcast, texts: () => taken.map(([, text]) => String(text)) }
}

describe('a message of the service, between instances', () => {
  it.each<[string, ServiceMessage]>([
    ['for all', MESSAGE],
    ['for one account', { ...MESSAGE, user: 'zoë' }],
    ['without a body', { ...MESSAGE, body: Buffer.alloc(0) }],
    ['with characters that SQS refuses', { ...MESSAGE, headers: { sender: '\uffff' }, body: Buffer.from('\ufffe') }],
    ['of the largest body', { ...MESSAGE, body: Buffer.alloc(MAXIMUM_BODY_BYTES) }],
  ])('arrives as it was sent: %s', async (_, message) => {
    const { broadcast, texts } = sns()
    await broadcast.publish(message)
    const [text = ''] = texts()
    expect(readNotification(text)).toEqual({ kind: 'broadcast', message })
    expect(Buffer.byteLength(text)).toBeLessThan(262_144)
    expect(text).not.toMatch(/[\ufffe\uffff]/)
  })

  it('names the service as its origin, which passes the filters of all instances', async () => {
    const { broadcast, taken } = sns()
    await broadcast.publish(MESSAGE)
    expect(taken).toMatchObject([['arn:messages', expect.any(String), { origin: 'm-1' }]])
  })

  it('is sent once more under the same id after a failure', async () => {
    const { broadcast, texts } = sns(1)
    await broadcast.publish(MESSAGE)
    expect(texts()).toEqual([texts()[0], texts()[0]])
  })

  it('is refused if it is too large for SNS', async () => {
    const { broadcast, texts } = sns(2)
    const refusal = { code: 'UNAVAILABLE', cause: new Error('SNS answered 500') }
    await expect(broadcast.publish(MESSAGE)).rejects.toMatchObject(refusal)
    expect(texts()).toHaveLength(2)
  })

  it.each<[string, object]>([
    ['no id', { message: { destination: '/a', headers: {}, text: '' } }],
    ['no message', { messageId: 'm' }],
    ['no destination', { messageId: 'm', message: { headers: {}, text: '' } }],
    ['a body that is not Base64', { messageId: 'm', message: { destination: '/a', headers: {}, base64: '?' } }],
  ])('Q12 is ignored with %s', (_, text) => {
    expect(readNotification(JSON.stringify(text))).toBeUndefined()
  })
})
