import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { accessRuleOf, decide, isGuarded, type Permits } from '../auth/access.ts'
import { isSafe } from '../auth/csrf.ts'
import type { Principal } from '../auth/principal.ts'
import { isInProfile } from '../auth/profile.ts'
import { type EndpointName, ROUTES, type Routes } from '../endpoints/index.ts'
import type { ErrorFormat, Open, Route, TrailRule, Unchanging } from '../endpoints/route.ts'
import { fail, ServiceError } from '../errors.ts'
import type { Networks } from '../runtime/address.ts'
import type { Clock } from '../runtime/clock.ts'
import { correlated } from '../runtime/correlation.ts'
import type { Log } from '../runtime/log.ts'
import { callerTraceIdIn } from '../runtime/trace.ts'
import type { Act } from '../trail/act.ts'
import type { Trail } from '../trail/trail.ts'
import { accessRefusalOf } from './access-refusal.ts'
import { type Checks, check, findCredentials } from './authenticate.ts'
import { addressOf } from './client-address.ts'
import { preflightReply, readableByPage } from './cors.ts'
import { checkCsrf, type FindSession } from './csrf.ts'
import { beforeDeadline } from './deadline.ts'
import { errorReply } from './error-body.ts'
import { hasPage, prefersHtml } from './for-browsers.ts'
import type { HttpEvent, Reply } from './message.ts'
import { type AsksByGet, errorFormat, matchRoute, methodsTaken, noEndpoint } from './routing.ts'
import { securityHeaders } from './security-headers.ts'
import { sentPath, writable } from './sent-path.ts'
import { recorderOf } from './with-trail.ts'

/** What the chain around every endpoint needs. */
export interface EndpointContext {
  readonly clock: Clock
  readonly log: Log
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: Networks
  readonly profile: string
  /** Whether a setting disables the endpoint. */
  readonly isOff?: boolean
  /** For the endpoint of the challenges; without it no provider asks. */
  readonly asksByGet?: AsksByGet
  /** Shows a failure to a browser; without it a browser gets the same answer as every client. */
  readonly errorPage?: (error: ServiceError, event: HttpEvent, baseUrl: URL) => Promise<Reply>
  /** Runs before each call; it never rejects. */
  readonly prepare?: () => Promise<void> | undefined
  /**
   * Receives the error of a refused call before its answer; returns a promise if that takes time, and never rejects.
   */
  readonly refused?: (error: unknown, event: HttpEvent) => Promise<void> | undefined
  /** Runs after each call, before the process may be frozen; it never rejects. */
  readonly conclude?: () => Promise<void>
}

/** What an endpoint with credentials needs in addition. */
export interface GuardedContext extends EndpointContext {
  readonly checks: Checks
  /** The permissions of roles; none if absent. */
  readonly permits?: Permits
}

/** What an endpoint that changes something needs in addition. */
export interface ChangingContext extends EndpointContext {
  readonly findSession: FindSession
}

/** What an endpoint needs in addition if the audit trail records its calls. */
interface RecordingContext extends EndpointContext {
  readonly trail: Trail
}

/** Turns the request into the handler's input. @throws ServiceError a refusal from the catalog */
export type Reader<I> = (event: HttpEvent) => I | Promise<I>

interface Request {
  readonly event: HttpEvent
  readonly parameters: Readonly<Record<string, string>>
}

/** An endpoint of the table by its name; one that only some runs have by the route itself. */
type Declared = EndpointName | Route
type RouteOf<D> = D extends EndpointName ? Routes[D] : D
type ContextOf<D> = (RouteOf<D> extends Open ? EndpointContext : GuardedContext) &
  (RouteOf<D> extends Unchanging ? EndpointContext : ChangingContext) &
  (RouteOf<D> extends { readonly audit: TrailRule } ? RecordingContext : EndpointContext)
type RequestOf<D> = RouteOf<D> extends Open ? Request : Request & { readonly principal: Principal }
type Run<R> = (request: R) => Reply | Promise<Reply>
export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<Reply>

/** Results of the chain before the handler; Middy passes them along on the context. */
interface Findings {
  readonly parameters: Request['parameters']
  principal?: Principal | undefined
  input?: unknown
  act?: Act
}

/** The HTTP API's limit for all header lines together, in bytes; a local gateway would accept more. */
const MAXIMUM_HEADER_BYTES = 10_240

