import { type Exchange, formBody, makeCall } from '../call.ts'

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
