import { Buffer } from 'node:buffer'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROVIDERS, providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import { signedCall } from '../../../support/signed-call.ts'
import vectors from '../../../vectors/webhook-signatures.json' with { type: 'json' }

const FILES = globSync('*.ts', { cwd: 'lib/webhooks/providers' }).filter((file) => !/^(?:index|samples)\./.test(file))

describe('a provider', () => {
  it('has a sample', () => {
    expect(Object.keys(SAMPLES)).toEqual(Object.keys(PROVIDERS))
  })

  it.each(FILES)('imports no other provider: %s', (file) => {
    expect(readFileSync(`lib/webhooks/providers/${file}`, 'utf8')).not.toMatch(/from '\.\//)
  })
})

/** Their proof is in the body, or in another header that counts as well. */
const WITHOUT_HEADER = ['adyen', 'mailgun', 'gitlab-token', 'sns', 'microsoft-graph', 'event-grid']

describe('a call with the signature of a provider', () => {
  const calls = vectors.vectors.filter(({ id }) => id.endsWith('/valid'))

  it.each(calls)('$id has the header and the method of its scheme', (vector) => {
    const { scheme, bodyBase64, method, url } = vector
    const name = Object.hasOwn(PROVIDERS, scheme) ? scheme : scheme.replace(/-\w+$/, '')
    const { header, methods, read } = providerOf(name).scheme
    const headers = Object.entries(vector.headers).map(([key, value]) => [key.toLowerCase(), value])
    const call = signedCall(Object.fromEntries(headers), Buffer.from(bodyBase64, 'base64'), { method, url })
    expect(methods).toContain(read(call)?.method)
    expect(header !== undefined && header in call.headers).toBe(!WITHOUT_HEADER.includes(scheme))
  })
})

describe('a refusal', () => {
  it('of Stripe is 400 Invalid signature, for signature and timestamp alike', () => {
    expect(PROVIDERS.stripe.scheme.refusals).toEqual({
      signature: 'SIGNATURE_REJECTED',
      timestamp: 'SIGNATURE_REJECTED',
    })
  })

  it('of Xero is 401 without a text', () => {
    expect(PROVIDERS.xero.scheme.refusals.signature).toBe('SIGNATURE_INVALID_BARE')
  })

  it('of any other provider is 401 for the signature and 400 for the timestamp', () => {
    const others = Object.entries(PROVIDERS).filter(([name]) => name !== 'stripe' && name !== 'xero')
    for (const [, { scheme }] of others) {
      expect(scheme.refusals).toEqual({ signature: 'SIGNATURE_INVALID', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' })
    }
  })
})
