import { createHash } from 'node:crypto'
import { readAuthorization } from '../../lib/auth/authorization.ts'

export type CredentialKind = 'none' | 'password' | 'token' | 'session' | 'API key' | 'unknown scheme'

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
export function secretCredential(kind: 'token' | 'session', text: string): Credential {
  return { kind, digest: createHash('sha256').update(text).digest('base64url') }
}

function fromAuthorization(value: string): Credential {
  const { scheme, credentials } = readAuthorization(value)
  if (scheme === 'bearer') return secretCredential('token', credentials)
  return { kind: scheme === 'basic' ? 'password' : 'unknown scheme' }
}
