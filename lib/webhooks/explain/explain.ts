import { rulesIn, ServiceError } from '../../errors.ts'
import type { AuditReason } from '../audit.ts'
import type { RefusalVerdict, WebhookRefused } from '../refusals/refusal.ts'
import { type SignatureScheme, type SignedCall, UNSIGNED_BODY_BYTES } from '../schemes/scheme.ts'
import { type RefusalReason, type Refused, type SharedSecret, type VerifyResult, verify } from '../verify.ts'
import { CALL_FORMS, type CallForm, SECRET_FORMS, type SecretForm } from './forms.ts'

export interface Receiver {
  /** The name of the source, which selects the secrets. */
  readonly name: string
  readonly scheme: SignatureScheme
  readonly secrets: ReadonlyMap<string, readonly SharedSecret[]>
  readonly now: Date
  /** Replaces the scheme's own tolerance, in seconds. */
  readonly toleranceSeconds: number | undefined
  /** How old a late retry may be, in seconds, if the source takes any. */
  readonly lateSeconds?: number | undefined
}

type Reason =
  | RefusalReason
  | CallForm['reason']
  | SecretForm['reason']
  | 'accepted'
  | 'too-large'
  | 'header-missing'
  | 'secret-of-another-provider'

/** Why a call is judged as it is. */
export interface Explanation extends RefusalVerdict {
  readonly reason: Reason
}

interface Case extends Receiver {
  readonly call: SignedCall
  readonly own: readonly SharedSecret[]
}

/** The call is missing if it was too large to be read. */
type Known = Omit<Case, 'call'> & Partial<Pick<Case, 'call'>>

/** A larger body is not explained: every cause that is tried costs a look at all of it. */
const EXPLAINED_BYTES = 65_536

const MAXIMUM_SENTENCE = 512

const TOO_LARGE = `Its body is larger than this source takes (its maxBodyBytes, else WEBHOOK_MAX_BODY_BYTES, or ${UNSIGNED_BODY_BYTES} bytes where its scheme does not sign the bytes as they are), or its form has more than 1,000 fields.`

/** The reasons of the intake that are none of a signature. */
const OTHERS: Readonly<Record<Exclude<AuditReason, RefusalReason>, string>> = {
  'rate-limited': 'Its address sent more calls in a minute than are allowed.',
  'too-large': TOO_LARGE,
  encoded: 'Its body came under a content coding, and this source has to read it.',
  'invalid-payload': 'Its body breaks the schema of this source.',
}

/**
 * Why the intake refused a call: the same, where there is more to find out than the intake did.
 * @param size of the body, in bytes; a call with a large one is not read
 */
export function explainRefusal(
  refused: WebhookRefused,
  size: number,
  callOf: () => SignedCall,
  receiver: Receiver,
): RefusalVerdict {
  const { reason } = refused
  if (isOther(reason)) return { reason, sentence: otherSentence(refused, OTHERS[reason]) }
  // It fetches no keys: of a call under a fetched one it knows less than the intake did.
  if (size <= EXPLAINED_BYTES && reason !== 'unknown-key') {
    const found = explain(callOf(), receiver)
    // Time has passed, or a secret was replaced.
    if (found.reason !== 'accepted' && found.reason !== 'unknown-key')
      return { ...found, sentence: found.sentence.slice(0, MAXIMUM_SENTENCE) }
  }
  const own = receiver.secrets.get(receiver.name) ?? []
  return { reason, sentence: SENTENCES[reason]({ ...receiver, own }) }
}

function isOther(reason: AuditReason): reason is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, reason)
}

/** The rules of a schema name only its own fields, and never sent values. */
function otherSentence(refused: WebhookRefused, sentence: string): string {
  return refused.is('VALIDATION_FAILED') ? `${rulesIn(refused)}.`.slice(0, MAXIMUM_SENTENCE) : sentence
}

/** Checks one possible cause after the other until one applies. */
export function explain(call: SignedCall, receiver: Receiver): Explanation {
  const asked = { ...receiver, call, own: receiver.secrets.get(receiver.name) ?? [] }
  const verdict = verdictOn(asked)
  if (!verdict) return { reason: 'too-large', sentence: TOO_LARGE }
  if (verdict.ok) return { reason: 'accepted', sentence: `It is accepted as a call of ${receiver.name}.` }
  if (verdict.refusal === 'timestamp') return staleness(asked, verdict)
  const specific =
    asked.own.length === 0
      ? secretOfAnother(asked)
      : (missingHeader(asked) ??
        unfetchedKey(asked) ??
        otherSecret(asked) ??
        secretOfAnother(asked) ??
        otherForm(asked))
  return specific ?? { reason: verdict.reason, sentence: SENTENCES[verdict.reason](asked) }
}

