import { Code, ConnectError, createContextKey } from '@connectrpc/connect'
import { jwtVerify } from 'jose'
import { Role } from '../../../../proto/gen/gatehouse/v1/role_pb.ts'
import { KEY } from '../../key.ts'
import { serveWithConnect } from './connect.mjs'

const CLAIMS = createContextKey(undefined)

const ROLES = { ROLE_USER: Role.USER, ROLE_ADMIN: Role.ADMIN }

const authenticate = (next) => async (request) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.header.get('authorization') ?? '') ?? []
  request.contextValues.set(CLAIMS, await claimsOf(token))
  return next(request)
}

/** Without the catch it would be INTERNAL. */
async function claimsOf(token) {
  try {
    const { payload } = await jwtVerify(token, KEY, {
      algorithms: ['HS512'],
    })
    return payload
  } catch {
    throw new ConnectError('Invalid token', Code.Unauthenticated)
  }
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

await serveWithConnect(whoAmI, [authenticate])
