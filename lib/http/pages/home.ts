import { accessRuleOf, decide, isGuarded, type Permits, permitsOf } from '../../auth/access.ts'
import type { Principal } from '../../auth/principal.ts'
import { isInProfile, PROFILES } from '../../auth/profile.ts'
import { ROUTES } from '../../contract/gen/endpoints.ts'
import type { Route } from '../../contract/route.ts'
import { type Role, satisfies } from '../../users/role.ts'
import { takesSession } from '../middleware/authenticate.ts'
import { admission } from './admission.ts'
import { demoLogins, usersOf } from './demo-users.ts'
import { type DrawIcon, type Html, html, iconsOf, symbolsFor } from './html.ts'
import type { PageContent } from './page.ts'
import type { Site, View } from './site.ts'
import { cookies, nameOf, you } from './you.ts'

/** @param endpoint the name of the one whose admission is explained; any other text means the first */
export function homePage(view: View, site: Site, endpoint: string | undefined): PageContent {
  const permits: Permits = permitsOf(site.permissions)
  const draw = iconsOf(site.manifest)
  const { principal } = view
  const { isLocal, profile } = site
  const headline = principal
    ? html`You are logged in as ${nameOf(principal)}.`
    : html`Try every way to authenticate, and process every webhook exactly once.`
  const main = html`<div class="stack intro">
<p><span class="badge solid" data-tone="run">${draw('home')}${isLocal ? 'Local stage, profile' : 'Profile'} ${profile}</span></p>
<h1 class="hero">${headline}</h1>
</div>
<div class="pair${principal ? ' near from-top' : ''}">
${principal ? you(principal, view, site.permissions) : welcome(view, site, draw)}
${parts(view, site, draw)}
</div>
<div class="cols doors">
${doors(view, site, permits, draw)}</div>
<div class="pair near from-top">
${admission(principal, profile, permits, endpoint)}
${principal && cookies(site.baseUrl)}
</div>
${symbolsFor(site)}`
  return { title: 'Home', path: '/', frame: 'site', main, script: 'home' }
}

function welcome(view: View, site: Site, draw: DrawIcon): Html {
  const logins = demoLogins(view, site, draw)
  return html`<div class="stack intro">
<p class="lead">Gatehouse is a webhook receiver for teams on AWS, which verifies, stores once, retries and delivers each event, and an API with every common way to log in, for developers who build or test clients.</p>
${
  logins ??
  html`<p class="row flow"><a class="btn big main-btn" href="/login">${draw('user')}Log in</a><span class="muted">to see who you are here, and what you may do.</span></p>`
}
</div>`
}

interface Door {
  readonly id: string
  readonly icon: string
  readonly title: string
  readonly text: string
  /** A piece of the real thing. */
  readonly art: Html
  readonly href: string
  readonly action: string
  readonly other?: { readonly href: string; readonly label: string }
}

/** The ways on from the home page, each with a piece of what is behind it. */
function doors(view: View, site: Site, permits: Permits, draw: DrawIcon): readonly Html[] {
  const all: readonly Door[] = [
    {
      id: 'lab',
      icon: 'grid',
      title: 'Auth lab',
      text: 'Call each endpoint with each kind of credentials, then attack a token.',
      art: matrix(site, permits),
      href: '/console/playground',
      action: 'Open the lab',
      ...(site.isLocal && { other: { href: '/lab', label: 'Test your client' } }),
    },
    {
      id: 'inbox',
      icon: 'inbox',
      title: 'Webhook inbox',
      text: 'Each event is verified, stored once, processed, retried and delivered.',
      art: inbox(view, draw),
      href: '/console/webhooks',
      action: 'Open the inbox',
    },
    {
      id: 'reference',
      icon: 'book',
      title: 'API reference',
      text: 'OpenAPI 3.1. Read each request with its answers, and try it.',
      art: html`<pre class="code art" tabindex="0" aria-label="A first call">${firstCall(site)}</pre>`,
      href: '/docs',
      action: 'Read the reference',
    },
  ]
  return all.map((door) => card(door, draw))
}

function card({ id, icon, title, text, art, href, action, other }: Door, draw: DrawIcon): Html {
  return html`<section class="card stack door" aria-labelledby="${id}">
<h2 class="row" id="${id}">${draw(icon)}${title}</h2>
<p class="muted">${text}</p>
${art}
<p class="row flow"><a class="btn" href="${href}">${action}${draw('right')}</a>${other && html`<a class="btn" href="${other.href}">${other.label}${draw('right')}</a>`}</p>
</section>
`
}

const COLUMNS: readonly (readonly [title: string, roles: readonly Role[] | undefined])[] = [
  ['no login', undefined],
  ['user', ['ROLE_USER']],
  ['admin', ['ROLE_ADMIN']],
]

