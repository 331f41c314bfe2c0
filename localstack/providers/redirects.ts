import { randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import type { LoginAttack } from '../../lib/contract/login-attacks.ts'

const random = () => randomBytes(32).toString('base64url')

/** What an attacker changes in the address that leads the browser back to Gatehouse. */
export const REDIRECTS: Readonly<Partial<Record<LoginAttack, (back: URL) => void>>> = {
  // The first character names the cookie with the login: it stays, so that there is a state to compare with.
  'foreign-state': ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')?.at(0)}${random()}`),
  'no-state': ({ searchParams }) => searchParams.delete('state'),
  // No cookie of this browser has the login of such a state.
  'other-browser': ({ searchParams }) => searchParams.set('state', `9${random()}`),
  'other-callback': (back) => {
    back.pathname = '/login/oauth2/code/github'
  },
  'mixed-up': ({ searchParams }) => searchParams.set('iss', 'https://attacker.example'),
  'error-answer': ({ searchParams }) => {
    searchParams.delete('code')
    searchParams.set('error', 'access_denied')
  },
}

/** What an attacker did with a code before Gatehouse redeems it. */
export const STOLEN_CODES: Readonly<
  Partial<Record<LoginAttack, (provider: Provider, code: string) => Promise<unknown>>>
> = {
  'used-code': async ({ AuthorizationCode }, code) => (await AuthorizationCode.find(code))?.consume(),
  // The code of a login that somebody else began, with a challenge of their own (RFC 9700 section 4.5).
  'other-challenge': async ({ AuthorizationCode }, code) => {
    const found = await AuthorizationCode.find(code)
    return found && Object.assign(found, { codeChallenge: random() }).save()
  },
}
