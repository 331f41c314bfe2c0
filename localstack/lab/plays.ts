import { refusal } from '../../lib/auth/token-refusal.ts'
import { fail, type ServiceError, unavailable } from '../../lib/errors.ts'
import { isPublic } from './api-path.ts'
import { isLogin, type SeenCall } from './call.ts'
import { shiftedTimes, withOtherChallenge, withToken } from './changed-answers.ts'
import { withBearer, withoutCredentials, withoutSession } from './changed-requests.ts'
import type { LabAnswer, LabRequest } from './exchange.ts'
import type { FaultName } from './faults.ts'
import { isSameCredential } from './judgment.ts'
import { SHORT_LIFE } from './replacement-rules.ts'
import type { LabTokens } from './tokens.ts'

/** A call below a fault. */
export interface PlayedCall {
  readonly call: SeenCall
  /** The client's calls below this fault so far, with this one. */
  readonly calls: readonly SeenCall[]
  readonly tokens: LabTokens
}

/** The error that a client gets instead of the real answer. */
export interface PlayedRefusal {
  readonly error: ServiceError
  /** In seconds. */
  readonly retryAfter?: number
}

/** What a fault changes about a call; everything else is left to the real service. */
export interface Play {
  readonly refuse?: (played: PlayedCall) => PlayedRefusal | undefined
  /** Changes the request before the real endpoint receives it. */
  readonly request?: (request: LabRequest, played: PlayedCall) => LabRequest | Promise<LabRequest>
  /** Changes the answer before the client receives it. */
  readonly answer?: (answer: LabAnswer, played: PlayedCall) => LabAnswer | Promise<LabAnswer>
}

/** How long `too-many` and `unavailable` last for a client, in seconds. */
const OUTAGE = 2

export const PLAYS: Readonly<Record<FaultName, Play>> = {
  'expires-soon': {
    answer: (answer, { call, tokens }) => withToken(answer, call, (token) => tokens.shortened(token, SHORT_LIFE)),
  },
  'clock-skew': {
    request: (request, { tokens }) => withBearer(request, tokens.ahead),
    answer: async (answer, { call, tokens }) => shiftedTimes(await withToken(answer, call, tokens.behind)),
  },
  'rotated-key': {
    request: (request, played) => (isFirst('token', played) ? withBearer(request, played.tokens.rotatedOut) : request),
  },
  revoked: {
    refuse: (played) =>
      isFirst('token', played) && !isPublic(played.call) ? { error: refusal('REVOKED') } : undefined,
  },
  'session-ends': {
    request: (request, { calls }) => withoutSession(request, firstOf('session', calls)),
  },
  'too-many': {
    refuse: (played) => later(played, (retryAfterSeconds) => fail('TOO_MANY_REQUESTS', { retryAfterSeconds })),
  },
  unavailable: { refuse: (played) => later(played, () => unavailable(undefined)) },
  'wrong-challenge': {
    request: (request, { call }) => (isLogin(call) ? request : withoutCredentials(request)),
    answer: (answer, { call }) => (answer.status === 401 && !isLogin(call) ? withOtherChallenge(answer) : answer),
  },
}

/** The first token or session that the client has shown. */
function firstOf(kind: 'token' | 'session', calls: readonly SeenCall[]) {
  return calls.find(({ credential }) => credential.kind === kind)?.credential
}

function isFirst(kind: 'token', { call, calls }: PlayedCall): boolean {
  const first = firstOf(kind, calls)
  return first !== undefined && isSameCredential(call.credential, first)
}

/** The outage begins with the first call that is no login. */
function later({ call, calls }: PlayedCall, error: (seconds: number) => ServiceError): PlayedRefusal | undefined {
  const first = calls.find((one) => !isLogin(one))
  if (isLogin(call) || first === undefined) return undefined
  const left = first.at.getTime() + OUTAGE * 1000 - call.at.getTime()
  const retryAfter = Math.ceil(left / 1000)
  return left > 0 ? { error: error(retryAfter), retryAfter } : undefined
}
