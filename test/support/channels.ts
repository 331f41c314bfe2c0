import { expect } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { SecureService } from '../../proto/gen/gatehouse/v1/secure_pb.ts'
import { bearer, call, challengeOf } from './client.ts'
import { bearerField, callUnary, type Ended } from './grpc-client.ts'
import { callStomp } from './stomp-call.ts'

/** What a channel says to a caller: whom it takes it for, or in the words of the error shape why it refuses. */
export type Verdict = { readonly username: string } | Refusal

interface Refusal {
  readonly status: number
  readonly message: string
  /** As text, which is all that gRPC has. */
  readonly details: Readonly<Record<string, string>>
}

type Ask = (token: string | undefined) => Promise<Verdict>

export interface Channel {
  /** Asks for what any valid token is good for. */
  readonly enter: Ask
  /** Asks for what takes an admin. */
  readonly administer: Ask
  /** How a refusal names what `administer` asks for. */
  readonly administered: { readonly resource: string; readonly action: string }
}

/** The running service over each of its channels. */
export const CHANNELS = {
  HTTP: {
    enter: (token) => overHttp('/api/auth/info', token),
    administer: (token) => overHttp('/api/admin/secure', token),
    administered: { resource: '/api/admin/secure', action: 'GET' },
  },
  gRPC: {
    async enter(token) {
      return overGrpc(await callUnary(AuthService.method.whoAmI, {}, fieldsOf(token)), ({ username }) => username)
    },
    async administer(token) {
      return overGrpc(await callUnary(SecureService.method.adminSecure, {}, fieldsOf(token)), ({ user }) => user)
    },
    administered: { resource: '/gatehouse.v1.SecureService/AdminSecure', action: 'AdminSecure' },
  },
  STOMP: {
    enter: (token) => overStomp(token),
    administer: (token) => overStomp(token, 'SUBSCRIBE\nid:0\ndestination:/topic/webhooks\nreceipt:1\n\n\0'),
    administered: { resource: '/topic/webhooks', action: 'SUBSCRIBE' },
  },
} as const satisfies Readonly<Record<string, Channel>>

type ChannelName = keyof typeof CHANNELS

/** What each channel makes of the same. */
export async function onEachChannel<T>(ask: (channel: Channel) => T | Promise<T>): Promise<Record<ChannelName, T>> {
  const answers = Object.entries(CHANNELS).map(async ([name, channel]) => [name, await ask(channel)] as const)
  return Object.fromEntries(await Promise.all(answers)) as Record<ChannelName, T>
}

const asText = (details: object = {}) =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, String(value)]))

/** What every 401 carries besides (RFC 6750 section 3). */
function expectChallenge({ status, details }: Refusal, challenge: unknown): void {
  const error = details['tokenStatus'] === undefined ? '' : ', error="invalid_token"'
  expect(challenge).toBe(status === 401 ? `Bearer realm="API"${error}` : undefined)
}

async function overHttp(path: string, token: string | undefined): Promise<Verdict> {
  const answer = await call(path, token === undefined ? {} : bearer(token))
  const { status, json } = answer
  if (status === 200) return { username: json.username ?? json.user }
  const refusal = { status, message: json.message, details: asText(json.details) }
  expectChallenge(refusal, challengeOf(answer))
  return refusal
}

const fieldsOf = (token: string | undefined) => (token === undefined ? {} : bearerField(token))

const STATUSES: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, PERMISSION_DENIED: 403 }

function overGrpc<M>(
  { code, text, messages: [answer], rich, trailers }: Ended<M>,
  name: (answer: M) => string,
): Verdict {
  if (answer !== undefined) return { username: name(answer) }
  const facts = rich?.facts ?? {}
  expect(trailers['token-status']).toBe(facts['tokenStatus'])
  // Without any credentials the error shape has no details.
  const details = text === 'Authentication required' ? {} : facts
  const refusal = { status: STATUSES[code] ?? 0, message: text, details }
  expectChallenge(refusal, trailers['www-authenticate'])
  return refusal
}

async function overStomp(token: string | undefined, ...further: readonly string[]): Promise<Verdict> {
  const credentials = token === undefined ? '' : `Authorization:Bearer ${token}\n`
  const { answers, closeCode } = await callStomp(`CONNECT\naccept-version:1.2\n${credentials}\n\0`, ...further)
  const last = answers.at(-1)
  if (last?.command !== 'ERROR') return { username: answers[0]?.headers['user-name'] ?? '' }
  const { status, message, details, path } = JSON.parse(last.body)
  expect([path, closeCode, last.headers['message']]).toEqual(['/ws', 1008, message])
  expect(last.headers['token-status']).toBe(status === 401 ? (details?.tokenStatus ?? 'MISSING') : undefined)
  return { status, message, details: asText(details) }
}
