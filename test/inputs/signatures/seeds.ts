import { createHmac } from 'node:crypto'
import { PROVIDERS, providerOf } from '../../../lib/webhooks/providers/index.ts'
import type { SignatureScheme, SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import type { SharedSecret } from '../../../lib/webhooks/verify.ts'
import { readVectors, secretsOf, signedCallOf } from '../../../localstack/signatures.ts'
import { signedCall } from '../../support/signed-call.ts'

/** A call that is accepted, from which others are made. */
export interface Seed {
  /** The scheme, or the way of it, by which the table of unsigned places knows it. */
  readonly kind: string
  readonly call: SignedCall
  readonly scheme: SignatureScheme
  readonly secrets: readonly SharedSecret[]
  readonly now: Date
  readonly toleranceSeconds: number | undefined
}

const AT = 1_760_000_000
const SECRET = 'shared secret'

function genericSeed(kind: string, signed: string, timestamp: Record<string, string>): Seed {
  const signature = createHmac('sha256', SECRET).update(signed).digest('hex')
  return {
    kind,
    call: signedCall(
      { 'content-type': 'application/json', 'x-signature': signature, ...timestamp },
      '{"eventId":"e-1"}',
    ),
    scheme: PROVIDERS.generic.scheme,
    secrets: [{ value: SECRET }],
    now: new Date(AT * 1000),
    toleranceSeconds: undefined,
  }
}

/** Every valid vector, and the generic scheme with and without a time. */
export const SEEDS: readonly Seed[] = [
  genericSeed('generic', '{"eventId":"e-1"}', {}),
  genericSeed('generic', `${AT}.{"eventId":"e-1"}`, { 'x-timestamp': String(AT) }),
  ...readVectors('test/vectors/webhook-signatures.json')
    .filter(({ expected }) => expected === 'valid')
    .map((vector) => ({
      kind: vector.id.slice(0, vector.id.indexOf('/')),
      call: signedCallOf(vector),
      scheme: providerOf(vector.scheme).scheme,
      secrets: secretsOf(vector),
      now: new Date(vector.now * 1000),
      toleranceSeconds: vector.toleranceSec ?? undefined,
    })),
]
