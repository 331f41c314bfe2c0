import { CHECK_NAMES, type CheckName, type CheckResult, STEP_NAMES, type StepName } from '../../contract/login-steps.ts'
import { cut, entriesOf, type Field, fieldsOf, shown } from './step-fields.ts'

interface Check {
  readonly name: CheckName
  readonly result: CheckResult
  /** What was compared, as far as it may be shown. */
  readonly value?: string | undefined
}

export interface LoginStep {
  readonly name: StepName
  readonly method: string
  /** Without the query. */
  readonly url: string
  readonly sent: readonly Field[]
  /** Missing where the browser, and not this service, got the answer. */
  readonly answer?: { readonly status: number; readonly fields: readonly Field[] } | undefined
  readonly checks: readonly Check[]
}

/** How a login went, for the one who logged in. */
export interface LoginRecord {
  /** ISO 8601 */
  readonly at: string
  readonly steps: readonly LoginStep[]
}

export interface StepRequest {
  readonly method: string
  readonly url: URL
  /** Those of the body; those of the query are taken from the address. */
  readonly parameters?: Iterable<readonly [name: string, value: string]> | undefined
}

/** Notes what a login does. No secret is kept whole: values are cut before they are kept. */
export interface StepRecorder {
  /** A request that was made, and the status and the JSON of its answer. */
  made(name: StepName, request: StepRequest, answer?: { readonly status: number; readonly body: unknown }): void
  /** A check that held, and what it compared. */
  passed(name: CheckName, value?: string): void
}

export function recordSteps(): StepRecorder & { steps(): readonly LoginStep[] } {
  const made: Omit<LoginStep, 'checks'>[] = []
  const held = new Map<CheckName, string | undefined>()

  function checksOf(step: StepName): readonly Check[] {
    return CHECK_NAMES.filter((name) => CHECKS[name].step === step).flatMap((name) => checkOf(name, held))
  }

  return {
    made(name, { method, url, parameters = [] }, answer) {
      const sent = fieldsOf([...url.searchParams, ...parameters])
      const address = cut(`${url.origin}${url.pathname}`)
      const received = answer && { answer: { status: answer.status, fields: fieldsOf(entriesOf(answer.body)) } }
      made.push({ name, method, url: address, sent, ...received })
    },
    passed: (name, value) => void held.set(name, value === undefined ? undefined : shown(name, value)),
    steps: () => {
      const inOrder = made.toSorted((one, other) => STEP_NAMES.indexOf(one.name) - STEP_NAMES.indexOf(other.name))
      return fitting(inOrder.map((step) => ({ ...step, checks: checksOf(step.name) })))
    },
  }
}

/** A record is part of a session, which is read with every request: 2 or 3 KB are usual. */
const MAXIMUM_RECORD = 4096

/** The first of the steps, should a provider have said so much that not all can be kept. */
function fitting(steps: readonly LoginStep[]): readonly LoginStep[] {
  let length = 0
  return steps.filter((step) => {
    length += JSON.stringify(step).length
    return length <= MAXIMUM_RECORD
  })
}

/** Where each check is made, and what it means that nobody noted that it held: nothing, unless it says so. */
const CHECKS: Readonly<Record<CheckName, { readonly step: StepName; readonly otherwise?: CheckResult }>> = {
  transaction: { step: 'callback' },
  registration: { step: 'callback' },
  state: { step: 'callback' },
  // RFC 9207: sent by those who announce it.
  iss: { step: 'callback', otherwise: 'NOT_SENT' },
  // RFC 7636 section 4.6: the provider compares.
  pkce: { step: 'token', otherwise: 'BY_PROVIDER' },
  // OpenID Connect Core sections 3.1.3.7 and 5.3.2; without an ID token there is none of them.
  signature: { step: 'token', otherwise: 'REPLACED' },
  issuer: { step: 'token', otherwise: 'REPLACED' },
  audience: { step: 'token', otherwise: 'REPLACED' },
  expiry: { step: 'token', otherwise: 'REPLACED' },
  nonce: { step: 'token', otherwise: 'REPLACED' },
  subject: { step: 'user', otherwise: 'REPLACED' },
}

function checkOf(name: CheckName, held: ReadonlyMap<CheckName, string | undefined>): readonly Check[] {
  if (held.has(name)) return [{ name, result: 'PASSED', value: held.get(name) }]
  const { otherwise } = CHECKS[name]
  return otherwise === undefined ? [] : [{ name, result: otherwise }]
}
