import { Buffer } from 'node:buffer'
import { describe, expect, it, vi } from 'vitest'
import { fail, unavailable } from '../../../lib/errors.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { watchCursorOf } from '../../../lib/webhooks/live/cursor.ts'
import { inProcessBus } from '../../support/fakes/bus.ts'
import { START } from '../../support/fakes/clock.ts'
import { FIRST_KEY, FOREIGN_KEY, HEADER, SECOND_KEY, signToken } from '../../support/fakes/jwt.ts'
import type { RecordingTransport } from '../../support/fakes/transport.ts'
import { stompWorld, tokenOf } from '../../support/stomp-session.ts'

const NOW = START.getTime() / 1000
const CLAIMS = { sub: 'alice', role: 'ROLE_USER', iat: NOW, exp: NOW + 3600 }

const subscribe = (destination: string, id = '0', more = '') =>
  `SUBSCRIBE\nid:${id}\ndestination:${destination}\n${more}\n\0`
const send = (destination: string, body = 'hello', more = '') => `SEND\ndestination:${destination}\n${more}\n${body}\0`

type World = Awaited<ReturnType<typeof stompWorld>>
type Client = Awaited<ReturnType<World['connected']>>

/** The last frame is an ERROR with that error shape, and the transport is closed. */
function expectRefused(client: Client, status: number, closeCode: number, headers: object = {}) {
  const error = client.last()
  expect(error?.command).toBe('ERROR')
  expect(JSON.parse(error?.body ?? '')).toMatchObject({ status, path: '/ws' })
  expect(error?.headers).toMatchObject({ 'content-type': 'application/json', ...headers })
  expect(client.transport.closes.map(([code]) => code)).toEqual([closeCode])
}

describe('T01 before CONNECT', () => {
  it.each([
    ['SUBSCRIBE', subscribe('/topic/public/a')],
    ['SEND with a token', `SEND\naccept-version:1.2\ndestination:/topic/public/a\npasscode:${tokenOf('alice')}\n\n\0`],
    ['CONNECT without a token', 'CONNECT\naccept-version:1.2\n\n\0'],
    ['CONNECT with an empty token', 'CONNECT\naccept-version:1.2\nAuthorization:Bearer \n\n\0'],
  ])('%s is refused as MISSING', async (_, bytes) => {
    const world = await stompWorld()
    const client = world.open()
    await client.say(bytes)
    expectRefused(client, 401, 1008, { 'token-status': 'MISSING' })
    expect(world.time.pending()).toBe(0)
  })

  it.each([
    ['MALFORMED', 'a.b'],
    ['INVALID_SIGNATURE', signToken(CLAIMS, HEADER, FOREIGN_KEY)],
  ])('CONNECT with a token that is %s is refused, and later frames are ignored', async (status, token) => {
    const world = await stompWorld()
    const listener = await world.connected('bob')
    await listener.say(subscribe('/topic/public/a'))
    const client = world.open()
    await client.say(world.connectWith(token) + send('/topic/public/a') + subscribe('/topic/public/a'))
    await client.say(send('/topic/public/a'))
    expectRefused(client, 401, 1008, { 'token-status': status, message: 'Invalid or expired JWT token' })
    expect(client.commands()).toEqual(['ERROR'])
    expect(listener.commands()).toEqual(['CONNECTED'])
  })

  it('CONNECT with an expired token is refused with the time of its end', async () => {
    const world = await stompWorld()
    const client = world.open()
    await client.say(world.connectWith(tokenOf('alice', 'ROLE_USER', -5)))
    const expiredAt = new Date((NOW - 5) * 1000).toISOString()
    expectRefused(client, 401, 1008, { 'token-status': 'EXPIRED', 'expired-at': expiredAt })
  })

  it('T12 there are 5 seconds', async () => {
    const world = await stompWorld()
    const client = world.open()
    await client.say('CONNECT\n')
    world.time.pass(4999)
    expect(client.transport.closes).toEqual([])
    world.time.pass(1)
    expectRefused(client, 401, 1008, { 'token-status': 'MISSING' })
  })

  it('T04 no more than 8 KiB arrive before it, while the token is checked as well', async () => {
    const world = await stompWorld()
    const client = world.open()
    client.session.receive(Buffer.from(world.connectWith(tokenOf('alice'))))
    for (let count = 0; count < 8; count++) client.session.receive(Buffer.alloc(1024, '\n'))
    await client.say('')
    expectRefused(client, 413, 1009)
    expect(client.commands()).toEqual(['ERROR'])
  })

  it('T04 no more than 8 KiB arrive before it, in header lines of which none is too long', async () => {
    const world = await stompWorld()
    const client = world.open()
    await client.say('CONNECT\n')
    for (let line = 0; line < 4; line++) await client.say(`x-${line}:${'x'.repeat(2048)}\n`)
    expectRefused(client, 413, 1009)
  })

  it('T08 a place without a token is given up only after the token is valid', async () => {
    const world = await stompWorld({ connections: 1 })
    const [first, second] = [world.open(), world.open()]
    await first.say('CONNECT\naccept-version:1.2\n')
    expect(first.known).not.toHaveBeenCalled()
    await first.say(`Authorization:Bearer ${tokenOf('alice')}\n\n\0`)
    expect(first.known).toHaveBeenCalledOnce()
    await second.say(world.connectWith(tokenOf('bob')))
    expectRefused(second, 503, 1013)
    expect(second.known).not.toHaveBeenCalled()
  })

  it('a client that disconnects while its token is checked is not admitted', async () => {
    const world = await stompWorld({ connectionsPerUser: 1 })
    const client = world.open()
    client.session.receive(Buffer.from(world.connectWith(tokenOf('alice'))))
    client.session.closed()
    await client.say('')
    expect([client.transport.frames, world.time.pending()]).toEqual([[], 0])
    expect((await world.connected()).commands()).toEqual(['CONNECTED'])
  })
})

