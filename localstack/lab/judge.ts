import { type FaultVisit, MAXIMUM_CALLS } from './book.ts'
import { isAnswered } from './call.ts'
import { wrongChallengeRule } from './challenge-rule.ts'
import type { FaultName } from './faults.ts'
import { asFailed, asUnfinished, type Judgment, type ReportRule } from './judgment.ts'
import { clockSkewRule, expiresSoonRule, revokedRule, rotatedKeyRule, sessionEndsRule } from './replacement-rules.ts'
import { tooManyRule, unavailableRule } from './waiting-rules.ts'

const RULES: Readonly<Record<FaultName, ReportRule>> = {
  'expires-soon': expiresSoonRule,
  'clock-skew': clockSkewRule,
  'rotated-key': rotatedKeyRule,
  revoked: revokedRule,
  'session-ends': sessionEndsRule,
  'too-many': tooManyRule,
  unavailable: unavailableRule,
  'wrong-challenge': wrongChallengeRule,
}

/** Judges what a client has done below a fault so far. */
export function judgeVisit(fault: FaultName, { calls, furtherCalls }: FaultVisit): Judgment {
  if (calls.length === 0) return { verdict: 'not tried', finding: 'The client has made no call.' }
  const answered = calls.filter(isAnswered)
  if (answered.length === 0) return asUnfinished('The first call has not been answered yet.')
  const judgment = RULES[fault](answered)
  const isEndless = judgment.verdict === 'unfinished' && furtherCalls > 0
  return isEndless ? asFailed(`The client made more than ${MAXIMUM_CALLS} calls and got nowhere.`) : judgment
}
