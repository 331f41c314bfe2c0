import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/hubspot.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const URL = 'https://hooks.example.com/webhooks/hubspot'
const MAC = 'AAAA'

describe('HubSpot', () => {
  const signedOf = (url: string, timestamp = '1760000000000', others: Partial<SignedCall> = {}) =>
    readingOf(
      provider.scheme,
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
  ])('decodes twelve escapes of the address and no others: %s', (escaped, plain) => {
    expect(signedOf(`${URL}?q=${escaped}`)).toBe(`POST${URL}?q=${plain}[]1760000000000`)
  })

  it.each(['176000000000', '17600000000000', '1760000000.00', ''])('signs no time of another width: "%s"', (time) => {
    expect(signedOf(URL, time)).toBeUndefined()
  })
})
