import type { PermissionTable } from '../../auth/access.ts'
import type { AuthType, Principal, PrincipalType } from '../../auth/principal.ts'
import type { Role } from '../../users/role.ts'
import { CSRF_COOKIE, ownCookies, SESSION_COOKIE } from '../cookies.ts'
import { type Html, html, visibleText } from './html.ts'
import type { View } from './site.ts'

const WAYS: Readonly<Record<AuthType, string>> = {
  FORM: 'the login form',
  PASSKEY: 'a passkey',
  OAuth2: 'an identity provider',
  JWT: 'a bearer token',
  JDBC: 'HTTP Basic',
  LDAP: 'HTTP Basic',
  API_KEY: 'an API key',
}

const KINDS: Readonly<Record<PrincipalType, string>> = {
  DatabaseUser: 'a user of the database',
  DirectoryUser: 'a user of the directory',
  OidcUser: 'a user of an OpenID Connect provider',
  OAuth2User: 'a user of an OAuth2 provider',
  JwtUser: 'the subject of a token',
  ApiKey: 'a machine',
}

/** The name of the user, as the identity provider or this service knows it. */
export function nameOf({ username, oauth2 }: Principal): string {
  return visibleText(oauth2?.name ?? username)
}

/** The logged-in user: roles, permissions, the authentication method, and the end of the session. */
export function you(principal: Principal, { csrfToken, now }: View, permissions: PermissionTable): Html {
  const { username, roles, authType, principalType, sessionExpiresAt, oauth2 } = principal
  const rows: readonly (readonly [term: string, description: string | Html | null | undefined])[] = [
    ['User', username],
    ['Name', oauth2 && nameOf(principal)],
    ['E-mail', oauth2?.email],
    ['Roles', roles.join(', ') || 'none'],
    ['Permissions', roles.flatMap((role) => permissionsOf(role, permissions)).join('; ') || 'none'],
    ['Authenticated by', `${WAYS[authType]} (${authType}), as ${KINDS[principalType]}`],
    ['Session ends', sessionExpiresAt && sessionEnd(sessionExpiresAt, now)],
  ]
  const shown = rows.flatMap(([term, description]) =>
    description ? [html`<dt>${term}</dt><dd>${description}</dd>\n`] : [],
  )
  return html`<section class="card stack" aria-labelledby="you">
<h2 id="you">You</h2>
<dl class="facts">
${shown}</dl>
<form class="row flow" method="post" action="/logout?everywhere=true">
<input type="hidden" name="_csrf" value="${csrfToken}">
<button type="submit" class="btn">Log out everywhere</button><span class="small muted">ends all your sessions and tokens.</span>
</form>
</section>`
}

function permissionsOf(role: Role, permissions: PermissionTable): readonly string[] {
  return Object.entries(permissions[role] ?? {}).map(([type, names]) => `${names.join(', ')} on ${type}`)
}

const duration = new Intl.DurationFormat('en', { style: 'long' })

function sessionEnd(at: Date, now: Date): Html {
  const minutes = Math.max(1, Math.floor((at.getTime() - now.getTime()) / 60_000))
  const left = duration.format({ hours: Math.floor(minutes / 60), minutes: minutes % 60 })
  const iso = at.toISOString()
  return html`<span data-live-time="${iso}"><time datetime="${iso}">${iso}</time> <span class="muted">in ${left}</span></span>; extended while you use it`
}

const COOKIES = [
  { name: SESSION_COOKIE, purpose: 'Names your session. No script can read it.', isReadable: false },
  { name: CSRF_COOKIE, purpose: 'Proves that a form or a script is ours.', isReadable: true },
] as const

/** The cookies of a session, with their attributes. */
export function cookies(baseUrl: URL): Html {
  const { set } = ownCookies(baseUrl)
  const rows = COOKIES.map(({ name, purpose, isReadable }) => {
    const [pair = '', ...attributes] = set(name, '', { isReadable }).split('; ')
    return html`<dt><code>${pair.replace('=', '')}</code></dt><dd>${purpose}<br><code>${attributes.join('; ')}</code></dd>\n`
  })
  return html`<section class="card stack" aria-labelledby="cookies">
<h2 id="cookies">Your cookies</h2>
<dl class="facts">
${rows}</dl>
</section>`
}
