import type { Clock } from '../../lib/runtime/time.ts'
import {
  type AnsweredCall,
  type CallLog,
  type Credential,
  type FaultCalls,
  isAnswered,
  isLogin,
  MAXIMUM_CALLS,
  type SeenCall,
} from './call.ts'
import { FAULT_NAMES, FAULTS, type FaultName } from './faults.ts'
import {
  asFailed,
  asPassed,
  asUnfinished,
  clockSkewRule,
  counted,
  expiresSoonRule,
  isAfter,
  isTaken,
  type Judgment,
  type ReportRule,
  revokedRule,
  rotatedKeyRule,
  sessionEndsRule,
} from './rules.ts'

/** A call as the report shows it: secrets have numbers in the order in which they were first seen. */
export interface ReportedCall {
  readonly at: string
  readonly method: string
  readonly path: string
  /** `none`, `password`, `token 1`, `session 1`, `API key` or `unknown scheme`. */
  readonly credentials: string
  /** Null while the service has not answered. */
  readonly status: number | null
  readonly answeredAt: string | null
  readonly tokenStatus?: string | undefined
  readonly retryAfter?: number | undefined
  readonly challenge?: string | undefined
  /** At the open provider, the code of an OAuth error, and what a request for a login had. */
  readonly error?: string | undefined
  readonly parameters?: readonly string[] | undefined
  /** What a login began: `token 2`. */
  readonly issued?: string | undefined
}

export interface FaultReport extends Judgment {
  readonly fault: string
  /** What passes. */
  readonly goodClient: string
  /** The rule that says so. */
  readonly why: string
  readonly calls: readonly ReportedCall[]
  /** Calls that came after those, and are not judged. */
  readonly furtherCalls: number
}

export interface ClientReport {
  readonly client: string
  readonly at: string
  readonly faults: readonly FaultReport[]
}

/** The actions of a client, fault by fault; all are `not tried` for an unknown client. */
export function clientReport(client: string, log: Pick<CallLog, 'read'>, clock: Clock): ClientReport {
  return {
    client,
    at: clock.now().toISOString(),
    faults: FAULT_NAMES.map((fault) => {
      const made = log.read(client, fault)
      const calls = reported(made.calls)
      return {
        fault,
        goodClient: FAULTS[fault].good,
        why: FAULTS[fault].why,
        ...judgeClient(fault, made),
        calls,
        furtherCalls: made.furtherCalls,
      }
    }),
  }
}

export function reported(calls: readonly SeenCall[]): readonly ReportedCall[] {
  const label = labels()
  return calls.map(({ at, method, path, credential, parameters, answer }) => ({
    at: at.toISOString(),
    method,
    path,
    credentials: label(credential),
    status: answer?.status ?? null,
    answeredAt: answer?.at.toISOString() ?? null,
    tokenStatus: answer?.tokenStatus,
    retryAfter: answer?.retryAfter,
    challenge: answer?.challenge,
    error: answer?.error,
    parameters,
    issued: answer?.issued && label(answer.issued),
  }))
}

function labels(): (credential: Credential) => string {
  const digests: Record<string, string[]> = {}
  return ({ kind, digest }) => {
    if (digest === undefined) return kind
    digests[kind] ??= []
    const known = digests[kind]
    if (!known.includes(digest)) known.push(digest)
    return `${kind} ${known.indexOf(digest) + 1}`
  }
}

const RULES: Readonly<Record<FaultName, ReportRule>> = {
  'expires-soon': expiresSoonRule,
  'clock-skew': clockSkewRule,
  'rotated-key': rotatedKeyRule,
  revoked: revokedRule,
  'session-ends': sessionEndsRule,
  'too-many': waiting(429),
  unavailable: waiting(503),
  'wrong-challenge': wrongChallengeRule,
}

/** Judges what a client has done below a fault so far. */
export function judgeClient(fault: FaultName, { calls, furtherCalls }: FaultCalls): Judgment {
  if (calls.length === 0) return { verdict: 'not tried', finding: 'The client has made no call.' }
  const answered = calls.filter(isAnswered)
  if (answered.length === 0) return asUnfinished('The first call has not been answered yet.')
  const judgment = RULES[fault](answered)
  const isEndless = judgment.verdict === 'unfinished' && furtherCalls > 0
  return isEndless ? asFailed(`The client made more than ${MAXIMUM_CALLS} calls and got nowhere.`) : judgment
}

/** Calls without credentials after the challenge that are taken for a loop. */
const LOOP = 3

/** Cookies go with every call of a browser, so that a session says nothing about its page. */
const SENT_BY_ITSELF = ['none', 'session']

/** RFC 9110 section 11.4: a client answers a challenge only with credentials of a scheme that the challenge names. */
function wrongChallengeRule(calls: readonly AnsweredCall[]): Judgment {
  const challenge = calls.find((call) => !isLogin(call) && call.answer.challenge !== undefined)
  if (!challenge) return asUnfinished('The client has not been challenged yet.')
  const later = calls.filter((call) => isAfter(call, challenge))
  const withCredentials = later.filter(({ credential }) => !SENT_BY_ITSELF.includes(credential.kind))
  if (withCredentials.length > 0) {
    const times = counted(withCredentials.length, 'time')
    return asFailed(`The client sent credentials ${times} after a challenge of a scheme that it cannot have.`)
  }
  if (later.length >= LOOP)
    return asFailed(`The client called ${later.length} times more, although no answer can change.`)
  return asPassed('The client has sent no credentials after the challenge.')
}

/** Timers of clients may end a moment early, in milliseconds. */
const TOLERANCE = 50

/** RFC 9110 section 10.2.3: how long a client ought to wait before its next call. */
function waiting(status: 429 | 503): ReportRule {
  return (all) => {
    const calls = all.filter((call) => !isLogin(call))
    const refusal = calls.find(({ answer }) => answer.status === status && answer.retryAfter !== undefined)
    if (!refusal) return asUnfinished('The client has only logged in.')
    const end = refusal.answer.at.getTime() + (refusal.answer.retryAfter ?? 0) * 1000 - TOLERANCE
    const later = calls.filter((call) => isAfter(call, refusal))
    const early = later.filter(({ at }) => at.getTime() < end)
    if (early.length > 0)
      return asFailed(`The client made ${counted(early.length, 'call')} before Retry-After was over.`)
    if (later.some(isTaken)) return asPassed('The client waited as long as Retry-After said, and repeated its call.')
    return asUnfinished('The client has not called again.')
  }
}
