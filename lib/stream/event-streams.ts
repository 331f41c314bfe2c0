import type { IncomingMessage, ServerResponse } from 'node:http'
import { decide } from '../auth/access.ts'
import { onlyAuthorization } from '../auth/authorization.ts'
import { KEY_HEADER } from '../auth/keys/presented-key.ts'
import { liveCredentials } from '../auth/live/credentials.ts'
import type { Entered, LiveGate } from '../auth/live/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { fail, ServiceError } from '../errors.ts'
import { errorReply } from '../http/error-body.ts'
import type { Reply } from '../http/message.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Place } from '../runtime/places.ts'
import type { Admission } from '../stomp/admission.ts'
import { allowOrigin, type Origins, preflightAnswer } from './cors.ts'
import { type EventStream, type EventStreamParts, startEventStream } from './event-stream.ts'
import { wishOf } from './wish.ts'

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
   * @param takeConnection keeps the connection for this request alone; undefined if there is no place for a stranger
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
  const { admission, clock, gate, log, metrics, random, timers } = parts
  const open = new Set<EventStream>()
  const secure = securityHeaders(parts.baseUrl, 'Origin')
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
    const error = thrown instanceof ServiceError ? thrown : new ServiceError('UNEXPECTED', undefined, { cause: thrown })
    const { code, status, cause } = error
    metrics.count('ChannelRefused', { channel: 'stream', reason: code })
    log[status >= 500 ? 'error' : 'info']('stream refused', { code, cause })
    sendError(error, request, response)
  }

  async function begin(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
    const entered = await enter(request, gate)
    const wish = wishOf(request, entered.owner)
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
    const stream = startEventStream(parts, response, { entered, wish, path: STREAM_PATH, closed })
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
 * @throws ServiceError `AUTHENTICATION_REQUIRED`, `ROLE_REQUIRED`, `VALIDATION_FAILED` for several credentials, and the
 * errors of the gate
 */
async function enter({ method = '', headersDistinct }: IncomingMessage, gate: LiveGate): Promise<Entered> {
  const { authorization: [value, ...others] = [], [KEY_HEADER]: keys = [] } = headersDistinct
  const authorization = value === undefined ? undefined : onlyAuthorization(value, others)
  const credentials = liveCredentials({ authorization, keys })
  if (!credentials) throw fail('AUTHENTICATION_REQUIRED')
  const entered = await gate(credentials)
  demandAdmin(entered.owner, method)
  return entered
}

function demandAdmin(owner: Principal, action: string): void {
  if (decide(owner, DEMAND).verdict === 'granted') return
  const { role: requiredRole } = DEMAND
  throw fail('ROLE_REQUIRED', { requiredRole, userRoles: owner.roles, resource: STREAM_PATH, action })
}
