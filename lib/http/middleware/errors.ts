import { isGuarded } from '../../auth/access.ts'
import type { Route } from '../../contract/route.ts'
import { type ServiceError, serviceErrorOf } from '../../errors.ts'
import { errorReply, hasPage, prefersHtml } from '../error-body.ts'
import type { HttpEvent, Reply } from '../message.ts'
import { errorFormat } from '../routing.ts'
import { type Accepting, accepts, checksAt } from './authenticate.ts'
import { beforeDeadline, type Call, type EndpointContext, type Middleware } from './call.ts'

/** Answers everything thrown, in the format of the route, and logs it. A refused call is reported first. */
export function errors(route: Route | undefined, app: EndpointContext & Accepting): Middleware {
  const { clock, log, refused } = app
  const takesBasic = route && isGuarded(route) && accepts(checksAt(route, app), route.credentials).includes('basic')

  /** A call that is for no route was not refused by the function. */
  async function report({ error, event, context }: Call): Promise<void> {
    const reporting = context.parameters && refused?.(error, event)
    if (reporting === undefined) return
    await Promise.resolve(beforeDeadline(reporting, context)).catch((cause) =>
      log.warn('no time to count a refusal', { cause }),
    )
  }

  return {
    async onError(call) {
      if (refused) await report(call)
      const { event, context } = call
      const error = serviceErrorOf(call.error)
      logRefusal(log, error, event)
      const isOfRoute = context.parameters !== undefined || error.code === 'NOT_BY_DOMAIN'
      const format = route && isOfRoute ? errorFormat(route, event.rawPath) : 'api'
      const offersBasic = takesBasic && !isScript(event)
      const reply = errorReply(format, error, { path: event.rawPath, now: clock.now(), offersBasic })
      const isForBrowser = format === 'api' && hasPage(error.code) && isBrowser(event)
      call.response = isForBrowser ? await asPage(reply, error, event, app) : reply
    },
  }
}

/**
 * Whether the script of a page calls: to offer Basic would have the browser ask the user (W3C Fetch Metadata). Over http, but
 * for loopback names, a browser does not say so; then its script is known by what no program sends by itself.
 */
function isScript({ headers }: HttpEvent): boolean {
  const { 'sec-fetch-mode': mode, origin, 'x-requested-with': library } = headers
  return mode === undefined ? (origin ?? library) !== undefined : mode !== 'navigate'
}

function logRefusal(
  log: EndpointContext['log'],
  { status, code, cause }: ServiceError,
  { rawPath: path }: HttpEvent,
): void {
  log[status < 500 ? 'info' : 'error']('request refused', { code, path, ...(cause !== undefined && { cause }) })
}

function isBrowser({ headers, rawPath }: HttpEvent): boolean {
  return rawPath === '/favicon.ico' || prefersHtml(headers['accept'])
}

/** The same answer with a page for its body, or a redirect to the page that is meant. */
async function asPage(
  reply: Reply,
  error: ServiceError,
  event: HttpEvent,
  { errorPage, baseUrl, log }: EndpointContext,
): Promise<Reply> {
  try {
    const page = await errorPage?.(error, event, baseUrl)
    if (page?.statusCode === 302) return page
    return page ? { ...reply, headers: { ...reply.headers, ...page.headers }, body: page.body } : reply
  } catch (cause) {
    log.error('no page for a failure', { cause })
    return reply
  }
}
