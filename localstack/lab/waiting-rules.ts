import { isLogin } from './call.ts'
import { asFailed, asPassed, asUnfinished, counted, isAfter, isTaken, type ReportRule } from './judgment.ts'

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

export const tooManyRule = waiting(429)
export const unavailableRule = waiting(503)
