import { type IMessage, Versions } from '@stomp/stompjs'
import { expect, it } from 'vitest'
import { stompServer } from '../support/stomp-server.ts'

it.each(['1.2', '1.1'])(
  'a client with a valid token connects, subscribes, sends and receives in version %s',
  async (version) => {
    const server = await stompServer()
    const { client } = await server.client({ stompVersions: new Versions([version as '1.2']) })
    expect([client.connected, client.connectedVersion]).toEqual([true, version])
    const received: IMessage[] = []
    client.subscribe('/topic/public/news', (message) => received.push(message))
    client.publish({ destination: '/topic/public/news', body: 'héllo ✓', headers: { mood: 'good' } })
    client.publish({ destination: '/topic/public/news', binaryBody: new Uint8Array([0, 0xff, 10]) })
    await expect.poll(() => received.length).toBe(2)
    const [text, binary] = received
    expect([text?.body, text?.headers['mood']]).toEqual(['héllo ✓', 'good'])
    expect(binary?.binaryBody).toEqual(new Uint8Array([0, 0xff, 10]))
  },
)

it('a client that violates a rule is refused with it in the ERROR and in the close', async () => {
  const { client, refused } = await (await stompServer()).client()
  client.subscribe('/topic/public/a', () => {}, { ack: 'sometimes' as 'auto' })
  const { frame, code, reason } = await refused
  const rule = 'frame: ack must be auto, client or client-individual'
  expect([frame.headers['message'], code, reason]).toEqual([rule, 1002, rule])
})
