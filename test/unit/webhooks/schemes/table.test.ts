import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { SCHEMES, schemeOf } from '../../../../lib/webhooks/schemes/table.ts'
import { signedCall } from '../../../support/signed-call.ts'
import vectors from '../../../vectors/webhook-signatures.json' with { type: 'json' }

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

/** Their proof is in the body, or in another header that counts as well. */
const WITHOUT_HEADER = ['adyen', 'mailgun', 'gitlab-token']

describe('a call that a provider signed', () => {
  const calls = vectors.vectors.filter(({ id }) => id.endsWith('/valid'))

  it.each(calls)('$id has the header, and the method, that its scheme names', (vector) => {
    const { scheme, bodyBase64, method, url } = vector
    const name = Object.hasOwn(SCHEMES, scheme) ? scheme : scheme.replace(/-\w+$/, '')
    const { header, methods, read } = schemeOf(name)
    const headers = Object.entries(vector.headers).map(([key, value]) => [key.toLowerCase(), value])
    const call = signedCall(Object.fromEntries(headers), Buffer.from(bodyBase64, 'base64'), { method, url })
    expect(methods).toContain(read(call)?.method)
    expect(header !== undefined && header in call.headers).toBe(!WITHOUT_HEADER.includes(scheme))
  })
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
