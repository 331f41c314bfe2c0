import { describe, expect, it } from 'vitest'
import { withoutCredentials } from '../../../lib/auth/without-credentials.ts'

describe('why a call is one without credentials', () => {
  const TOKEN = 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
  const SCHEMES = ['Bearer', 'Basic']
  const given = (headers: Readonly<Record<string, string>>, query = '') =>
    withoutCredentials({ headers, query }, { kinds: ['bearer', 'basic'], takesTokens: true })
  const onlyInAuthorization = (place: string) => `A token counts in the Authorization header only; one came in ${place}`

  it.each([
    ['nothing', given({ accept: '*/*', cookie: 'JSESSIONID=over' }, 'a=b.c.d')],
    ['an empty Authorization', given({ authorization: '' })],
  ])('%s: no more is said', (_, { code, details }) => {
    expect([code, details]).toEqual(['AUTHENTICATION_REQUIRED', undefined])
  })

  it.each([
    ['Digest username="a"', 'Digest is not accepted here'],
    ['NEGOTIATE abc', 'NEGOTIATE is not accepted here'],
    ['AWS4-HMAC-SHA256 Credential=a', 'AWS4-HMAC-SHA256 is not accepted here'],
    // What stands alone may be a secret.
    ['hunter2', 'This Authorization is not accepted here'],
    [TOKEN, 'This Authorization is not accepted here'],
    [`${TOKEN} x`, 'This Authorization is not accepted here'],
    ['Bearer\tabc', 'This Authorization is not accepted here'],
  ])('the scheme is named, and no value: %s', (authorization, reason) => {
    const { code, details } = given({ authorization })
    expect([code, details]).toEqual(['SCHEME_NOT_ACCEPTED', { reason, accepted: SCHEMES }])
  })

  it('an API key where none is taken', () => {
    expect(given({ 'x-api-key': 'k' }).details).toEqual({ reason: 'X-Api-Key is not accepted here', accepted: SCHEMES })
  })

  it('a token in a profile that takes none', () => {
    const { code, details } = withoutCredentials(
      { headers: { authorization: 'bearer x' }, query: '' },
      { kinds: ['basic'], takesTokens: false },
    )
    const reason = 'This profile takes no bearer tokens over HTTP'
    expect([code, details]).toEqual(['TOKEN_NOT_ACCEPTED', { reason, accepted: ['Basic'] }])
  })

  it('an endpoint of sessions alone, whatever else came', () => {
    const brought = { headers: { authorization: 'Bearer x' }, query: '' }
    const { code, details } = withoutCredentials(brought, {
      kinds: ['session'],
      takesTokens: true,
      takesOnlySessions: true,
    })
    const reason = 'This endpoint takes the session of a login: log in at /login'
    expect([code, details]).toEqual(['SESSION_REQUIRED', { reason, accepted: ['session'] }])
  })

  it.each([
    ['the query', given({}, `access_token=${TOKEN}`)],
    ['the query', given({}, `a=1&${TOKEN}`)],
    ['a cookie', given({ cookie: `a=1; token=${TOKEN}` })],
    ['the header x-access-token', given({ 'x-access-token': TOKEN })],
    ['the header proxy-authorization', given({ 'proxy-authorization': `Bearer ${TOKEN}` })],
  ])('a token in %s', (place, { code, details }) => {
    expect([code, details]).toEqual(['TOKEN_MISPLACED', { reason: onlyInAuthorization(place) }])
  })
})
