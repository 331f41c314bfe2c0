import { Buffer } from 'node:buffer'
import { SAMPLES } from '../../../lib/webhooks/providers/samples.ts'
import type { Sample } from '../../../lib/webhooks/sample.ts'
import { bytesOf } from '../../../localstack/senders/message.ts'
import { SENDERS } from '../../../localstack/senders/table.ts'
import { START } from '../../support/fakes/clock.ts'
import { hashed, hashQuery, routed, tokened, untimed } from '../../support/webhook-senders.ts'

/** How somebody signs whatever body it has. */
export interface Way {
  /** The name in the path. */
  readonly name: string
  readonly sender: Sample
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly query?: (body: Buffer) => string
  /** Set if not every body can be signed in this way: some proofs need what stands in it. */
  readonly cannotSignAll?: true
}

/** A place in a body for a signature of this length. */
const PLACES = { base64: `${'A'.repeat(43)}=`, hex: '0'.repeat(64), text: 'a place for the secret' } as const

/** Puts the signature where the body, otherwise as it is, has a place for it. */
function inPlace(kind: keyof typeof PLACES): Pick<Sample, 'prove'> {
  return {
    prove: (proof, { body }) => ({
      body: Buffer.from(body.toString('latin1').replace(PLACES[kind], proof[kind]), 'latin1'),
    }),
  }
}

const OCCASION = { id: '8a6e0804-2bd0-4672-b79d-d97027f9071a', at: START }

function wayOf(name: string, sender: Sample, more: Partial<Way> = {}): Way {
  const { headers = {}, body } = sender.draft(sender.events[0], OCCASION)
  return { name, sender, headers, body: bytesOf(sender, body), ...more }
}

/** The sample with a proof in its body, of which the signature is the place for one. */
function inside(name: string, sender: Sample, kind: keyof typeof PLACES): Way {
  const { headers, body } = wayOf(name, sender)
  const seconds = String(START.getTime() / 1000)
  const texts = {
    hex: '',
    base64: '',
    base64url: '',
    text: '',
    milliseconds: '',
    instant: START.toISOString(),
    seconds,
  }
  const { body: proven = body } = sender.prove({ ...texts, [kind]: PLACES[kind] }, { headers, body })
  return { name, sender: { ...sender, ...inPlace(kind) }, headers, body: proven, cannotSignAll: true }
}

const { linear, twilio, ...others } = SENDERS
const WITH_PROOF_INSIDE = ['adyen', 'mailgun', 'microsoft-graph', 'sns']

const linearBody = Buffer.from(
  JSON.stringify({ ...Object(linear.draft('Issue', OCCASION).body), webhookTimestamp: START.getTime() }),
)

/** Every sender of webhooks, and each of its ways. */
export const WAYS: readonly Way[] = [
  ...Object.entries(others)
    .filter(([name]) => !WITH_PROOF_INSIDE.includes(name))
    .map(([name, sender]) => wayOf(name, sender)),
  wayOf('demo', untimed, { cannotSignAll: true }),
  wayOf('gitlab', tokened),
  wayOf('twilio', hashed, { query: hashQuery }),
  wayOf('twilio', twilio, { cannotSignAll: true }),
  inside('adyen', SAMPLES.adyen, 'base64'),
  inside('mailgun', SAMPLES.mailgun, 'hex'),
  inside('mailgun', routed, 'hex'),
  inside('microsoft-graph', SAMPLES['microsoft-graph'], 'text'),
  inside('sns', SAMPLES.sns, 'base64'),
  {
    ...wayOf('linear', { ...linear, prove: ({ hex }) => ({ headers: { 'linear-signature': hex } }) }),
    body: linearBody,
    cannotSignAll: true,
  },
]