/**
 * The Lambda handler of one declared endpoint: CSRF check, credentials, access decision (auth-1), validation, handler
 * (http-15). Every call ends in an answer with the security headers: also one with another path or method, one that
 * fails, and one that takes too long.
 */
export function endpoint<D extends Declared>(declared: D, app: ContextOf<D>, run: Run<RequestOf<D>>): LambdaHandler
export function endpoint<D extends Declared, I>(
  declared: D,
  app: ContextOf<D>,
  read: Reader<I>,
  run: Run<RequestOf<D> & { readonly input: I }>,
): LambdaHandler
export function endpoint(
  declared: Declared,
  app: EndpointContext & Partial<GuardedContext> & Partial<ChangingContext> & Partial<RecordingContext>,
  ...steps: [Run<never>] | [Reader<unknown>, Run<never>]
): LambdaHandler {
  const route: Route = typeof declared === 'string' ? ROUTES[declared] : declared
  const [read, given] = steps.length === 2 ? steps : [undefined, ...steps]
  const run = given as Run<unknown>
  const recorder = recorderOf(route, app)
  const toReply = failureAnswer(
    errorAnswer((rawPath) => errorFormat(route, rawPath), app),
    app,
  )

  const chain = middy<HttpEvent, Reply, Error, Context & Findings>({ timeoutEarlyInMillis: 0 })
  if (!isSafe(route.method)) chain.before(({ event, context }) => keep(checkCsrf(event, route, app), context))
  if (isGuarded(route)) {
    const checkAccess = accessCheck(route, app.permits)
    chain
      .before(({ event, context }) =>
        keep(authenticated(event, route, app), context, (found) => {
          context.principal = found
        }),
      )
      .before(({ event, context }) => checkAccess(event, context.principal))
  }
  if (read) {
    chain.before(({ event, context }) =>
      keep(read(event), context, (found) => {
        context.input = found
      }),
    )
  }
  chain
    .onError(({ error, event, context }) => {
      const answer = () => toReply(error, event, context)
      return recorder ? recorder.ended(error, { event, ...context }, context).then(answer) : answer()
    })
    .handler((event, context) => {
      const { parameters, principal, input } = context
      const request = { event, parameters, principal, input }
      return beforeDeadline(recorder ? recorder.run(request, context, run) : run(request), context)
    })

  const isLeftOut = app.isOff === true || !isInProfile(route, app.profile)
  const elsewhere = answerElsewhere(app)
  return withErrorHandling({ ...app, pathOf: (event) => sentPath(route, event) }, toReply, (event, context) => {
    const { rawPath, requestContext } = event
    const parameters = matchRoute(route, rawPath)
    if (isLeftOut || parameters === undefined) return elsewhere(event)
    if (!methodsTaken(route, rawPath, app.asksByGet).includes(requestContext.http.method)) return elsewhere(event)
    return chain(event, Object.assign(context, { parameters }))
  })
}

/** The handler for all that no endpoint declares: preflights, 404, or 405 with the methods of the path. */
export function fallback(app: EndpointContext): LambdaHandler {
  const toReply = failureAnswer(errorAnswer(inApiFormat, app), app)
  return withErrorHandling({ ...app, pathOf: ({ rawPath }) => writable(rawPath) }, toReply, answerElsewhere(app))
}

function answerElsewhere(app: EndpointContext): (event: HttpEvent) => Reply | Promise<Reply> {
  const { profile, trustedOrigins, asksByGet } = app
  const toReply = errorAnswer(inApiFormat, app)
  return (event) =>
    preflightReply(event, trustedOrigins, profile) ??
    toReply(noEndpoint(event.requestContext.http.method, event.rawPath, profile, asksByGet), event)
}

/** The function that adds the headers of every answer. */
function headersOnAnswers({ baseUrl, trustedOrigins }: EndpointContext): (reply: Reply, event: HttpEvent) => Reply {
  if (trustedOrigins.length === 0) return securityHeaders(baseUrl)
  const secure = securityHeaders(baseUrl, 'Origin')
  return (reply, event) => readableByPage(secure(reply), event, trustedOrigins)
}

/** HEAD is answered as GET, without the content (RFC 9110 section 9.3.2). */
function withoutBodyForHead(reply: Reply, { requestContext }: HttpEvent): Reply {
  return requestContext.http.method === 'HEAD' ? { ...reply, body: '', isBase64Encoded: false } : reply
}

type Answer = (error: unknown, event: HttpEvent) => Reply | Promise<Reply>
type FailureAnswer = (error: unknown, event: HttpEvent, context: Context) => Reply | Promise<Reply>