const SHOWN = ['publicHello', 'userSecure', 'adminSecure', 'usersCreate'] as const

/** The answers of some endpoints without a session, to a user and to an admin, computed as the endpoints do it. */
function matrix({ profile }: Site, permits: Permits): Html {
  const routes = SHOWN.map((name): Route => ROUTES[name]).filter((route) => isInProfile(route, profile))
  const rows = routes.map(
    (route) =>
      html`<tr><th scope="row" class="fill"><code>${route.method} ${route.path.replace('/api', '')}</code></th>${COLUMNS.map(([, roles]) => cell(route, roles, permits))}</tr>\n`,
  )
  return html`<table class="art">
<thead><tr><th scope="col"><span class="hide">Endpoint</span></th>${COLUMNS.map(([title]) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

function cell(route: Route, roles: readonly Role[] | undefined, permits: Permits): Html {
  const status = statusFor(route, roles, permits)
  const tone = status < 400 ? 'ok' : 'wait'
  return html`<td><span class="cell" data-tone="${tone}">${String(status)}</span></td>`
}

function statusFor(route: Route, roles: readonly Role[] | undefined, permits: Permits): number {
  const granted = route.method === 'POST' ? 201 : 200
  if (!isGuarded(route)) return granted
  const session: Principal | undefined = roles && {
    username: '',
    roles,
    authType: 'FORM',
    principalType: 'DatabaseUser',
  }
  const counted = takesSession(route.credentials) ? session : undefined
  const { verdict } = decide(counted, accessRuleOf(route), permits)
  if (verdict === 'granted') return granted
  return verdict === 'unauthenticated' ? 401 : 403
}

const WAY_OF_AN_EVENT = [
  ['shield-ok', 'Verify', 'the signature over the exact bytes'],
  ['save', 'Store', 'once, before the answer 2xx'],
  ['retry', 'Retry', 'what failed, after each delay'],
  ['route', 'Deliver', 'to your destinations'],
] as const

/** The script of the page puts the latest events here for an admin, who alone may see them. */
function inbox({ principal }: View, draw: DrawIcon): Html {
  const mark = satisfies(principal?.roles ?? [], 'ROLE_ADMIN') ? html` data-latest` : undefined
  return html`<ul class="art stack tight"${mark}>
${WAY_OF_AN_EVENT.map(([icon, name, text]) => html`<li class="row">${draw(icon)}<b>${name}</b> <span class="muted clip">${text}</span></li>\n`)}</ul>`
}

function firstCall({ profile, demoUsers, baseUrl }: Site): string {
  const origin = baseUrl.protocol === 'http:' ? baseUrl.host : baseUrl.origin
  const user = usersOf(profile, demoUsers).find(({ role }) => role === 'ROLE_USER')
  return PROFILES[profile].basic && user
    ? `curl -u ${user.username}:${user.password} \\\n  ${origin}/api/user/secure`
    : `curl ${origin}/api/public/hello`
}

/**
 * The parts of the stage that a visitor meets; their addresses on the local stage only. A script replaces the first list
 * by the parts that `GET /api/status` names, with their states.
 */
function parts({ providers }: View, { baseUrl, stompUrl, profile, isLocal }: Site, draw: DrawIcon): Html {
  const { bearer, basic, stores } = PROFILES[profile]
  const ways = ['session', ...(bearer ? ['token'] : []), ...(basic ? ['HTTP Basic'] : [])]
  const configured = [
    { icon: 'globe', name: 'HTTP API', detail: isLocal ? baseUrl.host : '', end: 'answers you' },
    ...(stompUrl
      ? [{ icon: 'live', name: 'STOMP', detail: isLocal ? `${stompUrl.host}${stompUrl.pathname}` : '' }]
      : []),
    ...(providers.length > 0
      ? [{ icon: 'lanes', name: 'OAuth login', detail: providers.map(({ label }) => label).join(', ') }]
      : []),
  ]
  const accepted = [
    { icon: 'key', name: 'Credentials', detail: ways.join(', ') },
    { icon: 'users', name: 'Users', detail: stores.join(', ') },
  ]
  return html`<section class="card stack" aria-labelledby="parts">
<h2 id="parts">Running now</h2>
<ul class="stack" data-parts>
${configured.map((row) => item(row, draw))}</ul>
<ul class="stack">
${accepted.map((row) => item(row, draw))}</ul>
</section>`
}

interface Row {
  readonly icon: string
  readonly name: string
  readonly detail: string
  readonly end?: string
}

function item({ icon, name, detail, end }: Row, draw: DrawIcon): Html {
  const last = end === undefined ? undefined : html`<span class="push small muted">${end}</span>`
  return html`<li class="row">${draw(icon)}<b>${name}</b> <span class="small muted">${detail}</span>${last}</li>\n`
}