describe('CONNECT with a valid token', () => {
  const good = tokenOf('alice')

  it.each([
    ['STOMP', `STOMP\naccept-version:1.2\nauthorization:bearer ${good}\n\n\0`, '1.2'],
    ['the passcode', `CONNECT\naccept-version:1.1,1.0\nlogin:x\npasscode:${good}\n\n\0`, '1.1'],
  ])('by %s is answered with CONNECTED', async (_, bytes, version) => {
    const client = (await stompWorld()).open()
    await client.say(bytes)
    expect(client.transport.frames).toEqual([
      {
        command: 'CONNECTED',
        headers: {
          version,
          'heart-beat': '10000,10000',
          session: 'unique-1',
          server: 'gatehouse',
          'user-name': 'alice',
        },
        body: '',
      },
    ])
  })

  it('that accepts no supported version is refused with the supported ones', async () => {
    const client = (await stompWorld()).open()
    await client.say(`CONNECT\naccept-version:1.0\nAuthorization:Bearer ${good}\n\n\0`)
    expectRefused(client, 400, 1002, { version: '1.1,1.2' })
    expect(client.last()?.body).toContain('Supported protocol versions are 1.1 1.2')
  })

  it('delays later frames until CONNECTED, byte by byte as well', async () => {
    const world = await stompWorld()
    const client = world.open()
    const bytes = Buffer.from(
      world.connectWith(good) + subscribe('/topic/public/a', '0', 'receipt:r\n') + send('/topic/public/a'),
    )
    for (const byte of bytes) client.session.receive(Buffer.from([byte]))
    await client.say('')
    expect(client.commands()).toEqual(['CONNECTED', 'RECEIPT', 'MESSAGE'])
  })

  it('T06 a second CONNECT is refused', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(world.connectWith(tokenOf('admin', 'ROLE_ADMIN')))
    expectRefused(client, 400, 1002)
  })

  it('T06 the session ends with its token', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(subscribe('/topic/public/a'))
    world.time.pass(3_599_999)
    expect(client.transport.closes).toEqual([])
    world.time.pass(1)
    expectRefused(client, 401, 1008, { 'token-status': 'EXPIRED', 'expired-at': '2026-01-02T04:04:05.000Z' })
    expect(world.time.pending()).toBe(0)
  })

  it('T06 no frame is accepted after the end of its token, even if the timer is late', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    world.time.clock.advance(3_600_000)
    await client.say(send('/topic/public/a'))
    expectRefused(client, 401, 1008, { 'token-status': 'EXPIRED' })
  })

  /** Two regular looks at the credentials. */
  async function passAMinute({ time }: Awaited<ReturnType<typeof stompWorld>>, client: { say(text: string): unknown }) {
    for (let look = 0; look < 2; look++) {
      time.pass(30_000)
      await client.say('\n')
    }
  }

  it('T06 the session ends within a minute after the key of its token is removed from the ring', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await passAMinute(world, client)
    world.useKeys(SECOND_KEY, FIRST_KEY)
    await passAMinute(world, client)
    expect(client.transport.closes).toEqual([])
    world.useKeys(SECOND_KEY)
    await passAMinute(world, client)
    expectRefused(client, 401, 1008, { 'token-status': 'INVALID_SIGNATURE' })
    expect(world.time.pending()).toBe(0)
  })

  it('T08 a user has a limited number of sessions, and a place is free again after each', async () => {
    const world = await stompWorld({ connectionsPerUser: 1 })
    const first = await world.connected()
    expect((await world.connected('bob')).commands()).toEqual(['CONNECTED'])
    expectRefused(await world.connected(), 429, 1013, { 'retry-after': '5' })
    first.session.closed()
    first.session.closed()
    expect((await world.connected()).commands()).toEqual(['CONNECTED'])
    expectRefused(await world.connected(), 429, 1013)
  })
})

