import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { hubspot, square, twilio } from '../../../../lib/webhooks/schemes/address.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const URL = 'https://hooks.example.com/webhooks/twilio'
const MAC = 'AAAA'

describe('Square signs the address and the body', () => {
  it('in one text', () => {
    const call = signedCall({ 'x-square-hmacsha256-signature': MAC }, '{}', { url: `${URL}?a=1` })
    expect(readingOf(square, call)?.signed).toBe(`${URL}?a=1{}`)
  })

  it.each([
    ['http://127.0.0.1:3000/a', true],
    ['http://[::1]:3000/a', true],
    ['https://hooks.example.com', true],
    [' https://hooks.example.com/a', false],
    ['ftp://hooks.example.com/a', false],
    ['/webhooks/square', false],
  ])('when it is one: %j is, %s', (url, isAddress) => {
    const reading = readingOf(square, signedCall({ 'x-square-hmacsha256-signature': MAC }, '{}', { url }))
    expect(reading !== undefined).toBe(isAddress)
  })
})

describe('an address that ends with the beginning of a body', () => {
  it.each(['{', '[{"eventId":1', '?a=1{', '?a="', ' ', '#'])('is none: %j', (beginning) => {
    const url = `${URL}${beginning}`
    const headers = {
      'x-square-hmacsha256-signature': MAC,
      'x-hubspot-signature-v3': MAC,
      'x-hubspot-request-timestamp': '1760000000000',
    }
    expect(readingOf(square, signedCall(headers, '', { url }))).toBeUndefined()
    expect(readingOf(hubspot, signedCall(headers, '', { url }))).toBeUndefined()
  })
})

describe('Twilio', () => {
  const read = (body: string | Buffer, type?: string, url = URL) =>
    readingOf(twilio, signedCall({ 'x-twilio-signature': MAC, 'content-type': type }, body, { url }))
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
    ['an address that is none', readingOf(twilio, signedCall({ 'x-twilio-signature': MAC }, '{}', { url: 'x' }))],
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

describe('HubSpot', () => {
  const signedOf = (url: string, timestamp = '1760000000000', others: Partial<SignedCall> = {}) =>
    readingOf(
      hubspot,
      signedCall({ 'x-hubspot-signature-v3': MAC, 'x-hubspot-request-timestamp': timestamp }, '[]', { url, ...others }),
    )?.signed

  it('signs method, address, body and time', () => {
    expect(signedOf(URL)).toBe(`POST${URL}[]1760000000000`)
    expect(signedOf(URL, undefined, { method: 'GET' })).toBe(`GET${URL}[]1760000000000`)
  })

  it.each([
    ['%3A%2f%3F%40%21%24%27%28%29%2A%2C%3B', ":/?@!$'()*,;"],
    ['%20%25%26%3D%2B%23%C3%A9', '%20%25%26%3D%2B%23%C3%A9'],
    ['%253A', '%253A'],
    ['100%', '100%'],
  ])('undoes twelve escapes of the address and no other: %s', (escaped, plain) => {
    expect(signedOf(`${URL}?q=${escaped}`)).toBe(`POST${URL}?q=${plain}[]1760000000000`)
  })

  it.each(['176000000000', '17600000000000', '1760000000.00', ''])('signs no time of another width: "%s"', (time) => {
    expect(signedOf(URL, time)).toBeUndefined()
  })
})
