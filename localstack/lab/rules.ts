import { type AnsweredCall, type Credential, isLogin } from './call.ts'

/** `unfinished` if the client has not reached the deciding point. */
export type ClientVerdict = 'passed' | 'failed' | 'not tried' | 'unfinished'

export interface Judgment {
  readonly verdict: ClientVerdict
  /** The reason, in one sentence. */
  readonly finding: string
}

/** Judges a client by its answered calls below one fault, at least one, in the order of their arrival. */
export type ReportRule = (calls: readonly AnsweredCall[]) => Judgment

export const asPassed = (finding: string): Judgment => ({ verdict: 'passed', finding })
export const asFailed = (finding: string): Judgment => ({ verdict: 'failed', finding })
export const asUnfinished = (finding: string): Judgment => ({ verdict: 'unfinished', finding })

/** Whether a call was sent after the client could have received an earlier answer. */
export function isAfter(call: AnsweredCall, earlier: AnsweredCall): boolean {
  return call !== earlier && call.at >= earlier.answer.at
}

/** Whether the service accepted the credentials of a call, whatever the rest of the answer says. */
export function isTaken({ answer: { status } }: AnsweredCall): boolean {
  return status !== 401 && status !== 429 && status < 500
}

export function isSameCredential(one: Credential, other: Credential): boolean {
  return one.digest !== undefined && one.digest === other.digest
}

/** `1 call`, `2 calls`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

interface Replaced {
  /** What the service refuses. */
  readonly noun: 'token' | 'session'
  readonly isRefused: (call: AnsweredCall) => boolean
  /** Whether a client that stops after the refusal passes. */
  readonly mayStop?: boolean
}

/** New logins after a refusal, none of them used, that are taken for a loop. */
const LOOP = 3

/** RFC 6750 section 3.1: a client may get a new token and repeat its call. Nothing is gained by the old one. */
function replacement({ noun, isRefused, mayStop }: Replaced): ReportRule {
  return (calls) => {
    const refusal = calls.find(isRefused)
    if (!refusal) return asUnfinished(`No ${noun} of the client has been refused yet.`)
    const refusals = calls.filter(isRefused)
    if (calls.some((call) => refusals.some((earlier) => isSentAgain(call, earlier)))) {
      return asFailed(`The client sent a ${noun} again that the service had refused.`)
    }
    const later = calls.filter((call) => isAfter(call, refusal))
    if (later.some((call) => call.credential.kind === noun && isTaken(call))) {
      return asPassed(`The client got a new ${noun} after the refusal, and used it.`)
    }
    const logins = later.filter(({ answer }) => answer.issued?.kind === noun).length
    if (logins >= LOOP)
      return asFailed(`The client logged in ${logins} times after the refusal, and used no new ${noun}.`)
    if (mayStop) return asPassed(`The client has not sent the refused ${noun} again.`)
    return asUnfinished(`The client has not gone on with a new ${noun} after the refusal.`)
  }
}

function isSentAgain(call: AnsweredCall, refusal: AnsweredCall): boolean {
  return isSameCredential(call.credential, refusal.credential) && isAfter(call, refusal)
}

const refusedAs = (tokenStatus: string) => (call: AnsweredCall) => call.answer.tokenStatus === tokenStatus

export const rotatedKeyRule = replacement({ noun: 'token', isRefused: refusedAs('INVALID_SIGNATURE') })

export const revokedRule = replacement({ noun: 'token', isRefused: refusedAs('REVOKED'), mayStop: true })

export const sessionEndsRule = replacement({
  noun: 'session',
  isRefused: ({ credential, answer }) => credential.kind === 'session' && answer.status === 401,
})

const replacesExpired = replacement({ noun: 'token', isRefused: refusedAs('EXPIRED') })

/** How long a token lives below `expires-soon` at most, in seconds: two, and the rest of the second that it began in. */
export const SHORT_LIFE = 3

/** A client that gets a new token before the old one expires sees no refusal. */
export function expiresSoonRule(calls: readonly AnsweredCall[]): Judgment {
  const judgment = replacesExpired(calls)
  if (judgment.verdict !== 'unfinished') return judgment
  const [first, ...later] = calls.filter(({ answer }) => answer.issued !== undefined)
  const isRenewed = (call: AnsweredCall) =>
    later.some(({ answer }) => isSameCredential(call.credential, answer.issued as Credential)) && isTaken(call)
  const end = first && first.answer.at.getTime() + SHORT_LIFE * 1000
  const isRenewedInTime = calls.some((call) => end !== undefined && call.at.getTime() >= end && isRenewed(call))
  return isRenewedInTime ? asPassed('The client got a new token before the old one was refused.') : judgment
}

/** Logins without a token that is used twice, which are taken for a client that trusts its own clock. */
const DISTRUST = 3

/** RFC 6749 section 5.1 gives lifetimes in seconds; only the service that issued `exp` can compare it with a clock. */
export function clockSkewRule(calls: readonly AnsweredCall[]): Judgment {
  const taken = calls.filter((call) => call.credential.kind === 'token' && isTaken(call))
  const isUsedTwice = taken.some((call) =>
    taken.some((other) => other !== call && isSameCredential(call.credential, other.credential)),
  )
  if (isUsedTwice) return asPassed('The client used a token again although its own clock says that it has expired.')
  const logins = calls.filter((call) => isLogin(call) && call.answer.issued?.kind === 'token').length
  if (logins >= DISTRUST) {
    return asFailed(`The client logged in ${logins} times and used no token twice, although none was refused.`)
  }
  return asUnfinished('The client has not used one token for two calls yet.')
}
