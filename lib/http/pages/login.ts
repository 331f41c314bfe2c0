import { returnAddress } from '../../auth/csrf.ts'
import { type ConsoleFacts, loginAddress } from '../../contract/console.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { keptLoginName, ownCookies } from '../cookies.ts'
import { formField } from '../form.ts'
import { type HttpEvent, type Reply, redirect } from '../message.ts'
import { demoUsersSection } from './demo-users.ts'
import { type DrawIcon, type Html, html, iconsOf, symbolsFor } from './html.ts'
import { labelOf } from './menu.ts'
import type { PageContent } from './page.ts'
import type { Site, View } from './site.ts'
import { nameOf } from './you.ts'

/** Which notice a browser is shown for a refusal. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_CREDENTIALS: 'error',
  VALIDATION_FAILED: 'error',
  TOO_MANY_REQUESTS: 'throttled',
  UNAVAILABLE: 'unavailable',
}

/**
 * @param query the page's own parameters: the names of notices, and `returnTo`, the address that the login leads to
 * @param username the user name of the form that was refused before
 */
export function loginPage(
  view: View,
  site: Site,
  query: Readonly<Record<string, string | undefined>>,
  username?: string,
): PageContent {
  const draw = iconsOf(site.manifest)
  const notices = loginNotices(query, view.providers)
  const returnTo = returnAddress(query['returnTo'], site.baseUrl)
  const isRefused = notices.some(({ isError }) => isError)
  const demoUsers = demoUsersSection(view, site, returnTo, draw)
  const main = html`<div class="middle${demoUsers ? ' two pair from-top' : ''}">
<div class="stack wide">
<h1 class="hero">Log in</h1>
<div class="stack">
${notices.map((one) => noticeBox(one, draw))}${loggedIn(view)}${destination(returnTo)}<form method="post" action="/login" class="form"${site.passkeys === 'on' ? html` data-passkeys` : undefined}>
<input type="hidden" name="_csrf" value="${view.csrfToken}">${
    returnTo === '/'
      ? undefined
      : html`
<input type="hidden" name="returnTo" value="${returnTo}">`
  }
<label for="username">User name</label>
<div class="field"><input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required${username === undefined ? undefined : html` value="${username}"`}${isRefused ? undefined : html` autofocus`}></div>
<label for="password">Password</label>
<div class="field"><input id="password" name="password" type="password" autocomplete="current-password" required></div>
<button type="submit" class="btn main-btn big">Log in</button>
</form>
</div>
${view.providers.length === 0 ? undefined : providers(view.providers, returnTo)}
</div>
${demoUsers}
</div>
${symbolsFor(site)}`
  return { title: isRefused ? 'Login failed' : 'Log in', path: '/login', frame: 'site', main, script: 'login' }
}

function loggedIn({ principal }: View): Html | undefined {
  return (
    principal &&
    html`<p class="note">You are logged in as <b>${nameOf(principal)}</b>. Another login ends this session.</p>\n`
  )
}

/** The name of a page of this service; no text from an address. */
function destination(returnTo: string): Html | undefined {
  if (returnTo === '/') return undefined
  const label = labelOf(returnTo.replace(/[?#].*/, ''))
  return html`<p class="note small" data-tone="run">You will return to ${label === undefined ? 'the page that you came from' : html`<b>${label}</b>`}.</p>\n`
}

function providers(offered: ConsoleFacts['providers'], returnTo: string): Html {
  const query = returnTo === '/' ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  return html`<section class="stack" aria-labelledby="provider-login">
<h2 id="provider-login" class="small muted">Or with a provider</h2>
<ul class="cols trio">
${offered.map(({ id, label }) => html`<li><a class="btn big" href="/oauth2/authorization/${id}${query}"><span class="hide">Log in with </span>${label}</a></li>\n`)}</ul>
</section>`
}

/** Reads where the form of a login leads. */
export function wantedAddress({ baseUrl }: Pick<Site, 'baseUrl'>): (event: HttpEvent) => string {
  return (event) => returnAddress(formField(event, 'returnTo'), baseUrl)
}

/**
 * A browser's form that was refused leads back to the login page, which then has the user name; everybody else gets the
 * error as it is.
 * @param returnTo where the login would have led
 */
export async function orLoginPage(
  event: HttpEvent,
  { baseUrl }: Pick<Site, 'baseUrl'>,
  returnTo: string,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await answer()
  } catch (error) {
    const code: ErrorCode | undefined = error instanceof ServiceError ? error.code : undefined
    const parameter = code && REFUSALS[code]
    if (parameter === undefined || !event.headers['accept']?.includes('text/html')) throw error
    const kept = keptLoginName(ownCookies(baseUrl), formField(event, 'username') ?? '')
    return redirect(loginAddress(returnTo, parameter), kept)
  }
}

type Query = Readonly<Record<string, string | undefined>>

/** What the login page says of what happened before. */
interface LoginNotice {
  readonly isError: boolean
  readonly text: string
}

interface Named {
  /** The value of the parameter. */
  readonly value: string
  readonly fault: string | undefined
  /** The name of the provider for people. */
  readonly provider: string
}

/** By the parameter of the page that asks for it; the value of `canceled` names a provider, as `id` does. */
const NOTICES: readonly (readonly [parameter: string, isError: boolean, text: (named: Named) => string])[] = [
  ['error', true, failed],
  ['canceled', false, ({ provider }) => `You canceled the login at ${provider}.`],
  ['throttled', true, () => 'There were too many attempts. Wait a few minutes, then try again.'],
  ['unavailable', true, () => 'Logins cannot be checked at the moment. Try again in a minute.'],
  ['logout', false, () => 'You are logged out.'],
]

/** The page shows a name only if it is a known one, because any page can link to the address. */
function loginNotices(query: Query, offered: ConsoleFacts['providers']): readonly LoginNotice[] {
  const provider = offered.find(({ id }) => id === (query['id'] ?? query['canceled']))?.label ?? 'the provider'
  return NOTICES.flatMap(([parameter, isError, text]) => {
    const value = query[parameter]
    return value === undefined ? [] : [{ isError, text: text({ value, provider, fault: query['fault'] }) }]
  })
}

const FAULTS: ReadonlyMap<string | undefined, string> = new Map([
  [
    'person',
    'It took too long, came from another browser, was used already, or is not finished there. Begin it again.',
  ],
  ['settings', 'The settings of this service, or of its client there, are wrong. An administrator has to change them.'],
])

function failed({ value, fault, provider }: Named): string {
  if (value !== 'provider')
    return 'The login did not succeed. Check the user name and the password, or log in in another way.'
  const why = FAULTS.get(fault) ?? `This is a fault of ${provider}, not yours. Try again later.`
  return `The login with ${provider} did not succeed. ${why} An administrator finds the reason in the log (“OAuth2 login refused”), on a local stage also at /console/oauth.`
}

/** An error gets the focus, so that it is the first thing heard. */
function noticeBox({ isError, text }: LoginNotice, draw: DrawIcon): Html {
  return isError
    ? html`<p class="note" data-tone="bad" role="alert" tabindex="-1" autofocus><span class="tone" data-tone="bad">${draw('bad')}</span> ${text}</p>\n`
    : html`<p class="note" role="status">${draw('info')} ${text}</p>\n`
}
