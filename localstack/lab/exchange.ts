import { Buffer } from 'node:buffer'
import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { bearerTokenIn, KEY_HEADER } from '../../lib/auth/authorization.ts'
import { SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { pairsIn } from '../stack/http.ts'
import { HOST } from '../stack/ports.ts'
import { type Credential, type SeenCall, secretCredential, TOKEN_LOGIN } from './call.ts'
import { isSameCredential } from './rules.ts'
import { SKEW } from './tokens.ts'

type HeaderPair = ReturnType<typeof pairsIn>[number]

/** An answer that the lab passes on or makes itself. Names of headers are in lower case. */
export interface LabAnswer {
  readonly status: number
  readonly headers: readonly HeaderPair[]
  readonly body: Buffer
}

/** A request to the real endpoint. Names of headers are in lower case. */
export interface LabRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly HeaderPair[]
}

/** RFC 9110 section 7.6.1, and what Node writes itself. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]

/** The headers of a message as they were sent, without what concerns only this connection or was added on the way. */
export function sentHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly HeaderPair[] {
  return pairsIn(rawHeaders).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.includes(name))
}

export function headerIn(headers: readonly HeaderPair[], name: string): string | undefined {
  return headers.find(([given]) => given === name)?.[1]
}

/** @param value undefined removes the header */
export function withHeader(
  headers: readonly HeaderPair[],
  name: string,
  value: string | undefined,
): readonly HeaderPair[] {
  const others = headers.filter(([given]) => given !== name)
  return value === undefined ? others : [...others, [name, value]]
}

/** Sends a request to the gateway of this run, with the body of another one. @throws Error when it does not answer */
export async function passOn(
  { method, target, headers }: LabRequest,
  body: IncomingMessage,
  port: number,
): Promise<LabAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = send({ host: HOST, port, method, path: target, headers: headers.flat() }, resolve).on(
    'error',
    reject,
  )
  body.pipe(outgoing)
  const answer = await promise
  return { status: answer.statusCode ?? 500, headers: sentHeaders(answer), body: await buffer(answer) }
}

/** The request with another bearer token, if it has one. */
export async function withBearer(request: LabRequest, change: (token: string) => Promise<string>): Promise<LabRequest> {
  const token = bearerTokenIn(headerIn(request.headers, 'authorization') ?? '')
  if (token === undefined) return request
  return { ...request, headers: withHeader(request.headers, 'authorization', `Bearer ${await change(token)}`) }
}

/** The request without a session that has ended. */
export function withoutSession(request: LabRequest, ended: Credential | undefined): LabRequest {
  const id = sessionIn(request)
  if (id === undefined || ended === undefined || !isSameCredential(secretCredential('session', id), ended))
    return request
  const others = cookiesIn(request).filter((cookie) => !isSession(cookie))
  return { ...request, headers: withHeader(request.headers, 'cookie', others.join('; ') || undefined) }
}

export function withoutCredentials(request: LabRequest): LabRequest {
  const names = ['authorization', 'cookie', KEY_HEADER]
  return { ...request, headers: request.headers.filter(([name]) => !names.includes(name)) }
}

/** The id of the session that a request shows. */
export function sessionIn(request: LabRequest): string | undefined {
  return cookiesIn(request)
    .find(isSession)
    ?.slice(SESSION_COOKIE.length + 1)
}

function cookiesIn({ headers }: LabRequest): readonly string[] {
  return headers.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/; */))
}

function isSession(cookie: string): boolean {
  return cookie.startsWith(`${SESSION_COOKIE}=`)
}

/** The token of a login's answer; undefined for any other answer. */
export function issuedToken({ status, body }: LabAnswer, { path }: Pick<SeenCall, 'path'>): string | undefined {
  return status === 200 && path === TOKEN_LOGIN ? JSON.parse(body.toString()).token : undefined
}

/** The answer of a login with another token; any other answer as it is. */
export async function withToken(
  answer: LabAnswer,
  call: Pick<SeenCall, 'path'>,
  change: (token: string) => Promise<string>,
): Promise<LabAnswer> {
  const token = issuedToken(answer, call)
  if (token === undefined) return answer
  const body = JSON.stringify({ ...JSON.parse(answer.body.toString()), token: await change(token) })
  return { ...answer, body: Buffer.from(body) }
}

const INSTANT = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g

/** The answer as a service gives it whose clock is behind: in `Date`, and in the members of its JSON that are times. */
export function shiftedTimes(answer: LabAnswer): LabAnswer {
  const { headers, body } = answer
  const date = headerIn(headers, 'date')
  const isJson = headerIn(headers, 'content-type')?.startsWith('application/json')
  const shifted = () => body.toString().replace(INSTANT, (_, time) => `"${earlier(time).toISOString()}"`)
  return {
    ...answer,
    headers: date === undefined ? headers : withHeader(headers, 'date', earlier(date).toUTCString()),
    body: isJson ? Buffer.from(shifted()) : body,
  }
}

function earlier(time: string): Date {
  return new Date(Date.parse(time) - SKEW * 1000)
}

/** AWS gives the challenge another name. */
const CHALLENGES = ['www-authenticate', 'x-amzn-remapped-www-authenticate']

/** RFC 9449 section 7.1: a token for it is bound to a key, which no bearer token is. */
const OTHER_CHALLENGE = 'DPoP realm="API", algs="ES256"'

export function withOtherChallenge(answer: LabAnswer): LabAnswer {
  const others = answer.headers.filter(([name]) => !CHALLENGES.includes(name))
  return { ...answer, headers: [...others, ['www-authenticate', OTHER_CHALLENGE]] }
}

/** The scheme of the challenge. */
export function challengeIn({ headers }: LabAnswer): string | undefined {
  return headers.find(([name]) => CHALLENGES.includes(name))?.[1].split(' ', 1)[0]
}