describe('T05 destinations', () => {
  it.each([
    ['ROLE_USER', 'SUBSCRIBE', '/topic/webhooks', 'ROLE_REQUIRED'],
    ['ROLE_ADMIN', 'SEND', '/topic/webhooks', 'closed'],
    ['ROLE_ADMIN', 'SUBSCRIBE', '/topic/public/a\\n', 'closed'],
    ['ROLE_ADMIN', 'SEND', '/user/alice/queue/a', 'closed'],
    ['ROLE_ADMIN', 'SUBSCRIBE', '/user/queue/a\\nalice', 'closed'],
  ])('%s may not %s %s', async (role, command, destination, why) => {
    const client = await (await stompWorld()).connected('bob', role)
    await client.say(`${command}\nid:1\ndestination:${destination}\nreceipt:r\n\n\0`)
    expectRefused(client, 403, 1008, { 'receipt-id': 'r' })
    const { details } = JSON.parse(client.last()?.body ?? '')
    expect(details).toMatchObject({ action: command })
    expect('requiredRole' in details).toBe(why === 'ROLE_REQUIRED')
  })

  it('T13 a message names its origin as the server knows it, whatever the headers of its sender', async () => {
    const world = await stompWorld()
    const [alice, bob] = [await world.connected('alice'), await world.connected('bob')]
    await alice.say(subscribe('/topic/public/news', 'a'))
    const forged = [
      'x-mood:good',
      'content-type:text/plain',
      'Authorization:secret',
      'subscription:other',
      'message-id:7-7',
      'ack:7-7',
      'Destination:/topic/webhooks',
      'sender:root',
      'Sender:root',
      'user-name:root',
      'server:gatehouse',
      'SESSION:1',
      'version:1.2',
      'heart-beat:0,0',
      'redelivered:true',
      'receipt-id:1',
      'sen\\cder:root',
      ' sender:root',
      'sender :root',
      'passcode:secret',
      'X-Api-Key:secret',
      'login:root',
      'odd name:x',
      `${'x'.repeat(65)}:x`,
      'note:a\\nack\\c1-1\\n\\nMESSAGE',
    ]
    await bob.say(send('/topic/public/news', 'hi', `${forged.join('\n')}\n`))
    expect(alice.transport.frames.slice(1)).toEqual([
      {
        command: 'MESSAGE',
        headers: {
          'x-mood': 'good',
          'content-type': 'text/plain',
          note: 'a\nack:1-1\n\nMESSAGE',
          sender: 'bob',
          subscription: 'a',
          'message-id': '1-1',
          destination: '/topic/public/news',
          'content-length': '2',
        },
        body: 'hi',
      },
    ])
  })

  it('/user/queue belongs to each user', async () => {
    const world = await stompWorld()
    const [one, other, bob] = [await world.connected(), await world.connected(), await world.connected('bob')]
    for (const client of [one, other, bob]) await client.say(subscribe('/user/queue/a'))
    await one.say(send('/user/queue/a'))
    expect([one, other, bob].map((client) => client.commands().length)).toEqual([2, 2, 1])
    expect(one.last()?.headers['destination']).toBe('/user/queue/a')
  })

  it('a subscribed admin receives webhook events', async () => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks'))
    const change = { id: '7', source: 'stripe', eventId: 'e', eventType: 't', status: 'FAILED', receivedAt: 'now' }
    world.feed.hear({ ...change, changeId: `${firstIdAt(START.getTime())}` })
    await admin.say('\n')
    const cursor = world.feed.cursor()
    expect(admin.last()?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(JSON.parse(admin.last()?.body ?? '')).toEqual({ cursor, ...change })
  })
})

describe('a SUBSCRIBE to webhook events', () => {
  const CHANGES = [
    ['stripe', 'payment', 'FAILED'],
    ['stripe', 'refund', 'PROCESSED'],
    ['github', 'payment', 'RETRY'],
    ['stripe-eu', 'payment', 'FAILED'],
  ] as const

  it.each<[string, readonly number[]]>([
    ['source:stripe\n', [0, 1]],
    ['status:RETRY,PROCESSED\n', [1, 2]],
    ['source:stripe\ntype:payment\nstatus:FAILED\n', [0]],
    ['type:\n', []],
    ['', [0, 1, 2, 3]],
  ])('receives the events that its headers select: %j', async (headers, expected) => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks', '0', headers))
    for (const [index, [source, eventType, status]] of CHANGES.entries()) {
      const changeId = `${firstIdAt(START.getTime()) + BigInt(index)}`
      world.feed.hear({ id: '7', source, eventId: `${index}`, eventType, status, receivedAt: 'now', changeId })
    }
    await admin.say('\n')
    const heard = admin.transport.frames.filter(({ command }) => command === 'MESSAGE')
    expect(heard.map(({ body }) => Number(JSON.parse(body).eventId))).toEqual(expected)
  })

  it.each(['DEAD', 'failed', '', 'FAILED,', 'FAILED, RETRY'])('T07 is refused with the status %j', async (status) => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks', '0', `status:${status}\n`))
    expect(admin.last()?.body).toContain('status must be one or several of RECEIVED,PROCESSING,PROCESSED,FAILED,RETRY')
    expect(admin.transport.closes.map(([code]) => code)).toEqual([1002])
  })
})

/** A cursor that only the store can tell something after. */
const LONG_AGO = watchCursorOf(1n, [])

