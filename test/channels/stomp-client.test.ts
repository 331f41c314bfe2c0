import { type IMessage, Versions } from '@stomp/stompjs'
import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../lib/runtime/ids.ts'
import { signToken } from '../support/fakes/jwt.ts'
import { virtualTime } from '../support/fakes/timers.ts'
import { receipted } from '../support/stomp-client.ts'
import { adminToken, claimsOf, stompServer, userToken } from '../support/stomp-server.ts'

const bearer = (token: string) => ({ connectHeaders: { Authorization: `Bearer ${token}` } })

/** Collects messages, and resolves once there are so many. */
function inbox(count: number) {
  const messages: IMessage[] = []
  const { promise, resolve } = Promise.withResolvers<readonly IMessage[]>()
  return {
    messages,
    full: promise,
    put(message: IMessage) {
      messages.push(message)
      if (messages.length === count) resolve(messages)
    },
  }
}

describe('a client with a valid token', () => {
  it.each(['1.2', '1.1'])('connects, subscribes, sends and receives in version %s', async (version) => {
    const server = await stompServer()
    const { client } = await server.client({ stompVersions: new Versions([version as '1.2']) })
    expect([client.connected, client.connectedVersion]).toEqual([true, version])
    const received = inbox(2)
    client.subscribe('/topic/public/news', received.put)
    client.publish({ destination: '/topic/public/news', body: 'héllo ✓', headers: { mood: 'good' } })
    client.publish({ destination: '/topic/public/news', binaryBody: new Uint8Array([0, 0xff, 10]) })
    const [text, binary] = await received.full
    expect([text?.body, text?.headers['mood']]).toEqual(['héllo ✓', 'good'])
    expect(binary?.binaryBody).toEqual(new Uint8Array([0, 0xff, 10]))
  })

  it('connects with the token as its passcode', async () => {
    const server = await stompServer()
    const { client } = await server.client({ connectHeaders: { login: 'x', passcode: userToken() } })
    expect(client.connected).toBe(true)
  })

  it('receives a notice before its token ends, and stays connected with a new token of the same user only', async () => {
    const time = virtualTime()
    const server = await stompServer({ time })
    const endingIn = (seconds: number) => signToken(claimsOf({ exp: Math.floor(Date.now() / 1000) + seconds }))
    const { client, refused } = await server.client(bearer(endingIn(70)))
    const send = (destination: string, body: string) =>
      receipted(client, (receipt) => client.publish({ destination, body, headers: { receipt } }))
    const notices = inbox(1)
    await receipted(client, (receipt) => client.subscribe('/user/queue/notices', notices.put, { receipt }))
    time.pass(15_000)
    const [notice] = await notices.full
    expect(JSON.parse(notice?.body ?? '')).toEqual({ type: 'token-expiring', expiresAt: expect.any(String) })
    await send('/app/token', endingIn(3600))
    for (let round = 0; round < 5; round++) {
      time.pass(19_000)
      await send('/topic/public/a', 'still here')
    }
    client.publish({ destination: '/app/token', body: userToken('bob') })
    expect((await refused).code).toBe(1002)
  })

  it('receives a receipt for each frame that requests one, and for its DISCONNECT', async () => {
    const { client } = await (await stompServer()).client()
    await receipted(client, (receipt) => client.subscribe('/topic/public/a', () => {}, { receipt }))
    await receipted(client, (receipt) =>
      client.publish({ destination: '/topic/public/a', body: 'x', headers: { receipt } }),
    )
    await client.deactivate()
    expect(client.connected).toBe(false)
  })

  it('sees all messages of a transaction or none', async () => {
    const { client } = await (await stompServer()).client()
    const received = inbox(3)
    client.subscribe('/topic/public/a', received.put)
    const aborted = client.begin()
    client.publish({ destination: '/topic/public/a', body: 'never', headers: { transaction: aborted.id } })
    aborted.abort()
    const committed = client.begin()
    for (const body of ['1', '2']) {
      client.publish({ destination: '/topic/public/a', body, headers: { transaction: committed.id } })
    }
    client.publish({ destination: '/topic/public/a', body: '0' })
    committed.commit()
    expect((await received.full).map(({ body }) => body)).toEqual(['0', '1', '2'])
  })

  it.each(['client', 'client-individual'])('acknowledges in mode %s and receives further messages', async (ack) => {
    const { client } = await (await stompServer({ limits: { unacknowledged: 1 } })).client()
    const received = inbox(3)
    client.subscribe('/topic/public/a', received.put, { ack })
    await receipted(client, (receipt) => {
      for (const body of ['1', '2', '3']) client.publish({ destination: '/topic/public/a', body, headers: { receipt } })
    })
    expect(received.messages.length).toBe(1)
    received.messages[0]?.ack()
    await receipted(client, (receipt) =>
      client.publish({ destination: '/topic/public/b', body: '', headers: { receipt } }),
    )
    received.messages[1]?.nack()
    expect((await received.full).map(({ body }) => body)).toEqual(['1', '2', '3'])
  })

  it('exchanges heart-beats, and stays connected', async () => {
    const beats = { PING: 0, PONG: 0 }
    const enough = Promise.withResolvers<void>()
    const { client } = await (await stompServer({ limits: { heartBeat: 300 } })).client({
      heartbeatIncoming: 300,
      heartbeatOutgoing: 300,
      debug(line) {
        if (line === '>>> PING') beats.PING += 1
        if (line === '<<< PONG') beats.PONG += 1
        if (beats.PING > 5 && beats.PONG > 5) enough.resolve()
      },
    })
    await enough.promise
    expect(client.connected).toBe(true)
  })

  it('receives webhook events as an admin', async () => {
    const server = await stompServer()
    const { client } = await server.client(bearer(adminToken()))
    const received = inbox(1)
    await receipted(client, (receipt) => client.subscribe('/topic/webhooks', received.put, { receipt }))
    const change = { id: '7', source: 'stripe', eventId: 'e', eventType: 't', status: 'PROCESSED', receivedAt: 'now' }
    server.feed.hear({ ...change, changeId: `${firstIdAt(Date.now())}` })
    const [message] = await received.full
    const cursor = server.feed.cursor()
    expect(JSON.parse(message?.body ?? '')).toEqual({ cursor, ...change })
  })

  it('receives deliveries that are given up as an admin', async () => {
    const server = await stompServer()
    const { client } = await server.client(bearer(adminToken()))
    const received = inbox(1)
    await receipted(client, (receipt) => client.subscribe('/topic/deliveries', received.put, { receipt }))
    const death = {
      source: 'stripe',
      eventId: 'evt_1',
      destination: 'crm',
      status: 'DEAD',
      answer: 'HTTP 503',
    } as const
    await server.announce({ kind: 'delivery', ...death, at: '2026-01-02T03:04:05.000' })
    const [message] = await received.full
    expect(JSON.parse(message?.body ?? '')).toEqual({ ...death, at: '2026-01-02T03:04:05.000' })
    expect(message?.headers).not.toHaveProperty('sender')
  })
})

describe('a client that is connected is refused', () => {
  it('T06 when its token expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2
    const { client, refused } = await (await stompServer()).client(bearer(signToken(claimsOf({ exp }))))
    expect(client.connected).toBe(true)
    const { frame, code } = await refused
    expect([code, frame.headers['token-status']]).toEqual([1008, 'EXPIRED'])
    expect(frame.headers['expired-at']).toBe(new Date(exp * 1000).toISOString())
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000)
  })

  it('with the violated rule in the ERROR and in the close', async () => {
    const { client, refused } = await (await stompServer()).client()
    client.subscribe('/topic/public/a', () => {}, { ack: 'sometimes' as 'auto' })
    const { frame, code, reason } = await refused
    const rule = 'frame: ack must be auto, client or client-individual'
    expect([frame.headers['message'], code, reason]).toEqual([rule, 1002, rule])
  })
})
