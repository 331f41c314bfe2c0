import type { Permits } from '../../auth/access.ts'
import { type PermissionTable, permitsOf } from '../../auth/permissions.ts'
import type { AuthType, Principal, PrincipalType } from '../../auth/principal.ts'
import type { Role } from '../../users/role.ts'
import { CSRF_COOKIE, ownCookies, SESSION_COOKIE } from '../cookies.ts'
import { admission } from './admission.ts'
import { type Html, html } from './html.ts'
import type { PageContent } from './page.ts'
import type { Site } from './site.ts'
import type { View } from './view.ts'

/** @param endpoint the name of the one whose admission is explained; any other text means the first */
export function homePage(view: View, site: Site, endpoint: string | undefined): PageContent {
  const permits: Permits = permitsOf(site.permissions)
  const { principal } = view
  const main = html`${
    principal
      ? html`<h1>You are logged in</h1>
<div class="columns">
${you(principal, view, site.permissions)}
${cookies(site.baseUrl)}
</div>`
      : STRANGER
  }
${admission(principal, site.profile, permits, endpoint)}`
  return { title: 'Home', path: '/', main, script: 'home' }
}

const STRANGER = html`<h1>Gatehouse</h1>
<p class="lead">Every common way into an API, and a webhook receiver that loses and doubles nothing.</p>
<p>You are not logged in. <a href="/login">Log in</a> to see who you are here and what you may do.</p>`

const WAYS: Readonly<Record<AuthType, string>> = {
  FORM: 'the login form',
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

function you(principal: Principal, { csrfToken, now }: View, permissions: PermissionTable): Html {
  const { username, roles, authType, principalType, sessionExpiresAt, oauth2 } = principal
  const rows: readonly (readonly [term: string, description: string | Html | null | undefined])[] = [
    ['User', username],
    ['Name', oauth2?.name],
    ['E-mail', oauth2?.email],
    ['Roles', roles.join(', ') || 'none'],
    ['Permissions', roles.flatMap((role) => permissionsOf(role, permissions)).join('; ') || 'none'],
    ['Authenticated by', `${WAYS[authType]} (${authType}), as ${KINDS[principalType]}`],
    ['Session ends', sessionExpiresAt && sessionEnd(sessionExpiresAt, now)],
  ]
  const shown = rows.flatMap(([term, description]) =>
    description ? [html`<dt>${term}</dt><dd>${description}</dd>\n`] : [],
  )
  return html`<section class="card" aria-labelledby="you">
<h2 id="you">You</h2>
<dl class="facts">
${shown}</dl>
<div class="actions">
${logOut('/logout', 'Log out here', csrfToken)}
${logOut('/logout?everywhere=true', 'Log out everywhere', csrfToken)}
</div>
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
  return html`<span data-live-time="${iso}"><time datetime="${iso}">${iso}</time> <span class="muted">(in ${left})</span></span>; extended while you use it`
}

function logOut(action: string, label: string, csrfToken: string): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="_csrf" value="${csrfToken}"><button type="submit" class="quiet">${label}</button></form>`
}

const COOKIES = [
  { name: SESSION_COOKIE, purpose: 'names your session; no script reads it', isReadable: false },
  { name: CSRF_COOKIE, purpose: 'proves that a form or a script is ours', isReadable: true },
] as const

function cookies(baseUrl: URL): Html {
  const { set } = ownCookies(baseUrl)
  const rows = COOKIES.map(({ name, purpose, isReadable }) => {
    const [pair = '', ...attributes] = set(name, '', { isReadable }).split('; ')
    return html`<dt><code>${pair.replace('=', '')}</code></dt><dd>${purpose}<br><code>${attributes.join('; ')}</code></dd>\n`
  })
  return html`<section class="card" aria-labelledby="cookies">
<h2 id="cookies">Your cookies</h2>
<dl class="facts">
${rows}</dl>
</section>`
}