describe('resume-after', () => {
  const changed = (eventId: string, part: number) => ({
    ...{ id: '7', source: 'stripe', eventId, eventType: 't', status: 'FAILED', receivedAt: 'now' },
    changeId: `${firstIdAt(START.getTime()) + BigInt(part)}`,
  })
  const eventIds = (client: { readonly transport: RecordingTransport }) =>
    client.transport.frames.flatMap(({ command, body }) => (command === 'MESSAGE' ? [JSON.parse(body).eventId] : []))

  it('continues from the cursor of the RECEIPT, even if no event was sent before', async () => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks', '0', 'receipt:r\n'))
    const { cursor = '', ...rest } = admin.last()?.headers ?? {}
    expect([rest, cursor]).toEqual([{ 'receipt-id': 'r' }, world.feed.cursor()])
    admin.session.closed()
    world.reader.put(changed('missed', 1))
    world.feed.hear(changed('missed', 1))
    const again = await world.connected('root', 'ROLE_ADMIN')
    await again.say(subscribe('/topic/webhooks', '0', `receipt:r\nresume-after:${cursor}\n`))
    await again.say('\n')
    expect(again.transport.frames.find(({ command }) => command === 'RECEIPT')?.headers).toEqual({
      'receipt-id': 'r',
      cursor,
    })
    expect(eventIds(again)).toEqual(['missed'])
  })

  it('has no cursor in the RECEIPT of a topic without history', async () => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/public/a', '0', 'receipt:r\n'))
    expect(admin.last()?.headers).toEqual({ 'receipt-id': 'r' })
  })

  it('waits for acknowledgements', async () => {
    const world = await stompWorld({ limits: { unacknowledged: 2, keptBytes: 0 } })
    for (const part of [1, 2, 3]) world.reader.put(changed(`e-${part}`, part))
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks', '0', `ack:client\nresume-after:${LONG_AGO}\n`))
    expect(eventIds(admin)).toEqual(['e-1', 'e-2'])
    await admin.say(`ACK\nid:${admin.last()?.headers['ack']}\n\n\0`)
    expect(eventIds(admin)).toEqual(['e-1', 'e-2', 'e-3'])
  })

  it('waits for a client that reads slowly', async () => {
    const world = await stompWorld()
    for (const part of [1, 2, 3]) world.reader.put(changed(`e-${part}`, part))
    const admin = await world.connected('root', 'ROLE_ADMIN')
    admin.transport.bytesBuffered = 2 ** 17
    await admin.say(subscribe('/topic/webhooks', '0', `resume-after:${LONG_AGO}\n`))
    world.time.pass(1000)
    await admin.say('\n')
    expect(eventIds(admin)).toEqual(['e-1'])
    admin.transport.bytesBuffered = 0
    world.time.pass(20)
    await admin.say('\n')
    expect(eventIds(admin)).toEqual(['e-1', 'e-2', 'e-3'])
  })

  it.each([
    ['a text that is not a cursor', '/topic/webhooks', 'nonsense', 'resume-after must be the cursor of a message'],
    ['another destination', '/topic/public/a', 'AAAAAAAAAAA', 'resume-after is for the changes of webhook events'],
  ])('T07 is refused with %s', async (_, destination, cursor, message) => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe(destination, '0', `resume-after:${cursor}\n`))
    expect(admin.last()?.body).toContain(message)
    expect(admin.transport.closes).toEqual([[1002, `frame: ${message}`]])
  })

  it('ends when the history cannot be read: 1013, so that the client reconnects', async () => {
    const world = await stompWorld()
    world.reader.failure = unavailable(new Error('down'))
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks', '0', `resume-after:${LONG_AGO}\n`))
    expect(admin.transport.closes).toEqual([[1013, 'Service temporarily unavailable']])
  })

  it('an ended session receives no more events', async () => {
    const world = await stompWorld()
    const admin = await world.connected('root', 'ROLE_ADMIN')
    await admin.say(subscribe('/topic/webhooks'))
    admin.session.closed()
    world.feed.hear(changed('e-1', 1))
    await admin.say('\n')
    expect(eventIds(admin)).toEqual([])
    expect(world.time.pending()).toBe(0)
  })
})

describe('subscriptions', () => {
  it('end, and their id is free again', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(`${subscribe('/topic/public/a')}UNSUBSCRIBE\nid:0\n\n\0${send('/topic/public/a')}`)
    await client.say(subscribe('/topic/public/b') + send('/topic/public/b'))
    expect(client.commands()).toEqual(['CONNECTED', 'MESSAGE'])
  })

  it('T11 are at most 64', async () => {
    const client = await (await stompWorld()).connected()
    for (let id = 0; id < 64; id++) await client.say(subscribe('/topic/public/a', String(id)))
    expect(client.transport.closes).toEqual([])
    await client.say(subscribe('/topic/public/a', '64'))
    expectRefused(client, 429, 1013, { 'retry-after': '1' })
  })

  it('end with their session', async () => {
    const world = await stompWorld()
    const subscribed = vi.spyOn(world.broker, 'subscribe')
    const client = await world.connected()
    await client.say(subscribe('/topic/public/a'))
    const cancel = vi.fn()
    subscribed.mockReturnValue(cancel)
    await client.say(subscribe('/topic/public/b', '1'))
    client.session.closed()
    expect(cancel).toHaveBeenCalledOnce()
    await world.bus.publish([{ destination: '/topic/public/a', headers: {}, body: Buffer.from('x') }])
    expect(client.commands()).toEqual(['CONNECTED'])
  })
})

