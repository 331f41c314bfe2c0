import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { Health } from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { forge } from '../support/forge.ts'
import { bearerField, callUnary } from '../support/grpc-client.ts'
import { answerOn, FRAME, frame, gone, headersFrame, lastData, openHttp2 } from '../support/raw-http2.ts'
import { openSocket, sendRaw } from '../support/raw-socket.ts'
import { served } from '../support/served.ts'

const { whoAmI } = AuthService.method
const { getWebhookEvent } = WebhookEventService.method
const WHO_AM_I = '/gatehouse.v1.AuthService/WhoAmI'

const REQUEST = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', WHO_AM_I],
  [':authority', 'gatehouse'],
  ['te', 'trailers'],
  ['content-type', 'application/grpc'],
] as const

/** Whatever was done to it, the server answers the next caller. */
afterEach(async () => {
  expect((await callUnary(Health.method.check, {})).code).toBe('OK')
  expect((await callUnary(whoAmI, {}, bearerField(forge()))).code).toBe('OK')
})

/** A message of gRPC: a flag for compression, the length, the bytes. */
function framed(bytes: Uint8Array, { isCompressed = false, length = bytes.length } = {}): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(isCompressed ? 1 : 0)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, bytes])
}

async function session(): Promise<ClientHttp2Session> {
  const opened = connectHttp2(`http://${served('ready').grpc}`)
  await once(opened, 'connect')
  return opened
}

/** One call with headers and bytes as they are given: the status code of gRPC, or what HTTP/2 said instead. */
async function rawCall(headers: Readonly<Record<string, string>>, body = framed(Buffer.alloc(0))) {
  const http2 = await session()
  const { promise, resolve } = Promise.withResolvers<string>()
  const common = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' }
  const stream = http2.request({ ...common, ...headers })
  let answer = 'nothing'
  const note = (fields: Readonly<Record<string, unknown>>) => {
    if (fields['grpc-status'] !== undefined) answer = String(fields['grpc-status'])
    else if (fields[':status'] !== 200 && fields[':status'] !== undefined) answer = `HTTP ${fields[':status']}`
  }
  stream
    .on('response', note)
    .on('trailers', note)
    .on('data', () => {})
  stream.on('error', () => {})
  stream.on('close', () => resolve(answer))
  stream.end(body)
  const result = await promise
  http2.destroy()
  return result
}

const UNIMPLEMENTED = '12'
const UNAUTHENTICATED = '16'

describe('G02 a path that is not declared is never served', () => {
  it.each([
    '//gatehouse.v1.AuthService/WhoAmI',
    '/gatehouse.v1.AuthService/whoami',
    '/gatehouse.v1.SecureService/../AuthService/WhoAmI',
    '/gatehouse.v1.AuthService%2FWhoAmI',
  ])('%s with a valid token is UNIMPLEMENTED', async (path) => {
    expect(await rawCall({ ':path': path, authorization: `Bearer ${forge()}` })).toBe(UNIMPLEMENTED)
  })

  it.each([
    ['one valid token', ['good'], [FRAME.headers, FRAME.data, FRAME.headers]],
    ['a valid one and an invalid one', ['good', 'bad'], [FRAME.headers]],
  ])('G01 several authorization fields are all ignored: %s', async (_, kinds, expected) => {
    const tokens: Readonly<Record<string, string>> = { good: forge(), bad: 'nonsense' }
    const fields = kinds.map((kind) => ['authorization', `Bearer ${tokens[kind]}`] as const)
    const socket = await openHttp2(served('ready').grpc)
    socket.write(Buffer.concat([headersFrame(1, [...REQUEST, ...fields]), lastData(1, framed(Buffer.alloc(0)))]))
    expect(await answerOn(socket, 1)).toEqual(expected)
    socket.destroy()
  })
})

describe('G03 a message that is too large or broken', () => {
  const path = '/gatehouse.v1.WebhookEventService/GetWebhookEvent'
  const good = () => ({ ':path': path, authorization: `Bearer ${forge()}` })
  const bomb = framed(gzipSync(Buffer.alloc(60_000_000)), { isCompressed: true })

  it('of 300 KB: RESOURCE_EXHAUSTED', async () => {
    const request = { source: 'payment', eventId: 'x'.repeat(300_000) }
    expect((await callUnary(getWebhookEvent, request, bearerField(forge()))).code).toBe('RESOURCE_EXHAUSTED')
  })

  it('of 60 MB after decompression: RESOURCE_EXHAUSTED, or without a token UNAUTHENTICATED', async () => {
    expect(await rawCall({ ...good(), 'grpc-encoding': 'gzip' }, bomb)).toBe('8')
    expect(['8', UNAUTHENTICATED]).toContain(await rawCall({ ':path': path, 'grpc-encoding': 'gzip' }, bomb))
  })

  it('with an invalid compression: an error', async () => {
    const broken = framed(Buffer.from('not gzip'), { isCompressed: true })
    expect(await rawCall({ ...good(), 'grpc-encoding': 'gzip' }, broken)).toBe('13')
  })

  it.each([
    ['no protobuf', framed(randomBytes(64).fill(0xff))],
    ['a length of 4 GB', framed(Buffer.alloc(8), { length: 0xffffffff })],
  ])('of %s: an error', async (_, body) => {
    expect(['3', '8', '13']).toContain(await rawCall(good(), body))
  })

  it('that is not HTTP/2 but a preface and noise: the connection ends', async () => {
    const bytes = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), randomBytes(512)])
    const socket = await openSocket(`http://${served('ready').grpc}`)
    const closed = gone(socket)
    socket.end(bytes)
    await closed
  })
})

it('T20 a page, which uses HTTP/1.1 without TLS, receives nothing', async () => {
  const { port } = new URL(`http://${served('ready').grpc}`)
  const request = `POST ${WHO_AM_I} HTTP/1.1\r\nHost: evil.example:${port}\r\nContent-Length: 0\r\n\r\n`
  expect(await sendRaw(`http://127.0.0.1:${port}`, request)).toMatchObject({ statuses: [], isClosed: true })
})

describe('G04 a flood', () => {
  it('of 10,000 streams that are reset at once ends with its connection at the latest', async () => {
    const socket = await openHttp2(served('ready').grpc)
    const closed = gone(socket)
    const pairs = Array.from({ length: 10_000 }, (_, index) => {
      const stream = index * 2 + 1
      return Buffer.concat([headersFrame(stream, REQUEST), frame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, 8]))])
    })
    socket.end(Buffer.concat(pairs))
    await closed
  })

  it('of CONTINUATION frames without an end closes the connection', async () => {
    const socket = await openHttp2(served('ready').grpc)
    const closed = gone(socket)
    socket.write(frame(FRAME.headers, 0, 1, Buffer.from([0x82])))
    for (let count = 0; count < 10_000; count++) socket.write(frame(FRAME.continuation, 0, 1, Buffer.alloc(1024, 0x82)))
    await closed
  })
})

it('G10 a deadline that has passed: DEADLINE_EXCEEDED', async () => {
  const { code } = await callUnary(whoAmI, {}, bearerField(forge()), { deadline: Date.now() - 1 })
  expect(code).toBe('DEADLINE_EXCEEDED')
})
