import { Buffer } from 'node:buffer'
import type { ProofTexts, ProviderSample } from '../../lib/webhooks/sample.ts'
import type { SignatureScheme } from '../../lib/webhooks/schemes/scheme.ts'
import type { VerifiedCall } from '../../lib/webhooks/source.ts'
import { trustStored } from '../../lib/webhooks/verify.ts'

const OCCASION = { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', at: new Date('2026-11-21T07:00:00Z') }

/** As long as the longest signature under a shared secret; whether it holds is of no interest here. */
const SIGNATURE = Buffer.alloc(64, 1)

const PROOF: ProofTexts = {
  hex: SIGNATURE.toString('hex'),
  base64: SIGNATURE.toString('base64'),
  base64url: SIGNATURE.toString('base64url'),
  text: SIGNATURE.toString(),
  seconds: String(OCCASION.at.getTime() / 1000),
  milliseconds: String(OCCASION.at.getTime()),
  instant: OCCASION.at.toISOString(),
}

/**
 * The usual call of a provider, taken for verified.
 * @throws Error if the scheme reads no claim of its own provider's sample
 */
export function sampleCall(sample: ProviderSample, scheme: SignatureScheme) {
  const {
    events: [event],
    draft,
    prove,
    isForm,
    keyName = '',
  } = sample
  const { headers, body: values } = draft(event, OCCASION)
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const text = isForm ? String(new URLSearchParams(Object.entries(Object(values)))) : JSON.stringify(values)
  const message = { headers: { 'content-type': type, ...headers }, body: Buffer.from(text) }
  const proven = { ...message, ...prove(PROOF, message) }
  const call = { ...proven, headers: { ...message.headers, ...proven.headers } }
  const claim = scheme.read({ method: 'POST', url: 'https://hooks.example.com', ...call })
  const confirmed = claim?.confirm ? claim.confirm(keyName) : claim
  if (!claim || !confirmed) throw new Error('the scheme reads no claim of the sample')
  const { signedAt } = confirmed
  return {
    headers: call.headers,
    body: trustStored(call.body),
    proven: {
      covers: claim.covers ?? 'body',
      signedAt: signedAt === undefined ? undefined : new Date(signedAt),
      signed: () => claim.signed(keyName),
    },
  } satisfies VerifiedCall
}
