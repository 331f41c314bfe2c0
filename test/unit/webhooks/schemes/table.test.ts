import { describe, expect, it } from 'vitest'
import { SCHEMES, schemeOf } from '../../../../lib/webhooks/schemes/table.ts'

describe('the table', () => {
  it('has more than thirty providers', () => {
    expect(Object.keys(SCHEMES).length).toBeGreaterThan(30)
  })

  it.each(['stripe', 'github', 'slack', 'standard-webhooks'] as const)('has the scheme of %s by its name', (name) => {
    expect(schemeOf(name)).toBe(SCHEMES[name])
  })

  it.each(['payment', 'unheard-of', '', '__proto__', 'constructor', 'toString'])(
    'has the generic scheme for any other name: "%s"',
    (name) => {
      expect(schemeOf(name)).toBe(SCHEMES.generic)
    },
  )
})

describe('a refusal', () => {
  it('of Stripe is 400 Invalid signature, for signature and timestamp alike', () => {
    expect(SCHEMES.stripe.refusals).toEqual({ signature: 'SIGNATURE_REJECTED', timestamp: 'SIGNATURE_REJECTED' })
  })

  it('of any other provider is 401 for the signature and 400 for the timestamp', () => {
    const others = Object.entries(SCHEMES).filter(([name]) => name !== 'stripe')
    for (const [, { refusals }] of others) {
      expect(refusals).toEqual({ signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' })
    }
  })

  it('of GitHub is 401 Invalid signature', () => {
    expect(SCHEMES.github.refusals.signature).toBe('SIGNATURE_INVALID')
  })

  it('of the generic scheme is 401 for the signature and 400 for the timestamp', () => {
    expect(SCHEMES.generic.refusals).toEqual({ signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' })
  })
})
