import type { ProviderId } from '../../auth/oauth2/providers.ts'
import { returnAddress } from '../../auth/return-address.ts'
import { loginAddress } from '../../contract/login-address.ts'
import { PROVIDER_NAMES } from '../../contract/login-steps.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { formField } from '../form.ts'
import { type HttpEvent, type Reply, redirect } from '../message.ts'
import { demoUsersSection } from './demo-users.ts'
import { type Html, html } from './html.ts'
import type { PageContent } from './page.ts'
import type { Site } from './site.ts'
import type { View } from './view.ts'

interface Notice {
  readonly parameter: string
  readonly isError: boolean
  readonly text: string
}

const NOTICES: readonly Notice[] = [
  {
    parameter: 'error',
    isError: true,
    text: 'That did not work. Check the user name and the password, or try the other way in again.',
  },
  {
    parameter: 'throttled',
    isError: true,
    text: 'That were too many attempts. Wait a few minutes, then try again.',
  },
  {
    parameter: 'unavailable',
    isError: true,
    text: 'We cannot check a login just now, and that is not your fault. Try again in a minute.',
  },
  { parameter: 'logout', isError: false, text: 'You are logged out.' },
]

/** Which notice a browser is shown for a refusal. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_CREDENTIALS: 'error',
  TOO_MANY_REQUESTS: 'throttled',
  UNAVAILABLE: 'unavailable',
}

/** @param query the page's own parameters: the names of notices, and `returnTo`, the address that the login leads to */
export function loginPage(view: View, site: Site, query: Readonly<Record<string, string | undefined>>): PageContent {
  const notices = NOTICES.filter(({ parameter }) => query[parameter] !== undefined)
  const returnTo = returnAddress(query['returnTo'], site.baseUrl)
  const isRefused = notices.some(({ isError }) => isError)
  const main = html`<h1>Log in</h1>
${notices.map(notice)}
<div class="columns">
<section class="card" aria-labelledby="password-login">
<h2 id="password-login">With a password</h2>
<form method="post" action="/login" class="fields">
<input type="hidden" name="_csrf" value="${view.csrfToken}">${
    returnTo === '/'
      ? undefined
      : html`
<input type="hidden" name="returnTo" value="${returnTo}">`
  }
<label for="username">User name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required${isRefused ? undefined : html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in</button>
</form>
</section>
${view.providers.length === 0 ? undefined : providers(view.providers, returnTo)}
</div>
${demoUsersSection(site)}`
  return { title: isRefused ? 'Login failed' : 'Log in', path: '/login', main, script: 'login' }
}

/** Gets the focus, so that it is the first thing heard. */
function notice({ isError, text }: Notice): Html {
  return isError
    ? html`<div class="notice" data-tone="bad" role="alert" tabindex="-1" autofocus><h2>You are not logged in</h2><p>${text}</p></div>`
    : html`<p class="notice" data-tone="good" role="status">${text}</p>`
}

function providers(ids: readonly ProviderId[], returnTo: string): Html {
  const query = returnTo === '/' ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  return html`<section class="card" aria-labelledby="provider-login">
<h2 id="provider-login">With another account</h2>
<ul class="choices">
${ids.map((id) => html`<li><a class="button quiet" href="/oauth2/authorization/${id}${query}">Log in with ${PROVIDER_NAMES[id]}</a></li>\n`)}</ul>
</section>`
}

/** Reads where the form of a login leads. */
export function wantedAddress({ baseUrl }: Pick<Site, 'baseUrl'>): (event: HttpEvent) => string {
  return (event) => returnAddress(formField(event, 'returnTo'), baseUrl)
}

/**
 * A browser's form that was refused leads back to the login page; everybody else gets the error as it is.
 * @param returnTo where the login would have led
 */
export async function orLoginPage(
  { headers }: HttpEvent,
  returnTo: string,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await answer()
  } catch (error) {
    const code: ErrorCode | undefined = error instanceof ServiceError ? error.code : undefined
    const parameter = code && REFUSALS[code]
    if (parameter !== undefined && headers['accept']?.includes('text/html'))
      return redirect(loginAddress(returnTo, parameter))
    throw error
  }
}
