import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, call, form } from '../support/client.ts'
import { meanwhile } from '../support/meanwhile.ts'

/** One call for each error that the endpoints of the API give. */
const FAILING: readonly (readonly [status: number, error: string, path: string, run: () => Promise<Answer>])[] = [
  [400, 'Bad Request', '/api/auth/login', () => call('/api/auth/login?next=1', form(''))],
  [401, 'Unauthorized', '/api/auth/info', () => call('/api/auth/info?x=1')],
  [401, 'Unauthorized', '/api/auth/info', () => call('/api/auth/info', bearer('a.b.c'))],
  [401, 'Unauthorized', '/api/auth/login', () => call('/api/auth/login', form({ username: 'a', password: 'b' }))],
  [403, 'Access Denied', '/api/admin/secure', async () => call('/api/admin/secure', bearer(await tokenOf('user')))],
  [404, 'Not Found', '/api/nothing', () => call('/api/nothing')],
  [405, 'Method Not Allowed', '/api/auth/info', () => call('/api/auth/info', { method: 'DELETE' })],
  [431, 'Request Header Fields Too Large', '/api/auth/info', () => call('/api/auth/info', bearer('x'.repeat(11_000)))],
]

describe('http-17: an error carries timestamp, status, error, message and path', () => {
  it.each(FAILING)('%d %s on %s', async (status, error, path, run) => {
    const isMeanwhile = meanwhile()
    const { json, status: answered, headers } = await run()
    expect(answered).toBe(status)
    expect(headers['content-type']).toContain('application/json')
    expect(json).toMatchObject({ status, error, path, message: expect.any(String) })
    expect(Date.parse(json.timestamp)).toSatisfy(isMeanwhile)
  })
})

describe('http-25: a 401 carries WWW-Authenticate', () => {
  it.each(FAILING.filter(([status]) => status === 401))('%d %s on %s', async (_status, _error, _path, run) => {
    expect((await run()).headers['www-authenticate']).toMatch(/^Bearer realm="API"/)
  })

  it.each(FAILING.filter(([status]) => status !== 401))('%d %s on %s does not', async (_s, _e, _p, run) => {
    expect((await run()).headers['www-authenticate']).toBeUndefined()
  })
})
