import { createHash } from 'node:crypto'
import { readAuthorization } from '../../lib/auth/authorization.ts'
import { invalid } from '../../lib/errors.ts'
import type { FaultName } from './faults.ts'

export type CredentialKind =
  | 'none'
  | 'password'
  | 'token'
  | 'session'
  | 'API key'
  | 'unknown scheme'
  // Of the open provider alone.
  | 'code'
  | 'device code'
  | 'refresh token'

/** What a call proves itself with; of a secret only a digest, to know it again. */
export interface Credential {
  readonly kind: CredentialKind
  readonly digest?: string
}

/** The answer to a call, as far as the rules look at it. */
export interface SeenAnswer {
  /** When it began to go out. */
  readonly at: Date
  readonly status: number
  /** `details.tokenStatus` of an error. */
  readonly tokenStatus?: string | undefined
  /** `Retry-After`, in seconds. */
  readonly retryAfter?: number | undefined
  /** The scheme of `WWW-Authenticate`. */
  readonly challenge?: string | undefined
  /** The code of an OAuth error. */
  readonly error?: string | undefined
  /** The token or session that a login began. */
  readonly issued?: Credential | undefined
}

/** A call of a client below the address of a fault. */
export interface SeenCall {
  readonly at: Date
  readonly method: string
  /** Below the fault, without the query. */
  readonly path: string
  readonly credential: Credential
  /** What a request for a login at the open provider has to compare an answer with: state, nonce, code_challenge. */
  readonly parameters?: readonly string[]
  /** Absent while the service is at it. */
  answer?: SeenAnswer
}

export type AnsweredCall = SeenCall & { readonly answer: SeenAnswer }

export const TOKEN_LOGIN = '/api/auth/login'

export const SESSION_LOGIN = '/login'

const LOGINS = [TOKEN_LOGIN, SESSION_LOGIN, '/logout']

/** Whether a call begins or ends a login. It passes every fault that is not about credentials. */
export function isLogin({ path }: Pick<SeenCall, 'path'>): boolean {
  return LOGINS.includes(path)
}

export function isAnswered(call: SeenCall): call is AnsweredCall {
  return call.answer !== undefined
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly session: string | undefined
}

/** The credentials that count, in the order in which the service looks for them. */
export function credentialOf({ method, path, authorization, apiKey, session }: Sent): Credential {
  if (isLogin({ path })) return { kind: method === 'POST' && path !== '/logout' ? 'password' : 'none' }
  if (authorization !== undefined) return fromAuthorization(authorization)
  if (apiKey !== undefined) return { kind: 'API key' }
  return session === undefined ? { kind: 'none' } : secretCredential('session', session)
}

/** A credential that is known again by a digest of it. */
export function secretCredential(kind: CredentialKind, text: string): Credential {
  return { kind, digest: createHash('sha256').update(text).digest('base64url') }
}

function fromAuthorization(value: string): Credential {
  const { scheme, credentials } = readAuthorization(value)
  if (scheme === 'bearer') return secretCredential('token', credentials)
  return { kind: scheme === 'basic' ? 'password' : 'unknown scheme' }
}

/** The clients that are remembered; for another one, the client that has been silent longest is forgotten. */
const MAXIMUM_CLIENTS = 50

/** The calls of a client below one fault that are remembered; later calls are only counted. */
export const MAXIMUM_CALLS = 100

/** What one client did below one fault. */
export interface FaultCalls {
  readonly calls: readonly SeenCall[]
  /** The number of calls after those. */
  readonly furtherCalls: number
}

/** What clients did, in memory. */
export type CallLog<Name extends string = FaultName> = ReturnType<typeof openCallLog<Name>>

type ClientCalls = Partial<Record<string, { readonly calls: SeenCall[]; furtherCalls: number }>>

export function openCallLog<Name extends string = FaultName>() {
  const clients = new Map<string, ClientCalls>()

  function callsOf(client: string): ClientCalls {
    const known = clients.get(client) ?? {}
    clients.delete(client)
    clients.set(client, known)
    if (clients.size > MAXIMUM_CLIENTS) clients.delete(clients.keys().next().value ?? client)
    return known
  }

  return {
    add(client: string, fault: Name, call: SeenCall): void {
      const all = callsOf(client)
      all[fault] ??= { calls: [], furtherCalls: 0 }
      const made = all[fault]
      if (made.calls.length < MAXIMUM_CALLS) made.calls.push(call)
      else made.furtherCalls += 1
    },
    read: (client: string, fault: Name): FaultCalls => clients.get(client)?.[fault] ?? { calls: [], furtherCalls: 0 },
    forget: (client: string) => void clients.delete(client),
    /** The remembered clients, the one that called last first. */
    get clients(): readonly string[] {
      return [...clients.keys()].reverse()
    },
  }
}

/** The header that names a client; a call without it belongs to {@link UNNAMED}. */
export const CLIENT_HEADER = 'x-client-name'

export const UNNAMED = 'unnamed'

export const CLIENT_NAME = /^[\w.-]{1,64}$/

export const NAME_RULE = 'must be 1 to 64 letters, digits, dots, hyphens or underscores'

/**
 * @param field where the name stood
 * @throws ServiceError `VALIDATION_FAILED`
 */
export function clientName(given: string, field: string): string {
  if (!CLIENT_NAME.test(given)) throw invalid([{ path: [field], message: NAME_RULE }])
  return given
}
