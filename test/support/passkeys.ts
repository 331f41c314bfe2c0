import { Authenticator, type Deviation } from './authenticator.ts'
import type { CookieClient } from './browser-client.ts'
import type { Answer } from './client.ts'
import { served } from './served.ts'

/** An authenticator in a browser that is at the running service. */
export function authenticatorHere(): Authenticator {
  return new Authenticator(new URL(served('http')).origin)
}

export function postAs(browser: CookieClient, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...browser.csrf() }
  return browser.call(path, { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** Adds a passkey to the account that a browser is logged in to. */
export async function addPasskey(
  browser: CookieClient,
  authenticator: Authenticator,
  name = 'laptop',
): Promise<Answer> {
  const { json: options } = await postAs(browser, '/api/passkeys/registration/options')
  return postAs(browser, '/api/passkeys/registration', { name, credential: authenticator.create(options) })
}

export async function passkeyLogIn(
  browser: CookieClient,
  authenticator: Authenticator,
  deviation?: Deviation,
  returnTo?: string,
): Promise<Answer> {
  const { json: options } = await postAs(browser, '/login/passkey/options')
  return postAs(browser, '/login/passkey', { credential: authenticator.get(options, deviation), returnTo })
}
