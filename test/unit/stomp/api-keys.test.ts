import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../lib/auth/keys/api-key.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { hashOf, WatchCursor } from '../../../lib/webhooks/live/cursor.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryKeys, newApiKey } from '../../support/fakes/keys.ts'
import { stompWorld } from '../../support/stomp-session.ts'

const SUBSCRIBE = 'SUBSCRIBE\nid:0\ndestination:/topic/webhooks\n\n\0'
const connect = (key: string) => `CONNECT\naccept-version:1.2\nx-api-key:${key}\n\n\0`

async function world(changes: Partial<ApiKey> = {}) {
  const keys = new MemoryKeys()
  const { key, text } = newApiKey(changes)
  await keys.add(key)
  const stomp = await stompWorld({ keys })
  const client = stomp.open()

  /** An event of a source changes. */
  function hear(source: string, eventId: string): void {
    const event = { id: '7', source, eventId, eventType: 't', status: 'FAILED', receivedAt: 'now' }
    stomp.feed.hear({ ...event, changeId: `${firstIdAt(START.getTime() + 1)}` })
  }

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      stomp.time.pass(1000)
      await new Promise(setImmediate)
    }
  }

  const messages = () => client.transport.frames.filter(({ command }) => command === 'MESSAGE')
  return { ...stomp, keys, key, text, client, hear, pass, told: () => messages().map(({ body }) => JSON.parse(body)) }
}

describe('a session that a key opened', () => {
  it('belongs to a machine', async () => {
    const { client, key, text } = await world()
    await client.say(connect(text))
    expect(client.last()).toMatchObject({ command: 'CONNECTED', headers: { 'user-name': `key:${key.id}` } })
    expect(client.known).toHaveBeenCalledOnce()
  })

  it('K18 receives the events of its sources, and no others', async () => {
    const { client, hear, text, told } = await world({ sources: ['shop'] })
    await client.say(connect(text) + SUBSCRIBE)
    hear('bank', 'a')
    hear('shop', 'b')
    hear('shopping', 'c')
    await client.say('\n')
    expect(told().map(({ source, eventId }) => [source, eventId])).toEqual([['shop', 'b']])
  })

  it('K18 receives cursors without events of other sources, and resumes with them', async () => {
    const made = await world({ sources: ['shop'] })
    await made.client.say(connect(made.text) + SUBSCRIBE)
    made.hear('bank', 'a')
    made.hear('shop', 'b')
    await made.client.say('\n')
    const [{ cursor }] = made.told()
    expect([...(WatchCursor.read(cursor)?.named ?? [])]).toEqual([hashOf({ source: 'shop', eventId: 'b' })])
    const again = made.open()
    const resume = SUBSCRIBE.replace('\n\n', `\nresume-after:${cursor}\n\n`)
    await again.say(connect(made.text) + resume)
    made.hear('bank', 'd')
    made.hear('shop', 'e')
    await again.say('\n')
    const heard = again.transport.frames.filter(({ command }) => command === 'MESSAGE')
    expect(heard.map(({ body }) => JSON.parse(body).eventId)).toEqual(['e'])
  })

  it('K18 receives a cursor in the RECEIPT without events of other sources, and no filter for one', async () => {
    const { client, hear, text } = await world({ sources: ['shop'] })
    await client.say(connect(text))
    hear('bank', 'a')
    await client.say(SUBSCRIBE.replace('\n\n', '\nreceipt:r\n\n'))
    expect([...(WatchCursor.read(client.last()?.headers['cursor'] ?? '')?.named ?? ['none'])]).toEqual([])
    await client.say(SUBSCRIBE.replace('id:0', 'id:1').replace('\n\n', '\nsource:bank\n\n'))
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({ status: 403 })
  })

  it.each([['SEND\ndestination:/topic/public/a\n\nx\0'], ['SUBSCRIBE\nid:0\ndestination:/topic/deliveries\n\n\0']])(
    'K18 ends with %j',
    async (frame) => {
      const { client, text } = await world()
      await client.say(connect(text) + frame)
      expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({
        status: 403,
        details: { action: frame.slice(0, 4) === 'SEND' ? 'SEND' : 'SUBSCRIBE' },
      })
      expect(client.transport.closes.map(([code]) => code)).toEqual([1008])
    },
  )

  it('K19 continues while the key is valid, and ends within 60 seconds of its deletion', async () => {
    const { client, keys, key, text, time, pass } = await world()
    await client.say(connect(text) + SUBSCRIBE)
    await pass(300)
    expect(client.transport.closes).toEqual([])
    await keys.remove(key.id)
    await pass(60)
    expect(client.last()?.command).toBe('ERROR')
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({
      status: 401,
      message: 'Invalid API key',
      path: '/ws',
    })
    expect(client.transport.closes).toEqual([[1008, 'Invalid API key']])
    expect(time.pending()).toBe(0)
  })

  it('K19 ends with a request to reconnect when the key cannot be verified', async () => {
    const { client, keys, text, pass } = await world()
    await client.say(connect(text) + SUBSCRIBE)
    keys.isDown = true
    await pass(60)
    expect(client.transport.closes.map(([code]) => code)).toEqual([1013])
  })
})

describe('K16 a CONNECT with an invalid key', () => {
  it.each<[string, (text: string) => string]>([
    ['a wrong one', (text) => `${text.slice(0, -3)}AAA`],
    ['an empty one', () => ''],
  ])('is refused: %s', async (_, wrong) => {
    const { client, text, log } = await world()
    await client.say(connect(wrong(text)))
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({
      status: 401,
      message: 'Invalid API key',
      details: { authType: 'API Key', reason: 'Bad credentials' },
    })
    expect(client.transport.closes).toEqual([[1008, 'Invalid API key']])
    expect(JSON.stringify(log.entries)).not.toContain(text.slice(18, 40))
  })
})
