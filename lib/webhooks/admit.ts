import { fail } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Current } from '../platform/current.ts'
import type { Audit } from './audit.ts'
import type { SignedCall } from './schemes/scheme.ts'
import type { EventSource } from './source.ts'
import { acceptUnverified, type SharedSecret, type Verdict, type VerifiedBody, verify } from './verify.ts'

/** Whether a source's calls have to prove who sends them. */
export type ProofPolicy = 'required' | 'if-sent' | 'unchecked'

export interface Intake {
  /** Where callers reach the service. */
  readonly baseUrl: URL
  /** By the name of the source. */
  readonly secrets: Current<ReadonlyMap<string, readonly SharedSecret[]>>
  /** Replaces every scheme's own tolerance, in seconds. */
  readonly toleranceSeconds: number | undefined
  readonly maxBodyBytes: number
  readonly proofOf: (source: string) => ProofPolicy
  readonly clock: Clock
  readonly audit: Audit
}

type Sender = Pick<EventSource, 'name' | 'scheme'>

/**
 * Lets in a call whose signature and timestamp hold (spec part 5, webhook rule 6).
 * @throws ServiceError as the source's scheme wants to refuse
 */
export function admit(sender: Sender, call: SignedCall, intake: Intake): VerifiedBody {
  const { name, scheme } = sender
  const policy = intake.proofOf(name)
  const isUnsigned = scheme.header !== undefined && call.headers[scheme.header] === undefined
  if (policy === 'unchecked' || (policy === 'if-sent' && isUnsigned)) return acceptUnverified(call.body)
  const verdict = judge(sender, call, intake, intake.secrets.current.get(name) ?? [])
  if (verdict.ok) return verdict.body
  intake.audit.decided('refused', { source: name, reason: verdict.reason })
  throw fail(scheme.refusals[verdict.refusal])
}

/** The secret that a call proves, if there is one. */
export function provenSecret(sender: Sender, call: SignedCall, intake: Intake): SharedSecret | undefined {
  return intake.secrets.current.get(sender.name)?.find((secret) => judge(sender, call, intake, [secret]).ok)
}

function judge({ scheme }: Sender, call: SignedCall, intake: Intake, secrets: readonly SharedSecret[]): Verdict {
  return verify(call, { scheme, secrets, now: intake.clock.now(), toleranceSeconds: intake.toleranceSeconds })
}
