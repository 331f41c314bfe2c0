import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  type LoginCheck,
  type LoginField,
  type LoginStep,
  MAXIMUM_FIELDS,
  STEP_NAMES,
  type StepName,
} from '../../contract/login-steps.ts'

/** The steps of a login, for the user who logged in. */
export interface LoginRecord {
  /** ISO 8601 */
  readonly at: string
  readonly steps: readonly LoginStep[]
}

export interface StepRequest {
  readonly method: string
  readonly url: URL
  /** The parameters of the body; those of the query are taken from the address. */
  readonly parameters?: Iterable<readonly [name: string, value: string]> | undefined
}

/** Records the steps of a login. No secret is stored whole: values are cut before. */
export interface StepRecorder {
  /** Records a request, and the status and the JSON of its answer. */
  made(name: StepName, request: StepRequest, answer?: { readonly status: number; readonly body: unknown }): void
  /** Records a check that passed, and the value that it compared. */
  passed(name: CheckName, value?: string): void
}

/** The steps so far. */
interface RecordedSteps {
  /** Of a login that succeeded. */
  steps(): readonly LoginStep[]
  /** Of a login that was refused, with the checks before that one. */
  stepsUntil(refused: CheckName): readonly LoginStep[]
  /** The name of the last request; undefined before the first. */
  lastStep(): StepName | undefined
}

export type LoginRecorder = StepRecorder & RecordedSteps

export function recordSteps(): LoginRecorder {
  const made: Omit<LoginStep, 'checks'>[] = []
  const held = new Map<CheckName, string | undefined>()

  function stepsWith(checkOf: (name: CheckName) => readonly LoginCheck[]): readonly LoginStep[] {
    const inOrder = made.toSorted((one, other) => STEP_NAMES.indexOf(one.name) - STEP_NAMES.indexOf(other.name))
    const checksOf = (step: StepName) => CHECK_NAMES.filter((name) => CHECKS[name].step === step).flatMap(checkOf)
    return fitting(inOrder.map((step) => ({ ...step, checks: checksOf(step.name) })))
  }

  return {
    made(name, { method, url, parameters = [] }, answer) {
      const sent = fieldsOf([...url.searchParams, ...parameters])
      const address = cut(`${url.origin}${url.pathname}`)
      const received = answer && { answer: { status: answer.status, fields: fieldsOf(entriesOf(answer.body)) } }
      made.push({ name, method, url: address, sent, ...received })
    },
    passed: (name, value) => void held.set(name, value === undefined ? undefined : shown(name, value)),
    lastStep: () => made.at(-1)?.name,
    steps: () => stepsWith((name) => resultOf(name, held)),
    stepsUntil(refused) {
      const before = CHECK_NAMES.slice(0, CHECK_NAMES.indexOf(refused))
      return stepsWith((name) => (before.includes(name) ? resultBefore(refused, name, held) : []))
    },
  }
}

/** A record is part of a session, which is read with every request: 2 or 3 KB are usual. */
const MAXIMUM_RECORD = 4096

/** The first steps, if a provider sent too much to keep them all. */
function fitting(steps: readonly LoginStep[]): readonly LoginStep[] {
  let length = 0
  return steps.filter((step) => {
    length += JSON.stringify(step).length
    return length <= MAXIMUM_RECORD
  })
}

/** The step of each check, and its result if it was not recorded as passed: none, unless named. */
const CHECKS: Readonly<Record<CheckName, { readonly step: StepName; readonly otherwise?: CheckResult }>> = {
  transaction: { step: 'callback' },
  state: { step: 'callback' },
  registration: { step: 'callback' },
  // RFC 9207: only providers that announce it send it.
  iss: { step: 'callback', otherwise: 'NOT_SENT' },
  answer: { step: 'callback' },
  // RFC 6749 section 4.1.3 and RFC 7636 section 4.6: the provider compares.
  code: { step: 'token', otherwise: 'BY_PROVIDER' },
  pkce: { step: 'token', otherwise: 'BY_PROVIDER' },
  // OpenID Connect Core sections 3.1.3.7 and 5.3.2; these checks need an ID token.
  algorithm: { step: 'token', otherwise: 'REPLACED' },
  expiry: { step: 'token', otherwise: 'REPLACED' },
  issuer: { step: 'token', otherwise: 'REPLACED' },
  audience: { step: 'token', otherwise: 'REPLACED' },
  nonce: { step: 'token', otherwise: 'REPLACED' },
  signature: { step: 'token', otherwise: 'REPLACED' },
  subject: { step: 'user', otherwise: 'REPLACED' },
  role: { step: 'user' },
}

type HeldChecks = ReadonlyMap<CheckName, string | undefined>

function resultOf(name: CheckName, held: HeldChecks): readonly LoginCheck[] {
  if (held.has(name)) return [{ name, result: 'PASSED', value: held.get(name) }]
  const { otherwise } = CHECKS[name]
  return otherwise === undefined ? [] : [{ name, result: otherwise }]
}

/**
 * A check before the one that refused. A check of the callback has passed: its failure would have ended the login. So
 * have those of an ID token: the client library makes them in a fixed order, and names only the one that refused.
 */
function resultBefore(refused: CheckName, name: CheckName, held: HeldChecks): readonly LoginCheck[] {
  const { step, otherwise } = CHECKS[name]
  const isOfToken = step === 'token' && otherwise === 'REPLACED'
  const isPassed = otherwise === undefined || (isOfToken && CHECKS[refused].step === 'token')
  return isPassed && !held.has(name) ? [{ name, result: 'PASSED' }] : resultOf(name, held)
}

/** Parameters, fields and values of checks that are no secrets, and are shown in full. */
const OPEN: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'code_challenge_method',
  'grant_type',
  'token_type',
  'expires_in',
  'fields',
  'iss',
  'error',
  'registration',
  'algorithm',
  'signature',
  'issuer',
  'audience',
  'expiry',
  'subject',
  'role',
])

/**
 * Each value is good for one login, or is not kept: its first characters are shown, to compare two of them. The values
 * of names in neither list are hidden.
 */
const CUT: ReadonlySet<string> = new Set([
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_verifier',
  'access_token',
  'id_token',
  'refresh_token',
])

const HIDDEN = '…'

/** The number of characters shown of a secret, and the secret's minimum length as a multiple of that. */
const START_LENGTH = 4
const LEAST_TIMES = 4

const MAXIMUM_TEXT = 96

const PRINTABLE = /^[ -~]*$/
const FIELD_NAME = /^[\w.-]{1,32}$/

/** The part of a value that its name allows: all of it, its first characters, or nothing. */
export function shown(name: string, value: string): string {
  if (!PRINTABLE.test(value)) return HIDDEN
  if (OPEN.has(name)) return cut(value)
  const isLong = value.length >= START_LENGTH * LEAST_TIMES
  return CUT.has(name) && isLong ? `${value.slice(0, START_LENGTH)}${HIDDEN}` : HIDDEN
}

function cut(text: string): string {
  return text.length > MAXIMUM_TEXT ? `${text.slice(0, MAXIMUM_TEXT)}${HIDDEN}` : text
}

function fieldsOf(entries: readonly (readonly [name: string, value: string])[]): readonly LoginField[] {
  const named = entries.filter(([name]) => FIELD_NAME.test(name))
  return named.slice(0, MAXIMUM_FIELDS).map(([name, value]) => ({ name, value: shown(name, value) }))
}

/** The members of a JSON object; none for a list. */
function entriesOf(body: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? HIDDEN : String(value)])
}
