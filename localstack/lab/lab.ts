import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TokenKey } from '../../lib/auth/jwt.ts'
import { fail, ServiceError, unavailable } from '../../lib/errors.ts'
import { errorReply } from '../../lib/http/error-body.ts'
import { type HttpEvent, noContent, ok, type Reply, redirect } from '../../lib/http/message.ts'
import { constantHeaders, readableByPage } from '../../lib/http/middleware/security-headers.ts'
import { type Clock, systemClock } from '../../lib/runtime/time.ts'
import { type Home, rawPathOf, rawQueryOf } from '../stack/guard.ts'
import { HOST } from '../stack/ports.ts'
import { type Bench, moveClock, resetRun } from './bench.ts'
import { type CallLog, clientName, openCallLog } from './call.ts'
import { headerIn, type LabAnswer, type LabRequest, passOn, sentHeaders, withHeader } from './exchange.ts'
import { faultCall, type InjectedRefusal, isApiPath } from './fault-call.ts'
import { isFault } from './faults.ts'
import description from './openapi.json' with { type: 'json' }
import { labPage, labSprite, labStyle } from './page.ts'
import { type ClientReport, clientReport, type FaultReport } from './report.ts'
import { labTokens } from './tokens.ts'

/** The run that the lab belongs to. */
export interface LabRun extends Home {
  /** At which the real endpoints answer. */
  readonly port: number
  /** With which the service signs tokens. */
  readonly keys: readonly TokenKey[]
  /** The address of the open provider, which has faults of its own; undefined in a run without it. */
  readonly provider: string | undefined
  readonly bench: Bench
}

const FAULT_ADDRESS = /^\/lab\/([a-z-]+)(\/.*)$/

/** Answers the requests below `/lab`; it never rejects. */
export function openLab(run: LabRun, clock: Clock = systemClock) {
  const log = openCallLog()
  const tokens = labTokens(run.keys)
  const { answer, refusal } = labAnswers(run)
  const reply = labResources({ log, clock, ...run })

  async function answerTo(incoming: IncomingMessage, path: string): Promise<LabAnswer> {
    const { method = 'GET', url = '/' } = incoming
    const headers = sentHeaders(incoming)
    const [, fault = '', below = ''] = FAULT_ADDRESS.exec(path) ?? []
    if (!isFault(fault)) return answer(await reply(method, path, incoming), { headers })
    if (!isApiPath(below)) throw fail('ENDPOINT_NOT_FOUND')
    const query = rawQueryOf(url)
    const request = { method, path: below, target: query === '' ? below : `${below}?${query}`, headers }
    if (method === 'OPTIONS') return allowingName(await passOn(request, incoming, run.port))
    return faultCall(fault, request, {
      log,
      tokens,
      clock,
      passOn: (changed) => passOn(changed, incoming, run.port),
      refusalOf: (given) => refusal(given, request, below, clock.now()),
    })
  }

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = rawPathOf(incoming.url ?? '/')
    try {
      send(await answerTo(incoming, path), incoming, response)
    } catch (thrown) {
      const error = thrown instanceof ServiceError ? thrown : unavailable(thrown)
      const [, fault = '', below = path] = FAULT_ADDRESS.exec(path) ?? []
      const called = isFault(fault) ? below : path
      send(refusal({ error }, { headers: sentHeaders(incoming) }, called, clock.now()), incoming, response)
    }
  }
}

function send({ status, headers, body }: LabAnswer, incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume()
  if (response.destroyed) return
  for (const name of new Set(headers.map(([name]) => name))) response.removeHeader(name)
  for (const [name, value] of headers) response.appendHeader(name, value)
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length)
  response.writeHead(status).end(incoming.method === 'HEAD' ? undefined : body)
}

