import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { realpathSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createRequire, Module } from 'node:module'
import { join, relative } from 'node:path'
import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { DIST, LOCAL_DIST } from '../../infra/builds.ts'
import { ENGINE, inWork } from '../../infra/project.ts'
import { fail } from '../../lib/errors.ts'
import { challengesIn, errorReply } from '../../lib/http/error-body.ts'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'
import { constantHeaders } from '../../lib/http/middleware/security-headers.ts'
import { errorFormatAt } from '../../lib/http/routing.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { consoleLog, type Log } from '../../lib/runtime/log.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { localSettings } from '../settings.ts'
import { guardPorts, rawPathOf, rawQueryOf, utf8Of } from './guard.ts'
import { joined, pairsIn } from './http.ts'
import { LOCAL_FUNCTIONS, type LocalRunEngine, type Options, prepareRun } from './prepare-run.ts'

/**
 * Creates all resources of the functions before the gateway reads their environment.
 * @param isDev whether it serves each new build
 * @returns that environment, and a function that starts the event sources outside the
 * gateway; call it when the gateway answers
 */
export async function prepareOffline(engine: LocalRunEngine, options: Options, isDev: boolean) {
  const { service } = engine
  const [httpPort, lambdaPort] = [Number(options.httpPort), Number(options.lambdaPort)]
  const { LOCAL_CONCURRENCY } = loadConfig({ LOCAL_CONCURRENCY: localSettings.LOCAL_CONCURRENCY })
  correctRequests(httpPort, concurrencyOf(LOCAL_CONCURRENCY))
  await correctEvents()
  const { baseUrl, fronts, environment, startEvents } = await prepareRun(engine, options)
  const build = newestBuild()
  await correctFailures(baseUrl)
  guardPorts(
    new Map([
      [httpPort, fronts.api],
      [lambdaPort, fronts.machine],
    ]),
  )
  setSourceMapsEnabled(isDev)
  loadFunctions(isDev ? newestBuild : () => build)
  Object.assign(service.functions, LOCAL_FUNCTIONS)
  return { environment, startEvents }
}

function newestBuild(): string {
  return realpathSync(inWork(LOCAL_DIST))
}

/** The module that loads a function, which serverless-offline does not export. */
const LOADER = './lambda/handler-runner/in-process-runner/aws-lambda-ric/UserFunction.js'

/**
 * Takes the place of what loads functions in serverless-offline 14.8, which refuses a folder with ".." in its name, as pnpm
 * makes them, and brings a compiler. Builds that were loaded before stay in memory.
 * @param buildOf the folder of the build at the time of a call
 */
function loadFunctions(buildOf: () => string): void {
  const path = createRequire(import.meta.resolve('serverless-offline')).resolve(LOADER)
  const load = async (folder: string, handler: string) => {
    const [file = '', name = ''] = relative(folder, handler).split(/\.(?=[^.]*$)/)
    const place = file.startsWith(`${DIST}/`) ? join(buildOf(), file.slice(DIST.length)) : join(ENGINE, file)
    return (await import(pathToFileURL(`${place}.mjs`).href))[name]
  }
  createRequire(path).cache[path] = Object.assign(new Module(path), { exports: { load }, filename: path, loaded: true })
}

interface RequestStart {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

/**
 * Corrects a request before serverless-offline 14.8 sees it, where it differs from an HTTP API. It builds the
 * function's event from `rawHeaders` and takes everything else from `headers`, so the function still sees what was
 * sent.
 */
function correctRequests(httpPort: number, concurrency: Concurrency): void {
  const admitting = new WeakSet<Server>()
  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as RequestStart
    if (request.socket.localPort !== httpPort) return
    if (!admitting.has(server)) {
      admitting.add(server)
      admitOnly(server, concurrency)
    }
    // Node makes `headers` from `rawHeaders` on first use, so read it before `rawHeaders` changes.
    const { headers } = request
    // With this header, every answer would allow the origin, and OPTIONS would never reach a function.
    delete headers.origin
    // With this header, the gateway would cut the function's answer.
    delete headers.range
    // By this header, the gateway would decode the body, or refuse it.
    delete headers['content-encoding']
    // The gateway decodes any other type as text, which loses bytes that are not UTF-8.
    headers['content-type'] = 'application/octet-stream'
    joinRepeated(request.rawHeaders)
    const id = randomUUID()
    keepSent(request, id)
    response.setHeader('apigw-requestid', id)
    withoutAddedHeaders(response)
    withEachChallenge(response)
    // For the answers of the gateway itself.
    response.setHeader('x-content-type-options', 'nosniff')
  })
}

/** Nothing to read has no type; the gateway would call it JSON. */
const BODILESS: readonly number[] = [204, 302]

function withoutAddedHeaders(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = (...head: unknown[]) => {
    // No function answers a part of its content.
    response.removeHeader('accept-ranges')
    if (BODILESS.includes(Number(head[0]))) response.removeHeader('content-type')
    return Reflect.apply(writeHead, response, head)
  }
}

/** Sends two challenges as two fields: a function can send a name once only (http-25). */
export function withEachChallenge(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = (...head: unknown[]) => {
    const challenge = response.getHeader('www-authenticate')
    if (typeof challenge === 'string') response.setHeader('www-authenticate', challengesIn(challenge))
    return Reflect.apply(writeHead, response, head)
  }
}

/** Adds headers for {@link correctEvents}; repeated headers are joined at this point. */
function keepSent({ rawHeaders, url = '/' }: IncomingMessage, id: string): void {
  const position = rawHeaders.findIndex((name, index) => index % 2 === 0 && name === 'content-type')
  if (position !== -1) rawHeaders.push(SENT_TYPE, rawHeaders[position + 1] ?? '')
  rawHeaders.push(SENT_TARGET, url, CALL_ID, id)
}

