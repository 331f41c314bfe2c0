import { PROVIDER_NAMES } from '../../contract/login-steps.ts'
import { type Html, html } from './html.ts'
import type { DrawIcon } from './icon.ts'

type Query = Readonly<Record<string, string | undefined>>

/** What the login page says of what happened before. */
export interface LoginNotice {
  readonly isError: boolean
  readonly text: string
}

/** By the parameter of the page that asks for it; the value of `canceled` names a provider. */
const NOTICES: readonly (readonly [parameter: string, isError: boolean, text: (value: string) => string])[] = [
  ['error', true, () => 'The login did not succeed. Check the user name and the password, or log in in another way.'],
  ['canceled', false, (value) => `You canceled the login at ${providerOf(value)}.`],
  ['throttled', true, () => 'There were too many attempts. Wait a few minutes, then try again.'],
  ['unavailable', true, () => 'Logins cannot be checked at the moment. Try again in a minute.'],
  ['logout', false, () => 'You are logged out.'],
]

export function loginNotices(query: Query): readonly LoginNotice[] {
  return NOTICES.flatMap(([parameter, isError, text]) => {
    const value = query[parameter]
    return value === undefined ? [] : [{ isError, text: text(value) }]
  })
}

/** The page shows a name only if it is a known one, because anybody can write the address. */
function providerOf(value: string): string {
  const names: Readonly<Record<string, string>> = PROVIDER_NAMES
  return (Object.hasOwn(names, value) ? names[value] : undefined) ?? 'the provider'
}

/** An error gets the focus, so that it is the first thing heard. */
export function noticeBox({ isError, text }: LoginNotice, draw: DrawIcon): Html {
  return isError
    ? html`<p class="note" data-tone="bad" role="alert" tabindex="-1" autofocus><span class="tone" data-tone="bad">${draw('bad')}</span> ${text}</p>\n`
    : html`<p class="note" role="status">${draw('info')} ${text}</p>\n`
}
