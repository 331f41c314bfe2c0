import { Buffer } from 'node:buffer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serve } from '../../../lib/grpc/serve.ts'
import type { GrpcServer } from '../../../lib/grpc/server.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { WebhookEventService } from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { type RecordingLog, recordingLog } from '../../support/fakes/log.ts'
import { type RecordingTrail, recordingTrail } from '../../support/fakes/trail.ts'
import { bearerField, callUnary, connect } from '../../support/grpc-client.ts'
import { answerOn, headersFrame, lastData, openHttp2 } from '../../support/raw-http2.ts'
import { grpcServer } from './grpc-server.ts'

const HOST = '127.0.0.1'

let server: GrpcServer
let address: string
let log: RecordingLog
let trail: RecordingTrail
let client: ReturnType<typeof connect>

beforeEach(async () => {
  log = recordingLog()
  trail = recordingTrail()
  server = grpcServer({ services: [serve(AuthService, {}), serve(WebhookEventService, {})], log, trail })
  address = `${HOST}:${await server.listen(HOST, 0)}`
  client = connect(address)
})
afterEach(async () => {
  client.close()
  await server.drain(0)
})

describe('a declared method without a handler', () => {
  it.each([
    ['UNIMPLEMENTED', 'those who may call it', bearerField('any')],
    ['UNAUTHENTICATED', 'anybody else', {}],
  ])('is %s to %s', async (code, _, fields) => {
    expect((await callUnary(AuthService.method.whoAmI, {}, fields, { over: client })).code).toBe(code)
  })
})

it('a retry that is refused for its role leaves a row with the caller and the address', async () => {
  const { retryWebhookEvent } = WebhookEventService.method
  const { code } = await callUnary(retryWebhookEvent, {}, bearerField('any'), { over: client })
  expect(code).toBe('PERMISSION_DENIED')
  expect(trail.rows).toMatchObject([
    { action: 'event.retried', outcome: 'refused', actor: { name: 'alice', authType: 'JWT' }, from: HOST },
  ])
})

it('the log of the library does not contain a token that it cannot parse', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  const socket = await openHttp2(address)
  const fields = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', '/gatehouse.v1.AuthService/WhoAmI'],
    [':authority', HOST],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ['authorization', 'Bearer a.secret.tokené'],
  ] as const
  socket.write(Buffer.concat([headersFrame(1, fields), lastData(1, Buffer.alloc(5))]))
  await answerOn(socket, 1)
  socket.destroy()
  const said = JSON.stringify([written.mock.calls, log.entries])
  written.mockRestore()
  expect(said).not.toContain('secret')
  expect(log.of('the gRPC library complains')).toEqual([{ of: 'Failed to add metadata entry authorization' }])
})
