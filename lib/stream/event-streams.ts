import type { IncomingMessage, ServerResponse } from 'node:http'
import { decide } from '../auth/access.ts'
import { KEY_HEADER } from '../auth/authorization.ts'
import { type Entered, type LiveGate, liveCredentials } from '../auth/live/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { fail, type ServiceError, serviceErrorOf } from '../errors.ts'
import { errorReply } from '../http/error-body.ts'
import type { Reply } from '../http/message.ts'
import { constantHeaders } from '../http/middleware/security-headers.ts'
import { type Admission, noteRefusal, type Place } from '../runtime/limits.ts'
import { type EventStream, type EventStreamParts, filterOf, startEventStream } from './event-stream.ts'

export interface EventStreamsParts extends EventStreamParts, Origins {
  readonly gate: LiveGate
  readonly admission: Admission
  /** From 0 up to, not including, 1: spreads the clients of a server that drains. */
  readonly random: () => number
}

/** The streams of one process. */
export interface EventStreams {
  readonly path: string
  /** The number of open streams. */
  readonly open: number
  /**
   * @param takeConnection keeps the connection for this request alone; undefined if there is no place for a client without a token
   */
  answer(request: IncomingMessage, response: ServerResponse, takeConnection: () => Place | undefined): void
  /** Opens no further streams, and ends all within the time. */
  drain(milliseconds: number): void
}

/** Where the stream is. */
export const STREAM_PATH = '/api/webhooks/stream'
const METHODS = ['GET', 'HEAD']

const DEMAND = { role: 'ROLE_ADMIN', isOpenToKeys: true } as const

/** The second header asks proxies not to buffer the stream. */
const STREAM: Reply = { statusCode: 200, headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } }

/** The share of a drain in which streams are ended. */
const SPREAD = 0.5

export function createEventStreams(parts: EventStreamsParts): EventStreams {
  const { admission, clock, gate, random, timers } = parts
  const open = new Set<EventStream>()
  const secure = constantHeaders(parts.baseUrl, 'Origin')
  let isDraining = false

  /** The connection ends with the answer, because it may have no place. */
  function headersOf(reply: Reply, request: IncomingMessage): Reply['headers'] {
    return { ...allowOrigin(secure(reply), request, parts).headers, connection: 'close' }
  }

  function send(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(reply.statusCode, headersOf(reply, request)).end(reply.body)
  }

  function sendError(error: ServiceError, request: IncomingMessage, response: ServerResponse): void {
    send(errorReply('api', error, { path: STREAM_PATH, now: clock.now() }), request, response)
  }

  function refuse(thrown: unknown, request: IncomingMessage, response: ServerResponse): void {
    const error = serviceErrorOf(thrown)
    noteRefusal(parts, 'stream', 'stream refused', error)
    sendError(error, request, response)
  }

  async function begin(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
    const entered = await enter(request, gate)
    const filter = filterOf(request, entered.owner)
    if (response.destroyed) return
    const leave = admission.enter(entered.owner.uid ?? entered.owner.username)
    if (request.method === 'HEAD') {
      leave()
      return send(STREAM, request, response)
    }
    place.leave()
    response.writeHead(STREAM.statusCode, headersOf(STREAM, request))
    const closed = () => {
      leave()
      open.delete(stream)
    }
    const stream = startEventStream(parts, response, { entered, filter, path: STREAM_PATH, closed })
    open.add(stream)
    if (isDraining) stream.drain()
  }

  return {
    path: STREAM_PATH,
    get open() {
      return open.size
    },
    answer(request, response, takeConnection) {
      const { method = '' } = request
      const preflight = preflightAnswer(request, METHODS.join(', '), parts)
      if (preflight) return send(preflight, request, response)
      const failed = (error: unknown) => refuse(error, request, response)
      if (!METHODS.includes(method)) {
        return failed(fail('METHOD_NOT_SUPPORTED', { requestMethod: method, supportedMethods: METHODS }))
      }
      const place = isDraining ? undefined : takeConnection()
      if (place) void begin(request, response, place).catch(failed)
      // The log already says why there is no place.
      else sendError(fail('UNAVAILABLE'), request, response)
    },
    drain(milliseconds) {
      isDraining = true
      for (const stream of open) timers.after(random() * SPREAD * milliseconds, stream.drain)
    },
  }
}

/**
 * @throws ServiceError as {@link liveCredentials} says, `ROLE_REQUIRED`, `VALIDATION_FAILED` for several credentials, and the
 * errors of the gate
 */
async function enter(request: IncomingMessage, gate: LiveGate): Promise<Entered> {
  const { method = '', url = '', headers, headersDistinct } = request
  const { authorization: authorizations = [], [KEY_HEADER]: keys = [] } = headersDistinct
  const query = url.replace(/^[^?]*/, '')
  const entered = await gate(liveCredentials({ authorizations, keys, headers, query }))
  demandAdmin(entered.owner, method)
  return entered
}

function demandAdmin(owner: Principal, action: string): void {
  if (decide(owner, DEMAND).verdict === 'granted') return
  const { role: requiredRole } = DEMAND
  throw fail('ROLE_REQUIRED', { requiredRole, userRoles: owner.roles, resource: STREAM_PATH, action })
}

/** What else than safelisted headers a page may send. */
const SENT = 'Authorization, Last-Event-ID, X-Api-Key'

/** What else than safelisted headers a page may read. */
const READ = 'Retry-After, WWW-Authenticate'

/** In seconds; as long as Chromium keeps the answer to a preflight. */
const MAXIMUM_AGE = '7200'

interface Origins {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** Lets a page of the service, or of a trusted origin, read an answer. No cookie counts here. */
function allowOrigin(reply: Reply, { headers: { origin } }: IncomingMessage, origins: Origins): Reply {
  if (!isOurs(origin, origins)) return reply
  const headers = {
    ...reply.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READ,
  }
  return { ...reply, headers }
}

/** The answer to the question whether such a page may send a request; undefined for any other request. */
function preflightAnswer({ method, headers }: IncomingMessage, allowed: string, origins: Origins) {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  if (!isPreflight || !isOurs(headers.origin, origins)) return undefined
  return {
    statusCode: 204,
    headers: {
      'access-control-allow-methods': allowed,
      'access-control-allow-headers': SENT,
      'access-control-max-age': MAXIMUM_AGE,
    },
  } satisfies Reply
}

function isOurs(origin: string | undefined, { baseUrl, trustedOrigins }: Origins): origin is string {
  return origin !== undefined && (origin === baseUrl.origin || trustedOrigins.includes(origin))
}