/** Gives the log the id of the call, answers everything thrown and adds the constant headers to every answer. */
function withErrorHandling(
  app: EndpointContext & { readonly pathOf: (event: HttpEvent) => string },
  toReply: FailureAnswer,
  answer: (event: HttpEvent, context: Context) => Reply | Promise<Reply>,
): LambdaHandler {
  const withHeaders = headersOnAnswers(app)
  const finish = (reply: Reply, event: HttpEvent) => withoutBodyForHead(withHeaders(reply, event), event)
  const { prepare, conclude, pathOf } = app
  async function run(event: HttpEvent, context: Context): Promise<Reply> {
    try {
      if (headerBytes(event) > MAXIMUM_HEADER_BYTES) throw fail('HEADERS_TOO_LARGE')
      const preparation = prepare?.()
      if (preparation !== undefined) await beforeDeadline(preparation, context)
      return finish(await answer(event, context), event)
    } catch (error) {
      return finish(await toReply(error, event, context), event)
    } finally {
      if (conclude) await conclude()
    }
  }
  return (given, context) => {
    const { requestContext, headers } = given
    const ids = { requestId: requestContext.requestId, callerTraceId: callerTraceIdIn(headers['traceparent']) }
    return correlated(ids, () => run(withPath(given, pathOf(given)), context))
  }
}

/** Reports an error to `refused` before the answer, as far as there is time for it. */
function failureAnswer(toReply: Answer, { refused, log }: EndpointContext): FailureAnswer {
  return (error, event, context) => {
    const reporting = refused?.(error, event)
    if (reporting === undefined) return toReply(error, event)
    return Promise.resolve(beforeDeadline(reporting, context))
      .catch((cause) => log.warn('no time to count a refusal', { cause }))
      .then(() => toReply(error, event))
  }
}

type FormatOf = (rawPath: string) => ErrorFormat

const inApiFormat: FormatOf = () => 'api'

function errorAnswer(formatOf: FormatOf, app: EndpointContext): Answer {
  const { clock, log } = app
  return (thrown, event) => {
    const { rawPath, headers } = event
    const error = thrown instanceof ServiceError ? thrown : new ServiceError('UNEXPECTED', undefined, { cause: thrown })
    const level = error.status < 500 ? 'info' : 'error'
    log[level]('request refused', {
      code: error.code,
      path: rawPath,
      ...(error.cause !== undefined && { cause: error.cause }),
    })
    const format = formatOf(rawPath)
    const reply = errorReply(format, error, { path: rawPath, now: clock.now() })
    const isForBrowser = format === 'api' && hasPage(error.code) && prefersHtml(headers['accept'])
    return isForBrowser ? asPage(reply, error, event, app) : reply
  }
}

/** The same answer with a page for its body. */
async function asPage(
  reply: Reply,
  error: ServiceError,
  event: HttpEvent,
  { errorPage, baseUrl, log }: EndpointContext,
): Promise<Reply> {
  try {
    const page = await errorPage?.(error, event, baseUrl)
    return page ? { ...reply, headers: { ...reply.headers, ...page.headers }, body: page.body } : reply
  } catch (cause) {
    log.error('no page for a failure', { cause })
    return reply
  }
}

function headerBytes({ headers }: HttpEvent): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}

function withPath(event: HttpEvent, rawPath: string): HttpEvent {
  return rawPath === event.rawPath ? event : { ...event, rawPath }
}

/** Stores a result; returns a promise only if it must wait. Middy takes a returned value for an answer. */
function keep<T>(
  found: T | Promise<T>,
  context: Context,
  store: (found: T) => void = () => undefined,
): void | Promise<void> {
  const work = beforeDeadline(found, context)
  return work instanceof Promise ? work.then(store) : store(work)
}

function authenticated(event: HttpEvent, route: Route, app: EndpointContext & Partial<GuardedContext>) {
  if (!isGuarded(route)) return undefined
  const { checks = {} } = app
  const found = findCredentials(event, checks, route.credentials)
  return found && check(found, checks, () => addressOf(event, app))
}

function accessCheck(route: Route, permits?: Permits): (event: HttpEvent, principal: Principal | undefined) => void {
  const rule = accessRuleOf(route)
  return (event, principal) => {
    const { verdict } = decide(principal, rule, permits)
    if (verdict !== 'granted') throw accessRefusalOf(verdict, event, route, principal?.roles ?? [])
  }
}
