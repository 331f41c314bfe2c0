import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { claims, forge } from '../support/forge.ts'
import { pythonWith, runPython } from '../support/python.ts'
import { served } from '../support/served.ts'
import { temporaryFolder } from '../support/stack.ts'

const python = pythonWith('grpc', 'grpc_tools')

interface Method {
  readonly module: string
  readonly service: string
  readonly method: string
  readonly requestType: string
}

const method = (module: string, service: string, name: string, requestType = `${name}Request`): Method => ({
  module,
  service,
  method: name,
  requestType,
})

const WHO_AM_I = method('gatehouse.v1.auth', 'AuthService', 'WhoAmI')
const ADMIN_SECURE = method('gatehouse.v1.secure', 'SecureService', 'AdminSecure')
const WATCH_HEALTH = method('grpc.health.v1.health', 'Health', 'Watch', 'HealthCheckRequest')

const folder = temporaryFolder()
afterAll(() => folder.remove())

const BUF = 'quality/node_modules/.bin/buf'

interface Options {
  readonly token?: string
  readonly request?: object
  /** In seconds. */
  readonly timeout?: number
}

/** One call of a process of its own. */
function call(called: Method, { token, request = {}, timeout = 10 }: Options = {}): Promise<unknown> {
  const metadata = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const told = { stubs: folder.path, address: served('ready').grpc, ...called, metadata, request, timeout }
  return runPython(python ?? '', 'grpc_client.py', told)
}

describe.skipIf(python === undefined)(
  "Debian's python3-grpcio, with stubs that are generated from the contract",
  () => {
    beforeAll(async () => {
      const image = join(folder.path, 'image.binpb')
      execFileSync(BUF, ['build', 'proto', '--as-file-descriptor-set', '-o', image])
      await runPython(python ?? '', 'grpc_stubs.py', {
        image,
        folder: folder.path,
        files: globSync('**/*.proto', { cwd: 'proto' }),
      })
    })

    it('receives the identity of its caller', async () => {
      expect(await call(WHO_AM_I, { token: await tokenOf('admin') })).toEqual({
        code: 'OK',
        answers: [
          {
            authenticated: true,
            username: 'admin',
            authorities: ['ROLE_ADMIN'],
            authType: 'JWT',
            principalType: 'JwtUser',
            tokenExpiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          },
        ],
      })
    })

    it.each([
      ['no token', {}, 'Authentication required', { reason: 'TOKEN_MISSING', metadata: { tokenStatus: 'MISSING' } }],
      [
        'an expired token',
        { token: forge(claims({ exp: 1 })) },
        'JWT token has expired',
        { reason: 'TOKEN_EXPIRED', metadata: { tokenStatus: 'EXPIRED', expiredAt: '1970-01-01T00:00:01.000Z' } },
      ],
    ])('with %s receives the reason', async (_, options, text, info) => {
      expect(await call(WHO_AM_I, options)).toMatchObject({
        code: 'UNAUTHENTICATED',
        answers: [],
        text,
        info: { domain: 'gatehouse', ...info },
      })
    })

    it('receives the name of the role that its caller lacks', async () => {
      expect(await call(ADMIN_SECURE, { token: await tokenOf('user') })).toMatchObject({
        code: 'PERMISSION_DENIED',
        info: { reason: 'ROLE_REQUIRED', metadata: { requiredRole: 'ROLE_ADMIN', userRoles: 'ROLE_USER' } },
      })
    })

    it('receives the messages before its deadline, and then DEADLINE_EXCEEDED', async () => {
      expect(await call(WATCH_HEALTH, { timeout: 1 })).toMatchObject({
        code: 'DEADLINE_EXCEEDED',
        answers: [{ status: 'SERVING' }],
      })
    })
  },
)
