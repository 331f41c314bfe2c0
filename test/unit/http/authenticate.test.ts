import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { fail } from '../../../lib/errors.ts'
import { authenticate, type Checks } from '../../../lib/http/authenticate.ts'
import { httpEvent } from '../../support/fakes/http.ts'

/** Takes every token for a user of that name. */
const CHECKS: Checks = {
  bearer: (token): Principal => ({ username: token, roles: [], authType: 'JWT', principalType: 'JwtUser' }),
}

async function userOf(authorization: string | undefined, checks = CHECKS): Promise<string | undefined> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const found = await authenticate(httpEvent({ headers }), checks)
  return found?.username
}

describe('the bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer  abc', 'abc'],
    ['Bearer\tabc', 'abc'],
    ['Bearer abc def', 'abc def'],
    ['Bearer a.b.c\n', 'a.b.c\n'],
  ])('stands behind its scheme in any case: %j', async (authorization, token) => {
    expect(await userOf(authorization)).toBe(token)
  })

  it.each(['Bearer', 'Bearer ', 'bearer\t'])('is empty when the scheme stands alone: %j', async (authorization) => {
    expect(await userOf(authorization)).toBe('')
  })
})

describe('no credentials', () => {
  it.each([
    undefined,
    '',
    ' Bearer abc',
    'Basic YTpi',
    'Digest username="a", realm="b"',
    'Bearerabc',
    'Bearer:abc',
    'Token abc',
    'constructor abc',
    '__proto__ abc',
    'toString abc',
  ])('are what an Authorization of %j is', async (authorization) => {
    expect(await userOf(authorization)).toBeUndefined()
  })

  it('are what a kind is that the profile does not accept', async () => {
    expect(await userOf('Bearer abc', {})).toBeUndefined()
    expect(await userOf('Bearer abc', { bearer: undefined })).toBeUndefined()
  })

  it('are headers that only look like Authorization', () => {
    const headers = { 'x-amzn-remapped-authorization': 'Bearer abc', 'proxy-authorization': 'Bearer abc' }
    expect(authenticate(httpEvent({ headers }), CHECKS)).toBeUndefined()
  })
})

describe('a comma-joined or repeated Authorization', () => {
  it.each([
    'Bearer a,Bearer b',
    'Bearer a, Bearer b',
    'Basic YTpi, Bearer b',
    'Digest a, Bearer b',
    'bearer a,b',
    'Basic YTpi,basic YTpi',
  ])('is 400: %s', async (authorization) => {
    await expect(userOf(authorization)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        validationErrors: [{ field: 'Authorization', message: 'Authorization must be sent once', rejectedValue: null }],
      },
    })
  })
})

it('the refusal of a check goes on', async () => {
  const refusing: Checks = {
    bearer: () => {
      throw fail('TOKEN_INVALID', { tokenError: 'x', tokenStatus: 'MALFORMED' })
    },
  }
  await expect(userOf('Bearer abc', refusing)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

it('any Authorization is a token, none or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (authorization) => {
      expect(await userOf(authorization).catch((error) => error.code)).toBeOneOf([undefined, 'VALIDATION_FAILED'])
    }),
  )
})