describe('acknowledgment', () => {
  it('names the message completely', async () => {
    const client = await (await stompWorld()).connected()
    for (let id = 1; id <= 12; id++) await client.say(subscribe(`/topic/public/${id}`, String(id), 'ack:client\n'))
    await client.say(send('/topic/public/12') + send('/topic/public/1'))
    await client.say('ACK\nid:12-1\nreceipt:r\n\n\0')
    expect(client.last()?.headers).toEqual({ 'receipt-id': 'r' })
    await client.say('ACK\nid:12-1\n\n\0')
    expectRefused(client, 400, 1002)
  })

  it.each(['', '1', '1-', '-1', 'x1-1', '1-1x', '1-2', '2-1'])('of %j matches no message', async (id) => {
    for (const command of ['ACK', 'NACK']) {
      const { client, publish } = await receiving('client')
      await publish(1)
      await client.say(`${command}\nid:${id}\n\n\0`)
      expectRefused(client, 400, 1002)
      expect(client.last()?.body).toContain(`${command} must name a message that waits for it`)
    }
  })

  it('does not apply to the client’s own frames', async () => {
    const { client, publish } = await receiving('client', { frameBurst: 2, framesPerSecond: 1 })
    await publish(20)
    for (let message = 1; message <= 20; message++) {
      await client.say(`${message % 2 === 0 ? 'ACK' : 'NACK'}\nid:1-${message}\n\n\0`)
    }
    expect(client.transport.closes).toEqual([])
  })

  async function receiving(mode: string, limits = {}, version = '1.2') {
    const world = await stompWorld({ limits })
    const client = world.open()
    await client.say(`CONNECT\naccept-version:${version}\npasscode:${tokenOf('alice')}\n\n\0`)
    await client.say(subscribe('/topic/public/a', 's', `ack:${mode}\n`))
    const publish = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await world.bus.publish([{ destination: '/topic/public/a', headers: {}, body: Buffer.from('x') }])
      }
    }
    const messages = () => client.transport.frames.filter(({ command }) => command === 'MESSAGE').length
    return { client, publish, messages }
  }

  it.each([
    ['client', '1-2', 4],
    ['client-individual', '1-2', 3],
  ])('in mode %s of %s leads to up to %i messages with a window of 2', async (mode, id, expected) => {
    for (const command of ['ACK', 'NACK']) {
      const { client, publish, messages } = await receiving(mode, { unacknowledged: 2 })
      await publish(5)
      expect(messages()).toBe(2)
      expect(client.last()?.headers['ack']).toBe('1-2')
      await client.say(`${command}\nid:${id}\n\n\0`)
      expect(messages()).toBe(expected)
    }
  })

  it('is not necessary in mode auto', async () => {
    const { client, publish, messages } = await receiving('auto', { unacknowledged: 2 })
    await publish(5)
    expect(messages()).toBe(5)
    expect(client.last()?.headers).not.toHaveProperty('ack')
    await client.say('ACK\nid:1-5\n\n\0')
    expectRefused(client, 400, 1002)
  })

  it('in 1.1 names message and subscription', async () => {
    const { client, publish, messages } = await receiving('client', { unacknowledged: 1 }, '1.1')
    await publish(3)
    expect(client.last()?.headers).not.toHaveProperty('ack')
    await client.say('ACK\nmessage-id:1-1\nsubscription:s\n\n\0')
    expect(messages()).toBe(2)
    await client.say('NACK\nmessage-id:1-2\nsubscription:other\n\n\0')
    expectRefused(client, 400, 1002)
  })

  it('is no longer due for a subscription that has ended, which makes space for further messages', async () => {
    const { client, publish } = await receiving('client', { unacknowledged: 1, keptBytes: 5000 })
    for (let round = 0; round < 5; round++) {
      await client.say(`UNSUBSCRIBE\nid:s\n\n\0${subscribe('/topic/public/a', 's', 'ack:client\n')}`)
      await publish(8)
    }
    expect(client.transport.closes).toEqual([])
  })

  it('T11 that is missing ends the session before the budget is exceeded', async () => {
    const { client, publish } = await receiving('client', { unacknowledged: 1, keptBytes: 5000 })
    await publish(10)
    expect(client.transport.closes).toEqual([])
    await publish(1)
    expectRefused(client, 503, 1013)
  })
})

