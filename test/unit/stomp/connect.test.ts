import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { type Command, frame } from '../../../lib/stomp/codec/frame.ts'
import { readConnect } from '../../../lib/stomp/connect.ts'
import { START } from '../../support/fakes/clock.ts'
import { signToken } from '../../support/fakes/jwt.ts'
import { MemoryKeys, newApiKey } from '../../support/fakes/keys.ts'
import { everyAccount, noAccount } from '../../support/fakes/principals.ts'
import { stompWorld, tokenOf } from '../../support/stomp-session.ts'

const read = (headers: Record<string, string>, command: Command = 'CONNECT', own = 10_000) =>
  readConnect(frame(command, { 'accept-version': '1.2', ...headers }), own)

const TOKEN = { authorization: 'Bearer a.b.c' }

describe('the first frame of a session', () => {
  it.each<[string, Record<string, string>, string]>([
    ['Bearer in any case', { AUTHORIZATION: 'bEARER a.b.c' }, 'a.b.c'],
    ['Bearer without a token', { authorization: 'Bearer', passcode: 'p' }, ''],
    ['a passcode between blanks', { passcode: ' \ta.b.c \t' }, 'a.b.c'],
    ['Bearer, with any passcode', { ...TOKEN, passcode: 'd.e.f' }, 'a.b.c'],
  ])('contains its token with %s', (_, headers, token) => {
    expect(read(headers).credentials).toEqual({ token })
  })

  it.each<[string, Record<string, string>, Command]>([
    ['nothing', {}, 'CONNECT'],
    ['a token in another frame, without a version', { ...TOKEN, 'accept-version': '9' }, 'SUBSCRIBE'],
  ])('is refused with %s', (_, headers, command) => {
    expect(() => read(headers, command)).toThrow(expect.objectContaining({ code: 'AUTHENTICATION_REQUIRED' }))
  })

  it.each<[string, Record<string, string>, object]>([
    [
      'another scheme and a passcode',
      { Authorization: 'Basic x', passcode: 'a.b.c' },
      {
        code: 'SCHEME_NOT_ACCEPTED',
        details: { reason: 'Basic is not accepted here', accepted: ['Bearer', 'Ticket', 'X-Api-Key'] },
      },
    ],
    [
      'a token in another header',
      { Login: 'eyJhbGciOiJIUzUxMiJ9.e30.x' },
      {
        code: 'TOKEN_MISPLACED',
        details: { reason: 'A token counts in the Authorization header only; one came in the header login' },
      },
    ],
  ])('is refused for its cause with %s', (_, headers, error) => {
    expect(() => read(headers)).toThrow(expect.objectContaining(error))
  })

  it.each<[string, Record<string, string>, string]>([
    ['in its usual spelling', { authorization: 'Ticket t' }, 't'],
    ['in any case', { AUTHORIZATION: 'tICKET  t' }, 't'],
    ['without a text', { authorization: 'Ticket' }, ''],
  ])('contains a ticket: %s', (_, headers, ticket) => {
    expect(read(headers).credentials).toEqual({ ticket })
  })

  it.each<[string, Record<string, string>]>([
    ['in its usual spelling', { 'x-api-key': 'ghk_x' }],
    ['in any case', { 'X-Api-Key': 'ghk_x' }],
  ])('contains an API key: %s', (_, headers) => {
    expect(read(headers).credentials).toEqual({ key: 'ghk_x' })
  })

  it.each<[string, Record<string, string>]>([
    ['a token and a key', { ...TOKEN, 'x-api-key': 'ghk_x' }],
    ['a passcode and a key', { passcode: 'p', 'x-api-key': 'ghk_x' }],
    ['two keys', { 'x-api-key': 'ghk_x', 'X-Api-Key': 'ghk_y' }],
  ])('K17 is refused with several: %s', (_, headers) => {
    expect(() => read(headers)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('may be STOMP', () => expect(read(TOKEN, 'STOMP').credentials).toEqual({ token: 'a.b.c' }))

  it('must name a supported version, before its token is checked', () => {
    expect(() => read({ 'accept-version': '2.0' })).toThrow('Supported protocol versions are 1.1 1.2')
  })

  it.each([
    [undefined, 10_000, { sends: 0, expects: 0 }],
    ['0,0', 10_000, { sends: 0, expects: 0 }],
    ['5000,20000', 10_000, { sends: 20_000, expects: 10_000 }],
    ['0,10000', 10_000, { sends: 10_000, expects: 0 }],
    ['5000,20000', 0, { sends: 0, expects: 0 }],
  ])('with the heart-beat %s and our %i agrees on %j', (heartBeat, own, agreed) => {
    const headers = heartBeat === undefined ? TOKEN : { ...TOKEN, 'heart-beat': heartBeat }
    expect(read(headers, 'CONNECT', own).heartBeat).toEqual(agreed)
  })

  it.each(['', '1', '1,2,3', '-1,0', '1, 2', '1234567890,0', '0,1234567890'])(
    'is refused with the heart-beat %j',
    (heartBeat) => {
      expect(() => read({ ...TOKEN, 'heart-beat': heartBeat })).toThrow('heart-beat must be two whole numbers')
    },
  )
})

const NOW = START.getTime() / 1000
const HOUR = 3_600_000
const subscribe = (destination: string, more = '') => `SUBSCRIBE\nid:0\ndestination:${destination}\n${more}\n\0`
const renew = (token: string, more = '') => `SEND\ndestination:/app/token\n${more}\n${token}\0`
const notices = subscribe('/user/queue/notices')

/** A token of the account that has this id. */
const ofAccount = (uid: string, lifetime = 7200) =>
  signToken({ sub: 'alice', uid, role: 'ROLE_USER', iat: NOW, exp: NOW + lifetime })

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof stompWorld>>['connected']>>
const told = (client: Client) =>
  client.transport.frames.filter(({ command }) => command === 'MESSAGE').map(({ body }) => JSON.parse(body))
const expiring = (seconds: number) => ({
  type: 'token-expiring',
  expiresAt: new Date((NOW + seconds) * 1000).toISOString(),
})

describe('a fresh token that is sent to /app/token', () => {
  it('extends the session to its own end, including subscriptions', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(subscribe('/topic/public/a') + renew(tokenOf('alice', 'ROLE_USER', 7200), 'receipt:r\n'))
    expect(client.last()?.headers).toEqual({ 'receipt-id': 'r' })
    world.time.pass(2 * HOUR - 1)
    await client.say('SEND\ndestination:/topic/public/a\n\nx\0')
    expect([client.last()?.body, client.transport.closes]).toEqual(['x', []])
    world.time.pass(1)
    expect(client.last()?.headers).toMatchObject({
      'token-status': 'EXPIRED',
      'expired-at': '2026-01-02T05:04:05.000Z',
    })
    expect(world.time.pending()).toBe(0)
  })

  it('changes nothing when it ends no later than the former one', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(renew(tokenOf('alice', 'ROLE_USER', 60), 'receipt:r\n'))
    world.time.pass(HOUR - 1)
    expect([client.commands(), client.transport.closes]).toEqual([['CONNECTED', 'RECEIPT'], []])
    world.time.pass(1)
    expect(client.last()?.headers).toMatchObject({ 'token-status': 'EXPIRED' })
  })

  it.each<[string, string, number, number, object]>([
    ['is expired', tokenOf('alice', 'ROLE_USER', -5), 401, 1008, { 'token-status': 'EXPIRED' }],
    ['is not a token', 's3cret', 401, 1008, { 'token-status': 'MALFORMED' }],
    ['is empty', '', 401, 1008, { 'token-status': 'MISSING' }],
    ['belongs to another user', tokenOf('bob'), 400, 1002, {}],
    ['has a higher role', tokenOf('alice', 'ROLE_ADMIN'), 400, 1002, {}],
    ['belongs to a later account of the same name', ofAccount('id-2'), 400, 1002, {}],
  ])('T06 is refused when it %s, and the session ends', async (_, token, status, code, headers) => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(renew(token, 'receipt:r\n'))
    expect(client.last()).toMatchObject({ command: 'ERROR', headers: { 'receipt-id': 'r', ...headers } })
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({ status })
    expect(client.transport.closes.map(([closed]) => closed)).toEqual([code])
    expect(JSON.stringify(world.log.entries)).not.toContain('s3cret')
  })

  it('T06 is refused when its account has ended in the meantime', async () => {
    let accounts = everyAccount
    const world = await stompWorld({ accounts: { confirm: (principal) => accounts.confirm(principal) } })
    const client = await world.connected()
    accounts = noAccount
    await client.say(renew(tokenOf('alice', 'ROLE_USER', 7200)))
    expect(client.last()).toMatchObject({ command: 'ERROR', headers: { 'token-status': 'REVOKED' } })
  })

  it('T06 with a lower role is refused as well, because its subscriptions may not be open to it', async () => {
    const client = await (await stompWorld()).connected('root', 'ROLE_ADMIN')
    await client.say(subscribe('/topic/webhooks') + renew(tokenOf('root', 'ROLE_USER', 7200)))
    expect(client.last()?.body).toContain('the token must be of the account and the role that opened the session')
  })

  it('T06 does not count in a transaction, nor after the end of its session', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(`BEGIN\ntransaction:t\n\n\0${renew(tokenOf('alice', 'ROLE_USER', 7200), 'transaction:t\n')}`)
    expect(client.last()?.body).toContain('a token is taken outside of transactions only')
    const leaving = await world.connected()
    leaving.session.receive(Buffer.from(renew(tokenOf('alice', 'ROLE_USER', 7200))))
    leaving.session.drain()
    await leaving.say('')
    expect(world.time.pending()).toBe(0)
  })

  it('T05 is refused in a session that an API key opened', async () => {
    const keys = new MemoryKeys()
    const { key, text } = newApiKey()
    await keys.add(key)
    const client = (await stompWorld({ keys })).open()
    await client.say(`CONNECT\naccept-version:1.2\nx-api-key:${text}\n\n\0`)
    await client.say(renew(tokenOf('alice')))
    expect(JSON.parse(client.last()?.body ?? '')).toMatchObject({ status: 403, details: { resource: '/app/token' } })
  })
})