/** Writes answers with the headers that every answer of the service has. */
export function labAnswers({ baseUrl, trustedOrigins }: Home) {
  const secure = constantHeaders(baseUrl, trustedOrigins.length > 0 ? 'Origin' : undefined)

  function answer(reply: Reply, request: Pick<LabRequest, 'headers'>): LabAnswer {
    const event = { headers: { origin: headerIn(request.headers, 'origin') }, rawPath: '/lab' } as unknown as HttpEvent
    const { statusCode, headers, body = '' } = readableByPage(secure(reply), event, trustedOrigins)
    return { status: statusCode, headers: Object.entries(headers), body: Buffer.from(body) }
  }

  /** A refusal as the service gives it. @param path of the lab */
  function refusal(
    { error, retryAfter }: InjectedRefusal,
    request: Pick<LabRequest, 'headers'>,
    path: string,
    now: Date,
  ) {
    const given = answer(errorReply('api', error, { path, now }), request)
    if (retryAfter === undefined) return given
    return { ...given, headers: withHeader(given.headers, 'retry-after', String(retryAfter)) }
  }

  return { answer, refusal }
}

const ALLOWED = 'access-control-allow-headers'

/** The answer to a preflight, which lets a page name itself as a client, too. */
function allowingName(answer: LabAnswer): LabAnswer {
  const allowed = headerIn(answer.headers, ALLOWED)
  if (allowed === undefined) return answer
  return { ...answer, headers: withHeader(answer.headers, ALLOWED, `${allowed}, X-Client-Name`) }
}

interface Parts extends Pick<LabRun, 'baseUrl' | 'provider' | 'bench'> {
  readonly log: CallLog
  readonly clock: Clock
}

type Answer = (name: string, incoming: IncomingMessage) => Reply | Promise<Reply>
type Resource = Readonly<Partial<Record<string, Answer>>>

const REPORT = /^\/lab\/report\/([^/]+)$/

/** What the lab itself serves: its page, its description, the reports, and what tests order. */
function labResources({ log, clock, baseUrl, provider, bench }: Parts) {
  /** What the open provider has at a name: a report, or the names of clients if it is empty. */
  async function atProvider<T>(name: string, method = 'GET'): Promise<readonly T[]> {
    if (provider === undefined) return []
    const { port } = new URL(provider)
    const response = await fetch(`http://${HOST}:${port}/lab/report/${name}`, { method })
    return response.json() as Promise<readonly T[]>
  }

  async function reportOf(name: string): Promise<ClientReport> {
    const { faults, ...report } = clientReport(name, log, clock)
    return { ...report, faults: [...faults, ...(await atProvider<FaultReport>(name))] }
  }

  const report: Resource = {
    GET: async (name) => ok(await reportOf(name)),
    async DELETE(name) {
      log.forget(name)
      await atProvider(name, 'DELETE')
      return noContent()
    },
  }
  const resources: Readonly<Record<string, Resource>> = {
    '/lab': {
      async GET() {
        const clients = new Set([...log.clients, ...(await atProvider<string>(''))])
        return labPage(await Promise.all([...clients].map(reportOf)), baseUrl, provider)
      },
    },
    '/lab/': { GET: () => redirect('/lab') },
    '/lab/reset': { POST: () => resetRun(bench) },
    '/lab/clock': { POST: (_, incoming) => moveClock(bench, incoming) },
    '/lab/openapi.json': { GET: () => ok(description) },
    '/lab/style.css': { GET: labStyle },
    '/lab/icons.svg': { GET: labSprite },
  }

  function find(path: string): { readonly resource: Resource | undefined; readonly name: string } {
    const [, given] = REPORT.exec(path) ?? []
    if (given !== undefined) return { resource: report, name: clientName(given, 'name') }
    return { resource: Object.hasOwn(resources, path) ? resources[path] : undefined, name: '' }
  }

  return async (requestMethod: string, path: string, incoming: IncomingMessage): Promise<Reply> => {
    const { resource, name } = find(path)
    if (!resource) throw fail('ENDPOINT_NOT_FOUND')
    const answer = resource[requestMethod]
    if (answer) return answer(name, incoming)
    throw fail('METHOD_NOT_SUPPORTED', { requestMethod, supportedMethods: Object.keys(resource).sort() })
  }
}
