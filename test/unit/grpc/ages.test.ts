import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { ServerReflection } from '../../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { bearerField, connect, HEALTH_WATCH, openDuplex } from '../../support/grpc-client.ts'
import { grpcServer } from './grpc-server.ts'

afterEach(() => void vi.useRealTimers())

const LIST = { messageRequest: { case: 'listServices', value: '*' } } as const

/** A server whose connections become old at once, unless it is told otherwise. @returns its address */
async function listening(connectionAge = 300): Promise<string> {
  const shares = [0, 0.5, 0.9]
  const server = grpcServer({ connectionAge, random: () => shares.shift() ?? 0 })
  onTestFinished(() => server.drain(0))
  return `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
}

it('all streams of a connection that becomes too old end as unavailable, and can be opened again', async () => {
  const client = connect(await listening())
  onTestFinished(() => client.close())
  const streams = Array.from({ length: 4 }, () =>
    openDuplex(ServerReflection.method.serverReflectionInfo, LIST, bearerField('any'), client),
  )
  const unavailable = { code: 'UNAVAILABLE', rich: { reason: 'UNAVAILABLE', retrySeconds: 5 } }
  const ended = await Promise.all(streams.map((stream) => stream.ended))
  expect(ended).toMatchObject(ended.map(() => unavailable))
  expect(ended.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 1])
  const again = openDuplex(ServerReflection.method.serverReflectionInfo, LIST, bearerField('any'), client)
  expect(await again.ended).toMatchObject({ ...unavailable, messages: [{}] })
})

/** A watch of Node's own client, which sets no timers. */
async function watchOf(address: string) {
  const session = connectHttp2(`http://${address}`)
  const seen: string[] = []
  const stream = session.request(HEALTH_WATCH)
  session.on('goaway', (code) => seen.push(`GOAWAY ${code}`))
  stream.on('trailers', (trailers) => seen.push(`status ${trailers['grpc-status']}`))
  stream.on('error', ({ message }) => seen.push(message))
  stream.end(Buffer.alloc(5))
  await once(stream, 'data')
  return { session, stream, seen: () => [...new Set(seen)] }
}

it('a stream outlives the age of its connection, which then ends in order', async () => {
  const { session, stream, seen } = await watchOf(await listening())
  await once(session, 'close')
  expect(seen()).toEqual(['GOAWAY 0', 'status 14'])
  expect(stream.rstCode).toBe(0)
})

it('a connection of the usual age is not cut while its last streams continue, although Node no longer sends keepalives', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { session, seen } = await watchOf(await listening(1_800_000))
  const closed = once(session, 'close')
  for (let second = 0; second < 2200 && seen().length < 2; second += 10) {
    vi.advanceTimersByTime(10_000)
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  await closed
  expect(seen()).toEqual(['GOAWAY 0', 'status 14'])
})
