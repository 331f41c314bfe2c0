import { rulesIn } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { AuditReason } from '../audit.ts'
import type { Receiver } from '../explain/explain.ts'
import type { SignedCall } from '../schemes/scheme.ts'
import type { RefusalReason } from '../verify.ts'
import type { RefusalVerdict } from './refusal.ts'
import type { WebhookRefused } from './webhook-refused.ts'

/** A larger body is not explained: every cause that is tried costs a look at all of it. */
const EXPLAINED_BYTES = 65_536

const MAXIMUM_SENTENCE = 512

/** The reasons that `explain` knows more about. */
const UNPROVEN: Readonly<Record<Exclude<RefusalReason, 'unknown-key'>, string>> = {
  'no-secret': 'No secret is good for this source.',
  'unreadable-secret': 'No secret of this source has the form of its scheme.',
  'no-readable-signature': 'It holds no signature that the scheme of this source can read.',
  'wrong-signature': 'Its signature does not fit.',
  'too-old': 'It was signed too long ago.',
  'in-the-future': 'It was signed in the future.',
}

const OTHERS: Readonly<Record<Exclude<AuditReason, keyof typeof UNPROVEN>, string>> = {
  'unknown-key': 'Its provider knows no key of the name that it gives.',
  'rate-limited': 'Its address sent more calls in a minute than may come.',
  'too-large': 'Its body is larger than this source takes.',
  encoded: 'Its body came under a content coding, and this source has to read it.',
  'invalid-payload': 'Its body breaks the schema of this source.',
}

const SENTENCES: Readonly<Record<AuditReason, string>> = { ...UNPROVEN, ...OTHERS }

/** A refused call of so many bytes, and what its receiver knew. */
export interface RefusedCase {
  readonly size: number
  readonly call: () => SignedCall
  readonly receiver: Receiver
}

/** Why a call was refused, as precisely as that is found out. Never rejects. */
export async function refusalVerdict(refused: WebhookRefused, given: RefusedCase, log: Log): Promise<RefusalVerdict> {
  const plain = { reason: refused.reason, sentence: plainSentence(refused) }
  if (!Object.hasOwn(UNPROVEN, refused.reason) || given.size > EXPLAINED_BYTES) return plain
  const found = await explained(given, log)
  return found ? { reason: found.reason, sentence: found.sentence.slice(0, MAXIMUM_SENTENCE) } : plain
}

/** Undefined for a call that is accepted by now, because time passed or a secret was replaced. */
async function explained({ call, receiver }: RefusedCase, log: Log): Promise<RefusalVerdict | undefined> {
  try {
    const { explain } = await import('../explain/explain.ts')
    const found = explain(call(), receiver)
    // It fetches no keys: of a call under a fetched one it knows less than the intake did.
    return ['accepted', 'unknown-key'].includes(found.reason) ? undefined : found
  } catch (error) {
    // Not the error itself: what failed on a body may quote it.
    log.warn('refusal not explained', { source: receiver.name, error: error instanceof Error ? error.name : 'unknown' })
    return undefined
  }
}

/** The rules of a schema name only its own fields, and never sent values. */
function plainSentence(refused: WebhookRefused): string {
  if (refused.is('VALIDATION_FAILED')) return `${rulesIn(refused)}.`.slice(0, MAXIMUM_SENTENCE)
  return SENTENCES[refused.reason]
}
