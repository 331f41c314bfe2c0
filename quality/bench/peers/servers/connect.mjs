import { once } from 'node:events'
import { createServer } from 'node:http2'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { AuthService } from '../../../../proto/gen/gatehouse/v1/auth_pb.ts'
import { measureHere } from '../../probe.ts'

/** connect-node with its gRPC protocol and that method, behind interceptors. */
export async function serveWithConnect(whoAmI, interceptors) {
  const handler = connectNodeAdapter({
    routes: (router) => router.service(AuthService, { whoAmI }),
    interceptors,
  })
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  measureHere(server.address().port)
}
