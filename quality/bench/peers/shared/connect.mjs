import { Code, ConnectError, createContextKey } from '@connectrpc/connect'
import { Role } from '../../../../proto/gen/gatehouse/v1/role_pb.ts'
import { serveWithConnect } from '../servers/connect.mjs'

const CLAIMS = createContextKey(undefined)

const ROLES = { ROLE_USER: Role.USER, ROLE_ADMIN: Role.ADMIN }

/** An interceptor that checks the token, as the documentation of Connect shows it. @param claimsIn gives its claims, or throws */
const authenticated = (claimsIn) => (next) => async (request) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.header.get('authorization') ?? '') ?? []
  try {
    request.contextValues.set(CLAIMS, await claimsIn(token))
  } catch {
    // Without this it would be INTERNAL.
    throw new ConnectError('Invalid token', Code.Unauthenticated)
  }
  return next(request)
}

function whoAmI(_, { values }) {
  const { sub, role, exp } = values.get(CLAIMS)
  return {
    authenticated: true,
    username: sub,
    authorities: [ROLES[role]],
    authType: 'JWT',
    principalType: 'JwtUser',
    tokenExpiresAt: { seconds: BigInt(exp) },
  }
}

/** connect-node, which tells who a token is of. */
export const serveWithTokens = (claimsIn) => serveWithConnect(whoAmI, [authenticated(claimsIn)])
