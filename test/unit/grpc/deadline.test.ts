import { Buffer } from 'node:buffer'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import type { Client } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropFarDeadline } from '../../../lib/grpc/call.ts'
import { serve } from '../../../lib/grpc/serve.ts'
import type { GrpcServer } from '../../../lib/grpc/server.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Health } from '../../../proto/gen/grpc/health/v1/health_pb.ts'
import { bearerField, callUnary, connect, HEALTH_WATCH } from '../../support/grpc-client.ts'
import { grpcServer } from './grpc-server.ts'

const HOST = '127.0.0.1'
const DAY = 24 * 60 * 60 * 1000

describe('a deadline', () => {
  it.each(['2147483647m', '2147483S', '35791M', '596H', '99999999u', '99999999n', 'soon'])(
    'within the range of a timer, or an invalid one, is left to grpc-js: %j',
    (text) => {
      const headers = { 'grpc-timeout': text }
      dropFarDeadline(headers)
      expect(headers).toEqual({ 'grpc-timeout': text })
    },
  )

  it.each(['2147483648m', '2147484S', '35792M', '597H'])('beyond that range counts as none: %s', (text) => {
    const headers = { 'grpc-timeout': text }
    dropFarDeadline(headers)
    expect(headers).toEqual({})
  })
})

describe('a call whose deadline is', () => {
  let server: GrpcServer
  let address: string
  let client: Client
  let answer = Promise.withResolvers<object>()

  beforeAll(async () => {
    server = grpcServer({ services: [serve(AuthService, { whoAmI: () => answer.promise })] })
    address = `${HOST}:${await server.listen(HOST, 0)}`
    client = connect(address)
  })
  afterAll(async () => {
    client.close()
    await server.drain(0)
  })

  /** A timer that overflows has run by then. */
  async function meanwhile(): Promise<void> {
    for (let call = 0; call < 5; call++) await callUnary(Health.method.check, {}, {}, { over: client })
  }

  it.each([25, 60, 10_000])('%d days away receives its answer', async (days) => {
    answer = Promise.withResolvers()
    const options = { over: client, deadline: Date.now() + days * DAY }
    const asked = callUnary(AuthService.method.whoAmI, {}, bearerField('any'), options)
    await meanwhile()
    answer.resolve({ username: 'alice' })
    expect(await asked).toMatchObject({ code: 'OK', messages: [{ username: 'alice' }] })
  })

  it.each([
    ['2160000000m', 'continues', []],
    ['99999999H', 'continues', []],
    ['1n', 'ends', ['4']],
  ])('written as %s %s as a stream', async (timeout, _, statuses) => {
    const session = connectHttp2(`http://${address}`)
    const trailers = await watchWith(session, timeout, meanwhile)
    session.destroy()
    expect(trailers).toEqual(statuses)
  })
})

/** @returns the statuses that came until the work was done */
async function watchWith(
  session: ClientHttp2Session,
  timeout: string,
  work: () => Promise<void>,
): Promise<readonly unknown[]> {
  const statuses: unknown[] = []
  const stream = session.request({ ...HEALTH_WATCH, 'grpc-timeout': timeout })
  stream.on('response', ({ 'grpc-status': status }) => status !== undefined && statuses.push(status))
  stream.on('trailers', ({ 'grpc-status': status }) => statuses.push(status))
  stream.resume().end(Buffer.alloc(5))
  await work()
  return statuses
}
