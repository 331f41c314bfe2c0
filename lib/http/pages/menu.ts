import { loginAddress } from '../../contract/console.ts'
import { type DrawIcon, type Html, html } from './html.ts'
import type { View } from './site.ts'
import { nameOf } from './you.ts'

interface Entry {
  readonly path: string
  readonly label: string
  readonly icon: string
  /** Whether a narrow screen shows it in its bar; the others are behind "More". */
  readonly isMain?: boolean
  /** The figure behind it, which a script fills in. */
  readonly count?: string
  /** Whether the saved views follow, which a script fills in. */
  readonly hasViews?: boolean
  /** Whether only a local run has it. */
  readonly isLocal?: boolean
}

interface Group {
  readonly label: string
  readonly entries: readonly Entry[]
}

const GROUPS: readonly Group[] = [
  {
    label: 'Webhooks',
    entries: [
      { path: '/console/webhooks', label: 'Events', icon: 'inbox', isMain: true, count: 'events', hasViews: true },
      { path: '/console/refused', label: 'Refused', icon: 'shield', isMain: true, count: 'refused' },
      { path: '/console/destinations', label: 'Destinations', icon: 'route' },
      { path: '/console/replays', label: 'Replays', icon: 'retry' },
      { path: '/console/payments', label: 'Payments & orders', icon: 'card' },
    ],
  },
  {
    label: 'Auth lab',
    entries: [
      { path: '/console/playground', label: 'Endpoints', icon: 'grid', isMain: true },
      { path: '/console/token', label: 'Tokens', icon: 'key' },
      { path: '/console/oauth', label: 'OAuth login', icon: 'lanes' },
      { path: '/lab', label: 'Test your client', icon: 'sword', isLocal: true },
      { path: '/docs', label: 'API reference', icon: 'book' },
    ],
  },
  {
    label: 'Manage',
    entries: [
      { path: '/console/users', label: 'Users', icon: 'users' },
      { path: '/console/keys', label: 'API keys', icon: 'lock' },
      { path: '/console/audit', label: 'Audit trail', icon: 'search' },
    ],
  },
]

/** How the menu calls a page; undefined for one that it does not lead to. */
export function labelOf(path: string): string | undefined {
  return GROUPS.flatMap(({ entries }) => entries).find((entry) => entry.path === path)?.label
}

const HOME: Entry = { path: '/', label: 'Home', icon: 'home' }

/**
 * @param view undefined where the page does not know who looks at it
 * @param path the path of the page that it stands on
 */
export function sideMenu(view: View | undefined, path: string, draw: DrawIcon, isLocal: boolean): Html {
  const shown = (entries: readonly Entry[]) => entries.filter((entry) => isLocal || !entry.isLocal)
  const list = (entries: readonly Entry[]) => html`<ul>
${shown(entries).map((entry) => item(entry, path, draw))}</ul>
`
  return html`<nav class="side" aria-label="Console">
<a class="brand" href="/">${draw('gate')}<b>Gatehouse</b></a>
${list([HOME])}${GROUPS.map(({ label, entries }) => html`<h2>${label}</h2>\n${list(entries)}`)}<details class="more only-s"><summary>${draw('more')}More</summary><div>
<ul>
${VIEWS}</ul>
${list(GROUPS.flatMap(({ entries }) => entries).filter(({ isMain }) => !isMain))}${view && account(view, draw)}
</div></details>
${view && account(view, draw)}
</nav>`
}

/** A script shows the saved views in it. */
const VIEWS = html`<li data-views></li>\n`

function item({ path, label, icon, isMain, count, hasViews }: Entry, current: string, draw: DrawIcon): Html {
  const mark = path === current ? html` aria-current="page"` : undefined
  const tab = isMain || path === '/' ? html` class="tab"` : undefined
  const figure = count && html`<span class="push small muted num t" data-count="${count}"></span>`
  const views = hasViews ? VIEWS : undefined
  return html`<li${tab}><a href="${path}" title="${label}"${mark}>${draw(icon)}<span class="t">${label}</span>${figure}</a></li>\n${views}`
}

function account({ principal, csrfToken, address }: View, draw: DrawIcon): Html {
  if (principal === undefined) return html`<p class="me"><a class="btn" href="${loginAddress(address)}">Log in</a></p>`
  return html`<form class="me row" method="post" action="/logout">
<input type="hidden" name="_csrf" value="${csrfToken}">
<a class="grow clip row" href="/console/account" title="Your account">${draw('user')}<strong class="clip">${nameOf(principal)}</strong></a>
<button type="submit" class="btn bare" aria-label="Log out" title="Log out">${draw('exit')}</button>
</form>`
}

const LINKS = [
  { path: '/console/playground', label: 'Auth lab' },
  { path: '/console/webhooks', label: 'Webhooks' },
  { path: '/docs', label: 'API reference' },
] as const

/** The head of a page without a menu. @param view undefined where the page does not know who looks at it */
export function siteHeader(view: View | undefined, path: string, draw: DrawIcon): Html {
  return html`<header class="page bar">
<a class="brand" href="/">${draw('gate')}<b>Gatehouse</b></a>
<nav class="row push" aria-label="Site">
${LINKS.map(({ path, label }) => html`<a class="btn bare c1" href="${path}">${label}</a>\n`)}${view && logInOrOut(view, path)}
</nav>
</header>`
}

function logInOrOut({ principal, csrfToken, address }: View, path: string): Html | undefined {
  if (principal === undefined)
    return path === '/login' ? undefined : html`<a class="btn" href="${loginAddress(address)}">Log in</a>`
  return html`<form class="row" method="post" action="/logout">
<input type="hidden" name="_csrf" value="${csrfToken}">
<span class="muted small clip c1">${nameOf(principal)}</span> <button type="submit" class="btn">Log out</button>
</form>`
}