/** The explanations when no more specific cause is found. */
const SENTENCES: Readonly<Record<RefusalReason, (asked: Known) => string>> = {
  'no-secret': ({ name, own }) =>
    own.length === 0 ? `No secret is configured for ${name}.` : `No secret of ${name} is good at this time.`,
  'unreadable-secret': ({ name }) =>
    `No secret of ${name} has the form of its scheme, or none has the kind that signed this call.`,
  'unknown-key': ({ name }) =>
    `The secret of ${name} only names its keys, which the service fetches from its provider: the one that the call names is not known here.`,
  'no-readable-signature': ({ name, scheme }) =>
    scheme.header === undefined
      ? `The body holds no signature that the scheme of ${name} can read.`
      : `The headers contain no signature and time in the form of ${name} (${scheme.header}).`,
  'wrong-signature': ({ name, call }) =>
    `The secret is another one, or what ${name} signs was changed on the way${isAsStringified(call) ? ', as by a proxy that writes JSON again' : ''}.`,
  'too-old': () => 'It was signed too long ago.',
  'in-the-future': () => 'It was signed in the future.',
}

function staleness(
  { scheme, toleranceSeconds = scheme.toleranceSeconds, lateSeconds = 0 }: Case,
  { reason, ageSeconds: age }: Refused,
): Explanation {
  const late = age > 0 && lateSeconds > toleranceSeconds ? `, to a retry ${lateSeconds} s` : ''
  const allowed = `${toleranceSeconds} s are allowed${late}`
  return {
    reason,
    sentence:
      age > 0 ? `It was signed ${age} s ago; ${allowed}.` : `It was signed ${-age} s in the future; ${allowed}.`,
  }
}

/** A generic call may be signed without a time. */
const OPTIONAL = new Set(['x-timestamp'])

function missingHeader({ call, scheme }: Case): Explanation | undefined {
  const wanted = new Set(scheme.header === undefined ? [] : [scheme.header])
  const headers = new Proxy(call.headers, {
    get(target, name) {
      wanted.add(String(name))
      return Reflect.get(target, name)
    },
  })
  if (scheme.read({ ...call, headers })) return undefined
  const missing = [...wanted].filter((name) => !call.headers[name] && !OPTIONAL.has(name))
  if (missing.length === 0) return undefined
  return { reason: 'header-missing', sentence: `A header is missing or empty: ${missing.join(', ')}.` }
}

/** Nothing is fetched here. */
function unfetchedKey(asked: Case): Explanation | undefined {
  const { own, scheme } = asked
  const isNamed = own.length > 0 && own.every(({ value }) => scheme.rotation?.isName(value))
  return isNamed ? { reason: 'unknown-key', sentence: SENTENCES['unknown-key'](asked) } : undefined
}

function otherSecret(asked: Case): Explanation | undefined {
  const row = SECRET_FORMS.find(({ forms }) =>
    asked.own.some((secret) => holds(asked, { own: forms(secret, asked.now) })),
  )
  return row && { reason: row.reason, sentence: `It was signed with ${row.what}.` }
}

function secretOfAnother(asked: Case): Explanation | undefined {
  const others = [...asked.secrets].filter(([name]) => name !== asked.name)
  const [other] = others.find(([, secrets]) => holds(asked, { own: secrets.map(({ value }) => ({ value })) })) ?? []
  if (other === undefined) return undefined
  return { reason: 'secret-of-another-provider', sentence: `It was signed with the secret that belongs to ${other}.` }
}

function otherForm(asked: Case): Explanation | undefined {
  const row = CALL_FORMS.find(({ forms }) => forms(asked.call).some((call) => holds(asked, { call })))
  return row && { reason: row.reason, sentence: `The signature fits another form of the call: ${row.what}.` }
}

/** Whether the signature would hold with these changes; ignores the time. */
function holds(asked: Case, changes: Partial<Case>): boolean {
  const verdict = verdictOn({ ...asked, ...changes })
  return verdict !== undefined && (verdict.ok || verdict.refusal === 'timestamp')
}

/** Undefined for a body that is too large to be scanned for the signed content. */
function verdictOn({ call, own, ...receiver }: Case): VerifyResult | undefined {
  try {
    return verify(call, { ...receiver, secrets: own })
  } catch (error) {
    if (error instanceof ServiceError && error.is('PAYLOAD_TOO_LARGE')) return undefined
    throw error
  }
}

function isAsStringified(call: SignedCall | undefined): boolean {
  const text = call?.body.toString() ?? ''
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}
