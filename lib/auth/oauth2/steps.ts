import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  type LoginCheck,
  type LoginStep,
  STEP_NAMES,
  type StepName,
} from '../../contract/login-steps.ts'
import { cut, entriesOf, fieldsOf, shown } from './step-fields.ts'

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

/** The step of each check, and its result if nobody recorded that it passed: none, unless named. */
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
