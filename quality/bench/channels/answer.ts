import { Role } from '../../../proto/gen/gatehouse/v1/role_pb.ts'

/** What every server answers to WhoAmI, where nobody is asked who they are. */
export const ANSWER = {
  authenticated: true,
  username: 'alice',
  authorities: [Role.USER],
  authType: 'JWT',
  principalType: 'JwtUser',
  tokenExpiresAt: { seconds: 1_893_456_000n },
}
