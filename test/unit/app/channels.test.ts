import { once } from 'node:events'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeChannels } from '../../../lib/app/channels.ts'
import { makeTokenLogin } from '../../../lib/app/login.ts'
import type { Environment } from '../../../lib/runtime/config.ts'
import { ENVIRONMENT, setSettings, useSettings } from '../../support/composers.ts'
import { openSocket } from '../../support/raw-socket.ts'

const ADA = { uid: 'a', name: 'ada', passwordHash: 'none', roles: ['ROLE_USER'], enabled: true, createdAt: 5 }

beforeEach(() => {
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async () => ({ Item: ADA }))
})
afterEach(() => void vi.restoreAllMocks())

/** So many connections to the channels, one after the other, and the status of each handshake. */
async function connectionsTo(environment: Environment, count: number) {
  useSettings(environment)
  const { http } = await makeChannels()
  const port = await http.listen('127.0.0.1', 0)
  const connections: { readonly socket: WebSocket; readonly status: number }[] = []
  onTestFinished(() => {
    for (const { socket } of connections) socket.terminate()
    return http.drain(0)
  })
  for (let n = 0; n < count; n++) connections.push(await connected(`ws://127.0.0.1:${port}/ws`))
  return connections
}

async function connected(url: string) {
  const socket = new WebSocket(url, 'v12.stomp')
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.on('error', () => {})
  socket.once('open', () => resolve(101)).once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
  return { socket, status: await promise }
}

/** What each of several connections hears: one frame for each frame that it sends, or its end. */
async function heard(environment: Environment, sent: readonly (readonly string[])[]): Promise<readonly string[]> {
  const all: string[] = []
  for (const [index, { socket, status }] of (await connectionsTo(environment, sent.length)).entries())
    all.push(status === 101 ? await answered(socket, sent[index] ?? []) : `${status}`)
  return all
}

async function answered(socket: WebSocket, frames: readonly string[]): Promise<string> {
  let text = ''
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('close', resolve).on('message', (bytes) => {
    text += String(bytes)
    if (text.split('\0').length > frames.length) resolve()
  })
  for (const frame of frames) socket.send(frame)
  await promise
  return text
}

const putBack = setSettings(ENVIRONMENT)
const { tokens } = await makeTokenLogin()
const token = await tokens.issue('ada', 'ROLE_USER', 'a')
putBack()
const CONNECT = `CONNECT\naccept-version:1.2\nAuthorization:Bearer ${token}\nheart-beat:1000,1000\n\n\0`
const BEGIN = [0, 1, 2].map((n) => `BEGIN\ntransaction:${n}\nreceipt:${n}\n\n\0`)
const LONG = `SEND\ndestination:/topic/closed\n\n${'x'.repeat(3000)}\0`
const ONE = [[CONNECT]]
const TWO = [[CONNECT], [CONNECT]]

const CONNECTED = /^CONNECTED\n[^\0]+\0/
const RATE = { STOMP_FRAME_BURST: '2', STOMP_FRAMES_PER_SECOND: '1' }

it.each<[Environment, string, readonly (readonly string[])[], RegExp, RegExp]>([
  [{ STOMP_HEART_BEAT_SECONDS: '7' }, 'a heart-beat', ONE, /\nheart-beat:10000,10000\n/, /\nheart-beat:7000,7000\n/],
  [{ STOMP_BODY_BYTES: '2048' }, 'the body of a frame', [[CONNECT, LONG]], /"status":403/, /"status":413/],
  [RATE, 'frames at once', [[CONNECT, ...BEGIN]], /receipt-id:2\n/, /"status":429/],
  [{ STOMP_CONNECTIONS: '1' }, 'all sessions', TWO, CONNECTED, /"status":503/],
  [{ STOMP_CONNECTIONS_PER_USER: '1' }, 'the sessions of a user', TWO, CONNECTED, /"status":429/],
  [{ CHANNELS_ANONYMOUS: '1' }, 'all who have not said who they are', TWO, CONNECTED, /^503$/],
  [{ CHANNELS_ANONYMOUS_PER_ADDRESS: '1' }, 'those of an address who have not', TWO, CONNECTED, /^503$/],
])('%j limits %s', async (given, _, connections, without, limited) => {
  const lastHeard = async (environment: Environment) => (await heard(environment, connections)).at(-1)
  expect(await lastHeard(ENVIRONMENT)).toMatch(without)
  expect(await lastHeard({ ...ENVIRONMENT, ...given })).toMatch(limited)
})

it.each([
  ['1', /"status":429/],
  ['2', /receipt-id:2\n/],
])('STOMP_FRAMES_PER_SECOND: of %s, this is the answer to a frame 600 ms after the burst', async (rate, answer) => {
  const time = vi.spyOn(performance, 'now').mockReturnValue(0)
  const limits = { STOMP_FRAMES_PER_SECOND: rate, STOMP_FRAME_BURST: '2' }
  const [{ socket } = expect.fail('no connection')] = await connectionsTo({ ...ENVIRONMENT, ...limits }, 1)
  const [first = '', second = '', third = ''] = BEGIN
  await answered(socket, [CONNECT, first, second])
  time.mockReturnValue(600)
  expect(await answered(socket, [third])).toMatch(answer)
})

it('TRUSTED_PROXIES: clients behind a proxy share no place of an address', async () => {
  const few = { ...ENVIRONMENT, CHANNELS_ANONYMOUS_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' }
  for (const text of await heard(few, TWO)) expect(text).toMatch(CONNECTED)
})

it.each([
  ['', 403],
  ['https://a.example', 101],
])('TRUSTED_ORIGINS: with “%s”, a page of https://a.example gets %i', async (origins, status) => {
  useSettings({ ...ENVIRONMENT, TRUSTED_ORIGINS: origins })
  const { http } = await makeChannels()
  const socket = await openSocket(`http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`)
  onTestFinished(() => {
    socket.destroy()
    return http.drain(0)
  })
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`
  socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://a.example\r\n${upgrade}${key}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
