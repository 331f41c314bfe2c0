import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { isGuarded, type Permits } from '../auth/access.ts'
import type { Principal } from '../auth/principal.ts'
import type { Open, Route, TrailRule, Unchanging } from '../contract/route.ts'
import { correlatedCall } from '../runtime/trace.ts'
import { during } from '../trail/act.ts'
import type { Trail } from '../trail/trail.ts'
import type { HttpEvent, Reply } from './message.ts'
import { audit } from './middleware/audit.ts'
import { authenticate, type Checks } from './middleware/authenticate.ts'
import { authorize } from './middleware/authorize.ts'
import { beforeDeadline, type CallContext, type EndpointContext, type Middleware } from './middleware/call.ts'
import { csrf, type FindSession } from './middleware/csrf.ts'
import { errors } from './middleware/errors.ts'
import { onlyRoute } from './middleware/route.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { type Input, type Reader, validate } from './middleware/validate.ts'

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

interface Request {
  readonly event: HttpEvent
  readonly parameters: Readonly<Record<string, string>>
}

type ContextOf<R> = (R extends Open ? EndpointContext : GuardedContext) &
  (R extends Unchanging ? EndpointContext : ChangingContext) &
  (R extends { readonly audit: TrailRule } ? RecordingContext : EndpointContext)
type RequestOf<R> = R extends Open ? Request : Request & { readonly principal: Principal }
type Run<Given> = (request: Given) => Reply | Promise<Reply>
export type LambdaHandler = (event: HttpEvent, context: Context) => Promise<Reply>

/**
 * The Lambda handler of one declared endpoint: CSRF check, credentials, access decision (auth-1), validation, handler
 * (http-15). Every call ends in an answer with the security headers: also one with another path or method, one that
 * fails, and one that takes too long.
 */
export function endpoint<R extends Route>(route: R, app: ContextOf<R>, run: Run<RequestOf<R>>): LambdaHandler
export function endpoint<R extends Route, I>(
  route: R,
  app: ContextOf<R>,
  input: Input<I> | Reader<I>,
  run: Run<RequestOf<R> & { readonly input: I }>,
): LambdaHandler
export function endpoint(
  route: Route,
  app: EndpointContext & Partial<GuardedContext> & Partial<ChangingContext> & Partial<RecordingContext>,
  ...steps: [Run<never>] | [Input<unknown> | Reader<unknown>, Run<never>]
): LambdaHandler {
  const [input, given] = steps.length === 2 ? steps : [[], ...steps]
  const run = given as Run<unknown>
  const handler = chain(app, [
    securityHeaders(app),
    onlyRoute(route, app),
    errors(route, app),
    csrf(route, app),
    ...(isGuarded(route) ? [authenticate(route, app), authorize(route, app)] : []),
    ...(typeof input === 'function' ? [validate(input)] : input),
    ...(route.audit ? [audit(route.audit, route, app)] : []),
  ]).handler((event, context) => {
    const { act, parameters, principal, input } = context
    const answer = () => run({ event, parameters, principal, input })
    return beforeDeadline(act ? during(act, answer) : answer(), context)
  })
  return traced(handler)
}

/** The handler for all that no endpoint declares: preflights, 404, or 405 with the methods of the path. */
export function fallback(app: EndpointContext): LambdaHandler {
  const links = [securityHeaders(app), onlyRoute(undefined, app), errors(undefined, app)]
  return traced(chain(app, links))
}

/** Middy does not type it by the event. */
type Hook = (request: unknown) => Promise<void>

/** A Middy chain of the links that have hooks, which ends with `conclude` whatever happens. */
function chain({ conclude }: EndpointContext, links: readonly Middleware[]) {
  const plugin = { timeoutEarlyInMillis: 0, ...(conclude && { requestEnd: conclude as Hook }) }
  return middy<HttpEvent, Reply, Error, CallContext>(plugin).use(links.filter((link) => Object.keys(link).length > 0))
}

/** Gives the log the ids of the call. */
function traced(handler: LambdaHandler): LambdaHandler {
  return (event, context) => {
    const { requestContext, headers } = event
    return correlatedCall({ requestId: requestContext.requestId }, headers['traceparent'], handler, event, context)
  }
}
