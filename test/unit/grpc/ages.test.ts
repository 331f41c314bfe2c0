import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { expect, it, onTestFinished } from 'vitest'
import { createGrpcServer } from '../../../lib/grpc/server.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'
import { ServerReflection } from '../../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { everyAccount, tokenHolder } from '../../support/fakes/principals.ts'
import { strangersFor } from '../../support/fakes/strangers.ts'
import { bearerField, connect, openDuplex } from '../../support/grpc-client.ts'

const LIST = { messageRequest: { case: 'listServices', value: '*' } } as const

/** A server whose connections become old at once. @returns its address */
async function quick(): Promise<string> {
  const shares = [0, 0.5, 0.9]
  const server = createGrpcServer({
    services: [],
    check: () => tokenHolder('ROLE_USER'),
    accounts: everyAccount,
    strangers: { connections: strangersFor(), streams: strangersFor(), calls: strangersFor() },
    connectionAge: 300,
    random: () => shares.shift() ?? 0,
    clock: fixedClock(),
    timers: systemTimers,
    log: recordingLog(),
  })
  onTestFinished(() => server.drain(0))
  return `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
}

it('all streams of a connection that becomes too old end as unavailable, and can be opened anew', async () => {
  const client = connect(await quick())
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

it('a stream outlives the age of its connection, which ends in order behind it', async () => {
  const session = connectHttp2(`http://${await quick()}`)
  const seen: string[] = []
  const stream = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Watch',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer any',
  })
  session.on('goaway', (code) => seen.push(`GOAWAY ${code}`))
  stream.on('trailers', (trailers) => seen.push(`status ${trailers['grpc-status']}`))
  stream.resume().end(Buffer.alloc(5))
  await once(session, 'close')
  expect([...new Set(seen)]).toEqual(['GOAWAY 0', 'status 14'])
  expect(stream.rstCode).toBe(0)
})
