import { Buffer } from 'node:buffer'
import { errorShape } from '../../../lib/contract/error-shape.ts'
import { CATALOG, type ErrorCode, ServiceError } from '../../../lib/errors.ts'
import { OVER_HTTPS } from '../../../lib/http/middleware/security-headers.ts'
import { toLocalDateTime } from '../../../lib/runtime/time.ts'
import { orderStatusSource } from '../../../lib/webhooks/sources/order-status.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import type { Ask } from '../../../localstack/operator/operator.ts'

/** One call of a fake stage. */
export interface StageCall {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
}

/** What it answers. */
export interface StageAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  /** An object is sent as JSON. */
  readonly body?: string | Buffer | object
}

/** Changes an answer; what it leaves undefined stays as it was. */
export type Fault = (call: StageCall, answer: StageAnswer) => Partial<StageAnswer> | undefined

export const STAGE_SECRETS = {
  GATEHOUSE_TOKEN: 'token-of-an-admin',
  GATEHOUSE_PLAIN_TOKEN: 'token-of-a-user',
  GATEHOUSE_USER: 'ada',
  GATEHOUSE_PASSWORD: 'password-of-ada',
  WEBHOOK_SECRETS: '{"order-status":"secret-of-orders"}',
} as const

const KNOWN_SECRETS: Readonly<Record<string, string>> = JSON.parse(STAGE_SECRETS.WEBHOOK_SECRETS)

const DETAILS: Partial<Record<ErrorCode, object>> = {
  TOKEN_INVALID: { tokenError: 'malformed', tokenStatus: 'MALFORMED' },
  CSRF_TOKEN_MISSING: { reason: 'no token' },
  METHOD_NOT_SUPPORTED: { requestMethod: 'DELETE', supportedMethods: ['GET'] },
  ROLE_REQUIRED: {
    requiredRole: 'ROLE_ADMIN',
    userRoles: ['ROLE_USER'],
    resource: '/api/admin/secure',
    action: 'GET',
  },
}

/** A stage over https that behaves as it should, but for a fault. */
export function fakeStage(fault: Fault = () => undefined): Ask {
  const answerTo = soundStage()
  return async (path, init = {}) => {
    const sent = init.body as string | Buffer | URLSearchParams | undefined
    const body = Buffer.isBuffer(sent) ? sent : Buffer.from(String(sent ?? ''))
    const call = { method: init.method ?? 'GET', path, headers: new Headers(init.headers), body }
    const sound = answerTo(call)
    return responseOf({ ...sound, ...fault(call, sound) })
  }
}

