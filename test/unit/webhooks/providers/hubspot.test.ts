import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/hubspot.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const URL = 'https://hooks.example.com/webhooks/hubspot'

describe('HubSpot', () => {
  const HEADERS = { 'x-hubspot-signature-v3': 'AAAA', 'x-hubspot-request-timestamp': '1760000000000' }
  const signedOf = (url: string) => readingOf(provider.scheme, signedCall(HEADERS, '[]', { url }))?.signed

  it.each([
    ['%3A%2f%3F%40%21%24%27%28%29%2A%2C%3B', ":/?@!$'()*,;"],
    ['%20%25%26%3D%2B%23%C3%A9', '%20%25%26%3D%2B%23%C3%A9'],
    ['%253A', '%253A'],
    ['100%', '100%'],
  ])('decodes twelve escapes of the address and no others: %s', (escaped, plain) => {
    expect(signedOf(`${URL}?q=${escaped}`)).toBe(`POST${URL}?q=${plain}[]1760000000000`)
  })
})
