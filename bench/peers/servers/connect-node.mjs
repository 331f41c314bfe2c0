import { Role } from '../../../proto/gen/gatehouse/v1/role_pb.ts'
import { serveWithConnect } from './connect.mjs'

const ANSWER = {
  authenticated: true,
  username: 'alice',
  authorities: [Role.USER],
  authType: 'JWT',
  principalType: 'JwtUser',
  tokenExpiresAt: { seconds: 1_893_456_000n },
}

await serveWithConnect(() => ANSWER, [])
