import { type Call, JSON_HEADERS } from '../call.ts'

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