describe('/user/queue/notices', () => {
  it('announces the end of the token a minute before, and again after each renewal', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    await client.say(notices)
    world.time.pass(HOUR - 60_001)
    expect(told(client)).toEqual([])
    world.time.pass(1)
    expect(client.last()).toMatchObject({
      headers: { destination: '/user/queue/notices', 'content-type': 'application/json' },
      body: JSON.stringify(expiring(3600)),
    })
    expect(client.last()?.headers).not.toHaveProperty('sender')
    await client.say(renew(tokenOf('alice', 'ROLE_USER', 7200)))
    world.time.pass(2 * HOUR)
    expect(told(client)).toEqual([expiring(3600), expiring(7200)])
  })

  it('announces it at once to a later subscriber', async () => {
    const world = await stompWorld()
    const client = await world.connected()
    world.time.pass(HOUR - 30_000)
    await client.say(subscribe('/user/queue/notices', 'receipt:r\n'))
    world.time.pass(0)
    expect(client.commands()).toEqual(['CONNECTED', 'RECEIPT', 'MESSAGE'])
    expect(told(client)).toEqual([expiring(3600)])
  })

  it('announces nothing without a subscription, after its end, or late for a renewed token', async () => {
    const world = await stompWorld()
    const [silent, former, renewed] = [await world.connected(), await world.connected(), await world.connected()]
    await former.say(`${notices}UNSUBSCRIBE\nid:0\n\n\0`)
    world.time.pass(HOUR - 30_000)
    await former.say(`${notices}UNSUBSCRIBE\nid:0\n\n\0`)
    await renewed.say(renew(tokenOf('alice', 'ROLE_USER', 7200)) + notices)
    world.time.pass(1)
    expect([silent, former, renewed].map(told)).toEqual([[], [], []])
  })

  it('announces the result of an order in all sessions of its account, while they are subscribed, and in no other', async () => {
    const world = await stompWorld()
    const clients = []
    for (const uid of ['id-1', 'id-1', 'id-1', 'id-2']) {
      const client = world.open()
      await client.say(world.connectWith(ofAccount(uid)) + notices)
      clients.push(client)
    }
    await clients[0]?.say('UNSUBSCRIBE\nid:0\n\n\0')
    const body = Buffer.from('{"type":"replay-finished"}')
    await world.bus.publish([{ destination: '/user/queue/notices', user: 'id-1', headers: {}, body }])
    const notice = { type: 'replay-finished' }
    expect(clients.map(told)).toEqual([[], [notice], [notice], []])
  })

  it('T05 accepts nothing from clients, and repeats nothing', async () => {
    const world = await stompWorld()
    const sender = await world.connected()
    await sender.say('SEND\ndestination:/user/queue/notices\n\nx\0')
    expect(JSON.parse(sender.last()?.body ?? '')).toMatchObject({ status: 403 })
    const resuming = await world.connected()
    await resuming.say(subscribe('/user/queue/notices', 'resume-after:x\n'))
    expect(JSON.parse(resuming.last()?.body ?? '')).toMatchObject({ status: 400 })
  })
})
