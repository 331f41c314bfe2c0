import { Buffer } from 'node:buffer'
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { isOriginAllowed } from '../../lib/auth/csrf.ts'
import { CATALOG } from '../../lib/errors.ts'
import { webhookBody } from '../../lib/http/error-body.ts'
import { JSON_TYPE, TEXT_TYPE } from '../../lib/http/message.ts'
import { errorFormatAt } from '../../lib/http/routing.ts'
import { isLocalHost } from '../../lib/runtime/address.ts'
import { fromUtf8 } from '../../lib/runtime/text.ts'
import { CALLED, LISTEN_HOST } from './ports.ts'

/** The answer to a request that a local run does not serve. */
interface GuardRefusal {
  readonly status: 403 | 421
  readonly message: string
}

/** Judges a request by its headers; undefined lets it pass. */
export type Gate = (request: Pick<IncomingMessage, 'headersDistinct' | 'url'>) => GuardRefusal | undefined

/** The address of the run, and the other origins whose pages may call it. */
export interface Home {
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
}

/** Answers some requests in place of a server. @returns whether it does */
export type LocalHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** The checks in front of a server. */
export interface Front {
  readonly gate: Gate
  readonly localHandler?: LocalHandler
}

const ELSEWHERE: GuardRefusal = { status: 421, message: 'Host is neither a loopback name nor the host of BASE_URL' }
const FOREIGN: GuardRefusal = { status: 403, message: 'Web pages of another origin are refused' }
const UNTRUSTED: GuardRefusal = {
  status: 403,
  message: `${CATALOG.ORIGIN_NOT_TRUSTED.message}: name it in TRUSTED_ORIGINS`,
}
const NO_PAGES: GuardRefusal = { status: 403, message: 'Web pages are refused' }

/** Where a run is reset, which no page of another origin may do. */
const BENCH = /^\/lab\/(?:reset|clock)$/

/**
 * The gate of the API. It also blocks webhooks that pages of other origins send, because a local run accepts some
 * webhooks unsigned. The functions refuse everything else from such pages.
 */
export function apiGate({ baseUrl, trustedOrigins }: Home): Gate {
  return (request) => {
    if (!isLocalHost(hostOf(request), baseUrl, LISTEN_HOST)) return ELSEWHERE
    const isAllowed = isOriginAllowed(provenanceOf(request), baseUrl.origin, trustedOrigins)
    const isOwn = isOriginAllowed(provenanceOf(request), baseUrl.origin, [])
    if (BENCH.test(rawPathOf(request.url ?? '/')) && !isOwn) return FOREIGN
    return isWebhook(request.url ?? '') && !isAllowed ? UNTRUSTED : undefined
  }
}

/**
 * The gate of a login provider: browsers arrive from other origins, its own pages send forms, and a page of this machine
 * may be a client.
 */
export function providerGate(baseUrl: URL): Gate {
  return (request) => {
    if (!isLocalHost(hostOf(request), baseUrl, LISTEN_HOST)) return ELSEWHERE
    const { origin } = provenanceOf(request)
    const isHere = isLocalHost(URL.parse(origin ?? '')?.host, new URL(`http://${CALLED}`), LISTEN_HOST)
    const isOwn = isOriginAllowed({ origin, secFetchSite: undefined }, `http://${hostOf(request)}`, [])
    return isHere || isOwn ? undefined : FOREIGN
  }
}

/** The gate of services that no browser calls: the emulators and the port that invokes functions. */
export function machineGate(baseUrl: URL): Gate {
  return (request) => {
    if (!isLocalHost(hostOf(request), baseUrl, LISTEN_HOST)) return ELSEWHERE
    const { origin, secFetchSite } = provenanceOf(request)
    return origin === undefined && secFetchSite === undefined ? undefined : NO_PAGES
  }
}

/** How long {@link betweenCalls} waits for calls, in milliseconds. */
const PATIENCE = 5000

const underWay = new Set<Promise<unknown>>()
let pause: Promise<unknown> | undefined

/** Does something while no guarded server of this process is at a call: those under way end first, later ones wait. */
export async function betweenCalls(work: () => Promise<unknown>): Promise<void> {
  while (pause !== undefined) await pause
  const done = Promise.race([Promise.all(underWay), setTimeout(PATIENCE, undefined, { ref: false })]).then(work)
  pause = done.then(
    () => {},
    () => {},
  )
  await done.finally(() => {
    pause = undefined
  })
}

