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

  const FORM = { recipient: 'a@example.com', timestamp: '1760000000', token: TOKEN, signature: 'a1' }
  const ofForm = (body: string) => readingOf(provider.scheme, signedCall({}, body))?.signed
  const parts = (fields: object, more = '') =>
    `${Object.entries(fields)
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`)
      .join('')}--b--\r\n`

  it('signs the same two fields of a forwarded message, in either encoding of a form', () => {
    expect(ofForm(String(new URLSearchParams(FORM)))).toBe(`1760000000${TOKEN}`)
    expect(ofForm(parts(FORM))).toBe(`1760000000${TOKEN}`)
  })

  it.each([
    ['a file instead of a field', parts(FORM, '; filename="token"')],
    ['no token', String(new URLSearchParams({ ...FORM, token: '' }))],
    ['another token after it', `${new URLSearchParams(FORM)}&token=x`],
    ['a form in JSON', JSON.stringify(FORM)],
  ])('proves nothing with %s', (_, body) => {
    expect(ofForm(body)).toBeUndefined()
  })

  it('W38 a body of more than 256 KiB is not parsed, nor a form of more than a thousand fields', () => {
    const TOO_LARGE = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })
    expect(() => ofForm(`a=${'b'.repeat(262_143)}`)).toThrow(TOO_LARGE)
    expect(() => ofForm('a=1&'.repeat(1000))).toThrow(TOO_LARGE)
    expect(ofForm(`${'a=1&'.repeat(996)}${new URLSearchParams(FORM)}`)).toBe(`1760000000${TOKEN}`)
  })
})
