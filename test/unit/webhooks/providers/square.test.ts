import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/square.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const URL = 'https://hooks.example.com/webhooks/square'

describe('Square', () => {
  it('signs the address and the body in one text', () => {
    const call = signedCall({ 'x-square-hmacsha256-signature': 'AAAA' }, '{}', { url: `${URL}?a=1` })
    expect(readingOf(provider.scheme, call)?.signed).toBe(`${URL}?a=1{}`)
  })
})