async function afterPause(response: ServerResponse, begin: () => void): Promise<void> {
  while (pause !== undefined) await pause
  if (!response.destroyed) begin()
}

function count(response: ServerResponse): void {
  // Node's own is the system's.
  response.setHeader('date', new Date().toUTCString())
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  underWay.add(ended)
  void ended.then(() => underWay.delete(ended))
}

/** What Node calls the arrival of a request, also where the client waits for "100 Continue" and a server listens for that. */
const ARRIVALS = ['request', 'checkContinue'] as const

/**
 * Passes on to a server only the requests that the gate allows, and that no other listener answers.
 * @returns the server
 */
export function guard(server: Server, gate: Gate, localHandler: LocalHandler = () => false): Server {
  for (const arrival of ARRIVALS) guardArrival(server, arrival, gate, localHandler)
  return server
}

function guardArrival(
  server: Server,
  arrival: (typeof ARRIVALS)[number],
  gate: Gate,
  localHandler: LocalHandler,
): void {
  const listeners = server.listeners(arrival)
  if (listeners.length === 0) return
  server.removeAllListeners(arrival)
  server.on(arrival, (request: IncomingMessage, response: ServerResponse) => {
    const refusal = gate(request)
    if (refusal) return refuse(request, response, refusal)
    if (!localHandler(request, response)) {
      const begin = () => {
        count(response)
        for (const listener of listeners) listener.call(server, request, response)
      }
      if (pause === undefined) begin()
      else void afterPause(response, begin)
    } else if (arrival === 'checkContinue') {
      response.writeContinue()
    }
  })
}

interface RequestStart {
  readonly request: IncomingMessage
  readonly server: Server
}

/** Guards servers that other code of this process creates, by port. */
export function guardPorts(fronts: ReadonlyMap<number, Front>): void {
  const guarded = new WeakSet<Server>()
  subscribe('http.server.request.start', (message) => {
    const { request, server } = message as RequestStart
    const front = fronts.get(request.socket.localPort ?? 0)
    if (front === undefined || guarded.has(server)) return
    guarded.add(server)
    guard(server, front.gate, front.localHandler)
  })
}

/** Refuses in the shape that the endpoint promises. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: GuardRefusal): void {
  const { type, body } = shapeOf(refusal, rawPathOf(request.url ?? '/'), new Date())
  request.resume()
  response.writeHead(refusal.status, {
    ...type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(body)
}

function shapeOf({ status, message }: GuardRefusal, path: string, now: Date) {
  switch (errorFormatAt(path)) {
    case 'text':
      return { type: TEXT_TYPE, body: message }
    case 'webhook':
      return { type: JSON_TYPE, body: webhookBody(message, now) }
    case 'api': {
      const error = { timestamp: now.toISOString(), status, error: STATUS_CODES[status], message, path }
      return { type: JSON_TYPE, body: JSON.stringify(error) }
    }
  }
}

type Headers = Parameters<Gate>[0]

/** Undefined if there is no host, or more than one. */
function hostOf({ headersDistinct: { host = [] } }: Headers): string | undefined {
  return host.length === 1 ? host[0] : undefined
}

/** Repeated headers are joined, not chosen from: the result is no valid origin. */
function provenanceOf({ headersDistinct: headers }: Headers) {
  return { origin: headers['origin']?.join(), secFetchSite: headers['sec-fetch-site']?.join() }
}

function isWebhook(target: string): boolean {
  try {
    return decodeURIComponent(rawPathOf(target)).startsWith('/webhooks/')
  } catch {
    // The gateway itself refuses such a path.
    return false
  }
}

/** The path of a request target as it was sent, in origin or absolute form (RFC 9112 section 3.2). */
export function rawPathOf(target: string): string {
  const [path = ''] = withoutOrigin(target).split('?', 1)
  return path === '' ? '/' : path
}

/** The query of a request target as it was sent; empty where there is none. */
export function rawQueryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

function withoutOrigin(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
}

/** The text of a value whose bytes are UTF-8; Node reads them one by one. */
export function utf8Of(value: string): string {
  return fromUtf8(Buffer.from(value, 'latin1')) ?? value
}
