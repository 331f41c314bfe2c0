import { request as httpRequest } from 'node:http'
import { expect } from 'vitest'
import { ERRORS, RESPONSES } from '../../lib/contract/responses.ts'
import { type EndpointName, ROUTES, type Route } from '../../lib/contract/routes.ts'
import { errorFormat, matchRoute } from '../../lib/http/routing.ts'
import { served } from './served.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body of a JSON answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape was checked against its declaration
  readonly json: any
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** The security headers of spec 5, rule 3, as decided. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  'x-xss-protection': '0',
}

/** Decisions: hashed assets are excepted. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

interface Allowance {
  /** Whether the answer may be the gateway's own, which carries no security headers (README, "Endpoints"). */
  readonly isGatewayAllowed?: boolean
}

/**
 * One request over the wire, its path sent as it is written. Every answer is held against the declaration of its
 * endpoint, and against the security headers.
 */
export async function call(
  path: string,
  { method = 'GET', headers = {}, body }: Call = {},
  { isGatewayAllowed = false }: Allowance = {},
): Promise<Answer> {
  const answer = await send(new URL(served('http')), path, { method, headers, ...(body !== undefined && { body }) })
  const isGateways = isGatewayAllowed && answer.headers['x-frame-options'] === undefined
  if (!isGateways) checkAnswer(method, path, answer)
  return answer
}

function checkAnswer(method: string, path: string, answer: Answer): void {
  const isAsset = path.startsWith('/assets/') && answer.status === 200
  expect(answer.headers).toMatchObject(isAsset ? { ...SECURITY_HEADERS, ...FOR_EVER } : SECURITY_HEADERS)
  const isRedirect = answer.status >= 300 && answer.status < 400
  if (isRedirect) expect(answer.text).toBe('')
  if (method !== 'HEAD' && answer.status !== 204 && !isRedirect) checkDeclared(method, path, answer)
}

function send(base: URL, path: string, { method, headers, body }: Call): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = httpRequest(
    { host: base.hostname, port: base.port, path, method, headers: { ...headers } },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = response.headers['content-type']?.includes('json') === true && text !== ''
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        })
      })
      response.on('error', reject)
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

function checkDeclared(method: string, path: string, { status, json, text }: Answer): void {
  const [rawPath = ''] = path.split('?')
  const found = Object.entries<Route>(ROUTES).find(
    ([, route]) => route.method === method && matchRoute(route, rawPath) !== undefined,
  )
  const [name, route] = found ?? []
  const schema = status < 400 ? RESPONSES[name as EndpointName] : ERRORS[route ? errorFormat(route, rawPath) : 'api']
  expect(schema, `${method} ${path} answered ${status}, which nothing declares`).toBeDefined()
  const { error } = schema.safeParse(json ?? text)
  expect(error, `${method} ${path} ${status}: ${text}`).toBeUndefined()
}

/** A form body with its content type. */
export function form(fields: Readonly<Record<string, string>> | string): Call {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  }
}

export function bearer(token: string): Call {
  return { headers: { authorization: `Bearer ${token}` } }
}

export function basic(username: string, password: string): Call {
  return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}
