import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serve } from '../../../lib/grpc/serve.ts'
import { createGrpcServer, type GrpcServer } from '../../../lib/grpc/server.ts'
import { AuthService } from '../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'
import { bearerField, callUnary, connect } from '../../support/grpc-client.ts'

const HOST = '127.0.0.1'

let server: GrpcServer
let client: ReturnType<typeof connect>

beforeEach(async () => {
  server = createGrpcServer({
    services: [serve(AuthService, {})],
    check: () => tokenHolder('ROLE_USER'),
    clock: fixedClock(),
    log: recordingLog(),
  })
  client = connect(`${HOST}:${await server.listen(HOST, 0)}`)
})
afterEach(async () => {
  client.close()
  await server.drain(0)
})

describe('a method that is declared and has no handler', () => {
  it.each([
    ['UNIMPLEMENTED', 'those who may call it', bearerField('any')],
    ['UNAUTHENTICATED', 'anybody else', {}],
  ])('is %s to %s', async (code, _, fields) => {
    expect((await callUnary(AuthService.method.whoAmI, {}, fields, { over: client })).code).toBe(code)
  })
})
