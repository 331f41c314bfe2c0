import { KEY_HEADER, onlyAuthorization } from '../../lib/auth/authorization.ts'
import { refusal } from '../../lib/auth/claims.ts'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { TOKEN_STATUSES } from '../../lib/contract/tokens.ts'
import { fail, type ServiceError, unavailable } from '../../lib/errors.ts'
import { SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { matchRoute, methodsTaken } from '../../lib/http/routing.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import {
  type CallLog,
  CLIENT_HEADER,
  type Credential,
  clientName,
  credentialOf,
  isLogin,
  SESSION_LOGIN,
  type SeenAnswer,
  type SeenCall,
  secretCredential,
  UNNAMED,
} from './call.ts'
import {
  challengeIn,
  headerIn,
  issuedToken,
  type LabAnswer,
  type LabRequest,
  sessionIn,
  shiftedTimes,
  withBearer,
  withOtherChallenge,
  withoutCredentials,
  withoutSession,
  withToken,
} from './exchange.ts'
import type { FaultName } from './faults.ts'
import { isSameCredential, SHORT_LIFE } from './rules.ts'
import type { LabTokens } from './tokens.ts'

interface FaultParts {
  readonly log: CallLog
  readonly tokens: LabTokens
  readonly clock: Clock
  /** Has the real endpoint answer. */
  readonly passOn: (request: LabRequest) => Promise<LabAnswer>
  /** The answer of the service to a refusal. */
  readonly refusalOf: (refusal: InjectedRefusal) => LabAnswer
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
  { log, tokens, clock, passOn, refusalOf }: FaultParts,
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
  log.add(client, fault, call)
  const faulty = { call, calls: log.read(client, fault).calls, tokens }
  const { refuse, request: change = (same) => same, answer: changed = (same) => same } = EFFECTS[fault]
  const refusal = refuse?.(faulty)
  const answer = refusal ? refusalOf(refusal) : await changed(await passOn(await change(request, faulty)), faulty)
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

/** A call below a fault. */
interface FaultyCall {
  readonly call: SeenCall
  /** The client's calls below this fault so far, with this one. */
  readonly calls: readonly SeenCall[]
  readonly tokens: LabTokens
}

/** The error that a client gets instead of the real answer. */
export interface InjectedRefusal {
  readonly error: ServiceError
  /** In seconds. */
  readonly retryAfter?: number
}

/** What a fault changes about a call; everything else is left to the real service. */
interface FaultEffect {
  readonly refuse?: (faulty: FaultyCall) => InjectedRefusal | undefined
  /** Changes the request before the real endpoint receives it. */
  readonly request?: (request: LabRequest, faulty: FaultyCall) => LabRequest | Promise<LabRequest>
  /** Changes the answer before the client receives it. */
  readonly answer?: (answer: LabAnswer, faulty: FaultyCall) => LabAnswer | Promise<LabAnswer>
}

/** How long `too-many` and `unavailable` last for a client, in seconds. */
const OUTAGE = 2

const EFFECTS: Readonly<Record<FaultName, FaultEffect>> = {
  'expires-soon': {
    answer: (answer, { call, tokens }) => withToken(answer, call, (token) => tokens.shortened(token, SHORT_LIFE)),
  },
  'clock-skew': {
    request: (request, { tokens }) => withBearer(request, tokens.ahead),
    answer: async (answer, { call, tokens }) => shiftedTimes(await withToken(answer, call, tokens.behind)),
  },
  'rotated-key': {
    request: (request, faulty) => (isFirst('token', faulty) ? withBearer(request, faulty.tokens.rotatedOut) : request),
  },
  revoked: {
    refuse: (faulty) =>
      isFirst('token', faulty) && !isPublic(faulty.call)
        ? { error: refusal('REVOKED', 'The logins of the account ended after the token was issued') }
        : undefined,
  },
  'session-ends': {
    request: (request, { calls }) => withoutSession(request, firstOf('session', calls)),
  },
  'too-many': {
    refuse: (faulty) => later(faulty, (retryAfterSeconds) => fail('TOO_MANY_REQUESTS', { retryAfterSeconds })),
  },
  unavailable: { refuse: (faulty) => later(faulty, () => unavailable(undefined)) },
  'wrong-challenge': {
    request: (request, { call }) => (isLogin(call) ? request : withoutCredentials(request)),
    answer: (answer, { call }) => (answer.status === 401 && !isLogin(call) ? withOtherChallenge(answer) : answer),
  },
}

/** The first token or session that the client has shown. */
function firstOf(kind: 'token' | 'session', calls: readonly SeenCall[]) {
  return calls.find(({ credential }) => credential.kind === kind)?.credential
}

function isFirst(kind: 'token', { call, calls }: FaultyCall): boolean {
  const first = firstOf(kind, calls)
  return first !== undefined && isSameCredential(call.credential, first)
}

/** The outage begins with the first call that is no login. */
function later({ call, calls }: FaultyCall, error: (seconds: number) => ServiceError): InjectedRefusal | undefined {
  const first = calls.find((one) => !isLogin(one))
  if (isLogin(call) || first === undefined) return undefined
  const left = first.at.getTime() + OUTAGE * 1000 - call.at.getTime()
  const retryAfter = Math.ceil(left / 1000)
  return left > 0 ? { error: error(retryAfter), retryAfter } : undefined
}

/** A session begins and ends outside of the API. */
const SESSION_PATHS = ['/login', '/logout']

/** Whether a path can be called below a fault. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || SESSION_PATHS.includes(path)
}

/** Whether the endpoint of a call ignores credentials. */
function isPublic({ method, path }: Pick<SeenCall, 'method' | 'path'>): boolean {
  return Object.values<Route>(ROUTES).some(
    (route) =>
      route.access === 'public' && matchRoute(route, path) !== undefined && methodsTaken(route, path).includes(method),
  )
}
