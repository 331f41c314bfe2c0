import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import type { Credentials } from '../../../../lib/contract/route.ts'
import { fail } from '../../../../lib/errors.ts'
import type { HttpEvent } from '../../../../lib/http/message.ts'
import {
  type BasicCredentials,
  type Checks,
  check,
  findCredentials,
} from '../../../../lib/http/middleware/authenticate.ts'
import { httpEvent } from '../../../support/fakes/http.ts'

/** Takes every token for a user of that name. */
const CHECKS: Checks = {
  bearer: (token): Principal => ({ username: token, roles: [], authType: 'JWT', principalType: 'JwtUser' }),
}

async function authenticate(event: HttpEvent, checks: Checks, credentials?: Credentials) {
  const found = findCredentials(event, checks, credentials)
  return found && check(found, checks, () => '192.0.2.1')
}

async function userOf(authorization: string | undefined, checks = CHECKS): Promise<string | undefined> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const found = await authenticate(httpEvent({ headers }), checks)
  return found?.username
}

describe('as no credentials count', () => {
  it.each([undefined, 'Basic YTpi', 'Token abc', 'constructor abc', '__proto__ abc'])(
    'an Authorization of %j',
    async (authorization) => {
      expect(await userOf(authorization)).toBeUndefined()
    },
  )

  it('H10 headers with a similar name', async () => {
    const headers = { 'x-amzn-remapped-authorization': 'Bearer abc', 'proxy-authorization': 'Bearer abc' }
    expect(findCredentials(httpEvent({ headers }), CHECKS)).toBeUndefined()
    expect(await authenticate(httpEvent({ headers }), CHECKS)).toBeUndefined()
  })
})

describe('a comma-joined or repeated Authorization', () => {
  it.each(['Bearer a,Bearer b', 'Basic YTpi, Bearer b', 'Basic YTpi,basic YTpi'])(
    'is 400: %s',
    async (authorization) => {
      await expect(userOf(authorization)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: {
          validationErrors: [
            { field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null },
          ],
        },
      })
    },
  )
})

describe('HTTP Basic', () => {
  async function read(text: string): Promise<BasicCredentials | string> {
    const given: BasicCredentials[] = []
    const basic = async (credentials: BasicCredentials): Promise<Principal> => {
      given.push(credentials)
      return { username: credentials.username, roles: [], authType: 'JDBC', principalType: 'DatabaseUser' }
    }
    try {
      await authenticate(httpEvent({ headers: { authorization: text } }), { basic })
    } catch (error) {
      return (error as { code: string }).code
    }
    return given[0] ?? 'no credentials'
  }

  const encoded = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`

  it.each([
    ['a name and a password', 'alice:secret', 'alice', 'secret'],
    ['a password with colons', 'alice:a:b::', 'alice', 'a:b::'],
    ['UTF-8', 'é😀:pässwörd', 'é😀', 'pässwörd'],
    ['a decomposed letter, unchanged', 'e\u0301:o\u0308', 'e\u0301', 'o\u0308'],
    ['a byte order mark, unchanged', '\ufeffalice:p', '\ufeffalice', 'p'],
    ['an empty name, which no user has', ':p', '', 'p'],
    ['a NUL, which no name contains', 'al\0ice:p', 'al\0ice', 'p'],
  ])('reads %s', async (_, text, username, password) => {
    expect(await read(encoded(text))).toEqual({ username, password, address: '192.0.2.1' })
  })

  it('is recognized by its scheme in any case', async () => {
    expect(await read(`${'bAsIc'} YTpi`)).toMatchObject({ username: 'a', password: 'b' })
  })

  it.each([
    ['one pad', 'YWI6Yw==', 'ab'],
    ['no padding instead of two characters', 'YWI6Yw', 'ab'],
  ])('parses a name with %s', async (_, text, username) => {
    expect(await read(`Basic ${text}`)).toMatchObject({ username })
  })

  it.each([
    ['no colon', encoded('alice')],
    ['nothing after the scheme', 'Basic'],
    ['padding in the middle', 'Basic YT==pi'],
    ['three pads', 'Basic YTpi==='],
    ['base64url', 'Basic YTpi-_'],
    ['a line break at the end', 'Basic YTpi\n'],
    ['bytes that are not UTF-8', encoded(Uint8Array.of(0x61, 0x3a, 0xff))],
    ['an over-long encoding of a colon', encoded(Uint8Array.of(0x61, 0xc0, 0xba, 0x62))],
  ])('B01 refuses %s like a wrong password', async (_, authorization) => {
    const basic = () => Promise.reject(new Error('was asked'))
    await expect(authenticate(httpEvent({ headers: { authorization } }), { basic })).rejects.toMatchObject({
      code: 'BAD_CREDENTIALS',
      details: { authType: 'Basic Authentication', reason: 'Bad credentials' },
    })
  })
})

describe('the credentials that count', () => {
  const named = (username: string): Principal => ({ username, roles: [], authType: 'FORM', principalType: 'JwtUser' })
  const ALL: Checks = {
    bearer: (token) => named(`bearer ${token}`),
    basic: async ({ username }) => named(`basic ${username}`),
    session: async (id) => (id === 'live' ? named('session') : undefined),
  }
  const BEARER = 'Bearer t'
  const BASIC = 'Basic YTpi'

  it.each<[Credentials, string | undefined, string | undefined, string | undefined]>([
    ['any', BEARER, undefined, 'bearer t'],
    ['any', BASIC, undefined, 'basic a'],
    ['any', undefined, 'live', 'session'],
    ['any', BEARER, 'live', 'bearer t'],
    ['any', 'Digest x', 'live', undefined],
    ['any', '', 'live', 'session'],
    ['any', undefined, 'over', undefined],
    ['database', BEARER, 'live', undefined],
    ['database', undefined, 'live', undefined],
    ['directory', BASIC, undefined, 'basic a'],
    ['directory', BEARER, 'live', undefined],
    ['session', undefined, 'live', 'session'],
    ['session', BEARER, 'live', 'session'],
    ['session', BASIC, undefined, undefined],
  ])(
    'S16 with %s as accepted: Authorization %s and session %s',
    async (credentials, authorization, session, username) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const cookies = session === undefined ? [] : [`JSESSIONID=${session}`]
      const principal = await authenticate(httpEvent({ headers, cookies }), ALL, credentials)
      expect(principal?.username).toBe(username)
    },
  )

  it('S17 an invalid Authorization takes precedence over a valid session', async () => {
    const bearer = () => {
      throw fail('TOKEN_INVALID', { tokenError: 'x', tokenStatus: 'MALFORMED' })
    }
    const event = httpEvent({ headers: { authorization: BEARER }, cookies: ['JSESSIONID=live'] })
    await expect(authenticate(event, { ...ALL, bearer })).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
  })

  it.each([
    ['bearer', BEARER],
    ['basic', BASIC],
    ['session', undefined],
  ] as const)('a profile without %s treats it as no credentials', async (kind, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const event = httpEvent({ headers, cookies: kind === 'session' ? ['JSESSIONID=live'] : [] })
    expect(await authenticate(event, { ...ALL, [kind]: undefined })).toBeUndefined()
  })
})