describe('transactions', () => {
  const destination = '/topic/public/a'
  const inside = (body: string) => send(destination, body, 'transaction:t\n')

  it('have no effect until COMMIT, and then run everything in order', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(
      `${subscribe(destination)}BEGIN\ntransaction:t\n\n\0${inside('1')}${inside('2')}${send(destination, '0')}`,
    )
    await client.say('COMMIT\ntransaction:t\nreceipt:done\n\n\0')
    expect(client.transport.frames.slice(1).map(({ body, headers }) => headers['receipt-id'] ?? body)).toEqual([
      '0',
      '1',
      '2',
      'done',
    ])
  })

  it('that are aborted have no effect', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(`${subscribe(destination)}BEGIN\ntransaction:t\n\n\0${inside('1')}ABORT\ntransaction:t\n\n\0`)
    await client.say(`BEGIN\ntransaction:t\n\n\0COMMIT\ntransaction:t\n\n\0`)
    expect(client.commands()).toEqual(['CONNECTED'])
  })

  it('T05 check permissions at SEND', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(`BEGIN\ntransaction:t\n\n\0${send('/topic/webhooks', 'x', 'transaction:t\n')}`)
    expectRefused(client, 403, 1008)
  })

  it('delay an ACK as well', async () => {
    const client = await (await stompWorld({ limits: { unacknowledged: 1 } })).connected()
    await client.say(subscribe(destination, '0', 'ack:client\n') + send(destination, '1') + send(destination, '2'))
    await client.say('BEGIN\ntransaction:t\n\n\0ACK\nid:1-1\ntransaction:t\n\n\0')
    expect(client.last()?.body).toBe('1')
    await client.say('COMMIT\ntransaction:t\n\n\0')
    expect(client.last()?.body).toBe('2')
  })

  it.each([
    ['ABORT without a transaction', 'ABORT\ntransaction:t\n\n\0', 400],
    ['SEND in an unknown one', inside('x'), 400],
    ['17 open ones', Array.from({ length: 17 }, (_, index) => `BEGIN\ntransaction:${index}\n\n\0`).join(''), 400],
    ['1,001 frames', `BEGIN\ntransaction:t\n\n\0${inside('').repeat(1001)}`, 400],
    ['more than 1 MiB', `BEGIN\ntransaction:t\n\n\0${inside('x'.repeat(65_000)).repeat(17)}`, 413],
  ])('T11 refuse %s', async (_, bytes, status) => {
    const client = await (await stompWorld({ limits: { frameBurst: 2000 } })).connected()
    await client.say(bytes)
    expectRefused(client, status, status === 413 ? 1009 : 1002)
  })

  it('give back their space', async () => {
    const client = await (await stompWorld({ limits: { frameBurst: 5000 } })).connected()
    for (let round = 0; round < 3; round++) {
      await client.say(`BEGIN\ntransaction:t\n\n\0${inside('').repeat(600)}ABORT\ntransaction:t\n\n\0`)
      await client.say(`BEGIN\ntransaction:t\n\n\0${inside('x'.repeat(65_000)).repeat(10)}ABORT\ntransaction:t\n\n\0`)
    }
    expect(client.transport.closes).toEqual([])
  })
})

describe('receipts', () => {
  it('are sent for each frame that requests one, when it is done', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(subscribe('/topic/public/a', '0', 'receipt:1\n') + send('/topic/public/a', 'x', 'receipt:2\n'))
    await client.say(
      'BEGIN\ntransaction:t\nreceipt:3\n\n\0ABORT\ntransaction:t\nreceipt:4\n\n\0UNSUBSCRIBE\nid:0\nreceipt:5\n\n\0',
    )
    const receipts = client.transport.frames.flatMap(({ headers }) => headers['receipt-id'] ?? [])
    expect(receipts).toEqual(['1', '2', '3', '4', '5'])
  })

  it('of a SEND wait for the bus, and that of DISCONNECT for every SEND before it', async () => {
    const gate = Promise.withResolvers<void>()
    const client = await (await stompWorld({ bus: { ...inProcessBus(), publish: () => gate.promise } })).connected()
    await client.say(`${send('/topic/public/a', 'x', 'receipt:sent\n')}DISCONNECT\nreceipt:bye\n\n\0${subscribe('/x')}`)
    expect(client.commands()).toEqual(['CONNECTED'])
    gate.resolve()
    await client.say('')
    expect(client.transport.frames.slice(1).map(({ headers }) => headers)).toEqual([
      { 'receipt-id': 'sent' },
      { 'receipt-id': 'bye' },
    ])
    expect(client.transport.closes).toEqual([[1000, 'bye']])
  })

  it('of a SUBSCRIBE wait until messages of other processes arrive', async () => {
    const gate = Promise.withResolvers<void>()
    const client = await (await stompWorld({ bus: { ...inProcessBus(), ready: () => gate.promise } })).connected()
    await client.say(subscribe('/topic/public/a', '0', 'receipt:r\n'))
    expect(client.commands()).toEqual(['CONNECTED'])
    gate.resolve()
    await client.say('')
    expect(client.commands()).toEqual(['CONNECTED', 'RECEIPT'])
  })

  it.each([
    ['done', () => Promise.resolve()],
    ['refused', () => Promise.reject(new Error('down'))],
  ])(
    'are not sent, nor is anything else, after the end of the session, although a SEND is %s then',
    async (_, outcome) => {
      const gate = Promise.withResolvers<void>()
      const world = await stompWorld({ bus: { ...inProcessBus(), publish: () => gate.promise.then(outcome) } })
      const client = await world.connected()
      await client.say(send('/topic/public/a', 'x', 'receipt:r\n'))
      client.session.drain()
      gate.resolve()
      await client.say('')
      expect([client.commands(), client.transport.closes]).toEqual([['CONNECTED'], [[1001, 'going away']]])
      expect(world.log.entries).toEqual([])
    },
  )

  it('are not sent when the bus is down, which is logged as an error with its cause', async () => {
    const cause = new Error('arn:secret')
    const world = await stompWorld({ bus: { ...inProcessBus(), publish: () => Promise.reject(cause) } })
    const client = await world.connected()
    await client.say(send('/topic/public/a', 'x', 'receipt:r\n'))
    expectRefused(client, 503, 1013, { 'receipt-id': 'r' })
    expect(client.last()?.body).not.toContain('arn')
    expect(world.log.entries).toMatchObject([
      { level: 'error', message: 'stomp refused', fields: { code: 'UNAVAILABLE', command: 'SEND', cause } },
    ])
    expect(world.metrics.counted).toEqual([['ChannelRefused', { channel: 'stomp', reason: 'UNAVAILABLE' }]])
  })

  it('are not sent for messages that are too large together', async () => {
    const bus = { ...inProcessBus(), publish: () => Promise.reject(fail('PAYLOAD_TOO_LARGE')) }
    const client = await (await stompWorld({ bus })).connected()
    await client.say(`BEGIN\ntransaction:t\n\n\0${send('/topic/public/a', 'x', 'transaction:t\n')}`)
    await client.say('COMMIT\ntransaction:t\nreceipt:r\n\n\0')
    expectRefused(client, 413, 1009, { 'receipt-id': 'r' })
  })
})

