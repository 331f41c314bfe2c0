import { TOKEN_STATUSES, type TokenStatus } from '../../lib/contract/tokens.ts'
import { type Call, type Exchange, formBody, JSON_HEADERS, makeCall } from '../call.ts'
import type { Tone } from '../ui/badge.tsx'

/** Says who the caller is; reading trusts the token alone. */
export function readingCall(token: string): Call {
  const headers = { ...JSON_HEADERS, authorization: `Bearer ${token}` }
  return { method: 'GET', path: '/api/auth/info', headers, withSession: false }
}

/** Would send a message, but is left incomplete: the account behind the token is looked at before that is found out. */
export function changingCall(token: string): Call {
  const headers = { ...readingCall(token).headers, 'content-type': 'application/json' }
  return { method: 'POST', path: '/api/messages', headers, body: '{}', withSession: false }
}

export type LogIn = { readonly token: string } | { readonly refusal: string }

/** A token for a username and a password, or why there is none. It is not stored: it disappears with the page. */
export async function logIn(username: string, password: string): Promise<LogIn> {
  const call = { method: 'POST', path: '/api/auth/login', withSession: false, ...formBody({ username, password }) }
  try {
    return resultOf(await makeCall(call))
  } catch {
    return { refusal: 'The service does not answer.' }
  }
}

function resultOf({ status, text }: Exchange): LogIn {
  const { token, message } = JSON.parse(text) as { readonly token?: string; readonly message?: string }
  return status === 200 && token !== undefined ? { token } : { refusal: `${message ?? 'No token'} (${status}).` }
}

/** What the service's answers to a token say about that token. */
export type TokenVerdict = TokenStatus | 'VALID' | 'IGNORED' | 'UNCLEAR'

interface Reading {
  readonly tone: Tone
  readonly text: string
}

export const READINGS: Readonly<Record<TokenVerdict, Reading>> = {
  VALID: { tone: 'ok', text: 'The service accepts the token: signed by it, complete, and valid now.' },
  MISSING: { tone: 'bad', text: 'There is no token.' },
  MALFORMED: {
    tone: 'bad',
    text: 'This is not a JWT: three parts in base64url with dots between them, the first two JSON objects.',
  },
  UNSUPPORTED_ALGORITHM: {
    tone: 'bad',
    text: 'The header asks for another algorithm than HS512, or for an extension. Nothing else is checked.',
  },
  INVALID_SIGNATURE: {
    tone: 'bad',
    text: 'No key of the service made the signature: the token was changed, or it was signed with another key.',
  },
  MISSING_CLAIMS: { tone: 'bad', text: 'The token lacks a required claim.' },
  INVALID_CLAIMS: { tone: 'bad', text: 'A claim has a wrong type or an unknown value.' },
  EXPIRED: { tone: 'wait', text: 'The token is past its end. A new login gives a new one.' },
  NOT_YET_VALID: { tone: 'wait', text: 'The token is not valid yet: iat or nbf is in the future.' },
  REVOKED: {
    tone: 'bad',
    text: 'The account has ended, changed or logged out since. Calls that only read still accept the token.',
  },
  IGNORED: { tone: 'wait', text: 'The profile of this service accepts no bearer tokens: nothing was checked.' },
  UNCLEAR: { tone: 'wait', text: 'The answer says nothing about the token.' },
}

/** Derives the verdict from the answer to a call that only reads. */
export function verdictOf({ status, text }: { readonly status: number; readonly text: string }): TokenVerdict {
  if (status === 200) return 'VALID'
  const tokenStatus = TOKEN_STATUSES.find((known) => text.includes(`"tokenStatus":"${known}"`))
  return tokenStatus ?? (status === 401 ? 'IGNORED' : 'UNCLEAR')
}