function responseOf({ status, headers, cookies = [], body = '' }: StageAnswer): Response {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
  const content = isJson ? JSON.stringify(body) : body
  const response = new Response(typeof content === 'string' ? content : new Uint8Array(content), { status })
  for (const [name, value] of Object.entries({ ...OVER_HTTPS, ...headers })) response.headers.set(name, value)
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function soundStage(): (call: StageCall) => StageAnswer {
  const events = new Map<string, Buffer>()
  let isLoggedIn = false

  function webhook(source: string, call: StageCall): StageAnswer {
    const signed = { method: 'POST', url: '', headers: Object.fromEntries(call.headers), body: call.body }
    const secrets = [{ value: KNOWN_SECRETS[source] ?? '' }]
    const { scheme } = orderStatusSource
    if (!verify(signed, { scheme, secrets, now: new Date(), toleranceSeconds: 300 }).ok)
      return webhookError('SIGNATURE_INVALID')
    const { eventId } = JSON.parse(call.body.toString())
    const key = `${source}/${encodeURIComponent(eventId)}`
    const isDuplicate = events.has(key)
    events.set(key, call.body)
    return {
      status: 200,
      body: { success: true, message: isDuplicate ? 'Duplicate event ignored' : 'Webhook processed successfully' },
    }
  }

  function event(path: string): StageAnswer {
    const [, key = '', isPayload] = /^([^/]+\/[^/]+)(\/payload)?$/.exec(path) ?? []
    const stored = events.get(key)
    if (!stored) return error('EVENT_NOT_FOUND', path)
    if (isPayload) return { status: 200, body: stored }
    return { status: 200, body: { eventId: decodeURIComponent(key.replace(/^[^/]+\//, '')), status: 'PROCESSED' } }
  }

  function session({ method, path, headers }: StageCall): StageAnswer {
    if (path === '/login' && method === 'GET') return html('<form method="post"></form>')
    if (path === '/logout') {
      if (headers.get('x-xsrf-token') !== 'csrf') return error('CSRF_TOKEN_MISSING', path)
      isLoggedIn = false
      return { status: 302 }
    }
    isLoggedIn = true
    const rest = 'Path=/; Secure; SameSite=Lax'
    return { status: 302, cookies: [`JSESSIONID=session; HttpOnly; ${rest}`, `__Host-XSRF-TOKEN=csrf; ${rest}`] }
  }

  function secured({ path, headers }: StageCall): StageAnswer {
    const [token, isSession] = [headers.get('authorization'), isLoggedIn && headers.has('cookie')]
    if (!token && !isSession) return error('AUTHENTICATION_REQUIRED', path)
    if (token === `Bearer ${STAGE_SECRETS.GATEHOUSE_PLAIN_TOKEN}`) return error('ROLE_REQUIRED', path)
    if (token && token !== `Bearer ${STAGE_SECRETS.GATEHOUSE_TOKEN}`) return error('TOKEN_INVALID', path)
    return { status: 200, body: { user: 'ada' } }
  }

  const routes: readonly (readonly [path: RegExp, answer: (call: StageCall, rest: string) => StageAnswer])[] = [
    [/^\/webhooks\/(.+)$/, (call, source) => tooLarge(call) ?? webhook(source, call)],
    [/^\/api\/webhooks\/events\/(.+)$/, (_, path) => event(path)],
    [/^\/log(?:in|out)$/, session],
    [/^\/console\/webhooks$/, () => html('<script src="/assets/a.js"></script>')],
    [/^\/assets\/a\.js$/, () => ({ status: 200 })],
    [/^\/openapi\.json$/, () => ({ status: 200, body: { openapi: '3.1.1', info: { version: '0.1.0' } } })],
    [/^\/api\/public\/hello$/, hello],
    [/^\/api\//, secured],
    [/^/, ({ path }) => error('ENDPOINT_NOT_FOUND', path)],
  ]

  return (call) => {
    const path = call.path.replace(/\?.*/, '')
    const [pattern, answer] = routes.find(([each]) => each.test(path)) ?? []
    return answer?.({ ...call, path }, pattern?.exec(path)?.[1] ?? '') ?? gateway(500, 'Internal Server Error')
  }
}

function hello({ method, path }: StageCall): StageAnswer {
  return method === 'GET' ? { status: 200, body: { message: 'Hello' } } : error('METHOD_NOT_SUPPORTED', path)
}

function tooLarge({ body }: StageCall): StageAnswer | undefined {
  return body.length > 4_194_304 ? webhookError('PAYLOAD_TOO_LARGE') : undefined
}

export function gateway(status: number, message: string): StageAnswer {
  return { status, body: { message } }
}

export function error(code: ErrorCode, path: string): StageAnswer {
  const refusal = new ServiceError(code, DETAILS[code] as never)
  const headers = {
    ...(CATALOG[code].status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(code === 'METHOD_NOT_SUPPORTED' && { allow: 'GET' }),
  }
  return { status: refusal.status, headers, body: errorShape(refusal, { path, now: new Date() }) }
}

function webhookError(code: ErrorCode): StageAnswer {
  const { status, message } = CATALOG[code]
  return { status, body: { success: false, message, timestamp: toLocalDateTime(new Date()) } }
}

function html(body: string): StageAnswer {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