describe('heart-beats', () => {
  it.each([
    ['', 0],
    ['heart-beat:0,20000\n', 3],
    ['heart-beat:0,1000\n', 6],
  ])('after %j the server sends %i in a minute, and a silent client stays', async (header, beats) => {
    const world = await stompWorld()
    const client = await world.connected('alice', 'ROLE_USER', header)
    world.time.pass(60_000)
    expect([client.transport.beats, client.transport.closes]).toEqual([beats, []])
  })

  it('T06 that are missing for twice the agreed time end the session', async () => {
    const world = await stompWorld()
    const client = await world.connected('alice', 'ROLE_USER', 'heart-beat:10000,0\n')
    for (let round = 0; round < 5; round++) {
      world.time.pass(19_999)
      await client.say('\n')
    }
    expect(client.transport.closes).toEqual([])
    world.time.pass(20_000)
    expectRefused(client, 400, 1002)
    expect(client.last()?.body).toContain('heart-beats must come as agreed')
    expect(world.time.pending()).toBe(0)
  })

  it.each([
    ['ahead', 30_000],
    ['back by an hour', -3_600_000],
  ])(
    'T18 are sent and expected as agreed, although the clock is set %s; frames are accepted at their rate',
    async (_, jump) => {
      const world = await stompWorld({ limits: { framesPerSecond: 1, frameBurst: 2 } })
      const client = await world.connected('alice', 'ROLE_USER', 'heart-beat:10000,10000\n')
      world.time.pass(10_000)
      await client.say('\n')
      world.time.pass(9500)
      world.setClock(jump)
      world.time.pass(1000)
      expect(client.transport.closes).toEqual([])
      expect(client.transport.beats).toBe(2)
      await client.say('BEGIN\ntransaction:t\nreceipt:r\n\n\0')
      expect(client.last()?.command).toBe('RECEIPT')
      world.time.pass(9000)
      await client.say('\n')
      expect(client.transport.closes).toEqual([])
    },
  )

  it('are not sent while frames are', async () => {
    const world = await stompWorld()
    const client = await world.connected('alice', 'ROLE_USER', 'heart-beat:0,10000\n')
    for (let round = 0; round < 5; round++) {
      world.time.pass(9000)
      await client.say('BEGIN\ntransaction:t\nreceipt:r\n\n\0ABORT\ntransaction:t\n\n\0')
    }
    expect(client.transport.beats).toBe(0)
  })
})

describe('a session', () => {
  it('T04 ends at a frame beyond the limits', async () => {
    const client = await (await stompWorld()).connected()
    await client.say(`SEND\ndestination:/topic/public/a\n\n${'x'.repeat(65_537)}\0`)
    expectRefused(client, 413, 1009)
    const other = await (await stompWorld()).connected()
    await other.say(`SEND\na:${'x'.repeat(8192)}`)
    expectRefused(other, 431, 1009)
  })

  it('T03 ends at bytes that are not a frame, and does not repeat them', async () => {
    const client = await (await stompWorld()).connected()
    await client.say('GET /s3cret HTTP/1.1\n')
    expectRefused(client, 400, 1002)
    expect(client.last()?.body).not.toContain('s3cret')
  })

  it('T10 ends at more frames than its rate, which recovers', async () => {
    const world = await stompWorld({ limits: { frameBurst: 10, framesPerSecond: 2 } })
    const client = await world.connected()
    await client.say(send('/topic/public/a').repeat(10))
    world.time.pass(1000)
    await client.say(send('/topic/public/a').repeat(2))
    expect(client.transport.closes).toEqual([])
    await client.say(send('/topic/public/a'))
    expectRefused(client, 429, 1013, { 'retry-after': '1' })
  })

  it('T09 ends when the client leaves more than 1 MiB unread', async () => {
    const world = await stompWorld()
    const [slow, fast] = [await world.connected('slow'), await world.connected('fast')]
    for (const client of [slow, fast]) await client.say(subscribe('/topic/public/a'))
    slow.transport.bytesBuffered = 2 ** 20 + 1
    fast.transport.bytesBuffered = 2 ** 20
    await fast.say(send('/topic/public/a'))
    expectRefused(slow, 503, 1013)
    expect(fast.commands()).toEqual(['CONNECTED', 'MESSAGE'])
  })

  it('is disconnected once at a drain', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    client.session.drain()
    client.session.drain()
    await client.say(send('/topic/public/a'))
    expect(client.transport.closes).toEqual([[1001, 'going away']])
    expect([client.commands(), world.time.pending()]).toEqual([['CONNECTED'], 0])
  })

  it('T16 logs no token and no payload', async () => {
    const world = await stompWorld()
    const client = world.open()
    await client.say(world.connectWith('s3cret'))
    await (await world.connected()).say(send('/topic/s3cret', 's3cret'))
    expect(world.log.entries.length).toBe(2)
    expect(JSON.stringify(world.log.entries)).not.toContain('s3cret')
  })
})

