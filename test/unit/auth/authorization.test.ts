import { Metadata } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { presentedKey } from '../../../lib/auth/authorization.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { authenticate } from '../../../lib/grpc/access.ts'
import { check, findCredentials } from '../../../lib/http/middleware/authenticate.ts'
import { frame } from '../../../lib/stomp/codec/frame.ts'
import { readConnect } from '../../../lib/stomp/connect.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { noKeys } from '../../support/fakes/keys.ts'
import { everyAccount } from '../../support/fakes/principals.ts'

const NBSP = '\u00a0'

/** Takes every token for a user of that name. */
const bearer = (token: string): Principal => ({
  username: token,
  roles: [],
  authType: 'JWT',
  principalType: 'JwtUser',
})

/** Metadata of gRPC holds printable ASCII only: what others send is put in behind its check. */
function metadataOf(authorization: string): Metadata {
  return Object.assign(new Metadata(), { get: (name: string) => (name === 'authorization' ? [authorization] : []) })
}

const NONE: readonly unknown[] = ['AUTHENTICATION_REQUIRED', 'SCHEME_NOT_ACCEPTED']

async function unlessNone(read: () => Promise<string | undefined>): Promise<string | undefined> {
  return read().catch((error) => {
    if (NONE.includes(error.code)) return undefined
    throw error
  })
}

/** The token that each channel reads; undefined for none. */
const READERS = {
  HTTP: async (authorization: string) => {
    const found = findCredentials(httpEvent({ headers: { authorization } }), { bearer })
    return (await (found && check(found, { bearer }, () => '')))?.username
  },
  gRPC: async (authorization: string) => {
    const path = '/gatehouse.v1.AuthService/WhoAmI'
    const checks = { check: bearer, accounts: everyAccount, keys: noKeys }
    return unlessNone(async () => (await authenticate(metadataOf(authorization), path, checks))?.username)
  },
  STOMP: async (authorization: string) => {
    const request = frame('CONNECT', { 'accept-version': '1.2', authorization, passcode: 'p' })
    return unlessNone(async () => {
      const { credentials } = readConnect(request, 0)
      return 'token' in credentials ? credentials.token : undefined
    })
  },
}

const onEach = async (authorization: string) =>
  Object.fromEntries(
    await Promise.all(Object.entries(READERS).map(async ([name, read]) => [name, await read(authorization)])),
  )

describe('J02 an Authorization means the same over HTTP, gRPC and STOMP', () => {
  it.each<[string, string | undefined]>([
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer a.b.c', 'a.b.c'],
    ['Bearer  a.b.c', 'a.b.c'],
    ['\tBearer a.b.c\t ', 'a.b.c'],
    ['Bearer', ''],
    ['Bearer a b', 'a b'],
    ['Bearer Bearer a.b.c', 'Bearer a.b.c'],
    [`Bearer a.b.c${NBSP}`, `a.b.c${NBSP}`],
    ['Bearer\ta.b.c', undefined],
    [`${NBSP}Bearer a.b.c`, undefined],
    ['Bearera.b.c', undefined],
    ['Basic YTpi', undefined],
    ['', undefined],
  ])('%j carries the token %j', async (authorization, token) => {
    expect(await onEach(authorization)).toEqual({ HTTP: token, gRPC: token, STOMP: token })
  })

  it('two tokens in one are refused', async () => {
    const two = 'Bearer a.b.c,Bearer d.e.f'
    for (const read of Object.values(READERS)) {
      await expect(read(two)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('long runs of blanks are parsed in linear time', async () => {
    const blanks = ' '.repeat(100_000)
    expect(await onEach(`${blanks}Bearer${blanks}a${blanks}`)).toEqual({ HTTP: 'a', gRPC: 'a', STOMP: 'a' })
    expect(await onEach(`Bearer a${blanks}b`)).toMatchObject({ HTTP: `a${blanks}b` })
  })
})

describe('the header X-Api-Key', () => {
  it('may be missing, empty or any text', () => {
    expect(presentedKey([], false)).toBeUndefined()
    expect(presentedKey([], true)).toBeUndefined()
    expect(presentedKey([''], false)).toBe('')
    expect(presentedKey(['x'], false)).toBe('x')
  })

  it.each<[string, readonly string[], boolean, string]>([
    ['twice', ['a', 'b'], false, 'X-Api-Key must be sent once'],
    ['joined', ['a, b'], false, 'X-Api-Key must be sent once'],
    ['with another kind', ['a'], true, 'X-Api-Key must be sent without Authorization'],
  ])('%s is refused, and its value is not repeated', (_, values, isBesideOthers, message) => {
    expect(() => presentedKey(values, isBesideOthers)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: { validationErrors: [{ field: 'X-Api-Key', message, rejectedValue: null }] },
      }),
    )
  })
})
