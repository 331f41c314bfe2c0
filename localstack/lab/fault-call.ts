import { onlyAuthorization } from '../../lib/auth/authorization.ts'
import { KEY_HEADER } from '../../lib/auth/keys/presented-key.ts'
import { TOKEN_STATUSES } from '../../lib/contract/token-status.ts'
import { SESSION_COOKIE } from '../../lib/http/cookies.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import type { Book } from './book.ts'
import {
  type Credential,
  credentialOf,
  SESSION_LOGIN,
  type SeenAnswer,
  type SeenCall,
  secretCredential,
} from './call.ts'
import { challengeIn, issuedToken } from './changed-answers.ts'
import { sessionIn } from './changed-requests.ts'
import { CLIENT_HEADER, clientName, UNNAMED } from './client-name.ts'
import { headerIn, type LabAnswer, type LabRequest } from './exchange.ts'
import type { FaultName } from './faults.ts'
import { PLAYS, type PlayedRefusal } from './plays.ts'
import type { LabTokens } from './tokens.ts'

export interface FaultParts {
  readonly book: Book
  readonly tokens: LabTokens
  readonly clock: Clock
  /** Has the real endpoint answer. */
  readonly passOn: (request: LabRequest) => Promise<LabAnswer>
  /** The answer of the service to a refusal. */
  readonly refusalOf: (refusal: PlayedRefusal) => LabAnswer
}

/** Paths are shown up to this length. */
const LONGEST_PATH = 200

/**
 * Answers a call below a fault and remembers it.
 * @param request to the real endpoint
 * @throws ServiceError `VALIDATION_FAILED` for a name that no client can have, or more than one `Authorization`
 */
export async function faultCall(
  fault: FaultName,
  request: LabRequest & { readonly path: string },
  { book, tokens, clock, passOn, refusalOf }: FaultParts,
): Promise<LabAnswer> {
  const { method, path, headers } = request
  const client = clientName(headerIn(headers, CLIENT_HEADER) ?? UNNAMED, 'X-Client-Name')
  const authorization = headerIn(headers, 'authorization')
  const call: SeenCall = {
    at: clock.now(),
    method,
    path: path.slice(0, LONGEST_PATH),
    credential: credentialOf({
      method,
      path,
      authorization: authorization && onlyAuthorization(authorization),
      apiKey: headerIn(headers, KEY_HEADER),
      session: sessionIn(request),
    }),
  }
  book.add(client, fault, call)
  const played = { call, calls: book.read(client, fault).calls, tokens }
  const { refuse, request: change = (same) => same, answer: changed = (same) => same } = PLAYS[fault]
  const refusal = refuse?.(played)
  const answer = refusal ? refusalOf(refusal) : await changed(await passOn(await change(request, played)), played)
  call.answer = seenAnswer(answer, call, clock.now())
  return answer
}

/** What the rules look at in an answer. */
function seenAnswer(answer: LabAnswer, call: SeenCall, at: Date): SeenAnswer {
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
