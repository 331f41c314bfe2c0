import { CallRefused } from '../problem.ts'
import { choosePasskey } from './browser.ts'

/** By the status of the answer. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'This passkey does not log in. It may have been removed from the account.',
  429: 'There were too many attempts. Wait a few minutes, then try again.',
}

/** Logs in with a passkey that the user chooses; the page to go to. @throws CallRefused */
export async function enterWithPasskey(csrfToken: string, returnTo: string | undefined): Promise<string> {
  const options: PublicKeyCredentialRequestOptionsJSON = await post('/login/passkey/options', csrfToken)
  const credential = await choosePasskey(options)
  const { redirect }: { readonly redirect: string } = await post('/login/passkey', csrfToken, { credential, returnTo })
  return redirect
}

async function post<T>(path: string, csrfToken: string, body?: object): Promise<T> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'x-xsrf-token': csrfToken }
  const call = fetch(path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
  const response = await call.catch(() => {
    throw new CallRefused('The service does not answer.')
  })
  if (response.ok) return response.json()
  throw new CallRefused(REFUSALS[response.status] ?? `The service answered ${response.status}.`)
}
