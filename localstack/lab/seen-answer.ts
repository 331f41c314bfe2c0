import { TOKEN_STATUSES } from '../../lib/contract/token-status.ts'
import { SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { type Credential, SESSION_LOGIN, type SeenAnswer, type SeenCall, secretCredential } from './call.ts'
import { challengeIn, issuedToken } from './changed-answers.ts'
import { headerIn, type LabAnswer } from './exchange.ts'

/** What the rules look at in an answer. */
export function seenAnswer(answer: LabAnswer, call: SeenCall, at: Date): SeenAnswer {
  const retryAfter = headerIn(answer.headers, 'retry-after')
  return {
    at,
    status: answer.status,
    tokenStatus: tokenStatusIn(answer),
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
    challenge: challengeIn(answer),
    issued: issuedBy(answer, call),
  }
}

function tokenStatusIn({ status, body }: LabAnswer): string | undefined {
  if (status !== 401) return undefined
  const [, given] = /"tokenStatus":"([A-Z_]+)"/.exec(body.toString()) ?? []
  return TOKEN_STATUSES.find((known) => known === given)
}

function issuedBy(answer: LabAnswer, call: SeenCall): Credential | undefined {
  const token = issuedToken(answer, call)
  if (token !== undefined) return secretCredential('token', token)
  if (call.path !== SESSION_LOGIN) return undefined
  const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
  const [, id] = cookies.map((cookie) => new RegExp(`^${SESSION_COOKIE}=([^;]+)`).exec(cookie)).find(Boolean) ?? []
  return id === undefined ? undefined : secretCredential('session', id)
}