describe('the ERROR frame of a violated rule', () => {
  const begin = 'BEGIN\ntransaction:t\n\n\0'

  it.each([
    ['CONNECTED\n\n\0', 'CONNECTED is not for a client that is connected'],
    ['SUBSCRIBE\nid:0\n\n\0', 'SUBSCRIBE must have the header destination'],
    ['SUBSCRIBE\ndestination:/topic/public/a\n\n\0', 'SUBSCRIBE must have the header id'],
    [subscribe('/topic/public/a').repeat(2), 'SUBSCRIBE must have an id of its own'],
    [subscribe('/topic/public/a', '1', 'ack:maybe\n'), 'ack must be auto, client or client-individual'],
    ['UNSUBSCRIBE\nid:9\n\n\0', 'UNSUBSCRIBE must name a subscription'],
    ['ACK\nmessage-id:1-1\n\n\0', 'ACK must have the header id'],
    ['ACK\nid:1-1\n\n\0', 'ACK must name a message that waits for it'],
    [begin.repeat(2), 'BEGIN must name a new transaction'],
    ['COMMIT\ntransaction:t\n\n\0', 'the transaction is not open'],
    [begin + begin.replace(':t', ':u'), 'too many transactions are open'],
    [begin + send('/topic/public/a', 'x', 'transaction:t\n').repeat(3), 'too many frames are in transactions'],
  ])('names the error: %j', async (bytes, message) => {
    const client = await (await stompWorld({ limits: { openTransactions: 1, transactionFrames: 2 } })).connected()
    await client.say(bytes)
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({
      details: { validationErrors: [{ field: 'frame', message, rejectedValue: null }] },
    })
  })
})

describe('the log of a refusal', () => {
  it('has the code and the frame, and is not an error if the client caused it', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(subscribe('/topic/webhooks'))
    expect(world.log.entries).toMatchObject([
      { level: 'info', message: 'stomp refused', fields: { code: 'ROLE_REQUIRED', command: 'SUBSCRIBE' } },
    ])
  })

  it('is an error with its cause for a bug', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    const bug = new Error('bug')
    vi.spyOn(world.broker, 'subscribe').mockImplementation(() => {
      throw bug
    })
    await client.say(subscribe('/topic/public/a'))
    expectRefused(client, 500, 1011)
    expect(world.log.entries).toMatchObject([{ level: 'error', fields: { code: 'UNEXPECTED', cause: bug } }])
  })

  it.each([
    ['reads', 'ack:auto\n', 2 ** 20 + 1],
    ['acknowledges', 'ack:client\n', 0],
  ])('is not an error if a client %s too slowly, which it names and which is counted', async (does, mode, unread) => {
    const world = await stompWorld({ limits: { unacknowledged: 1, keptBytes: 0 } })
    const client = await world.connected()
    await client.say(subscribe('/topic/public/a', '0', mode))
    client.transport.bytesBuffered = unread
    await client.say(send('/topic/public/a').repeat(2))
    expectRefused(client, 503, 1013)
    expect(world.log.entries).toEqual([
      {
        level: 'info',
        message: 'stomp refused',
        fields: { code: 'UNAVAILABLE', command: undefined, reason: `the client ${does} too slowly` },
      },
    ])
    expect(world.metrics.counted).toContainEqual(['SlowClients', {}])
  })
})

describe('the metrics of a session', () => {
  it('include each message to a subscriber, and no other frame', async () => {
    const world = await stompWorld()
    const [one, other] = [await world.connected(), await world.connected('bob')]
    for (const client of [one, other]) await client.say(subscribe('/topic/public/a', '0', 'receipt:r\n'))
    await one.say(send('/topic/public/a'))
    expect(world.metrics.counted).toEqual([
      ['MessagesDelivered', {}],
      ['MessagesDelivered', {}],
    ])
    other.transport.bytesBuffered = 2 ** 20 + 1
    await one.say(send('/topic/public/a'))
    expect(world.metrics.counted.filter(([counter]) => counter === 'MessagesDelivered')).toHaveLength(3)
  })
})
