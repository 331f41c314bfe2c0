import type { SourceConfig } from '../config.ts'
import { fail } from '../errors.ts'
import type { Current } from '../runtime/secrets.ts'
import { shapeOf } from '../runtime/text.ts'
import type { Clock } from '../runtime/time.ts'
import { type Audit, refusedCall } from './audit.ts'
import type { Sender } from './refusals/refusal.ts'
import type { KeyCaller, RotatingKeys } from './rotating-keys.ts'
import { type Headers, isUnsigned, type SignatureScheme, type SignedCall } from './schemes/scheme.ts'
import { GATEHOUSE, type VerifiedCall } from './source.ts'
import { goodSecrets, type RefusalReason, type SharedSecret, trustStored, type VerifyResult, verify } from './verify.ts'

/** Whether calls of a source must prove their sender. */
export type ProofPolicy = 'required' | 'if-sent' | 'unchecked'

interface ProofSettings {
  readonly STAGE: string
  readonly WEBHOOK_SECURITY_ENABLED: string
  readonly WEBHOOK_PAYMENT_SIGNATURE?: string | undefined
}

/**
 * On the local stage `/webhooks/payment` accepts unsigned calls, unless a setting forbids it; every other call must be
 * signed.
 */
export function proofPolicyOf({ STAGE, ...security }: ProofSettings): Intake['proofOf'] {
  if (security.WEBHOOK_SECURITY_ENABLED === 'false') return () => 'unchecked'
  const usual = STAGE === 'local' ? 'optional' : 'required'
  const ofPayments = (security.WEBHOOK_PAYMENT_SIGNATURE ?? usual) === 'required' ? 'required' : 'if-sent'
  return (source) => (source === 'payment' ? ofPayments : 'required')
}

export interface Intake {
  /** The address at which callers reach the service. */
  readonly baseUrl: URL
  /** Secrets by the name of the source. */
  readonly secrets: Current<ReadonlyMap<string, readonly SharedSecret[]>>
  /** The keys of providers that replace them; without it only keys count that are configured. */
  readonly keys?: RotatingKeys
  /** Replaces every scheme's own tolerance, in seconds. */
  readonly toleranceSeconds: number | undefined
  readonly maxBodyBytes: number
  /** Sources with limits of their own; that of a body counts if its bytes are not signed, too. */
  readonly own?: Readonly<Record<string, Pick<SourceConfig, 'maxBodyBytes' | 'rateLimitPerMinute'>>> | undefined
  readonly proofOf: (source: string) => ProofPolicy
  readonly clock: Clock
  readonly audit: Audit
}

/** The secrets that are good now, one of which a call has to prove. */
export type ProofSecrets = readonly SharedSecret[] | 'needs-none'

/**
 * The secrets that may prove a call, before anything else is read of it.
 * @throws WebhookRefused in the form of the source's scheme, for a call that has to prove its sender and no secret for it
 */
export function demandSecrets(sender: Sender, headers: Headers, intake: Intake): ProofSecrets {
  const secrets = provingSecrets(sender, headers, intake)
  return secrets.length === 0 ? refuse(sender, 'signature', 'no-secret', intake) : secrets
}

/** Whether a call can be accepted: there is a secret to check its proof with, or it needs none. */
export function isAwaited(sender: Sender, headers: Headers, intake: Intake): boolean {
  return provingSecrets(sender, headers, intake).length > 0
}

function provingSecrets(sender: Sender, headers: Headers, intake: Intake): ProofSecrets {
  return hasToProve(sender, headers, intake) ? goodSecrets(secretsOf(sender, intake), intake.clock.now()) : 'needs-none'
}

/**
 * Accepts a call whose signature and timestamp hold (webhooks-5).
 * @throws WebhookRefused in the form of the source's scheme, `PAYLOAD_TOO_LARGE`
 */
export function admit(sender: Sender, call: SignedCall, secrets: ProofSecrets, intake: Intake): Admitted {
  if (secrets !== 'needs-none') return admitWith(secrets, sender, call, intake)
  demandFewMembers(call)
  return { body: trustStored(call.body) }
}

/** Of a body that a stranger may have sent: a parser takes long for many names. */
const UNSIGNED_MEMBERS = 1000

function demandFewMembers({ body }: SignedCall): void {
  if (shapeOf(body.toString('latin1')).members > UNSIGNED_MEMBERS) throw fail('PAYLOAD_TOO_LARGE')
}

type Admitted = Pick<VerifiedCall, 'body' | 'proven'>

/**
 * As {@link admit}, for a provider that may rotate its keys. It returns a promise only if a key must be fetched, which
 * no unsigned call needs.
 * @throws ServiceError also `UNAVAILABLE`
 */
export function admitRotating(
  sender: Sender,
  call: SignedCall,
  secrets: ProofSecrets,
  intake: Intake,
  caller: KeyCaller,
): Admitted | Promise<Admitted> {
  const { name, scheme } = sender
  const { keys } = intake
  if (!keys || !scheme.rotation || secrets === 'needs-none') return admit(sender, call, secrets, intake)
  if (!scheme.read(call)) return refuse(sender, 'signature', 'no-readable-signature', intake)
  const conclude = (fitting: readonly SharedSecret[]) =>
    fitting.length === 0 ? refuse(sender, 'signature', 'unknown-key', intake) : admitWith(fitting, sender, call, intake)
  const found = keys.secretsFor(name, scheme.rotation, call, secrets, caller)
  return found instanceof Promise ? found.then(conclude) : conclude(found)
}

function admitWith(secrets: readonly SharedSecret[], sender: Sender, call: SignedCall, intake: Intake): Admitted {
  const verdict = judge(sender, call, intake, secrets)
  if (!verdict.ok) return refuse(sender, verdict.refusal, verdict.reason, intake)
  return { body: verdict.body, proven: verdict.proven }
}

function hasToProve({ name, scheme }: Sender, headers: Headers, { proofOf }: Intake): boolean {
  const policy = proofOf(name)
  if (name === GATEHOUSE) return true
  return policy === 'required' || (policy === 'if-sent' && !isUnsigned(scheme, headers))
}

function refuse(
  sender: Sender,
  refusal: keyof SignatureScheme['refusals'],
  reason: RefusalReason,
  { audit }: Intake,
): never {
  throw refusedCall(audit, sender, reason, fail(sender.scheme.refusals[refusal]))
}

/** The secret that a call proves; undefined if it proves none. */
export function provenSecret(sender: Sender, call: SignedCall, intake: Intake): SharedSecret | undefined {
  return secretsOf(sender, intake).find((secret) => judge(sender, call, intake, [secret]).ok)
}

function judge(sender: Sender, call: SignedCall, intake: Intake, secrets: readonly SharedSecret[]): VerifyResult {
  const { scheme, lateSeconds } = sender
  const { clock, toleranceSeconds } = intake
  return verify(call, { scheme, secrets, now: clock.now(), toleranceSeconds, lateSeconds })
}

function secretsOf({ name }: Sender, { secrets }: Intake): readonly SharedSecret[] {
  return name === GATEHOUSE ? [] : (secrets.current.get(name) ?? [])
}
