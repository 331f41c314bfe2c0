import { loginAddress } from '../../contract/login-address.ts'
import { type Role, satisfies } from '../../users/role.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

interface Entry {
  readonly path: string
  readonly label: string
  /** The role that sees it; everybody without one. */
  readonly role?: Role
}

const NAVIGATION: readonly Entry[] = [
  { path: '/', label: 'Home' },
  { path: '/console/playground', label: 'Playground' },
  { path: '/console/token', label: 'Token' },
  { path: '/console/oauth', label: 'OAuth steps' },
  { path: '/console/webhooks', label: 'Webhooks', role: 'ROLE_ADMIN' },
]

/** Of a page that does not know who looks at it. */
export const BARE_HEADER = html`<header class="site">
<a class="brand" href="/">Gatehouse</a>
</header>`

/** @param path the path of the page that it stands on */
export function pageHeader(view: View, path: string): Html {
  const held = view.principal?.roles ?? []
  const entries = NAVIGATION.filter(({ role }) => role === undefined || satisfies(held, role))
  return html`<header class="site">
<a class="brand" href="/">Gatehouse</a>
<nav aria-label="Console"><ul>
${entries.map((entry) => link(entry, path))}</ul></nav>
${view.principal ? logOut(view.principal.username, view.csrfToken) : logIn(view.address, path)}
</header>`
}

function link({ path, label }: Entry, current: string): Html {
  const mark = path === current ? html` aria-current="page"` : undefined
  return html`<li><a href="${path}"${mark}>${label}</a></li>\n`
}

function logIn(address: string, path: string): Html | undefined {
  return path === '/login' ? undefined : html`<a class="button" href="${loginAddress(address)}">Log in</a>`
}

function logOut(username: string, csrfToken: string): Html {
  return html`<form class="account" method="post" action="/logout">
<input type="hidden" name="_csrf" value="${csrfToken}">
<span class="username">${username}</span> <button type="submit" class="quiet">Log out</button>
</form>`
}