/** An HTTP API joins repeated headers (for cookies RFC 9113 section 8.2.3). */
export function joinRepeated(rawHeaders: string[]): void {
  const pairs = pairsIn(rawHeaders).map(([name, value]) => [name, utf8Of(value)] as const)
  const lists = joined(pairs, (name) => (name === 'cookie' ? '; ' : ','))
  rawHeaders.splice(0, rawHeaders.length, ...Object.entries(lists).flat())
}

/**
 * Header names that no request can have. They pass the original target and content type, and the id of the call, to the
 * code that creates the event, which sees nothing else of the request as it was sent.
 */
const SENT_TARGET = ':target'
const SENT_TYPE = ':content-type'
const CALL_ID = ':request-id'

/** The class that creates events, which serverless-offline does not export. */
const MAKER = 'events/http/lambda-events/LambdaProxyIntegrationEventV2.js'

interface Maker {
  readonly default: { readonly prototype: { create(): APIGatewayProxyEventV2 } }
}

/** Corrects each event that serverless-offline 14.8 creates. */
async function correctEvents(): Promise<void> {
  const { default: made }: Maker = await import(new URL(MAKER, import.meta.resolve('serverless-offline')).href)
  const { create } = made.prototype
  made.prototype.create = function () {
    return correctedEvent(Reflect.apply(create, this, []))
  }
}

/**
 * The event as an HTTP API creates it: path and query as sent, repeated parameters joined by commas, and a content type
 * only if the request had one. The gateway resolves dot segments in the path, encodes the query again, and treats a
 * body without a type as JSON.
 */
export function correctedEvent({ queryStringParameters: _, ...event }: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const {
    [SENT_TARGET]: target = '/',
    [SENT_TYPE]: sentType,
    [CALL_ID]: id,
    'content-type': _type,
    ...headers
  } = event.headers
  const [rawPath, rawQueryString] = [rawPathOf(target), rawQueryOf(target)]
  return {
    ...event,
    headers: { ...headers, ...(sentType !== undefined && { 'content-type': sentType }) },
    rawPath,
    rawQueryString,
    ...(rawQueryString !== '' && { queryStringParameters: joined([...new URLSearchParams(rawQueryString)]) }),
    requestContext: {
      ...event.requestContext,
      ...(id !== undefined && { requestId: id }),
      http: { ...event.requestContext.http, path: rawPath },
    },
  }
}

/** The class that runs a function, which serverless-offline does not export. */
const RUNNER = 'lambda/LambdaFunction.js'

/** The part of it that decides what a call answers. */
export interface Runner {
  setEvent(event: HttpEvent): void
  runHandler(): Promise<unknown>
}

/** Corrects what serverless-offline 14.8 answers in place of a function that failed: 200 with the stack of the error. */
async function correctFailures(baseUrl: URL): Promise<void> {
  const { default: made }: { readonly default: { readonly prototype: Runner } } = await import(
    new URL(RUNNER, import.meta.resolve('serverless-offline')).href
  )
  correctRunner(made.prototype, baseUrl, consoleLog(systemClock.now))
}

/**
 * Makes a function that was ended by its deadline, or that could not be loaded, answer 503 (http-33). Jobs, whose events
 * have no path, fail as they do on Lambda.
 */
export function correctRunner(prototype: Runner, baseUrl: URL, log: Pick<Log, 'error'>): void {
  const events = new WeakMap<Runner, HttpEvent>()
  const { setEvent, runHandler } = prototype
  prototype.setEvent = function (event) {
    events.set(this, event)
    setEvent.call(this, event)
  }
  prototype.runHandler = async function () {
    const { rawPath } = events.get(this) ?? {}
    try {
      return await runHandler.call(this)
    } catch (cause) {
      if (rawPath === undefined) throw cause
      log.error('a function was ended or could not be loaded', { path: rawPath, cause })
      return failureReply(rawPath, baseUrl, systemClock.now())
    }
  }
}

/** The answer in the shape that the endpoint of this path promises. */
function failureReply(path: string, baseUrl: URL, now: Date): Reply {
  return constantHeaders(baseUrl)(errorReply(errorFormatAt(path), fail('UNAVAILABLE'), { path, now }))
}

/** The part of Node's messages that this file uses. */
interface Emitter {
  once(event: 'end' | 'close', listener: () => void): unknown
}

type Concurrency = ReturnType<typeof concurrencyOf>

/** Limits the number of concurrent calls, as the concurrency limit of an account limits Lambda. */
export function concurrencyOf(most: number) {
  let inside = 0
  return {
    get isFull() {
      return inside >= most
    },
    /** Counts a call from the complete arrival of its request until its answer ends, sent or not. */
    enter(request: Emitter & { readonly complete: boolean }, answer: Emitter): void {
      const count = () => {
        inside += 1
        answer.once('close', () => {
          inside -= 1
        })
      }
      // A request that came in one piece is complete once Node has parsed it; one that never ends takes up no room.
      queueMicrotask(() => {
        if (request.complete) count()
        else request.once('end', count)
      })
    },
  }
}

/**
 * Passes only calls that there is room for to a server; the others get the answer of an HTTP API whose Lambda
 * throttles.
 */
export function admitOnly(server: Server, room: Concurrency): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (room.isFull) return refuse(response)
    room.enter(request, response)
    for (const listener of listeners) listener.call(server, request, response)
  })
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end('{"message":"Service Unavailable"}')
}
