import { describe, expect, it } from 'vitest'
import { below, exchange } from '../../../../lib/adapters/oidc/exchange.ts'
import { LoginRefused } from '../../../../lib/auth/oauth2/identity-provider.ts'
import { unavailable } from '../../../../lib/errors.ts'

describe('an exchange with a provider', () => {
  it('O13 ends at its deadline, despite any number of further requests', async () => {
    const endless = () => new Promise<never>(() => {})
    await expect(exchange(endless, 20)).rejects.toMatchObject({ name: 'LoginRefused', reason: 'unavailable' })
  })

  it('returns the answer of the provider before the deadline', async () => {
    expect(await exchange(async () => ({ sub: '1' }), 20)).toEqual({ sub: '1' })
  })

  it.each<[string, unknown, object]>([
    ['an outage that the library wrapped', wrapped(unavailable(new Error('down'))), { reason: 'unavailable' }],
    ['an error of the service', new LoginRefused('identity-incomplete'), { reason: 'identity-incomplete' }],
    [
      "the provider's refusal",
      Object.assign(new Error(), { code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' }),
      { reason: 'refused-by-provider', code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' },
    ],
    [
      'any other error of the library',
      Object.assign(new Error(), { code: 'OAUTH_X' }),
      { reason: 'answer-rejected', code: 'OAUTH_X' },
    ],
    ['anything else', 'a text', { reason: 'answer-rejected', code: 'UNKNOWN' }],
  ])('fails with %s', async (_, error, expected) => {
    await expect(exchange(() => Promise.reject(error))).rejects.toMatchObject({ name: 'LoginRefused', ...expected })
  })

  it.each([
    ['https://api.example', 'https://api.example/user'],
    ['https://api.example/v3', 'https://api.example/v3/user'],
  ])('sends its requests below %s', (api, address) => expect(below(new URL(api), '/user').href).toBe(address))
})

function wrapped(cause: Error): Error {
  return new Error('something went wrong', { cause })
}
