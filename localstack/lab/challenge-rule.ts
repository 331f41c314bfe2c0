import { type AnsweredCall, isLogin } from './call.ts'
import { asFailed, asPassed, asUnfinished, counted, isAfter, type Judgment } from './judgment.ts'

/** Calls without credentials after the challenge that are taken for a loop. */
const LOOP = 3

/** Cookies go with every call of a browser, so that a session says nothing about its page. */
const SENT_BY_ITSELF = ['none', 'session']

/** RFC 9110 section 11.4: a client answers a challenge only with credentials of a scheme that the challenge names. */
export function wrongChallengeRule(calls: readonly AnsweredCall[]): Judgment {
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
