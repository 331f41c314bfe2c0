import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/twilio.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const URL = 'https://hooks.example.com/webhooks/twilio'
const MAC = 'AAAA'

describe('Twilio', () => {
  const read = (body: string | Buffer, type?: string, url = URL) =>
    readingOf(provider.scheme, signedCall({ 'x-twilio-signature': MAC, 'content-type': type }, body, { url }))
  const signedOf = (body: string | Buffer, type?: string, url?: string) => read(body, type, url)?.signed
  const FORM = 'application/x-www-form-urlencoded'

  it.each([
    ['by name', 'To=2&From=1', 'From1To2'],
    ['by name in code units, capitals first', 'a=1&B=2', 'B2a1'],
    ['decoded', 'Body=a+b%26%C3%A9', 'Bodya b&é'],
    ['without a value', 'Digits=&To', 'DigitsTo'],
    ['of one name by value', 'M=b&M=a', 'MaMb'],
    ['of one name and value once', 'M=a&N=c&M=b&M=a', 'MaMbNc'],
    ['of one name and value at the end once', 'M=a&M=a', 'Ma'],
    ['of one value and another name', 'A=x&B=x&B=y', 'AxBxBy'],
  ])('signs the address and the fields of a form, %s', (_, body, fields) => {
    expect(signedOf(body, FORM)).toBe(`${URL}${fields}`)
    expect(signedOf(body, `${FORM.toUpperCase()}; charset=UTF-8`)).toBe(`${URL}${fields}`)
  })

  it('signs the address alone when there is no body', () => {
    expect(signedOf('')).toBe(URL)
  })

  it('signs another body by its hash in the address', () => {
    const body = '{"a":1}'
    const url = `${URL}?bodySHA256=${createHash('sha256').update(body).digest('hex')}`
    const reading = { signatures: ['000000'], signedAt: undefined, signed: url }
    expect(read(body, 'application/json', url)).toEqual(reading)
    expect(read('{"a":2}', 'application/json', url)).toBeUndefined()
    expect(read('', 'application/json', url)).toBeUndefined()
    expect(read('a=1', FORM, url)).toBeUndefined()
  })

  it.each([
    ['another body without its hash', signedOf('{"a":1}', 'application/json')],
    ['a body of no type', signedOf('a=1')],
    ['a form that is not UTF-8', signedOf(Buffer.from([0x61, 0x3d, 0xff]), FORM)],
    [
      'an address that is none',
      readingOf(provider.scheme, signedCall({ 'x-twilio-signature': MAC }, '{}', { url: 'x' })),
    ],
  ])('does not sign %s', (_, signed) => {
    expect(signed).toBeUndefined()
  })

  const TOO_LARGE = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })

  it('W38 a form of more than a thousand fields is not read', () => {
    expect(signedOf('a=1&'.repeat(999), FORM)).toBeDefined()
    const parse = vi.fn()
    vi.stubGlobal('URLSearchParams', parse)
    expect(() => signedOf('a=1&'.repeat(1000), FORM)).toThrow(TOO_LARGE)
    vi.unstubAllGlobals()
    expect(parse).not.toHaveBeenCalled()
  })

  it('W38 a form of more than 256 KiB is not read', () => {
    expect(signedOf(`a=${'b'.repeat(262_142)}`, FORM)).toBeDefined()
    expect(() => signedOf(`a=${'b'.repeat(262_143)}`, FORM)).toThrow(TOO_LARGE)
  })
})
