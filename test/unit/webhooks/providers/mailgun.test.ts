import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/mailgun.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

describe('Mailgun', () => {
  const TOKEN = '7'.repeat(50)
  const signedOf = (signature: object) =>
    readingOf(provider.scheme, signedCall({}, JSON.stringify({ signature })))?.signed

  it('signs time and token', () => {
    expect(signedOf({ timestamp: '1760000000', token: TOKEN, signature: 'a1' })).toBe(`1760000000${TOKEN}`)
    expect(signedOf({ timestamp: 1760000000, token: TOKEN, signature: 'a1' })).toBe(`1760000000${TOKEN}`)
  })

  it.each([
    ['a digit moved from the token to the time', { timestamp: '17600000007', token: TOKEN.slice(1) }],
    ['a digit moved from the time to the token', { timestamp: '176000000', token: `0${TOKEN}` }],
    ['no token', { timestamp: '1760000000' }],
    ['no time', { token: TOKEN }],
  ])('proves nothing with %s', (_, fields) => {
    expect(signedOf({ ...fields, signature: 'a1' })).toBeUndefined()
  })
})
