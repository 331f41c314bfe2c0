import type { Response } from '../ask.ts'
import type { Tone } from '../ui/badge.tsx'

export type ListedRefusal = Response<'webhookRefusals'>['refusals'][number]

interface Reason {
  readonly label: string
  readonly tone: Tone
  /** What an operator does about it. */
  readonly advice: string
}

export const REASONS: Readonly<Record<ListedRefusal['reason'], Reason>> = {
  'wrong-signature': {
    label: 'Signature does not match',
    tone: 'bad',
    advice:
      'Compare the secret of the sender with the entry in WEBHOOK_SECRETS. A proxy must pass the body on byte by byte.',
  },
  'no-readable-signature': {
    label: 'No readable signature',
    tone: 'bad',
    advice: 'The signature header is missing or misspelled. Compare the headers below with the scheme of the source.',
  },
  'unknown-key': {
    label: 'Unknown key',
    tone: 'bad',
    advice: 'The sender signed with a key that it no longer publishes, or that is not its own.',
  },
  'no-secret': {
    label: 'No secret',
    tone: 'note',
    advice: 'Add an entry for this source to WEBHOOK_SECRETS, or remove the webhook at the sender.',
  },
  'unreadable-secret': {
    label: 'Unreadable secret',
    tone: 'bad',
    advice: 'The entry in WEBHOOK_SECRETS has the wrong form for this source.',
  },
  'too-old': {
    label: 'Too old',
    tone: 'wait',
    advice:
      'A queue held the call, or the clock of the sender is wrong. Let the sender send it again: the new call gets a new signature.',
  },
  'in-the-future': { label: 'In the future', tone: 'wait', advice: 'The clock of the sender is ahead of ours.' },
  'rate-limited': {
    label: 'Rate limited',
    tone: 'wait',
    advice: 'The sender will try again. WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE raises the limit.',
  },
  'too-large': {
    label: 'Too large',
    tone: 'wait',
    advice: 'WEBHOOK_MAX_BODY_BYTES raises the limit, up to what the gateway takes.',
  },
  encoded: {
    label: 'Compressed body',
    tone: 'note',
    advice: 'Turn compression off at the sender or at the proxy: a signature is over the exact bytes.',
  },
  'invalid-payload': {
    label: 'Invalid payload',
    tone: 'note',
    advice: 'The signature is right, but the body is not what this source documents.',
  },
}
