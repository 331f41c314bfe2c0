import { Buffer } from 'node:buffer'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import type { Client } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropFarDeadline } from '../../../lib/grpc/deadline.ts'
import { serve } from '../../../lib/grpc/serve.ts'
import { createGrpcServer, type GrpcServer } from '../../../lib/grpc/server.ts'
import { systemTimers } from '../../../lib/runtime/timers.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Health } from '../../../proto/gen/grpc/health/v1/health_pb.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { everyAccount, tokenHolder } from '../../support/fakes/principals.ts'
import { strangersFor } from '../../support/fakes/strangers.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'
import { bearerField, callUnary, connect, HEALTH_WATCH, openStream } from '../../support/grpc-client.ts'

const HOST = '127.0.0.1'
const DAY = 24 * 60 * 60 * 1000

describe('a deadline', () => {
  it.each(['24855D', '2147483647m', '2147483S', '35791M', '596H', '99999999u', '99999999n', '0m', '', 'soon'])(
    'within the range of a timer, or an invalid one, is left to grpc-js: %j',
    (text) => {
      const headers = { 'grpc-timeout': text }
      dropFarDeadline(headers)
      expect(headers).toEqual({ 'grpc-timeout': text })
    },
  )

  it.each(['2147483648m', '2160000000m', '2147484S', '5184000S', '35792M', '597H', '99999999H'])(
    'beyond that range counts as none: %s',
    (text) => {
      const headers = { 'grpc-timeout': text }
      dropFarDeadline(headers)
      expect(headers).toEqual({})
    },
  )

  it('that is missing stays missing', () => {
    const headers = { te: 'trailers' }
    dropFarDeadline(headers)
    expect(headers).toEqual({ te: 'trailers' })
  })
})

describe('a call whose deadline is', () => {
  let server: GrpcServer
  let address: string
  let client: Client
  let answer = Promise.withResolvers<object>()

  beforeAll(async () => {
    server = createGrpcServer({
      services: [serve(AuthService, { whoAmI: () => answer.promise })],
      check: () => tokenHolder('ROLE_USER'),
      accounts: everyAccount,
      strangers: { connections: strangersFor(), streams: strangersFor(), calls: strangersFor() },
      connectionAge: DAY,
      random: () => 0,
      clock: fixedClock(),
      timers: systemTimers,
      log: recordingLog(),
      metrics: recordingMetrics(),
      trail: recordingTrail(),
    })
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

  it.each([25, 60, 10_000])('%d days away continues as a stream', async (days) => {
    const stream = openStream(Health.method.watch, {}, bearerField('any'), client, {
      deadline: Date.now() + days * DAY,
    })
    await meanwhile()
    stream.cancel()
    expect(await stream.ended).toMatchObject({ code: 'CANCELLED', messages: [{}] })
  })

  it.each(['2160000000m', '2160000S', '99999999H'])('written as %s continues as a stream', async (timeout) => {
    const session = connectHttp2(`http://${address}`)
    const trailers = await watchWith(session, timeout, meanwhile)
    session.destroy()
    expect(trailers).toEqual([])
  })

  it('now, ends', async () => {
    const session = connectHttp2(`http://${address}`)
    const trailers = await watchWith(session, '1n', meanwhile)
    session.destroy()
    expect(trailers).toEqual(['4'])
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
